"""A document that holds what cannot be is refused in words; one at the last good value is read."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.summary import triage
from core.document.lane_order import LaneOrder
from core.errors import DocumentError
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.run import simulate
from core.trace.trace import Trace
from db.budgets import MOST_CELL_BYTES, MOST_JSON_HELD, MOST_LANES
from db.document import create, open_document
from db.engine import connect
from db.reported import read_report
from db.shapes import loaded, text

pytestmark = pytest.mark.broad(3)

MakeTrace = Callable[..., Trace]


def change(path: Path, statement: str, *values: object) -> None:
    """Change a document as another program may: foreign keys are not looked at."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


@pytest.fixture
def arranged(tmp_path: Path, make_trace: MakeTrace) -> Path:
    """A document where the log area of broker 1 was given a height."""
    path = tmp_path / "a.tide"
    create(path, [make_trace()], lanes=LaneOrder(heights=((1, 100),)))
    return path


@pytest.mark.parametrize(("height", "good"), [(39, False), (40, True), (480, True), (481, False)])
def test_a_log_area_is_40_to_480_pixels_high(arranged: Path, height: int, *, good: bool) -> None:
    change(arranged, "UPDATE lane SET height = ?", height)

    with open_document(arranged) as document:
        if good:
            assert document.lanes().heights == ((1, height),)
        else:
            with pytest.raises(DocumentError, match="1 row of the table lane cannot have that height"):
                document.lanes()


@pytest.mark.parametrize(
    ("broker", "good"), [(-2, False), (-1, True), (2**31 - 1, True), (2**31, False), (2**62, False)]
)
def test_the_id_of_a_broker_is_an_int32_as_in_kafka(arranged: Path, broker: int, *, good: bool) -> None:
    change(arranged, "UPDATE broker SET broker_id = ? WHERE place = 1", broker)

    with open_document(arranged) as document:
        if good:
            assert [one.broker_id for one in document.trace().brokers] == [1, broker]
        else:
            with pytest.raises(DocumentError, match="1 row of the table broker cannot have that broker_id"):
                document.trace()


def test_a_document_has_one_row_about_itself(arranged: Path) -> None:
    change(arranged, "INSERT INTO document SELECT id + 1, made_by, made_ns FROM document")

    with pytest.raises(DocumentError, match="the table document has 2 rows, at most 1 are read"):
        open_document(arranged)


def test_as_many_lanes_are_read_as_a_trace_may_have_brokers(arranged: Path) -> None:
    change(arranged, "DELETE FROM lane")
    change(
        arranged,
        "INSERT INTO lane WITH RECURSIVE many(n) AS "
        "(SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ?) SELECT n, NULL, 1, 0, 0, 0, NULL FROM many",
        MOST_LANES,
    )
    with open_document(arranged) as document:
        assert len(document.lanes().folded) == MOST_LANES

    change(arranged, "INSERT INTO lane VALUES (0, NULL, 1, 0, 0, 0, NULL)")
    with (
        open_document(arranged) as document,
        pytest.raises(DocumentError, match="lane has 10,001 rows"),
    ):
        document.lanes()


def test_a_chunk_of_a_trace_that_is_not_there_is_refused(arranged: Path) -> None:
    """Of a trace that is not said no event can be there, not even one."""
    change(arranged, "INSERT INTO chunk (id, trace_id, events) VALUES (900, 9, 1)")
    change(arranged, "INSERT INTO chunk_part VALUES (900, 0, 9, -1, 1)")

    with pytest.raises(DocumentError, match="trace 9 should have 0 events, its chunks hold 1"):
        open_document(arranged)


def test_a_summary_names_a_check_of_any_version_or_none(tmp_path: Path) -> None:
    """In hw-loss on 0.10.2 acknowledged records are lost: the summary of its partition names a check.

    What only a later version knows is in test_later.py.
    """
    path = tmp_path / "a.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    create(path, [trace], found=[triage(trace, diagnose(trace))])
    change(path, "UPDATE summary SET check_id = NULL")
    with open_document(path) as document:
        found = document.triage()
    assert found is not None
    assert [one.check for one in found.summaries] == [None]

    change(path, "UPDATE summary SET check_id = 'No such check'")
    with (
        open_document(path) as document,
        pytest.raises(DocumentError, match=r"summary\.check_id is not a word of any version of this program"),
    ):
        document.triage()


