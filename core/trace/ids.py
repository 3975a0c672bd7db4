"""Names for the integers of the subject, and the sentinel for a value that nobody stated."""

from dataclasses import dataclass
from typing import Final, NewType

BrokerId = NewType("BrokerId", int)
Offset = NewType("Offset", int)
LeaderEpoch = NewType("LeaderEpoch", int)
Nanos = NewType("Nanos", int)
"""Nanoseconds since 1970, UTC, after clock correction. A simulation starts at 0."""
Seq = NewType("Seq", int)
"""An event's place in the total order of its trace: 0..N-1."""
Cursor = NewType("Cursor", int)
"""How many events have been applied: 0..N. Never a time: many events share a millisecond."""
Place = NewType("Place", int)
"""How many rows of a partition have been applied: 0..rows. Place 3 is right after row 2."""
Instant = NewType("Instant", int)
"""Right after the row of a place, or right before the next row: core/history/positions.py."""

UNSAID: Final = -(2**63)
"""No statement. -1 is a real leader (none) and a real epoch, so it cannot say this."""
NO_INDEX: Final = -1
"""In the columns partition, broker, replica, source and isr: none. Broker ids are never negative."""
COMPACTED_BY_KAFKA: Final = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"})
"""Topics that Kafka itself keeps compacted (org.apache.kafka.common.internals.Topic)."""
METADATA_TOPIC: Final = "__cluster_metadata"
"""Its one partition is the log of KRaft's metadata quorum, which has rules of its own (KIP-595)."""
INTERNAL_TOPICS: Final = COMPACTED_BY_KAFKA | {METADATA_TOPIC}
"""Topics that Kafka itself keeps; the metadata log of KRaft has snapshots instead of compaction."""


@dataclass(frozen=True, slots=True, order=True)
class TopicPartition:
    """A partition of one incarnation of a topic. `incarnation` is "" until two of one name were seen."""

    topic: str
    partition: int
    incarnation: str = ""

    def __str__(self) -> str:
        """Kafka's own notation, topic-partition."""
        return f"{self.topic}-{self.partition}"

    @property
    def of_quorum(self) -> bool:
        """Whether it is the log of the metadata quorum: no in-sync set, a leader by votes (KIP-595)."""
        return self.topic == METADATA_TOPIC


def name_order(name: str) -> tuple[str, int]:
    """What sorts partitions by name, as people count: orders-9 before orders-10."""
    topic, _, number = name.rpartition("-")
    return (topic, int(number)) if number.isdecimal() else (name, -1)
