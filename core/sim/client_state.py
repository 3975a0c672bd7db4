"""The state of consumers and producers, beside that of brokers in core/sim/state.py."""

from dataclasses import dataclass, field

from core.sim.script import Acks, ConsumerPlan
from core.trace.ids import BrokerId, Nanos, Offset, Seq


@dataclass(slots=True, eq=False)
class Consumer:
    """A consumer of one partition. `position` is the offset that it asks for next; None, not known yet."""

    number: int
    """From 1, in the order of the script: what `aux` says in its events."""
    plan: ConsumerPlan
    position: Offset | None
    allowed: int = 0
    """By step: how many fetches it may still send."""
    token: int | None = None
    """The request under way or parked, None where there is none."""
    asked_at: Nanos = Nanos(0)
    """When it sent that."""
    watched: bool = False
    """A timer looks whether its request is answered in time: one for all its requests."""
    preferred: BrokerId | None = None
    """The follower that the leader sent it to (2.4, KIP-392)."""
    stopped: bool = False
    """It stood out of range, and `auto.offset.reset` is none."""
    parked_at: tuple[BrokerId, Offset] | None = None
    """(broker, offset) of the last event that told of its waiting, so that one wait is told once."""


@dataclass(frozen=True, slots=True)
class Read:
    """A consumer's fetch as sent."""

    consumer: Consumer
    broker: BrokerId
    offset: Offset
    token: int


@dataclass(slots=True, eq=False)
class Producer:
    """An idempotent producer: each partition has its own sequence numbers (KIP-98)."""

    number: int
    epoch: int = 0
    next_sequence: dict[int, int] = field(default_factory=dict[int, int])
    """By partition."""
    coordinator_epoch: int = 0
    """Its epoch as the transaction coordinator has it."""
    ongoing: bool = False
    """A transaction of it goes on, as the coordinator has it."""
    turn: int = 0
    """The number of its latest transaction."""
    partitions: list[int] = field(default_factory=list[int])
    """Those of its latest transaction, in the order in which they came into it."""
    pending: int = 0
    """Batches of the transaction that are not written yet."""
    failed: bool = False
    """A batch of the transaction was not written."""


@dataclass(frozen=True, slots=True)
class Marker:
    """The end of a transaction as it stands in a log."""

    producer: int
    epoch: int
    aborts: bool


@dataclass(slots=True, eq=False)
class Request:
    """A produce request: one batch for one partition."""

    records: tuple[int, ...]
    """Consecutive record numbers. A second copy in a log has numbers of its own."""
    acks: Acks
    partition: int
    to: BrokerId
    """The broker that the producer takes for the leader, or -1 for the one that leads."""
    begun: Seq
    """Seq of its step."""
    retries: int = 0
    """How often it may still be sent again."""
    producer: Producer | None = None
    producer_epoch: int = 0
    sequence: int | None = None
    """The sequence number of its first record; None before it was sent, or without idempotence."""
    tried: bool = False
    """It was sent before."""
    placed: bool = False
    """Its records are in a log under these numbers."""
    token: int | None = None
    """The attempt under way; None where nobody waits for an answer."""
    broker: BrokerId = BrokerId(-1)
    """Where the attempt under way went."""
    transactional: bool = False
    turn: int = 0
    """The number of its producer's transaction; 0 before it was sent, or without transactions."""
    marker: Marker | None = None
    """It is the marker of a transaction, and the coordinator sends it."""

    @property
    def answered(self) -> bool:
        """Whether the producer acts on the answer."""
        return self.acks != 0 and (self.retries > 0 or self.producer is not None)
