"""Whether tables fit the contract: each fault with its file, row and column."""

# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false, reportAttributeAccessIssue=false
# pyarrow comes without types, and makes its compute functions when it is imported.

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.errors import SourceError
from core.message import Listing, Message, message
from core.trace.times import parse_time, rfc3339
from core.trace.vocabulary import KIND
from core.work import QUIET, Work
from importers.contract.columns import TABLES, TYPES, Column, arrow_type
from importers.contract.tables_at import Part, found_as, read_part, tables_in
from importers.contract.told import NAME_OF_VALUE, OF_EVENTS, hows_of

if TYPE_CHECKING:
    import pyarrow as pa

MOST_OF_A_KIND: Final = 20
"""Rows of one column of one file that are told of one fault: the rest says the same."""
_FIRST: Final = parse_time("2011-01-01T00:00:00Z")
"""Kafka became open source in that year: what is earlier is a time in another unit."""
_LISTED: Final = 12


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong. `row` counts from 0, as pandas and DuckDB do; None is of the whole column."""

    file: str
    row: int | None
    column: str
    message: Message


@dataclass(frozen=True, slots=True)
class Checked:
    """A table that was looked at."""

    table: str
    files: int
    rows: int
    faults: tuple[Fault, ...]


def validate(place: str | Path, work: Work = QUIET) -> tuple[Checked, ...]:
    """Every table of the contract at a path, by name.

    Raises SourceError where there is none, or a file cannot be read; CancelledError.
    """
    path = Path(place)
    if not path.exists():
        raise SourceError(message("error.open.not-there"), where=str(path))
    tables = tables_in(path)
    if not tables:
        raise SourceError(
            message("error.contract.no-table"),
            where=str(path),
            advice=message("error.contract.no-table.way-out", names=Listing(tuple(TABLES))),
        )
    found: list[Checked] = []
    for number, (table, parts) in enumerate(sorted(tables.items())):
        work.step(number, len(tables), message("progress.named", name=table))
        faults = tuple(faults_of(table, parts))
        found.append(Checked(table, len(parts), sum(read_part(part).num_rows for part in parts), faults))
    return tuple(found)


def faults_of(table: str, parts: Sequence[Part]) -> Iterator[Fault]:
    """What breaks the contract in the files of one table, file by file. Raises SourceError."""
    for part in parts:
        yield from _faults(table, part.label, read_part(part))


def _faults(table: str, file: str, rows: "pa.Table") -> Iterator[Fault]:
    fitting: dict[str, pa.ChunkedArray] = {}
    for column in TABLES[table]:
        name = found_as(column, rows.column_names)
        if name is None:
            if column.required:
                yield Fault(file, None, column.name, message("contract.missing"))
            continue
        values = rows.column(name)
        told = _as_type(column, values)
        if told is None:
            yield Fault(
                file,
                None,
                name,
                message("contract.type", found=str(values.type), wanted=TYPES[column.kind]),
            )
            continue
        fitting[column.name] = told
        yield from (Fault(file, row, name, one) for row, one in _in_column(column, told))
    for row, column_name, one in _between(table, fitting):
        yield Fault(file, row, column_name, one)


def _as_type(column: Column, values: "pa.ChunkedArray") -> "pa.ChunkedArray | None":
    """The values in the type of the contract; None where theirs means something else, or does not fit."""
    import pyarrow as pa

    kind, wanted = values.type, arrow_type(column.kind)
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if column.kind == "time" and not (pa.types.is_timestamp(kind) and kind.tz is not None):
        return None
    if column.kind in ("int", "long") and not pa.types.is_integer(kind):
        return None
    if column.kind == "flag" and not pa.types.is_boolean(kind):
        return None
    if column.kind in ("ints", "longs") and not (_is_list(kind) and pa.types.is_integer(kind.value_type)):
        return None
    if column.kind == "texts" and not (_is_list(kind) and _is_text(kind.value_type)):
        return None
    if column.kind == "text" and not _is_text(kind):
        return None
    try:
        return values.cast(wanted)
    except pa.ArrowException:
        return None


def _is_text(kind: Any) -> bool:  # noqa: ANN401 - of pyarrow
    import pyarrow as pa

    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _is_list(kind: Any) -> bool:  # noqa: ANN401 - of pyarrow
    import pyarrow as pa

    return pa.types.is_list(kind) or pa.types.is_large_list(kind)


def _in_column(column: Column, values: "pa.ChunkedArray") -> Iterator[tuple[int, Message]]:
    """The rows of one column that are wrong by themselves."""
    import pyarrow.compute as pc

    if column.required and values.null_count:
        yield from ((row, message("contract.null")) for row in _rows(pc.is_null(values)))
    if column.kind in ("ints", "longs", "texts"):
        yield from _in_lists(column, values)
        return
    if column.words:
        wrong = pc.and_(pc.is_valid(values), pc.invert(pc.is_in(values, _list(column.words))))
        for row in _rows(wrong):
            yield row, message("contract.word", found=values[row].as_py(), words=_listing(column.words))
    if column.least is not None:
        for row in _rows(pc.fill_null(pc.less(values, column.least), fill_value=False)):
            yield row, message("contract.least", found=values[row].as_py(), least=column.least)
    if column.kind == "time":
        import pyarrow as pa

        numbers = values.cast(pa.int64())
        for row in _rows(pc.fill_null(pc.less(numbers, _FIRST), fill_value=False)):
            yield row, message("contract.early", at=rfc3339(numbers[row].as_py()))


def _in_lists(column: Column, values: "pa.ChunkedArray") -> Iterator[tuple[int, Message]]:
    told = 0
    for row, members in enumerate(values.to_pylist()):
        if members is None:
            continue
        one = _in_list(column, members)
        if one is not None:
            yield row, one
            told += 1
            if told == MOST_OF_A_KIND:
                return


def _in_list(column: Column, members: Sequence[Any]) -> Message | None:
    if None in members:
        return message("contract.null-member")
    small = next((one for one in members if column.least is not None and one < column.least), None)
    if small is not None:
        return message("contract.least", found=small, least=column.least or 0)
    if column.kind == "ints" and len(set(members)) < len(members):
        twice = next(one for one in members if members.count(one) > 1)
        return message("contract.twice", found=twice)
    known = {*NAME_OF_VALUE.values(), *(name for name in OF_EVENTS if OF_EVENTS[name] == name)}
    unknown = next((one for one in members if column.kind == "texts" and one not in known), None)
    return None if unknown is None else message("contract.no-value", found=unknown)


def _between(table: str, columns: dict[str, Any]) -> Iterator[tuple[int, str, Message]]:
    """Rows of which two columns do not fit each other, or two rows do not."""
    import pyarrow.compute as pc

    if {"topic", "partition"} <= columns.keys():
        alone = pc.xor(pc.is_null(columns["topic"]), pc.is_null(columns["partition"]))
        yield from ((row, "partition", message("contract.half-named")) for row in _rows(alone))
    for first, last in (("first_offset", "end_offset"), ("time", "until")):
        if {first, last} <= columns.keys():
            low, high = columns[first], columns[last]
            wrong = pc.greater_equal(low, high) if first == "first_offset" else pc.greater(low, high)
            for row in _rows(pc.fill_null(wrong, fill_value=False)):
                yield row, last, message("contract.backwards", before=first)
    if table == "events":
        yield from _between_events(columns)
    if table == "lines":
        yield from _between_lines(columns)


def _between_events(columns: dict[str, Any]) -> Iterator[tuple[int, str, Message]]:
    if "kind" in columns:
        yield from _of_kinds(columns)
    if "seq" not in columns:
        return
    seqs = columns["seq"].to_pylist()
    yield from ((row, "seq", message("contract.seq-twice", seq=seqs[row])) for row in _again(seqs))
    if "time" in columns and None not in seqs and not columns["time"].null_count:
        import pyarrow as pa

        order = np.argsort(np.array(seqs, np.int64), kind="stable")
        at = np.array(columns["time"].cast(pa.int64()).to_numpy())[order]
        back = np.flatnonzero(at[1:] < at[:-1])[:MOST_OF_A_KIND] + 1
        yield from ((int(order[place]), "time", message("contract.time-back")) for place in back.tolist())
    if "cause" in columns:
        pairs = zip(columns["cause"].to_pylist(), seqs, strict=True)
        late = (
            row
            for row, (cause, seq) in enumerate(pairs)
            if cause is not None and (seq is None or cause >= seq)
        )
        yield from ((row, "cause", message("contract.cause-later")) for row in _some(late))


def _of_kinds(columns: dict[str, Any]) -> Iterator[tuple[int, str, Message]]:
    """Values that an event of that kind cannot have."""
    import pyarrow.compute as pc

    kinds = columns["kind"]
    for name, behind in OF_EVENTS.items():
        if name not in columns or name in _OF_EVERY_KIND:
            continue
        without = [
            one.name
            for one in KIND.values()
            if behind not in one.columns and not (behind == "aux" and one.aux)
        ]
        wrong = pc.and_(pc.is_valid(columns[name]), pc.is_in(kinds, _list(without)))
        for row in _rows(wrong):
            yield row, name, message("contract.not-of-kind", kind=kinds[row].as_py(), column=name)
    if "how" in columns:
        hows = columns["how"]
        known = pc.and_(pc.is_valid(hows), pc.is_in(kinds, _list(list(KIND))))
        for row in _rows(known, most=None):
            fitting = hows_of(kinds[row].as_py())
            if hows[row].as_py() not in fitting:
                yield (
                    row,
                    "how",
                    message("contract.word", found=hows[row].as_py(), words=_listing(fitting or ("null",))),
                )


_OF_EVERY_KIND: Final = frozenset(
    {"time", "kind", "basis", "at_least", "at_most", "cause", "file", "line", "byte", "seq"}
)


def _between_lines(columns: dict[str, Any]) -> Iterator[tuple[int, str, Message]]:
    """Two texts at one place. The same row may be there twice: for each of two topics, say."""
    if not {"path", "message"} <= columns.keys():
        return
    hosts = columns["host"].to_pylist() if "host" in columns else [None] * len(columns["path"])
    paths, texts = columns["path"].to_pylist(), columns["message"].to_pylist()
    for name in ("byte", "line"):
        if name in columns:
            first: dict[tuple[Any, ...], str] = {}
            keys = zip(hosts, paths, columns[name].to_pylist(), strict=True)
            other = (
                row
                for row, (key, text) in enumerate(zip(keys, texts, strict=True))
                if key[2] is not None and first.setdefault(key, text) != text
            )
            yield from ((row, name, message("contract.line-twice")) for row in _some(other))


def _again(values: Sequence[Any]) -> list[int]:
    """Rows that have a value that a row before them has."""
    seen: set[Any] = set()
    found: list[int] = []
    for row, value in enumerate(values):
        if value is not None and value in seen:
            found.append(row)
        seen.add(value)
    return found[:MOST_OF_A_KIND]


def _some(rows: Iterable[int]) -> list[int]:
    return [row for _, row in zip(range(MOST_OF_A_KIND), rows, strict=False)]


def _rows(wrong: Any, most: int | None = MOST_OF_A_KIND) -> list[int]:  # noqa: ANN401 - of pyarrow
    """The rows that are true, the first of them."""
    return np.flatnonzero(np.asarray(wrong.to_numpy(), dtype=bool))[:most].tolist()


def _list(words: Sequence[str]) -> Any:  # noqa: ANN401 - of pyarrow
    import pyarrow as pa

    return pa.array(list(words), pa.string())


def _listing(words: Sequence[str]) -> Listing:
    more = ("…",) if len(words) > _LISTED else ()
    return Listing((*words[:_LISTED], *more))
