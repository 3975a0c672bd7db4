"""What a question may do and may not, and what is read for it."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from core.errors import CancelledError, QuestionError
from core.trace.trace import Trace
from core.work import Work
from db.document import create, open_document
from gui.workspace.query import ask
from gui.workspace.query_tables import DocumentTables, TraceTables
from importers.contract.columns import TABLES
from tests.stories import SECOND, Story

pytestmark = pytest.mark.broad(4)


def story() -> Trace:
    told = Story()
    told.begin()
    told.add("hw_sample", 1, hw=5)
    told.add("truncated", 2, from_offset=9, offset=7, leo=7, epoch=0, aux=1, wait=3 * SECOND)
    return told.trace()


class Watched(TraceTables):
    """Remembers what was read."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.seen: dict[str, set[str]] = {}

    def read(self, table: str, columns: Collection[str]) -> Any:
        self.seen[table] = set(columns)
        return super().read(table, columns)


def test_numbers_become_words() -> None:
    found = ask(
        TraceTables(story()),
        "select time, kind, basis, topic, partition, replica, from_offset, to_offset, log_end_offset, how,"
        " file, line"
        " from events where kind = 'truncated'",
    )

    assert found.rows == (
        (
            "1970-01-01T00:01:33.000000000Z",
            "truncated",
            "observed",
            "t",
            0,
            2,
            9,
            7,
            7,
            "local-high-watermark",
            "server.log",
            10,
        ),
    )


def test_what_is_not_said_is_null_and_a_broker_has_no_partition() -> None:
    found = ask(
        TraceTables(story()),
        "select topic, partition, ordinal, leader, isr from events where kind = 'broker_starting' limit 1",
    )

    assert found.rows == ((None, None, None, None, None),)


def test_every_event_is_there_once_and_counted_in_its_partition() -> None:
    trace = story()

    rows = ask(TraceTables(trace), "select seq, ordinal from events where topic = 't' order by seq").rows

    assert [ordinal for _, ordinal in rows] == list(range(len(rows)))
    assert ask(TraceTables(trace), "select count(*) from events").rows == ((len(trace),),)


@pytest.mark.parametrize(
    ("sql", "read"),
    [
        ("select count(*) from events where kind = 'truncated'", {"events": {"kind"}}),
        ("select topic from (select * from events) where time > '2026-01-01'", {"events": {"topic", "time"}}),
        ("with e as (from events) select max(line) from e", {"events": {"line"}}),
        (
            "select p.topic from partitions p join events e using (topic, partition)",
            {"partitions": {"topic", "partition"}, "events": {"topic", "partition"}},
        ),
        ("select 1", {}),
        ("describe losses", {}),
    ],
)
def test_only_what_is_named_is_read(sql: str, read: dict[str, set[str]]) -> None:
    tables = Watched(story())

    ask(tables, sql)

    assert tables.seen == read


def test_of_a_document_only_the_chunks_of_these_columns_are_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(tmp_path / "story.tide", [story()])
    decoded: list[str] = []
    from db import chunks

    read = chunks._chunk

    def counted(connection: Any, chunk_id: int, names: Collection[str]) -> Any:
        decoded.extend(names)
        return read(connection, chunk_id, names)

    monkeypatch.setattr(chunks, "_chunk", counted)
    with open_document(tmp_path / "story.tide") as document:
        found = ask(DocumentTables(document, None), "select max(high_watermark) from events")

    assert found.rows == ((5,),)
    assert set(decoded) == {"seq", "partition", "hw"}


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_table_has_the_columns_of_the_contract(table: str) -> None:
    found = ask(TraceTables(story()), f"from {table}")

    assert found.columns == tuple(one.name for one in TABLES[table])


@pytest.mark.parametrize(
    "sql",
    [
        "insert into events values (1)",
        "create table x(a int)",
        "drop view events",
        "delete from events",
        "set threads = 1",
        "attach ':memory:' as other",
        "install httpfs",
        "load httpfs",
        "copy (select 1) to 'out.csv'",
        "export database 'out'",
        "call pragma_version()",
        "begin transaction",
        "select 1; select 2",
        "",
    ],
)
def test_what_is_no_question_is_refused(sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(QuestionError):
        ask(TraceTables(story()), sql)

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_csv('secret.csv')",
        "select * from read_text('secret.csv')",
        "select * from 'secret.csv'",
        "select * from glob('*')",
        "select * from read_parquet('http://127.0.0.1/x.parquet')",
        "select getenv('HOME')",
        "select * from sql",
    ],
)
def test_nothing_else_can_be_read(sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("a\n1\n", encoding="utf-8")

    with pytest.raises(QuestionError):
        ask(TraceTables(story()), sql)


def test_wrong_sql_is_told_in_one_message() -> None:
    with pytest.raises(QuestionError) as error:
        ask(TraceTables(story()), "select nope from events")

    assert "nope" in str(error.value)
    assert "LINE 1" not in str(error.value)


def test_a_question_that_is_stopped_ends() -> None:
    long = "select count(*) from range(100_000_000) a, range(100_000_000) b where a.range + b.range = -1"

    with pytest.raises(CancelledError):
        ask(TraceTables(story()), long, Work(stopped=lambda: True))


@pytest.mark.parametrize(
    ("sql", "cell"),
    [
        ("select sum(1::bigint)", 1),
        ("select 1.5", 1.5),
        ("select [1, null]", [1, None]),
        ("select {a: 1}", {"a": 1}),
        ("select timestamptz '2026-01-02 03:04:05+01'", "2026-01-02T02:04:05.000000000Z"),
        ("select timestamp_ns '2026-01-02 03:04:05.123456789'", "2026-01-02T03:04:05.123456789Z"),
        ("select date '2026-01-02'", "2026-01-02"),
        ("select interval '90 seconds'", "0:01:30"),
        ("select interval '-90 seconds'", "-0:01:30"),
        ("select true", True),
        ("select null", None),
        ("select 'a'::blob", "61"),
    ],
)
def test_cells_are_plain(sql: str, cell: object) -> None:
    assert ask(TraceTables(story()), sql).rows == ((cell,),)
