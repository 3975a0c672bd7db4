"""Traces made by hand, for documents."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from core.trace.builder import TraceBuilder
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Broker, KeptLine, Origin, Partition, Source, Trace

MakeTrace = Callable[..., Trace]


def build(
    name: str = "incident",
    *,
    sizes: Sequence[int] = (6, 4, 5),
    origin: Origin = Origin.IMPORTED,
    facts: dict[str, str] | None = None,
) -> Trace:
    """A trace of `sizes[p]` events of partition p, in turns, with a broker-level event before each round.

    Every third event is a cut; each has a line of its own, and the event of its round as its cause.
    """
    builder = TraceBuilder()
    lines: list[KeptLine] = []

    def add(kind: str, **values: Any) -> int:
        line = len(lines) + 1
        lines.append(KeptLine(0, line, line * 50, f"line {line}: Größe 页 \udc80"))
        return builder.add(
            1_000 + line, kind, broker=1, replica=1, source=0, position=line * 50, line=line, **values
        )

    for turn in range(max(sizes, default=0)):
        boot = add("broker_started")
        for partition, size in enumerate(sizes):
            if turn < size:
                cut = turn % 3 == 2
                kind = "truncated" if cut else "isr_committed" if turn % 3 else "leo_sample"
                said: dict[str, Any] = (
                    {"offset": turn} if cut else {"isr": (1, turn)} if turn % 3 else {"leo": turn}
                )
                if kind == "isr_committed":
                    line = len(lines) + 1
                    lines.append(KeptLine(0, line, line * 50, f"line {line}"))
                    builder.add(
                        1_000 + line,
                        kind,
                        broker=1,
                        partition=partition,
                        cause=boot,
                        source=0,
                        position=line * 50,
                        line=line,
                        **said,
                    )
                else:
                    add(kind, partition=partition, cause=boot, **said)
    return builder.build(
        name,
        origin,
        brokers=(Broker(BrokerId(1), "one", "2.8.2"), Broker(BrokerId(2))),
        partitions=[
            Partition(TopicPartition("orders", p), (BrokerId(1), BrokerId(2))) for p in range(len(sizes))
        ],
        sources=(
            Source("broker-1/server.log", "a" * 64, 5_000, BrokerId(1), "Europe/Berlin", "stated"),
            Source("b.log", "b" * 64, 7),
        ),
        records=("m0", "m1"),
        facts={"clock": "one host"} if facts is None else facts,
        lines=lines,
        report={"files": 2, "gaps": [{"broker": 2, "from": None}]},
    )


@pytest.fixture
def make_trace() -> MakeTrace:
    return build


NEW_IN_NOTES = ("end_key", "end_position", "end_partition", "end_ordinal", "end_broker", "colour", "shape")
"""Columns of `note` that documents of version 0003 did not have."""


RARE_EVENT = """
CREATE TABLE rare_event (
trace_id INTEGER NOT NULL REFERENCES trace (id) ON DELETE CASCADE,
seq INTEGER NOT NULL, at_ns INTEGER NOT NULL, kind TEXT NOT NULL,
partition TEXT, broker INTEGER, replica INTEGER, leader INTEGER,
epoch INTEGER, from_offset INTEGER, to_offset INTEGER, isr TEXT, PRIMARY KEY (trace_id, seq))
"""
"""The copy of some events that documents had up to version 0006."""


def make_older(
    database: sqlite3.Connection,
    version: str,
    *,
    english: str = "Two records are gone.",
    chinese: str = "两条记录丢失。",
) -> None:
    """Make a document of today as one of an earlier version is; its sentences are told in two languages."""
    if version < "0007":
        database.execute(RARE_EVENT)
        database.execute("CREATE INDEX ix_rare_event_kind ON rare_event (kind)")
        database.execute(
            "INSERT INTO rare_event (trace_id, seq, at_ns, kind) VALUES (1, 0, 0, 'broker_started')"
        )
    if version < "0006":
        _texts_in_place_of_messages(database, english, chinese)
    if version < "0005":
        database.execute("DROP TABLE lane")
    if version < "0004":
        for column in NEW_IN_NOTES:
            database.execute(f"ALTER TABLE note DROP COLUMN {column}")
    if version < "0003":
        database.execute("DROP TABLE tie")
    if version < "0002":
        for table in ("summary", "finding"):
            database.execute(f"DROP TABLE {table}")
    database.execute("UPDATE alembic_version SET version_num = ?", (version,))


def _texts_in_place_of_messages(database: sqlite3.Connection, english: str, chinese: str) -> None:
    """Make what triage stores as it was up to version 0005: sentences in two languages."""
    for table, column in (("summary", "reason"), ("finding", "text")):
        for name in (column, f"{column}_zh"):
            database.execute(f"ALTER TABLE {table} ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")
        told = f"UPDATE {table} SET {column} = ?, {column}_zh = ?"  # noqa: S608 - names of ours
        database.execute(told, (english, chinese))
        database.execute(f"ALTER TABLE {table} DROP COLUMN message")
    database.execute("UPDATE summary SET reason = '', reason_zh = '' WHERE check_id IS NULL")
