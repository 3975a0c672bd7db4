"""What the pipeline found, read from a data set: the triage table in a second, without events."""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Finding
from core.diagnose.verdict.summary import PartitionSummary, Triage, as_known
from core.errors import SourceError
from core.message import LEGACY, Message, message
from core.message_json import json_of
from importers.prepared.arrow_rows import from_table
from importers.prepared.data_set import SUMMARIES
from importers.prepared.data_set import TABLES as SMALL
from importers.prepared.folder import Folder, folder_of
from importers.prepared.rows import OWNER, ROW

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

FINDINGS: Final = "findings"
MINUTES: Final = "minutes"
TABLES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "leadership": ("verdict.leadership", ("start",)),
    "isr_spans": ("verdict.isr", ("start",)),
    "truncations": ("verdict.truncations", ("seq",)),
    "losses": ("verdict.losses", ("first_offset", "seq")),
    "divergences": ("verdict.divergences", ("first_offset",)),
    "final": ("verdict.final", ("broker",)),
    "x_rays": ("verdict.x_rays", ("seq",)),
    "states": ("states", ("broker", "cursor")),
}
"""Folder of a table, where it comes from in a worker's answer, and what sorts it within a partition."""


STORED_AS: Final[Mapping[str, str]] = {
    "leadership": "leaders",
    "isr_spans": "isrs",
    "truncations": "cuts",
    "final": "_final",
    "x_rays": "_x_rays",
}
"""The folder of a table since layout 5, where it is another: the contract's name, or hidden."""
FOLDERS: Final[Mapping[str, str]] = {
    "losses": "losses",
    "cuts": "truncations",
    "leaders": "leadership",
    "isrs": "isr_spans",
    "divergences": "divergences",
}
"""The folder of a table of the contract."""


def read_triage(place: str | Path) -> Triage:
    """Summaries by partition and findings, worst first, as the pipeline wrote them. Raises SourceError.

    Of checks that only a later version knows nothing is said (core.diagnose.verdict.summary.as_known).
    """
    folder = folder_of(place)
    summaries = _with_messages(_table(folder, SUMMARIES, None), "reason", "reason")
    findings = _with_messages(_table(folder, FINDINGS, None), "text", "message")
    try:
        rows, found = tuple(from_table(PartitionSummary, summaries)), tuple(from_table(Finding, findings))
    except ValueError as error:
        raise _damaged(
            folder, message("error.data-set.tables", one=SUMMARIES, other=FINDINGS, words=str(error))
        ) from error
    return as_known(Triage(rows, found))


def _with_messages(table: "pa.Table", old: str, new: str) -> "pa.Table":
    """A table whose column `new` has messages. Up to version 3 `old` and its `_zh` have texts instead."""
    import pyarrow as pa

    if f"{old}_zh" not in table.column_names:
        return table
    texts = zip(table.column(old).to_pylist(), table.column(f"{old}_zh").to_pylist(), strict=True)
    told = [json_of(Message(LEGACY, (("text", en), ("text_zh", zh)))) if en else None for en, zh in texts]
    kept = table.drop_columns([old, f"{old}_zh"])
    return kept.append_column(new, pa.array(told, pa.string()))


def read_rows(place: str | Path, table: str, kind: type[T], partition: int | None = None) -> list[T]:
    """The values of one table, all or those of one partition. Raises SourceError where it is damaged."""
    return from_table(kind, _table(folder_of(place), table, None if partition is None else (partition,)))


def read_owned(
    place: str | Path, table: str, kind: type[T], partitions: Sequence[int] | None = None
) -> Iterator[tuple[int, T]]:
    """The values of one table, each with the row of its partition, those of one partition side by side.

    All, or those of some partitions. Raises SourceError where it is damaged.
    """
    found = _table(folder_of(place), table, partitions).sort_by("partition")
    return zip(found.column("partition").to_pylist(), from_table(kind, found), strict=True)


def findings_of(place: str | Path, partitions: Sequence[int] | None = None) -> tuple[Finding, ...]:
    """The findings that this version knows, worst first: all, or of some partitions. Raises SourceError."""
    table = _with_messages(_table(folder_of(place), FINDINGS, partitions), "text", "message")
    return tuple(one for one in from_table(Finding, table) if one.check in CHECK)


def _table(folder: Folder, name: str, partitions: Sequence[int] | None) -> "pa.Table":
    import pyarrow as pa
    from pyarrow import dataset

    new = folder.has(SMALL)
    files = STORED_AS.get(name, name) if new else name
    owner = OWNER if new and not files.startswith("_") else "partition"
    chosen: Any = None if partitions is None else dataset.field(owner).isin(list(partitions))
    try:
        held = sorted(folder.files_of(files))
        if not held:
            raise _damaged(folder, message("error.data-set.empty", name=name))
        if owner == "partition":
            return folder.rows(held).to_table(filter=chosen)
        return _unfolded(folder.rows(held).to_table([OWNER, ROW], filter=chosen))
    except (OSError, pa.ArrowException) as error:
        raise _damaged(folder, message("error.data-set.table", name=name, words=str(error))) from error


def _unfolded(table: "pa.Table") -> "pa.Table":
    """Rows as the program has them, with the row of their partition."""
    import pyarrow as pa

    whole = table.column(ROW).combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.array([], whole.type)
    found = pa.Table.from_arrays(whole.flatten(), names=[field.name for field in whole.type])
    if "partition" in found.column_names:
        return found
    return found.append_column("partition", table.column(OWNER))


def _damaged(folder: Folder, why: Message) -> SourceError:
    return SourceError(
        message("error.data-set.damaged"),
        why=why,
        where=folder.name,
        advice=message("error.data-set.damaged.way-out"),
    )
