"""What the pipeline found, read from a data set: the triage table in a second, without events."""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from core.diagnose.verdict.facts import Finding
from core.diagnose.verdict.summary import PartitionSummary, Triage
from core.errors import SourceError
from importers.prepared.arrow_rows import from_table
from importers.prepared.data_set import is_prepared
from importers.prepared.folder import Folder, folder_of, is_uri

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

SUMMARIES: Final = "summaries"
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


def has_triage(path: str | Path) -> bool:
    """Whether this is a data set with summaries: its partitions can be opened one at a time."""
    return is_uri(path) or (is_prepared(path) and (Path(path) / SUMMARIES).is_dir())


def read_triage(place: str | Path) -> Triage:
    """Summaries by partition and findings, worst first, as the pipeline wrote them. Raises SourceError."""
    summaries = read_rows(place, SUMMARIES, PartitionSummary)
    findings = read_rows(place, FINDINGS, Finding)
    return Triage(tuple(summaries), tuple(findings))


def read_rows(place: str | Path, table: str, kind: type[T], partition: int | None = None) -> list[T]:
    """The values of one table, all or those of one partition. Raises SourceError where it is damaged."""
    return from_table(kind, _table(folder_of(place), table, partition))


def _table(folder: Folder, name: str, partition: int | None) -> "pa.Table":
    import pyarrow as pa
    from pyarrow import dataset

    chosen: Any = None if partition is None else dataset.field("partition") == partition
    try:
        files = sorted(folder.files_of(name))
        if not files:
            raise SourceError(
                "The data set is damaged or incomplete", why=f"{name} is empty", where=folder.name
            )
        return folder.rows(files).to_table(filter=chosen)
    except (OSError, pa.ArrowException) as error:
        raise SourceError(
            "The data set is damaged or incomplete",
            why=f"{name}: {error}",
            where=folder.name,
            advice="Run process again on the logs",
        ) from error
