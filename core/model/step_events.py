"""Collects the events of a behaviour, each step at its own second, and makes them a trace."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from core.trace.builder import TraceBuilder
from core.trace.ids import NO_INDEX, BrokerId, Seq, TopicPartition
from core.trace.trace import Broker, KeptLine, Origin, Partition, Source, Trace
from core.trace.units import SECOND_NS

TOPIC: Final = "model"
MODEL: Final = "model"
"""The fact that names the variant."""


@dataclass(slots=True)
class StepEvents:
    """The events of the steps so far, and the step whose events are added next."""

    builder: TraceBuilder = field(default_factory=TraceBuilder)
    number: int = 0
    """Of the step, from 1; 0 before the first."""

    def add(
        self,
        kind: str,
        broker: int | None,
        replica: int | None = None,
        **columns: Any,  # noqa: ANN401 - the columns of an event
    ) -> Seq:
        """Add an event of this step that `broker` tells about `replica`; None is the controller."""
        return self.builder.add(
            self.number * SECOND_NS,
            kind,
            source=0 if self.number else NO_INDEX,
            line=self.number,
            partition=0,
            broker=broker,
            replica=replica,
            **columns,
        )

    def start(self, brokers: Sequence[int]) -> None:
        """Start every broker with an empty log."""
        for broker in brokers:
            self.builder.add(0, "broker_started", broker=broker, replica=broker)
        for broker in brokers:
            self.add("log_created", broker, broker, leo=0, log_start=0)

    def trace(
        self, name: str, model: str, replica_count: int, record_count: int, sentences: Sequence[str]
    ) -> Trace:
        """The trace of all events; the sentences, one a step, are the lines that they come from."""
        raw = "\n".join(sentences).encode()
        replicas = tuple(BrokerId(one) for one in range(1, replica_count + 1))
        return self.builder.build(
            name,
            Origin.SIMULATED,
            brokers=[Broker(one, f"b{one}") for one in replicas],
            partitions=[Partition(TopicPartition(TOPIC, 0), replicas)],
            sources=[Source(f"{model}.txt", hashlib.sha256(raw).hexdigest(), len(raw))],
            records=[f"m{number}" for number in range(record_count)],
            facts={MODEL: model},
            lines=_kept_lines(sentences),
        )


def _kept_lines(sentences: Sequence[str]) -> list[KeptLine]:
    """Sentences as the lines of one source."""
    lines: list[KeptLine] = []
    byte = 0
    for number, sentence in enumerate(sentences, start=1):
        lines.append(KeptLine(0, number, byte, sentence))
        byte += len(sentence.encode()) + 1
    return lines
