"""Tables that break the contract, each in one place: that place is named, and nothing else."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from core.errors import SourceError
from importers.contract.reading import load_events
from importers.contract.validate import MOST_OF_A_KIND, validate

UTC = pa.timestamp("ns", "UTC")
AT = 1795231750_000_000_000


def events() -> dict[str, Any]:
    """Three events that fit."""
    return {
        "time": pa.array([AT, AT + 1, AT + 2], UTC),
        "kind": ["leader_elected", "truncated", "broker_started"],
        "basis": ["observed", None, "derived"],
        "topic": ["t", "t", None],
        "partition": pa.array([0, 0, None], pa.int32()),
        "broker": [1, 2, 3],
        "replica": pa.array([None, 2, 3], pa.int32()),
        "leader": [1, None, None],
        "leader_epoch": [0, 0, None],
        "from_offset": [None, 9, None],
        "to_offset": [None, 7, None],
        "isr": pa.array([[1, 2], None, None], pa.list_(pa.int32())),
        "how": ["clean", "leader-epoch", None],
        "at_least": pa.array([None, ["from_offset"], None], pa.list_(pa.string())),
        "seq": [0, 1, 2],
        "cause": pa.array([None, 0, None], pa.int64()),
        "file": ["server.log"] * 3,
        "line": [1, 2, 3],
    }


def lines() -> dict[str, Any]:
    return {"host": ["a", "a"], "path": ["s.log", "s.log"], "byte": [0, 40], "message": ["one", "two"]}


def losses() -> dict[str, Any]:
    return {
        "topic": ["t"],
        "partition": [0],
        "first_offset": [5],
        "end_offset": [9],
        "class": ["committed"],
        "removed_from": pa.array([[1]], pa.list_(pa.int32())),
    }


def with_(column: str, row: int, value: object) -> Callable[[dict[str, Any]], None]:
    def spoil(columns: dict[str, Any]) -> None:
        whole = columns[column]
        kind = whole.type if isinstance(whole, pa.Array) else pa.array(whole).type
        values = whole.to_pylist() if isinstance(whole, pa.Array) else list(whole)
        values[row] = value
        columns[column] = pa.array(values, kind)

    return spoil


def as_(column: str, values: object) -> Callable[[dict[str, Any]], None]:
    def spoil(columns: dict[str, Any]) -> None:
        columns[column] = values

    return spoil


def without(column: str) -> Callable[[dict[str, Any]], None]:
    def spoil(columns: dict[str, Any]) -> None:
        del columns[column]

    return spoil


NOW = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
BROKEN: dict[str, tuple[Callable[[], dict[str, Any]], Callable[[dict[str, Any]], None], tuple[Any, ...]]] = {
    "no kind at all": (events, without("kind"), (None, "kind", "contract.missing")),
    "a time without a zone": (
        events,
        as_("time", pa.array([NOW.replace(tzinfo=None)] * 3, pa.timestamp("us"))),
        (None, "time", "contract.type"),
    ),
    "a time as a number": (events, as_("time", [AT, AT, AT]), (None, "time", "contract.type")),
    "milliseconds that say they are nanoseconds": (
        events,
        as_("time", pa.array([AT // 1_000_000, AT, AT], UTC)),
        (0, "time", "contract.early"),
    ),
    "an event without a time": (events, with_("time", 2, None), (2, "time", "contract.null")),
    "a kind that is none": (events, with_("kind", 1, "truncate"), (1, "kind", "contract.word")),
    "a basis that is none": (events, with_("basis", 0, "guessed"), (0, "basis", "contract.word")),
    "a kind as a number": (events, as_("kind", [50, 111, 2]), (None, "kind", "contract.type")),
    "a topic without a partition": (
        events, with_("partition", 1, None), (1, "partition", "contract.half-named")
    ),
    "a partition below 0": (events, with_("partition", 0, -1), (0, "partition", "contract.least")),
    "a partition as a text": (
        events, as_("partition", ["0", "0", None]), (None, "partition", "contract.type")
    ),
    "a leader below -1": (events, with_("leader", 0, -2), (0, "leader", "contract.least")),
    "a broker that no int32 holds": (events, as_("broker", [1, 2**40, 3]), (None, "broker", "contract.type")),
    "an offset below 0": (events, with_("to_offset", 1, -7), (1, "to_offset", "contract.least")),
    "an in-sync set as a text": (events, as_("isr", ["1,2", None, None]), (None, "isr", "contract.type")),
    "a broker twice in an in-sync set": (events, with_("isr", 0, [1, 2, 1]), (0, "isr", "contract.twice")),
    "a hole in an in-sync set": (events, with_("isr", 0, [1, None]), (0, "isr", "contract.null-member")),
    "a value that its kind does not have": (
        events, with_("leader_epoch", 2, 4), (2, "leader_epoch", "contract.not-of-kind")
    ),
    "a cut by an election": (events, with_("how", 1, "unclean"), (1, "how", "contract.word")),
    "a bound of no column": (
        events, with_("at_least", 1, ["leo"]), (1, "at_least", "contract.no-value")
    ),
    "a seq twice": (events, with_("seq", 2, 1), (2, "seq", "contract.seq-twice")),
    "a time that goes back": (
        events, with_("time", 2, dt.datetime(2026, 1, 1, tzinfo=dt.UTC)), (2, "time", "contract.time-back")
    ),
    "a cause that comes later": (events, with_("cause", 1, 2), (1, "cause", "contract.cause-later")),
    "line 0": (events, with_("line", 0, 0), (0, "line", "contract.least")),
    "lines of no path": (lines, with_("path", 1, None), (1, "path", "contract.null")),
    "lines as bytes": (lines, as_("message", [b"one", b"two"]), (None, "message", "contract.type")),
    "a line twice": (lines, with_("byte", 1, 0), (1, "byte", "contract.line-twice")),
    "a range that ends before it begins": (
        losses, with_("end_offset", 0, 5), (0, "end_offset", "contract.backwards")
    ),
    "a class that is none": (losses, with_("class", 0, "gone"), (0, "class", "contract.word")),
    "a broker below 0": (losses, with_("removed_from", 0, [-1]), (0, "removed_from", "contract.least")),
}  # fmt: skip


def put(folder: Path, name: str, columns: dict[str, Any]) -> Path:
    (folder / name).mkdir(parents=True)
    parquet.write_table(pa.table(columns), folder / name / "part-0.parquet")
    return folder


@pytest.mark.parametrize("table", [events, lines, losses])
def test_they_fit_before_they_are_broken(table: Callable[[], dict[str, Any]], tmp_path: Path) -> None:
    (checked,) = validate(put(tmp_path, table.__name__, table()))

    assert (checked.table, checked.rows, checked.faults) == (
        table.__name__,
        len(table()[next(iter(table()))]),
        (),
    )


@pytest.mark.parametrize("name", BROKEN)
def test_the_place_is_named(name: str, tmp_path: Path) -> None:
    table, spoil, (row, column, id_) = BROKEN[name]
    columns = table()
    spoil(columns)

    (checked,) = validate(put(tmp_path, table.__name__, columns))

    assert [(one.file, one.row, one.column, one.message.id) for one in checked.faults] == [
        (f"{table.__name__}/part-0.parquet", row, column, id_)
    ]


def test_there_are_at_least_twenty() -> None:
    assert len(BROKEN) >= 20


def test_a_broken_table_of_events_is_refused_with_its_first_fault(tmp_path: Path) -> None:
    columns = events()
    columns["kind"] = ["leader_elected", "cut", "broker_started"]

    with pytest.raises(SourceError) as error:
        load_events(put(tmp_path, "events", columns))

    assert error.value.facts.what.id == "error.contract.broken"
    assert "events/part-0.parquet" in str(error.value)


def test_of_one_fault_the_first_rows_are_named(tmp_path: Path) -> None:
    columns = {"time": pa.array([AT] * 100, UTC), "kind": ["nothing"] * 100}

    (checked,) = validate(put(tmp_path, "events", columns))

    assert [one.row for one in checked.faults] == list(range(MOST_OF_A_KIND))


@pytest.mark.parametrize("content", [b"", b"PAR1 and nothing more", b"a,b\n1,2\n"])
def test_what_is_no_parquet_cannot_be_read(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "events.parquet").write_bytes(content)

    with pytest.raises(SourceError):
        validate(tmp_path)


def test_a_folder_without_a_table_is_told(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")

    with pytest.raises(SourceError) as error:
        validate(tmp_path)

    assert error.value.facts.what.id == "error.contract.no-table"


def test_bookkeeping_is_no_data(tmp_path: Path) -> None:
    put(tmp_path, "events", events())
    (tmp_path / "events" / "_SUCCESS").write_bytes(b"")
    (tmp_path / "events" / ".part-0.parquet.crc").write_bytes(b"x")
    (tmp_path / "_staged").mkdir()
    (tmp_path / "_staged" / "part-1.parquet").write_bytes(b"half")

    (checked,) = validate(tmp_path)

    assert (checked.files, checked.faults) == (1, ())
