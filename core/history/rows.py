"""From a trace to the events of one partition as rows with named values, each made when it is asked for.

A partition may have a million events, of which few are elections, cuts or restarts. So a reader asks for the
kinds that it needs, as in `rows.of(frozenset({"truncated"}))`, and no other rows are made.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, Final, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import NO_INDEX, UNSAID
from core.trace.trace import VALUES, Trace
from core.trace.vocabulary import NAME, NUMBER, Basis

SHORT: Final = 2_000
"""A view of so many rows or fewer makes all of them at once: that costs less than to search its columns."""
_MANY: Final = 16
"""Of more rows than one in so many it costs less to mark each than to sort their numbers."""
_BLOCK: Final = 32
"""Rows that are made together where one of a long view is asked for by its number."""
_DISK_FILE: Final = re.compile(
    r"(.*/)?([a-z-]+-checkpoint|\d{20}\.log(\.deleted)?|\d{20}-\d{10}\.checkpoint(\.deleted)?)"
)
"""Files of a data directory: what they state does not show that the broker was up."""
_BASES: Final = {int(basis): basis for basis in Basis}
_INDEXES: Final = ("partition", "broker", "replica")


ENDS: Final = frozenset({"broker_stopped", "broker_crashed", "broker_exited"})
"""Kinds that state the end of a process."""


class Row(NamedTuple):
    """One event of a view, with what it states; None is not stated. `number` counts in the view, from 0."""

    number: int
    seq: int
    at: int
    kind: str
    basis: Basis
    partition: int | None
    broker: int | None
    replica: int | None
    leader: int | None
    epoch: int | None
    partition_epoch: int | None
    leo: int | None
    hw: int | None
    log_start: int | None
    from_offset: int | None
    offset: int | None
    aux: int | None
    stamp: int | None
    isr: tuple[int, ...] | None
    at_least: int
    at_most: int
    disk: bool
    """Read from a file of a data directory."""


_OF_OTHERS: Final = frozenset({"evidence_gap", "produce_failed"})
"""What names a broker and comes from none: an importer finds gaps; that a request failed its producer knows,
also of a broker that is down."""


def is_own_line(row: Row, broker: int) -> bool:
    """Whether a row is a line that the broker printed in its own log.

    A file of its data directory is none, nor is a gap or an end that an importer found.
    """
    about_end = row.kind in _OF_OTHERS or (row.kind in ENDS and row.basis >= Basis.HELD)
    return row.broker == broker and not row.disk and not about_end


class Rows(Sequence[Row]):
    """The rows of a view in Seq order."""

    def __init__(self, trace: Trace, seqs: NDArray[np.int64], files: Collection[int]) -> None:
        """`seqs` are the Seqs of the events, `files` the sources that are files of data directories."""
        self._trace = trace
        self._seqs = seqs
        self._files = files
        self._columns: dict[str, NDArray[Any]] = {}
        self._disk: NDArray[np.bool_] | None = None
        self._blocks: dict[int, tuple[Row, ...]] = {}
        self._picked: dict[Collection[str], tuple[Row, ...]] = {}
        self._numbers: dict[Collection[str], NDArray[np.intp]] = {}
        self._numbers_by_kind: dict[int, NDArray[np.intp]] = {}
        self._about: dict[tuple[int, int], list[int]] = {}
        self._numbers_about: dict[tuple[int, int], NDArray[np.intp]] = {}
        self._near: dict[int, NDArray[np.bool_]] = {}
        self._own_lines: dict[int, list[int]] = {}
        self._are_own_lines: dict[int, NDArray[np.bool_]] = {}
        self._states_any: dict[str, bool] = {}
        self._stated_values: dict[tuple[str, int, int], list[tuple[int, int]]] = {}
        self._all: tuple[Row, ...] | None = None
        self._kinds: frozenset[str] = frozenset()
        self._by_kind: dict[str, list[Row]] = {}
        if len(seqs) <= SHORT:
            self._all = self._made(seqs, 0)
            self._kinds = frozenset(row.kind for row in self._all)

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._seqs)

    @overload
    def __getitem__(self, key: int) -> Row: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Row]: ...
    def __getitem__(self, key: int | slice) -> Row | Sequence[Row]:
        """A row by its number, or some in order."""
        if self._all is not None:
            return self._all[key]
        if isinstance(key, slice):
            numbers = range(*key.indices(len(self)))
            return [self[number] for number in numbers] if len(numbers) < _BLOCK else list(self)[key]
        number = key if key >= 0 else key + len(self)
        if not 0 <= number < len(self):
            raise IndexError(key)
        block = number // _BLOCK
        made = self._blocks.get(block)
        if made is None:
            first = block * _BLOCK
            made = self._blocks[block] = self._made(self._seqs[first : first + _BLOCK], first)
        return made[number % _BLOCK]

    def __iter__(self) -> Iterator[Row]:
        """All rows: all of them are made."""
        if self._all is None:
            self._all = self._made(self._seqs, 0)
            self._kinds = frozenset(row.kind for row in self._all)
            self._blocks.clear()
        return iter(self._all)

    def of(self, kinds: Collection[str]) -> tuple[Row, ...]:
        """The rows of some kinds, in order. `kinds` must be hashable; the answer is kept."""
        found = self._picked.get(kinds)
        if found is None:
            found = self._all_of(kinds) if self._all is not None else self.at(self.numbers_of(kinds))
            self._picked[kinds] = found
        return found

    def _all_of(self, kinds: Collection[str]) -> tuple[Row, ...]:
        """The same where all rows are made: they are put apart by kind once."""
        by_kind = self._by_kind
        if not by_kind:
            for row in self:
                by_kind.setdefault(row.kind, []).append(row)
        if self._kinds.isdisjoint(kinds):
            return ()
        # A partition has rows of few kinds, fewer than most readers ask for.
        some = [rows for kind, rows in by_kind.items() if kind in kinds]
        # Rows are tuples that begin with their number.
        return tuple(some[0] if len(some) == 1 else sorted(chain.from_iterable(some)))

    def own_lines(self, broker: int) -> list[int]:
        """The numbers of the rows that are a broker's own lines (`is_own_line`)."""
        found = self._own_lines.get(broker)
        if found is None:
            if self._all is not None:
                found = [row.number for row in self._all if is_own_line(row, broker)]
            else:
                found = np.flatnonzero(self._are_own(broker)).tolist()
            self._own_lines[broker] = found
        return found

    def _are_own(self, broker: int) -> NDArray[np.bool_]:
        """Which rows are a broker's own lines, as a column."""
        found = self._are_own_lines.get(broker)
        if found is None:
            found = (self.column("broker") == broker) & ~self.disk
            found[self.numbers_of(_OF_OTHERS)] = False
            ends = self.numbers_of(ENDS)
            found[ends[self.column("basis")[ends] >= Basis.HELD]] = False
            self._are_own_lines[broker] = found
        return found

    def near_next(self, time: int) -> NDArray[np.bool_]:
        """By place: whether the next event of the whole trace follows within `time`, in ns."""
        found = self._near.get(time)
        if found is None:
            at = self._trace.columns["at"]
            after = self._seqs + 1
            near = at[after.clip(max=len(at) - 1)] - at[self._seqs] <= time
            found = self._near[time] = np.append(False, near & (after < len(at)))
        return found

    def own_lines_of(self, broker: int, kinds: Collection[str]) -> list[int]:
        """The numbers of a broker's own lines of some kinds."""
        if self._all is not None and self._kinds.isdisjoint(kinds):
            return []
        if self._all is not None:
            return [number for number in self.own_lines(broker) if self._all[number].kind in kinds]
        numbers = self.numbers_of(kinds)
        return numbers[self._are_own(broker)[numbers]].tolist()

    def about(self, replica: int, partition: int) -> list[int]:
        """The numbers of the rows of a partition that are about one of its replicas."""
        found = self._about.get((replica, partition))
        if found is None:
            found = (
                [row.number for row in self._all if row.replica == replica and row.partition == partition]
                if self._all is not None
                else self.numbers_about(replica, partition).tolist()
            )
            self._about[replica, partition] = found
        return found

    def numbers_about(self, replica: int, partition: int) -> NDArray[np.intp]:
        """The same as a column."""
        found = self._numbers_about.get((replica, partition))
        if found is None:
            mine = (self.column("replica") == replica) & (self.column("partition") == partition)
            found = self._numbers_about[replica, partition] = np.flatnonzero(mine)
        return found

    def numbers(
        self, kinds: Collection[str], *, broker: int | None = None, replica: int | None = None
    ) -> list[int]:
        """The numbers of the rows of some kinds; only those printed by a broker, or about a replica."""
        if self._all is not None:
            return [
                row.number
                for row in self.of(kinds)
                if (broker is None or row.broker == broker) and (replica is None or row.replica == replica)
            ]
        found = self.numbers_of(kinds)
        for name, wanted in (("broker", broker), ("replica", replica)):
            if wanted is not None:
                found = found[self.column(name)[found] == wanted]
        return found.tolist()

    def numbers_of(self, kinds: Collection[str]) -> NDArray[np.intp]:
        """The numbers of the rows of some kinds, as a column."""
        found = self._numbers.get(kinds)
        if found is None:
            if self._all is not None:
                found = np.array([row.number for row in self.of(kinds)], np.intp)
                self._numbers[kinds] = found
                return found
            by_kind = self._by_kind_number()
            some = [by_kind[kind] for kind in map(NUMBER.__getitem__, kinds) if kind in by_kind]
            found = some[0] if len(some) == 1 else self._joined(some)
            self._numbers[kinds] = found
        return found

    def _joined(self, some: Sequence[NDArray[np.intp]]) -> NDArray[np.intp]:
        """Numbers of rows of several kinds in order."""
        if _MANY * sum(map(len, some)) < len(self):
            return np.sort(np.concatenate((np.zeros(0, np.intp), *some)))
        wanted = np.zeros(len(self), bool)
        for numbers in some:
            wanted[numbers] = True
        return np.flatnonzero(wanted)

    def _by_kind_number(self) -> dict[int, NDArray[np.intp]]:
        """By number of a kind the numbers of its rows, in order. They are put apart once."""
        if not self._numbers_by_kind and len(self):
            kind = self.column("kind")
            order = np.argsort(kind, kind="stable")
            edges = np.flatnonzero(np.diff(kind[order], prepend=-1, append=-1))
            for first, end in pairwise(edges.tolist()):
                self._numbers_by_kind[int(kind[order[first]])] = order[first:end]
        return self._numbers_by_kind

    def states_any(self, name: str) -> bool:
        """Whether any row states a value of a column."""
        found = self._states_any.get(name)
        if found is None:
            if self._all is not None:
                found = any(getattr(row, name) is not None for row in self._all)
            else:
                found = bool(np.count_nonzero(self.column(name) != UNSAID))
            self._states_any[name] = found
        return found

    def stating(self, name: str) -> tuple[Row, ...]:
        """The rows that state a value of a column."""
        if not self.states_any(name):
            return ()
        if self._all is not None:
            return tuple([row for row in self._all if getattr(row, name) is not None])
        return self.at(np.flatnonzero(self.column(name) != UNSAID))

    def stated_values(self, name: str, replica: int, partition: int) -> list[tuple[int, int]]:
        """(number, value) of the rows about a replica of a partition that state a value of a column."""
        if not self.states_any(name):
            return []
        found = self._stated_values.get((name, replica, partition))
        if found is None:
            if self._all is not None:
                about = self.about(replica, partition)
                values = ((number, getattr(self._all[number], name)) for number in about)
                found = [(number, value) for number, value in values if value is not None]
            else:
                numbers = self.numbers_about(replica, partition)
                numbers = numbers[self.column(name)[numbers] != UNSAID]
                found = list(zip(numbers.tolist(), self.column(name)[numbers].tolist(), strict=True))
            self._stated_values[name, replica, partition] = found
        return found

    def at(self, numbers: NDArray[np.intp]) -> tuple[Row, ...]:
        """The rows with these numbers."""
        chosen: list[int] = numbers.tolist()
        if self._all is not None:
            return tuple([self._all[number] for number in chosen])
        return self._made(self._seqs[numbers], chosen)

    def column(self, name: str) -> NDArray[Any]:
        """A column of the trace for all rows, as it is stored: UNSAID or NO_INDEX where nothing is stated."""
        found = self._columns.get(name)
        if found is None:
            found = self._columns[name] = self._trace.columns[name][self._seqs]
        return found

    @property
    def disk(self) -> NDArray[np.bool_]:
        """Which rows were read from files of data directories."""
        if self._disk is None:
            self._disk = np.isin(self.column("source"), sorted(self._files))
        return self._disk

    def _made(self, seqs: NDArray[np.int64], first: int | list[int]) -> tuple[Row, ...]:
        """Rows of these events; `first` is the number of the first one, or the numbers of all."""
        columns, isrs, files = self._trace.columns, self._trace.isrs, self._files
        numbers = range(first, first + len(seqs)) if isinstance(first, int) else first
        kinds, bases = columns["kind"][seqs].tolist(), columns["basis"][seqs].tolist()
        values: list[list[Any]] = [
            list(numbers),
            seqs.tolist(),
            columns["at"][seqs].tolist(),
            [NAME[kind] for kind in kinds],
            [_BASES[basis] for basis in bases],
            *(_or_none(columns[name][seqs], NO_INDEX) for name in _INDEXES),
            *(_or_none(columns[name][seqs], UNSAID) for name in VALUES),
            [None if index == NO_INDEX else isrs[index] for index in columns["isr"][seqs].tolist()],
            columns["at_least"][seqs].tolist(),
            columns["at_most"][seqs].tolist(),
            [source in files for source in columns["source"][seqs].tolist()],
        ]
        return tuple([Row(*values_of_row) for values_of_row in zip(*values, strict=True)])


def _or_none(values: NDArray[Any], nothing: int) -> list[int | None]:
    """The values as a list, None for the one that stands for no statement."""
    return [None if value == nothing else value for value in values.tolist()]


def files_of_data(trace: Trace) -> frozenset[int]:
    """The sources of a trace that are files of a data directory."""
    return frozenset(n for n, source in enumerate(trace.sources) if _DISK_FILE.fullmatch(source.path))
