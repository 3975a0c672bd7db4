"""A data set that the Spark pipeline wrote: its layout, and how it becomes a trace again.

The layout is stated here, once, for the writer (spark/) and this reader. docs/spark.md has it in words.
pyarrow is imported inside the functions: asking whether a folder is a data set costs no library.
"""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from core.errors import QuestionError, SourceError
from core.trace.builder import freeze
from core.trace.ids import NO_INDEX, BrokerId, TopicPartition
from core.trace.trace import DTYPES, EMPTY, Broker, Column, KeptLine, Origin, Partition, Source, Trace
from core.work import QUIET, Work
from importers.evidence import NEIGHBOURS
from importers.options import ImportOptions

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT: Final = "tidegauge data set"
SCHEMA: Final = 1
"""The version of the layout. A reader refuses a higher one."""
MANIFEST: Final = "manifest.json"
EVENTS: Final = "events"
NULLABLE: Final = tuple(name for name in DTYPES if EMPTY[name] != 0)
"""Event columns that are null where an event says nothing; the others always say something."""
_MOST_MANIFEST: Final = 256 * 1024 * 1024
_NOT_OF_A_TRACE: Final = ("lines", "rejects", "kinds")
"""Tables that are read apart, or that are there for people and other programs."""


def event_schema() -> "pa.Schema":
    """The columns of events/: `seq`, then every column of a trace under its name and type."""
    import pyarrow as pa

    columns = [pa.field("seq", pa.int64(), nullable=False)]
    columns += [
        pa.field(name, pa.from_numpy_dtype(kind), nullable=name in NULLABLE) for name, kind in DTYPES.items()
    ]
    return pa.schema(columns)


def table_schemas() -> "Mapping[str, pa.Schema]":
    """The dictionaries beside the events: file name without ending -> columns. Row order is index order."""
    import pyarrow as pa

    i32, i64, text, ids = pa.int32(), pa.int64(), pa.string(), pa.list_(pa.int32())
    tables: dict[str, dict[str, pa.DataType]] = {
        "brokers": {"broker": i32, "name": text, "version": text},
        "partitions": {"index": i32, "topic": text, "partition": i32, "incarnation": text, "replicas": ids},
        "sources": {
            "index": i32,
            "path": text,
            "sha256": text,
            "size": i64,
            "broker": i32,
            "zone": text,
            "zone_basis": text,
        },
        "isrs": {"index": i32, "members": ids},
        "records": {"index": i32, "name": text},
        "facts": {"key": text, "value": text},
        "lines": {"source": i32, "line": i64, "byte": i64, "text": text},
        "rejects": {"file": text, "line": i64, "fate": text, "text": text},
        "kinds": {"number": pa.int16(), "name": text, "group": text, "columns": pa.list_(text), "aux": text},
    }
    return MappingProxyType({name: pa.schema(list(columns.items())) for name, columns in tables.items()})


def is_prepared(path: str | Path) -> bool:
    """Whether `path` is a folder with a manifest of this format, of whatever version. Reads 4 KiB."""
    manifest = Path(path) / MANIFEST
    try:
        with manifest.open("rb") as file:
            return FORMAT.encode() in file.read(4096)
    except OSError:
        return False


def load_prepared(
    path: str | Path,
    options: ImportOptions = ImportOptions(),  # noqa: B008 - an immutable value
    work: Work = QUIET,
    *,
    partitions: Sequence[str] | None = None,
) -> Trace:
    """The trace of a data set, its origin PREPARED.

    `options.topic`, `start`, `end` (both inclusive) and `partitions` ("topic-0") choose events;
    broker-level ones always come along. Row groups that hold none of them are not read. Where events are left
    out, Seq counts anew from 0 and a cause that is not there is not said; dictionaries stay whole, so indexes
    mean the same.

    Raises SourceError for a folder that is no data set, is newer, damaged or incomplete; QuestionError for a
    partition that is not there and for zones, which were settled when the data set was made.
    """
    folder = Path(path)
    manifest = read_manifest(folder)
    if options.zones or options.year is not None or options.broker is not None:
        raise QuestionError(
            "Zones, the year and the broker of a data set cannot be changed",
            why="They were applied when it was made",
            where=str(folder),
            advice="Run process again on the logs with these options",
        )
    work.step(0, 3, "reading dictionaries")
    dictionaries = dictionaries_of(folder)
    wanted = _wanted(dictionaries["partitions"], options.topic, partitions)
    work.step(1, 3, "reading events")
    _, columns = _columns(folder, wanted, options)
    whole = wanted is None and options.start is None and options.end is None
    if whole and len(columns["at"]) != manifest["counts"]["events"]:
        raise _damaged(
            folder, f"{len(columns['at'])} events are there, {manifest['counts']['events']} were written"
        )
    work.step(2, 3, "reading kept lines")
    lines = _lines(folder, None if whole else columns)
    work.step(3, 3, "read")
    return freeze(
        options.name or manifest["name"],
        Origin.PREPARED,
        columns,
        **dictionaries,
        lines=lines,
        report=MappingProxyType(manifest["report"]),
    )


