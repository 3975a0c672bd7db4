"""A table of events of the contract as a trace, whoever wrote it."""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
# pyarrow comes without types.

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from core.errors import QuestionError, SourceError
from core.message import message
from core.trace.builder import checked, freeze
from core.trace.ids import NO_INDEX, UNSAID, BrokerId, TopicPartition
from core.trace.trace import DTYPES, EMPTY, VALUES, Broker, KeptLine, Origin, Partition, Source, Trace
from core.trace.trace import Column as Numbers
from core.trace.vocabulary import NUMBER
from core.work import QUIET, Work
from importers.contract.columns import BASES, TABLES, arrow_schema, arrow_type
from importers.contract.tables_at import Part, found_as, read_part, tables_in
from importers.contract.told import NAME_OF_VALUE, OF_EVENTS, how_values
from importers.contract.validate import Fault, faults_of
from importers.options import ImportOptions

if TYPE_CHECKING:
    import pyarrow as pa

_TOLD: Final = {trace: name for name, trace in OF_EVENTS.items()}
_BESIDE: Final = ("partitions", "brokers", "files", "lines")
_READ: Final = ("events", *_BESIDE)
_PLAIN: Final = ("broker", "replica", *VALUES)


def load_events(
    place: str | Path,
    options: ImportOptions = ImportOptions(),  # noqa: B008 - an immutable value
    work: Work = QUIET,
) -> Trace:
    """The trace of a table of events, its origin PREPARED.

    Tables of partitions, brokers, files and lines beside it add what they know. `options.topic`, `start` and
    `end` choose events. Raises SourceError for a table that breaks the contract, with the first place where
    it does, QuestionError for options that speak of logs, CancelledError.
    """
    path = Path(place)
    if options.zones or options.year is not None or options.broker is not None:
        raise QuestionError(
            message("error.data-set.options"),
            why=message("error.data-set.options.why"),
            where=str(path),
            advice=message("error.data-set.options.way-out"),
        )
    work.step(0, 0, message("progress.reading-events"))
    tables = {name: parts for name, parts in tables_in(path).items() if name in _READ}
    for name, parts in tables.items():
        fault = next(iter(faults_of(name, parts)), None)
        if fault is not None:
            raise _broken(path, fault)
    events = _chosen(rows_of("events", tables["events"]), options)
    return _traced(path, events, {name: rows_of(name, tables.get(name, ())) for name in _BESIDE})


def _broken(path: Path, fault: Fault) -> SourceError:
    return SourceError(
        message("error.contract.broken"),
        why=fault.message,
        where=message("contract.place", file=fault.file, row=fault.row or 0, column=fault.column)
        if fault.row is not None
        else message("contract.place.no-row", file=fault.file, column=fault.column),
        advice=message("error.contract.broken.way-out", path=str(path)),
    )


def rows_of(table: str, parts: Sequence[Part]) -> "pa.Table":
    """All rows of a table in the types of the contract; columns that are not there are null."""
    import pyarrow as pa

    tables: list[pa.Table] = [arrow_schema(table).empty_table()]
    for part in parts:
        raw = read_part(part)
        made: dict[str, Any] = {}
        for column in TABLES[table]:
            name = found_as(column, raw.column_names)
            kind = arrow_type(column.kind)
            made[column.name] = pa.nulls(len(raw), kind) if name is None else raw.column(name).cast(kind)
        tables.append(pa.table(made, schema=arrow_schema(table)))
    return pa.concat_tables(tables)


def _chosen(table: "pa.Table", options: ImportOptions) -> "pa.Table":
    """The rows that the options choose; those of brokers are of every topic."""
    import pyarrow as pa

    keep = np.ones(len(table), bool)
    at = table.column("time").cast(pa.int64()).to_numpy()
    if options.start is not None:
        keep &= at >= options.start
    if options.end is not None:
        keep &= at <= options.end
    if options.topic is not None:
        encoded = table.column("topic").combine_chunks().dictionary_encode()
        fits = np.array([fnmatchcase(one, options.topic) for one in encoded.dictionary.to_pylist()], bool)
        codes = encoded.indices.fill_null(-1).to_numpy()
        keep &= np.append(fits, True)[codes]
    return table if keep.all() else table.filter(pa.array(keep))


