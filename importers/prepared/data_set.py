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
from core.message import Listing, Message, message
from core.system_errors import reason
from core.trace.builder import freeze
from core.trace.ids import NO_INDEX, BrokerId, TopicPartition
from core.trace.part import causes_within
from core.trace.trace import DTYPES, EMPTY, Broker, Column, KeptLine, Origin, Partition, Source, Trace
from core.work import QUIET, Work
from importers.containers.regular import open_file
from importers.lines.evidence import NEIGHBOURS
from importers.options import ImportOptions
from importers.prepared.folder import Folder, folder_of, is_uri
from importers.prepared.rows import EVENT_NAMES, LINE_NAMES, Rows, stored_schema

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import dataset

FORMAT: Final = "tidegauge data set"
WITH_MESSAGES: Final = 4
"""Since this version what was found is told by messages, before by texts."""
OF_THE_CONTRACT: Final = 5
"""Since this version tables are those of the contract."""
SCHEMA: Final = OF_THE_CONTRACT
"""The version of the layout that is written."""
_READ: Final = (3, WITH_MESSAGES, SCHEMA)
"""Versions that are read. Version 2 did not mark lines of many partitions."""
MANIFEST: Final = "manifest.json"
TABLES: Final = "_tables"
"""The folder of the dictionaries. What begins with _ is the program's, and no data to readers of Parquet."""
EVENTS: Final = "events"
SUMMARIES: Final = "summaries"
LINES: Final = "lines"
SPAN: Final = "span"
"""In a manifest: the times of the first and the last event."""
EDGES: Final = "edges"
"""In a manifest: the Seqs of events that say how much the evidence covers (importers/prepared/stored.py)."""
OF_MANY: Final = -1
"""In place of a partition: the line is of so many that it is not there for each of them."""
NULLABLE: Final = tuple(name for name in DTYPES if EMPTY[name] != 0)
"""Event columns that are null where an event says nothing; the others always say something."""
_MOST_MANIFEST: Final = 256 * 1024 * 1024
_NOT_OF_A_TRACE: Final = ("rejects", "kinds")
"""Tables that are read apart, or that are there for people and other programs."""


def event_schema() -> "pa.Schema":
    """The columns of events/: `seq`, then every column of a trace under its name and type."""
    import pyarrow as pa

    columns = [pa.field("seq", pa.int64(), nullable=False)]
    columns += [
        pa.field(name, pa.from_numpy_dtype(kind), nullable=name in NULLABLE) for name, kind in DTYPES.items()
    ]
    return pa.schema(columns)


def line_schema() -> "pa.Schema":
    """The columns of lines/: for which partition it is kept, null for all, OF_MANY; where it stands; text."""
    import pyarrow as pa

    columns = {"partition": pa.int32(), "source": pa.int32(), "line": pa.int64(), "byte": pa.int64()}
    return pa.schema([*columns.items(), ("text", pa.string())])


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
        "rejects": {"file": text, "line": i64, "byte": i64, "fate": text, "text": text},
        "kinds": {"number": pa.int16(), "name": text, "group": text, "columns": pa.list_(text), "aux": text},
    }
    return MappingProxyType({name: pa.schema(list(columns.items())) for name, columns in tables.items()})


def is_prepared(path: str | Path) -> bool:
    """Whether `path` is a folder with a manifest of this format, of whatever version. Reads 4 KiB.

    An address can only be meant as one: what is there is seen when it is read.
    """
    if is_uri(path):
        return True
    manifest = Path(path) / MANIFEST
    try:
        with open_file(manifest) as file:
            return FORMAT.encode() in file.read(4096)
    except OSError:
        return False


