"""What can be asked of a document, a data set or a trace in SQL: tables, read when they are named.

Of events only the columns are read that a question names. Losses, cuts, leaders, in-sync sets and states of
a data set stand in it; a document keeps none of them, so its partitions are judged once, when one is named.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false
# pyarrow comes without types.

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.diagnose.verdict.check import diagnose, triaged
from core.diagnose.verdict.facts import PartitionVerdict
from core.diagnose.verdict.summary import Triage
from core.history.open import open_history
from core.history.state_rows import StateChange, state_changes
from core.message import message
from core.trace.by_partition import by_partition
from core.trace.part import part_of
from core.trace.trace import Broker, Column, KeptLine, Partition, Source, Trace
from core.work import QUIET, Work
from importers.contract.told import (
    VERDICTS,
    Names,
    broker_rows,
    columns_behind,
    event_table,
    file_rows,
    finding_rows,
    found_table,
    line_table,
    partition_rows,
    state_table,
    summary_rows,
    table_of,
    verdict_table,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from db.document import Document
    from gui.workspace.sources import Opened

Some: TypeAlias = tuple[NDArray[np.int64], Mapping[str, Column]]
"""Seqs and columns of events."""
STATES: Final = "states"


class Tables(ABC):
    """The tables of one trace. `read` gives the columns that are asked for, of one of them.

    Raises SourceError and DocumentError where what is stored is damaged, CancelledError.
    """

    def __init__(self, work: Work = QUIET) -> None:
        """Nothing is read yet; `work` hears of what takes long."""
        self.work = work

    def read(self, table: str, columns: Collection[str]) -> "pa.Table":
        """Some columns of a table of importers.contract.columns."""
        if table == "events":
            seqs, found = self.columns(columns_behind(columns) - {"seq"})
            return event_table({**found, "seq": seqs}, self.names, columns)
        whole = self._whole(table)
        return whole.select([name for name in whole.column_names if name in columns])

    def _whole(self, table: str) -> "pa.Table":
        if table == "partitions":
            return table_of(table, partition_rows(self.partitions()))
        if table == "brokers":
            return table_of(table, broker_rows(self.brokers()))
        if table == "files":
            return table_of(table, file_rows(self.sources()))
        if table == "lines":
            return line_table(self.lines(), self.names)
        if table == "summaries":
            return table_of(table, summary_rows(self.triage.summaries, self.names))
        if table == "findings":
            return table_of(table, finding_rows(self.triage.findings, self.names))
        return self.found(table)

    @cached_property
    def names(self) -> Names:
        """What numbers in the columns of events mean."""
        return Names(self.partitions(), self.sources(), self.isrs())

    @cached_property
    def triage(self) -> Triage:
        """Summaries and findings."""
        return self.triaged()

    @abstractmethod
    def partitions(self) -> Sequence[Partition]:
        """Of the trace."""

    @abstractmethod
    def brokers(self) -> Sequence[Broker]:
        """Of the trace."""

    @abstractmethod
    def sources(self) -> Sequence[Source]:
        """Of the trace."""

    @abstractmethod
    def isrs(self) -> Sequence[tuple[int, ...]]:
        """The in-sync sets that events point to."""

    @abstractmethod
    def columns(self, names: Collection[str]) -> Some:
        """Some columns of all events."""

    @abstractmethod
    def lines(self) -> Sequence[KeptLine]:
        """The kept lines."""

    @abstractmethod
    def triaged(self) -> Triage:
        """Summaries and findings, stored or found now."""

    @abstractmethod
    def found(self, table: str) -> "pa.Table":
        """One of VERDICTS, or states."""


class TraceTables(Tables):
    """Of a trace in memory."""

    def __init__(self, trace: Trace, work: Work = QUIET) -> None:
        """Of this trace."""
        super().__init__(work)
        self._trace = trace
        self._states: pa.Table | None = None

    def partitions(self) -> Sequence[Partition]:
        """Of the trace."""
        return self._trace.partitions

    def brokers(self) -> Sequence[Broker]:
        """Of the trace."""
        return self._trace.brokers

    def sources(self) -> Sequence[Source]:
        """Of the trace."""
        return self._trace.sources

    def isrs(self) -> Sequence[tuple[int, ...]]:
        """Of the trace."""
        return self._trace.isrs

    def columns(self, names: Collection[str]) -> Some:
        """They are there."""
        return np.arange(len(self._trace)), {name: self._trace.columns[name] for name in names}

    def lines(self) -> Sequence[KeptLine]:
        """Of the trace."""
        return self._trace.lines

    def triaged(self) -> Triage:
        """Found now."""
        return triaged(self._trace, self.work)

    def found(self, table: str) -> "pa.Table":
        """Judged now, once for all tables; states as the window has them, which opens a partition alone."""
        if table != STATES:
            return verdict_table(table, self._verdicts, self.names)
        if self._states is None:
            self._states = state_table(self._changes(), self.names)
        return self._states

    @cached_property
    def _verdicts(self) -> tuple[PartitionVerdict, ...]:
        return diagnose(self._trace, self.work).partitions

    def _changes(self) -> Iterator[tuple[int, StateChange]]:
        """By broker, then along the cursor, as data sets have them."""
        trace, rows = self._trace, by_partition(self._trace)
        for index, partition in enumerate(trace.partitions):
            self.work.step(index, len(trace.partitions), message("progress.named", name=str(partition.tp)))
            seqs = np.union1d(rows.seqs_of(index), np.arange(len(trace))[-1:])
            history = open_history(part_of(trace, seqs), index)
            cursors = [0, *(seq + 1 for seq in seqs.tolist())]
            found = state_changes(history, cursors)
            yield from ((index, one) for one in sorted(found, key=lambda one: (one.broker, one.cursor)))


class DocumentTables(Tables):
    """Of a trace of a document: chunks of the columns that are named, and what was stored at the import."""

    def __init__(self, document: "Document", name: str | None, work: Work = QUIET) -> None:
        """Of the trace of that name; None is the only one. Raises QuestionError."""
        super().__init__(work)
        self._document, self._name = document, name
        self._small = document.dictionaries(name)

    def partitions(self) -> Sequence[Partition]:
        """Without their events."""
        return self._small.partitions

    def brokers(self) -> Sequence[Broker]:
        """Stored."""
        return self._small.brokers

    def sources(self) -> Sequence[Source]:
        """Stored."""
        return self._small.sources

    def isrs(self) -> Sequence[tuple[int, ...]]:
        """Stored."""
        return self._small.isrs

    def columns(self, names: Collection[str]) -> Some:
        """Only they are decoded."""
        return self._document.some_columns(self._name, names)

    def lines(self) -> Sequence[KeptLine]:
        """Stored."""
        return self._document.lines(self._name)

    def triaged(self) -> Triage:
        """As it was stored; of a document from before, found now."""
        return self._document.triage(self._name) or self._whole_trace.triaged()

    def found(self, table: str) -> "pa.Table":
        """Judged now."""
        return self._whole_trace.found(table)

    @cached_property
    def _whole_trace(self) -> TraceTables:
        return TraceTables(self._document.trace(self._name), self.work)


class DataSetTables(Tables):
    """Of a data set: what its tables hold, read when they are named."""

    def __init__(self, place: str | Path, work: Work = QUIET) -> None:
        """Of the data set at a path or an address. Raises SourceError."""
        from importers.prepared.data_set import dictionaries_of, read_manifest

        super().__init__(work)
        self._place = place
        read_manifest(place)
        self._small: Mapping[str, Any] = dictionaries_of(place)

    def read(self, table: str, columns: Collection[str]) -> "pa.Table":
        """As of every trace. Raises SourceError where numbers point to nothing."""
        import pyarrow as pa

        from importers.prepared.data_set import damaged_set
        from importers.prepared.folder import folder_of

        try:
            return super().read(table, columns)
        except (pa.ArrowException, IndexError, KeyError) as error:
            why = message("error.data-set.table", name=table, words=str(error))
            raise damaged_set(folder_of(self._place), why) from error

    def partitions(self) -> Sequence[Partition]:
        """Stored."""
        return self._small["partitions"]

    def brokers(self) -> Sequence[Broker]:
        """Stored."""
        return self._small["brokers"]

    def sources(self) -> Sequence[Source]:
        """Stored."""
        return self._small["sources"]

    def isrs(self) -> Sequence[tuple[int, ...]]:
        """Stored."""
        return self._small["isrs"]

    def columns(self, names: Collection[str]) -> Some:
        """Only they are read."""
        from importers.prepared.some import some_columns

        return some_columns(self._place, names)

    def lines(self) -> Sequence[KeptLine]:
        """Stored."""
        from importers.prepared.some import kept_lines_of

        return kept_lines_of(self._place, range(len(self.sources())))

    def triaged(self) -> Triage:
        """As the pipeline found it."""
        from importers.prepared.triage import read_triage

        return read_triage(self._place)

    def found(self, table: str) -> "pa.Table":
        """As the pipeline found it."""
        from importers.prepared.triage import FOLDERS, read_owned

        if table == STATES:
            return state_table(read_owned(self._place, STATES, StateChange), self.names)
        return found_table(table, read_owned(self._place, FOLDERS[table], VERDICTS[table][1]), self.names)


def tables_of(thing: "Opened", name: str | None = None, work: Work = QUIET) -> Tables:
    """The tables of what is open; `name` is that of a trace. Raises QuestionError."""
    if thing.document is not None:
        return DocumentTables(thing.document, name, work)
    return TraceTables(thing.trace(name), work)


def tables_at(place: str | Path, work: Work = QUIET) -> Tables | None:
    """The tables of a data set; None where there is none with what the pipeline found. Raises SourceError."""
    from importers.prepared.data_set import has_triage

    return DataSetTables(place, work) if has_triage(place) else None