@pytest.mark.parametrize("time", [None, "2026-11-21T03:29:10Z", "2026-11-21T03:29:10.161000000Z"])
def test_a_log_has_a_first_and_a_last_time_or_no_line_with_one(time: str | None) -> None:
    report = {"by_broker": [{"broker": 1, "from": time, "to": time}]}

    assert read_report(json.dumps(report)) == report


@pytest.mark.parametrize("time", ["", "yesterday", "2026-11-21 03:29:10", 1_763_695_750, False])
def test_a_time_of_a_report_is_written_as_rfc_3339(time: object) -> None:
    report = {"by_broker": [{"broker": 1, "from": time}]}

    with pytest.raises(ValueError, match=r"report.by_broker\[0\].from is not a time"):
        read_report(json.dumps(report))


@pytest.mark.parametrize("written", ["\U0001f30a", "\\ud83c\\udf0a"], ids=["itself", "escaped"])
@pytest.mark.parametrize("kind", [str, str.encode])
def test_one_character_beyond_the_first_plane_makes_a_text_four_times_as_large(
    monkeypatch: pytest.MonkeyPatch, kind: Callable[[str], str | bytes], written: str
) -> None:
    """CPython keeps each character of a text at the width of its widest (PEP 393)."""
    plain = json.dumps("x" * 2_000_000)
    monkeypatch.setattr("db.shapes.MOST_JSON_HELD", 3 * len(plain))
    taken = text(3_000_000)

    assert loaded(kind(plain), taken, "report", len(plain)) == "x" * 2_000_000
    with pytest.raises(ValueError, match="more values than are read"):
        loaded(kind(plain.replace("x" * 12, written, 1)), taken, "report", len(plain))


def test_the_report_of_200_000_files_of_400_bytes_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest report that db.budgets speaks of, at a twentieth of its size and of what it may take.

    Each file has the fields that a file of a data directory has in an import report.
    """
    monkeypatch.setattr("db.shapes.MOST_JSON_HELD", MOST_JSON_HELD // 20)
    file = {
        "file": "",
        "is": "segment",
        "broker": 1,
        "found_by": "meta.properties beside it",
        "bytes": 1_073_741_824,
        "directory": "orders-1",
        "copied_earlier": False,
    }
    file["file"] = "d" * (400 - 2 - len(json.dumps(file)))
    report = {"by_file": [file] * (200_000 // 20)}
    raw = json.dumps(report)
    assert len(raw) == len('{"by_file": []}') + 400 * 10_000 - 2

    assert read_report(raw) == report


@pytest.mark.parametrize("write", [False, True])
def test_each_connection_is_set_up_for_a_file_of_a_stranger(arranged: Path, *, write: bool) -> None:
    """Nothing in its schema is trusted, cells are checked, no file is joined, and none of 128 MiB is made."""
    engine = connect(arranged, write=write)
    with engine.connect() as one, engine.connect() as other:
        for connection in (one, other):
            set_up = {
                name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("trusted_schema", "cell_size_check", "mmap_size")
            }
            assert set_up == {"trusted_schema": 0, "cell_size_check": 1, "mmap_size": 0}
            with pytest.raises(DBAPIError, match="too many attached databases"):
                connection.exec_driver_sql("ATTACH ':memory:' AS more")
            with pytest.raises(DBAPIError, match="too big"):
                connection.exec_driver_sql("SELECT zeroblob(?)", (MOST_CELL_BYTES + 1,)).all()
    engine.dispose()


@pytest.mark.parametrize("count", [0, -1])
def test_findings_of_a_check_are_counted_from_none(tmp_path: Path, count: int) -> None:
    path = tmp_path / "a.tide"
    trace = simulate(scenario("hw-loss"), era("0.10.2"))
    create(path, [trace], found=[triage(trace, diagnose(trace))])
    change(path, "UPDATE summary SET detail = json_set(detail, '$.findings.\"under-min-isr\"', ?)", count)

    with open_document(path) as document:
        if count < 0:
            with pytest.raises(DocumentError, match="a number from 0 on"):
                document.triage()
        else:
            found = document.triage()
            assert found is not None
            assert found.summaries[0].findings["under-min-isr"] == 0
