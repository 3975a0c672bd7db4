"""Traces made by hand, for documents."""

from collections.abc import Callable

import pytest

from core.trace.builder import TraceBuilder
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Broker, KeptLine, Origin, Partition, Source, Trace


def _trace(name: str = "incident", partitions: int = 3, rounds: int = 5) -> Trace:
    builder = TraceBuilder()
    boot = builder.add(1_000, "broker_started", broker=1, replica=1, source=0, position=0, line=1)
    line = 1
    for turn in range(rounds):
        for partition in range(partitions):
            line += 1
            at = 2_000 + turn * 100
            grown = builder.add(
                at,
                "leo_sample",
                partition=partition,
                broker=1,
                replica=1,
                leo=turn,
                cause=boot,
                source=0,
                position=line * 50,
                line=line,
            )
            builder.add(
                at,
                "hw_sample",
                partition=partition,
                broker=1,
                replica=2,
                hw=turn,
                cause=grown,
                source=0,
                position=line * 50,
                line=line,
            )
            builder.add(
                at,
                "isr_committed",
                partition=partition,
                broker=1,
                isr=(1, 2) if turn % 2 else (1,),
                source=1,
                position=turn,
                line=0,
            )
    return builder.build(
        name,
        Origin.IMPORTED,
        brokers=(Broker(BrokerId(1), "one", "2.8.2"), Broker(BrokerId(2))),
        partitions=[
            Partition(TopicPartition("orders", number), (BrokerId(1), BrokerId(2)))
            for number in range(partitions)
        ],
        sources=(
            Source("broker-1/server.log", "a" * 64, 5_000, BrokerId(1), "Europe/Berlin", "stated"),
            Source("b.log", "b" * 64, 7),
        ),
        facts={"versions": "2.8.2", "clock": "one host"},
        lines=[KeptLine(0, number, number * 50, f"line {number} Größe 页") for number in range(1, line + 3)],
        report={"files": 2, "lines": line, "gaps": [{"from": 1}]},
    )


@pytest.fixture
def make_trace() -> Callable[..., Trace]:
    return _trace