@dataclass(frozen=True, slots=True)
class Part:
    """Some partitions of a data set as a trace of their own; `seqs` are its events' Seqs in the whole set."""

    trace: Trace
    seqs: NDArray[np.int64]


def dictionaries_of(folder: Path) -> dict[str, Any]:
    """The small tables of a trace, as `freeze` takes them: what all parts of a data set share."""
    tables = {name: _table(folder, name) for name in table_schemas() if name not in _NOT_OF_A_TRACE}
    return _dictionaries(tables)


def load_part(
    folder: Path,
    dictionaries: Mapping[str, Any],
    wanted: Sequence[int],
    last: int,
    lines: tuple[KeptLine, ...],
) -> Part:
    """The events of the partitions `wanted` (indexes), the broker-level ones, and the event with Seq `last`.

    With the last event of the set a part ends when the whole does. Raises SourceError.
    """
    seqs, columns = _columns(folder, list(wanted), ImportOptions(), also=last)
    return Part(freeze("", Origin.PREPARED, columns, **dictionaries, lines=lines), seqs)


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a data set, checked: format, version, and that all files are there in full size."""
    try:
        if (folder / MANIFEST).stat().st_size > _MOST_MANIFEST:
            raise _damaged(folder, f"{MANIFEST} is too large")
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
        if manifest["format"] != FORMAT:
            raise SourceError("This folder is not a Tidegauge data set", where=str(folder))
        if manifest["schema"] > SCHEMA:
            raise SourceError(
                "This data set was written by a newer Tidegauge",
                why=f"Its layout is version {manifest['schema']}, this program reads up to {SCHEMA}",
                where=str(folder),
                advice="Update Tidegauge, or run process again with this version",
            )
        files: dict[str, dict[str, Any]] = manifest["files"]
        for name, facts in files.items():
            if not (folder / name).is_file():
                raise _damaged(folder, f"{name} is missing")
            if (folder / name).stat().st_size != facts["bytes"]:
                raise _damaged(folder, f"{name} has not the size that was written")
        if missing := {"counts", "name", "report"} - set(manifest):
            raise _damaged(folder, f"{MANIFEST} lacks {', '.join(sorted(missing))}")
    except OSError as error:
        raise SourceError(
            "The data set cannot be read",
            why=error.strerror or str(error),
            where=str(folder),
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(folder, f"{MANIFEST} does not hold what it should: {error}") from error
    return manifest


def _damaged(folder: Path, why: str) -> SourceError:
    """The one message for a data set that is not as it was written."""
    return SourceError(
        "The data set is damaged or incomplete",
        why=why,
        where=str(folder),
        advice="Run process again on the logs",
    )


def _table(folder: Path, name: str) -> "pa.Table":
    """One dictionary, its columns checked."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.ParquetFile(folder / f"{name}.parquet").read()
        return table.select(table_schemas()[name].names).cast(table_schemas()[name])
    except (OSError, pa.ArrowException, KeyError) as error:
        raise _damaged(folder, f"{name}.parquet: {error}") from error


def _dictionaries(tables: "Mapping[str, pa.Table]") -> dict[str, Any]:
    """The small dictionaries of a trace."""
    rows = {name: table.to_pylist() for name, table in tables.items()}
    return {
        "brokers": tuple(
            Broker(BrokerId(row["broker"]), row["name"], row["version"]) for row in rows["brokers"]
        ),
        "partitions": tuple(
            Partition(
                TopicPartition(row["topic"], row["partition"], row["incarnation"]),
                tuple(BrokerId(replica) for replica in row["replicas"]),
            )
            for row in rows["partitions"]
        ),
        "sources": tuple(
            Source(
                row["path"],
                row["sha256"],
                row["size"],
                BrokerId(NO_INDEX if row["broker"] is None else row["broker"]),
                row["zone"],
                row["zone_basis"],
            )
            for row in rows["sources"]
        ),
        "isrs": tuple(tuple(row["members"]) for row in rows["isrs"]),
        "records": tuple(row["name"] for row in rows["records"]),
        "facts": MappingProxyType({row["key"]: row["value"] for row in rows["facts"]}),
    }


