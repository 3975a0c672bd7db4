"""Traces written by hand, a line an event: what a real log or a script would have said."""

from collections.abc import Iterable, Sequence
from typing import Any

from core.diagnose.verdict.check import diagnose, diagnose_partition
from core.diagnose.verdict.facts import Finding, PartitionVerdict
from core.history.open import open_history
from core.history.state import History
from core.trace.builder import TraceBuilder
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Broker, KeptLine, Origin, Partition, Source, Trace
from core.trace.vocabulary import Basis
from core.words import text

SECOND = 1_000_000_000
_OF_THE_PARTITION = (
    "leader_elected",
    "leaderless",
    "isr_committed",
    "isr_update_rejected",
    "replicas_assigned",
)
"""Kinds that are about no single replica."""


class Story:
    """Adds events of partition t-0, ten seconds apart unless told otherwise, each on its own line of a file.

    Ten seconds are far enough for a band to open again after a statement.
    """

    def __init__(
        self,
        version: str = "0.10.2.2",
        replicas: Sequence[int] = (1, 2),
        *,
        simulated: bool = False,
        records: Sequence[str] = (),
    ) -> None:
        self.builder = TraceBuilder()
        self.version = version
        self.replicas = tuple(replicas)
        self.simulated = simulated
        self.records = tuple(records)
        self.now = 0
        self.texts: list[str] = []

    def add(
        self,
        kind: str,
        broker: int | None,
        *,
        about: int | None = None,
        wait: int = 10 * SECOND,
        isr: Sequence[int] | None = None,
        basis: Basis = Basis.OBSERVED,
        in_a_file: bool = False,
        **said: int,
    ) -> int:
        """One event of the partition, by `broker` and about itself unless `about` is given. Gives its Seq.

        `in_a_file` is for what a file of its data directory says, not a line of a log.
        """
        self.now += wait
        self.texts.append(f"line {len(self.texts) + 1}: {kind}")
        columns: dict[str, Any] = {"partition": 0, **said}
        if broker is not None:
            columns["broker"] = broker
        about = broker if about is None else about
        if about is not None and kind not in _OF_THE_PARTITION:
            columns["replica"] = about
        line = len(self.texts)
        return self.builder.add(
            self.now,
            kind,
            isr=isr,
            basis=basis,
            source=int(in_a_file),
            position=line * 20,
            line=line,
            **columns,
        )

    def process(
        self,
        kind: str,
        broker: int,
        *,
        about: int | None = None,
        wait: int = 10 * SECOND,
        basis: Basis = Basis.OBSERVED,
    ) -> int:
        """One event of a broker as a whole, of itself unless `about` is given."""
        self.now += wait
        self.texts.append(f"line {len(self.texts) + 1}: {kind}")
        line = len(self.texts)
        return self.builder.add(
            self.now,
            kind,
            broker=broker,
            replica=broker if about is None else about,
            basis=basis,
            source=0,
            position=line * 20,
            line=line,
        )

    def trace(self) -> Trace:
        """The trace so far."""
        lines = [KeptLine(0, number, number * 20, text) for number, text in enumerate(self.texts, start=1)]
        return self.builder.build(
            "story",
            Origin.SIMULATED if self.simulated else Origin.IMPORTED,
            brokers=[Broker(BrokerId(one), "", self.version) for one in self.replicas],
            partitions=[Partition(TopicPartition("t", 0), tuple(BrokerId(one) for one in self.replicas))],
            sources=[
                Source("server.log", "0" * 64, 1),
                Source("data/t-0/leader-epoch-checkpoint", "0" * 64, 1),
            ],
            records=self.records,
            lines=lines,
        )

    def history(self) -> History:
        """The partition opened."""
        return open_history(self.trace(), 0)

    def verdict(self) -> PartitionVerdict:
        """What is said of the partition."""
        return diagnose_partition(self.history())

    def begin(self, leader: int = 1) -> None:
        """All brokers start, a topic is made, `leader` leads epoch 0 and the others fetch from it at 0."""
        for broker in self.replicas:
            self.process("broker_starting", broker)
        self.add(
            "leader_elected", leader, leader=leader, epoch=0, isr=self.replicas, partition_epoch=0, aux=1
        )
        for broker in self.replicas:
            self.add("log_created", broker)
        self.add("became_leader", leader, leader=leader, epoch=0, leo=0, hw=0)
        for broker in self.replicas:
            if broker != leader:
                self.add("became_follower", broker, leader=leader, epoch=0, leo=0, hw=0)
                self.add("fetcher_added", broker, leader=leader, epoch=0, offset=0)


def loss_of_0_10(story: Story) -> None:
    """The steps of recordings/k0102-hw-loss on one partition, with its numbers."""
    story.begin()
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)
    story.add("leader_and_isr_received", 2, leader=1, epoch=0, isr=(1, 2), partition_epoch=0)
    story.add("truncated", 2, offset=206)
    story.add("fetcher_added", 2, leader=1, offset=206)
    story.add("leader_elected", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1, aux=2)
    story.add("leader_and_isr_received", 2, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.process("broker_starting", 1)
    story.add("log_loaded", 1, leo=256)
    story.add("leader_and_isr_received", 1, leader=2, epoch=1, isr=(2,), partition_epoch=1)
    story.add("truncated", 1, offset=254)
    story.add("fetcher_added", 1, leader=2, offset=254)
    story.add("fetch_offset_reset", 1, leader=2, from_offset=254, offset=206)
    story.add("truncated", 1, offset=206)


def of(story: Story | Trace, check: str) -> list[Finding]:
    """What a check finds in a story."""
    trace = story if isinstance(story, Trace) else story.trace()
    return [finding for finding in diagnose(trace).findings if finding.check == check]


def texts(found: Iterable[Finding]) -> list[str]:
    """What findings say."""
    return [text(finding.message) for finding in found]