def has_triage(path: str | Path) -> bool:
    """Whether this is a data set with summaries: its partitions can be opened one at a time."""
    return is_uri(path) or (is_prepared(path) and (Path(path) / SUMMARIES).is_dir())


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
    folder = folder_of(path)
    manifest = _manifest(folder)
    if options.zones or options.year is not None or options.broker is not None:
        raise QuestionError(
            message("error.data-set.options"),
            why=message("error.data-set.options.why"),
            where=folder.name,
            advice=message("error.data-set.options.way-out"),
        )
    work.step(0, 3, message("progress.dictionaries"))
    dictionaries = _read_dictionaries(folder)
    wanted = _wanted(dictionaries["partitions"], options.topic, partitions)
    work.step(1, 3, message("progress.reading-events"))
    _, columns = _columns(folder, rows_in(folder, EVENTS, manifest, wanted), wanted, options)
    whole = wanted is None and options.start is None and options.end is None
    if whole and len(columns["at"]) != manifest["counts"]["events"]:
        raise damaged_set(
            folder,
            message("error.data-set.events", found=len(columns["at"]), written=manifest["counts"]["events"]),
        )
    work.step(2, 3, message("progress.reading-lines"))
    lines = _lines(folder, rows_in(folder, LINES, manifest, wanted), wanted, None if whole else columns)
    work.step(3, 3, message("progress.read"))
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


def dictionaries_of(place: str | Path) -> dict[str, Any]:
    """The small tables of a trace, as `freeze` takes them: what all parts of a data set share."""
    return _read_dictionaries(folder_of(place))


def _read_dictionaries(folder: Folder) -> dict[str, Any]:
    place = small_tables(folder)
    tables = {name: _table(folder, place, name) for name in table_schemas() if name not in _NOT_OF_A_TRACE}
    return _dictionaries(tables)


def load_part(
    own: "pa.Table", shared: "pa.Table", dictionaries: Mapping[str, Any], lines: tuple[KeptLine, ...]
) -> Part:
    """A trace of the events of some partitions, and of those that every part has: both as in events/.

    Every part has the broker-level events, and the last one of the set, so that it ends when the whole does.
    """
    import pyarrow as pa

    seqs, columns = trace_columns(pa.concat_tables([shared, own]))
    return Part(freeze("", Origin.PREPARED, columns, **dictionaries, lines=lines), seqs)


def read_manifest(place: str | Path) -> dict[str, Any]:
    """The manifest of a data set, checked: format, version, and that all files are there in full size."""
    return _manifest(folder_of(place))