def _wanted(known: Sequence[Partition], topic: str | None, names: Iterable[str] | None) -> list[int] | None:
    """Indexes of the partitions asked for; None is all. Raises QuestionError where one is not there."""
    if topic is None and names is None:
        return None
    index = {str(partition.tp): place for place, partition in enumerate(known)}
    chosen = list(index) if names is None else list(names)
    for name in chosen:
        if name not in index:
            raise QuestionError(f"There is no partition {name!r} in this data set")
    return [
        index[name] for name in chosen if topic is None or fnmatchcase(known[index[name]].tp.topic, topic)
    ]


def _columns(
    folder: Path, wanted: list[int] | None, options: ImportOptions, also: int | None = None
) -> tuple[NDArray[np.int64], dict[str, Column]]:
    """Seqs and event columns of what was asked for, in Seq order; `also` is one more Seq."""
    import pyarrow as pa
    from pyarrow import dataset

    chosen = (
        None
        if wanted is None
        else dataset.field("partition").isin(wanted) | dataset.field("partition").is_null()
    )
    for bound in (
        None if options.start is None else dataset.field("at") >= options.start,
        None if options.end is None else dataset.field("at") <= options.end,
    ):
        if bound is not None:
            chosen = bound if chosen is None else chosen & bound
    if chosen is not None and also is not None:
        chosen |= dataset.field("seq") == also
    try:
        files = sorted(str(file) for file in (folder / EVENTS).glob("*.parquet"))
        table = dataset.dataset(files, schema=event_schema(), format="parquet").to_table(filter=chosen)
        table = table.cast(event_schema()).sort_by("seq")
        columns: dict[str, Column] = {}
        for name, dtype in DTYPES.items():
            values = table.column(name)
            filled = values.fill_null(EMPTY[name]) if name in NULLABLE else values
            columns[name] = np.asarray(filled.to_numpy(), dtype=dtype)
        seqs: NDArray[np.int64] = table.column("seq").to_numpy()
    except (OSError, pa.ArrowException) as error:
        raise _damaged(folder, f"{EVENTS}: {error}") from error
    columns["cause"] = _renumbered(columns["cause"], seqs)
    return seqs, columns


def _renumbered(causes: Column, seqs: NDArray[np.int64]) -> Column:
    """Causes as places among `seqs` (rising), not said where the cause is not among them."""
    if not len(seqs):
        return causes
    places = np.searchsorted(seqs, causes)
    found = (places < len(seqs)) & (seqs[np.minimum(places, len(seqs) - 1)] == causes)
    return np.where(found, places, EMPTY["cause"]).astype(np.int64)


def _lines(folder: Path, columns: Mapping[str, Column] | None) -> tuple[KeptLine, ...]:
    """The kept lines, all or those of the events in `columns` with two neighbours on each side."""
    import pyarrow as pa
    from pyarrow import dataset

    chosen = None
    if columns is not None:
        chosen = dataset.field("source").isin(np.unique(columns["source"]).tolist())
    try:
        source = dataset.dataset(folder / "lines.parquet", schema=table_schemas()["lines"], format="parquet")
        table = source.to_table(filter=chosen)
    except (OSError, pa.ArrowException) as error:
        raise _damaged(folder, f"lines.parquet: {error}") from error
    if columns is not None:
        table = table.filter(pa.array(_near(table, columns)))
    names = ("source", "line", "byte", "text")
    return tuple(
        KeptLine(*row) for row in zip(*(table.column(name).to_pylist() for name in names), strict=True)
    )


def _near(table: "pa.Table", columns: Mapping[str, Column]) -> NDArray[np.bool_]:
    """Which kept lines are an event's own or one of its neighbours, by file and line."""
    keys = _place(table.column("source").to_numpy(), table.column("line").to_numpy())
    own = _place(columns["source"], columns["line"])
    return np.isin(keys, np.unique(own[:, None] + np.arange(-NEIGHBOURS, NEIGHBOURS + 1)))


def _place(source: Column, line: Column) -> NDArray[np.int64]:
    """File and line as one number; a file has fewer than 2**40 lines."""
    return (source.astype(np.int64) << 40) + line