def _traced(path: Path, table: "pa.Table", beside: "Mapping[str, pa.Table]") -> Trace:
    order, seqs = _order(table)
    table = table.take(order)
    columns: dict[str, Numbers] = {
        name: np.full(len(table), EMPTY[name], dtype) for name, dtype in DTYPES.items()
    }
    columns["at"] = _numbers(table, "time", 0)
    columns["kind"] = _looked_up(table, "kind", NUMBER, 0)
    columns["basis"] = _looked_up(table, "basis", {name: place for place, name in enumerate(BASES)}, 0)
    for name in _PLAIN:
        columns[name] = _numbers(table, _TOLD[name], EMPTY[name]).astype(DTYPES[name])
    columns["aux"] = how_values(columns, table.column("how").to_pylist())
    columns["position"] = _numbers(table, "byte", 0)
    columns["line"] = _numbers(table, "line", 0).astype(DTYPES["line"])
    columns["cause"] = _causes(table, seqs)
    for name in ("at_least", "at_most"):
        columns[name] = _bits(table, name)
    isrs: dict[tuple[int, ...], int] = {}
    columns["isr"] = np.array(
        [
            NO_INDEX if one is None else isrs.setdefault(tuple(one), len(isrs))
            for one in table.column("isr").to_pylist()
        ],
        DTYPES["isr"],
    )
    columns["partition"], partitions = _partitions(table)
    columns["source"], files = _files(table)
    told = {name: rows.to_pylist() for name, rows in beside.items()}
    place_of = {file: place for place, file in enumerate(files)}
    return freeze(
        path.name.removesuffix(".parquet"),
        Origin.PREPARED,
        checked(columns),
        partitions=_with_replicas(partitions, columns, tuple(isrs), told["partitions"]),
        brokers=_brokers(columns, tuple(isrs), told["brokers"]),
        sources=_sources(files, told["files"]),
        isrs=tuple(isrs),
        records=(),
        facts=MappingProxyType({}),
        lines=_lines(place_of, told["lines"]),
        report=MappingProxyType({}),
    )


def _order(table: "pa.Table") -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """The order of rows, and their own Seqs in it: by `seq` where all have one, else by time and ordinal."""
    seq = table.column("seq")
    if not seq.null_count:
        numbers = seq.to_numpy()
        order = np.argsort(numbers, kind="stable")
        return order, numbers[order]
    ordinal = _numbers(table, "ordinal", 0)
    return np.lexsort((ordinal, _numbers(table, "time", 0))), None


def _numbers(table: "pa.Table", name: str, empty: int) -> NDArray[np.int64]:
    import pyarrow as pa

    return np.array(table.column(name).cast(pa.int64()).fill_null(empty).to_numpy())


def _looked_up(table: "pa.Table", name: str, numbers: Mapping[str, int], empty: int) -> Numbers:
    """The number of each word of a column."""
    encoded = table.column(name).combine_chunks().dictionary_encode()
    known = np.array([*(numbers[one] for one in encoded.dictionary.to_pylist()), empty])
    return known[encoded.indices.fill_null(-1).to_numpy()].astype(DTYPES[name])


def _causes(table: "pa.Table", seqs: NDArray[np.int64] | None) -> Numbers:
    """Causes as Seqs of the trace: not said where rows have none, or another table has it."""
    causes = _numbers(table, "cause", UNSAID)
    if seqs is None or not len(seqs):
        return np.full(len(table), UNSAID)
    places = np.minimum(np.searchsorted(seqs, causes), len(seqs) - 1)
    return np.where(seqs[places] == causes, places, UNSAID)