def _manifest(folder: Folder) -> dict[str, Any]:
    try:
        sizes = folder.sizes()
        if sizes.get(MANIFEST, 0) > _MOST_MANIFEST:
            raise damaged_set(folder, message("error.data-set.large", name=MANIFEST))
        manifest: dict[str, Any] = json.loads(folder.read(MANIFEST))
        if manifest["format"] != FORMAT:
            raise SourceError(message("error.data-set.none-such"), where=folder.name)
        if manifest["schema"] not in _READ:
            raise SourceError(
                message("error.data-set.newer")
                if manifest["schema"] > SCHEMA
                else message("error.data-set.older"),
                why=message("error.data-set.version", found=manifest["schema"], first=_READ[0], last=SCHEMA),
                where=folder.name,
                advice=message("error.data-set.version.way-out"),
            )
        files: dict[str, dict[str, Any]] = manifest["files"]
        for name, facts in files.items():
            if name not in sizes:
                raise damaged_set(folder, message("error.data-set.missing", name=name))
            if sizes[name] != facts["bytes"]:
                raise damaged_set(folder, message("error.data-set.size", name=name))
        if missing := {"counts", "name", "report"} - set(manifest):
            raise damaged_set(
                folder, message("error.data-set.lacks", name=MANIFEST, names=Listing(tuple(sorted(missing))))
            )
    except FileNotFoundError as error:
        raise SourceError(
            message("error.data-set.not-here"),
            why=message("error.data-set.not-here.why", name=MANIFEST),
            where=folder.name,
            advice=message("error.data-set.not-here.way-out"),
        ) from error
    except OSError as error:
        raise SourceError(
            message("error.data-set.cannot-read"),
            why=reason(error),
            where=folder.name,
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise damaged_set(
            folder, message("error.data-set.content", name=MANIFEST, words=str(error))
        ) from error
    return manifest


def damaged_set(folder: Folder, why: Message) -> SourceError:
    """The one message for a data set that is not as it was written."""
    return SourceError(
        message("error.data-set.damaged"),
        why=why,
        where=folder.name,
        advice=message("error.data-set.damaged.way-out"),
    )


def small_tables(folder: Folder) -> str:
    """Where the dictionaries lie in a data set, to be put before their names."""
    return f"{TABLES}/" if folder.has(TABLES) else ""


def _table(folder: Folder, place: str, name: str) -> "pa.Table":
    """One dictionary, its columns checked."""
    import pyarrow as pa

    try:
        table = folder.table(f"{place}{name}.parquet")
        return table.select(table_schemas()[name].names).cast(table_schemas()[name])
    except (OSError, pa.ArrowException, KeyError) as error:
        raise damaged_set(
            folder, message("error.data-set.table", name=f"{name}.parquet", words=str(error))
        ) from error


def _dictionaries(tables: "Mapping[str, pa.Table]") -> dict[str, Any]:
    """The small dictionaries of a trace, column by column: there may be 100,000 partitions."""
    from importers.prepared.arrow_rows import values_of

    ids = tuple[int, ...]

    def column(table: str, name: str, hint: object = None) -> list[Any]:
        return values_of(hint, tables[table].column(name))

    names = map(
        TopicPartition,
        *(column("partitions", name) for name in ("topic", "partition", "incarnation")),
    )
    return {
        "brokers": tuple(map(Broker, *(column("brokers", name) for name in ("broker", "name", "version")))),
        "partitions": tuple(map(Partition, names, column("partitions", "replicas", ids))),
        "sources": tuple(
            Source(path, sha256, size, BrokerId(NO_INDEX if broker is None else broker), zone, basis)
            for path, sha256, size, broker, zone, basis in zip(
                *(column("sources", name) for name in tables["sources"].column_names[1:]), strict=True
            )
        ),
        "isrs": tuple(column("isrs", "members", ids)),
        "records": tuple(column("records", "name")),
        "facts": MappingProxyType(dict(zip(column("facts", "key"), column("facts", "value"), strict=True))),
    }


def _wanted(known: Sequence[Partition], topic: str | None, names: Iterable[str] | None) -> list[int] | None:
    """Indexes of the partitions asked for; None is all. Raises QuestionError where one is not there."""
    if topic is None and names is None:
        return None
    index = {str(partition.tp): place for place, partition in enumerate(known)}
    chosen = list(index) if names is None else list(names)
    for name in chosen:
        if name not in index:
            raise QuestionError(message("error.data-set.partition", name=name))
    return [
        index[name] for name in chosen if topic is None or fnmatchcase(known[index[name]].tp.topic, topic)
    ]


def rows_in(folder: Folder, name: str, manifest: Mapping[str, Any], wanted: Sequence[int] | None) -> Rows:
    """The files of events/ or lines/ that may hold rows of these partitions, or of none."""
    schema = event_schema() if name == EVENTS else line_schema()
    names = EVENT_NAMES if name == EVENTS else LINE_NAMES
    if manifest["schema"] < OF_THE_CONTRACT:
        names = {one: one for one in schema.names}
        stored = schema
    else:
        stored = stored_schema(name, schema, names)
    files: dict[str, dict[str, Any]] = manifest["files"]
    held = [
        file
        for file, facts in files.items()
        if file.startswith(f"{name}/") and (wanted is None or _holds(facts.get("partitions"), wanted))
    ]
    try:
        return Rows(folder.rows(held, stored), names, schema)
    except (OSError, ValueError) as error:
        raise damaged_set(folder, message("error.data-set.table", name=name, words=str(error))) from error


def _holds(span: Sequence[Any] | None, wanted: Sequence[int]) -> bool:
    """Whether a file may hold rows: `span` is its first and last partition, and whether rows are of none."""
    if span is None:
        return True
    first, last, of_none = span
    return of_none or (first is not None and (first < 0 or any(first <= one <= last for one in wanted)))


def _columns(
    folder: Folder, rows: Rows, wanted: Sequence[int] | None, options: ImportOptions
) -> tuple[NDArray[np.int64], dict[str, Column]]:
    """Seqs and event columns of what was asked for, in Seq order. Raises SourceError."""
    import pyarrow as pa

    chosen = None if wanted is None else _of(rows, wanted) | rows.field("partition").is_null()
    for bound in (
        None if options.start is None else rows.field("at") >= rows.at(options.start),
        None if options.end is None else rows.field("at") <= rows.at(options.end),
    ):
        if bound is not None:
            chosen = bound if chosen is None else chosen & bound
    try:
        return trace_columns(rows.to_table(chosen=chosen))
    except (OSError, pa.ArrowException) as error:
        raise damaged_set(folder, message("error.data-set.table", name=EVENTS, words=str(error))) from error


def _of(rows: Rows, wanted: Sequence[int]) -> "dataset.Expression":
    return rows.field("partition").isin(list(wanted))


def trace_columns(table: "pa.Table") -> tuple[NDArray[np.int64], dict[str, Column]]:
    """Rows of events/ as the columns of a trace, and their Seqs in the data set, in order of Seq."""
    table = table.cast(event_schema()).sort_by("seq")
    columns: dict[str, Column] = {}
    for name in DTYPES:
        columns[name] = numbers_of(table, name)
    seqs: NDArray[np.int64] = table.column("seq").to_numpy()
    columns["cause"] = causes_within(columns["cause"], seqs)
    return seqs, columns


def numbers_of(table: "pa.Table | pa.RecordBatch", name: str) -> Column:
    """A column of a trace, as it has it: a number where nothing is said."""
    values = table.column(name)
    filled = values.fill_null(EMPTY[name]) if name in NULLABLE else values
    return np.asarray(filled.to_numpy(), dtype=DTYPES[name])


def _lines(
    folder: Folder,
    rows: Rows,
    wanted: Sequence[int] | None,
    columns: Mapping[str, Column] | None,
) -> tuple[KeptLine, ...]:
    """The kept lines, all or those of the events in `columns` with two neighbours on each side."""
    import pyarrow as pa

    chosen = None
    if columns is not None:
        chosen = rows.field("source").isin(np.unique(columns["source"]).tolist())
    if wanted is not None and columns is not None:
        own = np.unique(columns["source"][columns["partition"] != NO_INDEX])
        of_many = (rows.field("partition") == OF_MANY) & rows.field("source").isin(own.tolist())
        chosen = _of(rows, wanted) | rows.field("partition").is_null() | of_many
    table = line_rows(folder, rows, chosen)
    if columns is not None:
        table = table.filter(pa.array(_near(table, columns)))
    return once_each(table)


def line_rows(folder: Folder, rows: Rows, chosen: Any) -> "pa.Table":  # noqa: ANN401
    """The rows of lines/ that a filter chooses, without their partitions. Raises SourceError."""
    import pyarrow as pa

    try:
        return rows.to_table(["source", "line", "byte", "text"], chosen)
    except (OSError, pa.ArrowException) as error:
        raise damaged_set(folder, message("error.data-set.table", name=LINES, words=str(error))) from error


def once_each(table: "pa.Table") -> tuple[KeptLine, ...]:
    """Rows as lines, in order. A line that is kept for several partitions is there for each of them."""
    import pyarrow as pa

    from importers.prepared.arrow_rows import values_of

    keys = place_of_line(table.column("source").to_numpy(), table.column("line").to_numpy())
    table = table.take(pa.array(np.unique(keys, return_index=True)[1]))
    return tuple(map(KeptLine, *(values_of(None, table.column(name)) for name in table.column_names)))


def _near(table: "pa.Table", columns: Mapping[str, Column]) -> NDArray[np.bool_]:
    """Which kept lines are an event's own or one of its neighbours, by file and line."""
    keys = place_of_line(table.column("source").to_numpy(), table.column("line").to_numpy())
    own = place_of_line(columns["source"], columns["line"])
    return np.isin(keys, np.unique(own[:, None] + np.arange(-NEIGHBOURS, NEIGHBOURS + 1)))


def place_of_line(source: Column, line: Column) -> NDArray[np.int64]:
    """File and line as one number; a file has fewer than 2**40 lines."""
    return (source.astype(np.int64) << 40) + line