def _bits(table: "pa.Table", name: str) -> Numbers:
    bit = {NAME_OF_VALUE.get(one, one): 1 << place for place, one in enumerate(VALUES)}
    return np.array(
        [sum(bit[one] for one in row or ()) for row in table.column(name).to_pylist()], DTYPES[name]
    )


def _partitions(table: "pa.Table") -> tuple[Numbers, list[TopicPartition]]:
    found: dict[tuple[str, int], int] = {}
    topics, numbers = table.column("topic").to_pylist(), table.column("partition").to_pylist()
    place = [
        NO_INDEX if topic is None else found.setdefault((topic, number), len(found))
        for topic, number in zip(topics, numbers, strict=True)
    ]
    return np.array(place, DTYPES["partition"]), [TopicPartition(*one) for one in found]


def _files(table: "pa.Table") -> tuple[Numbers, list[str]]:
    encoded = table.column("file").combine_chunks().dictionary_encode()
    places = encoded.indices.fill_null(NO_INDEX).to_numpy().astype(DTYPES["source"])
    return places, encoded.dictionary.to_pylist()


def _with_replicas(
    partitions: Sequence[TopicPartition],
    columns: Mapping[str, Numbers],
    isrs: Sequence[tuple[int, ...]],
    told: Sequence[Mapping[str, Any]],
) -> tuple[Partition, ...]:
    """Partitions with their replicas as the table of them has it, else as events name them.

    Then the first in-sync set as it is comes first, others follow by id.
    """
    known = {(row["topic"], row["partition"]): row["replicas"] for row in told if row["replicas"]}
    made: list[Partition] = []
    for index, tp in enumerate(partitions):
        stated = known.get((tp.topic, tp.partition))
        if stated is None:
            mine = columns["partition"] == index
            sets = [isrs[one] for one in columns["isr"][mine].tolist() if one != NO_INDEX]
            named = {one for one in columns["replica"][mine].tolist() if one != NO_INDEX}
            first = sets[0] if sets else ()
            rest = sorted({*named, *(broker for one in sets for broker in one)} - set(first))
            stated = [*first, *rest]
        made.append(Partition(tp, tuple(map(BrokerId, stated))))
    return tuple(made)


def _brokers(
    columns: Mapping[str, Numbers], isrs: Sequence[tuple[int, ...]], told: Sequence[Mapping[str, Any]]
) -> tuple[Broker, ...]:
    rows = {row["broker"]: row for row in told}
    named = {*np.unique(columns["broker"]).tolist(), *np.unique(columns["replica"]).tolist(), *rows}
    named |= {one for isr in isrs for one in isr}
    found = ((one, rows.get(one, {})) for one in sorted(named - {NO_INDEX}))
    return tuple(Broker(BrokerId(one), row.get("name") or "", row.get("version") or "") for one, row in found)


def _sources(files: Sequence[str], told: Sequence[Mapping[str, Any]]) -> tuple[Source, ...]:
    rows = {row["file"]: row for row in told}
    return tuple(
        Source(
            file,
            row["sha256"] or "",
            row["bytes"] or 0,
            BrokerId(NO_INDEX if row["broker"] is None else row["broker"]),
            row["zone"] or "UTC",
            row["zone_basis"] or "",
        )
        if (row := rows.get(file)) is not None
        else Source(file, "", 0)
        for file in files
    )


def _lines(place_of: Mapping[str, int], told: Sequence[Mapping[str, Any]]) -> tuple[KeptLine, ...]:
    """The lines of files that events name, where their number is known."""
    found = (
        KeptLine(place_of[row["path"]], row["line"], row["byte"] or 0, row["message"])
        for row in told
        if row["path"] in place_of and row["line"] is not None
    )
    return tuple(sorted(found, key=lambda line: (line.source, line.line)))
