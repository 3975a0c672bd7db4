"""Between clients and brokers: what is produced, what consumers read, and the timers of both."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from core.sim.client_state import Consumer, Producer, Read, Request
from core.sim.state import Leading, Replica, Unanswered
from core.trace.ids import BrokerId, Offset, Seq


@dataclass(frozen=True, slots=True)
class Produce:
    """A producer sends a batch to a replica. `token` is None where it expects no answer."""

    kind: ClassVar[str] = "produce"
    replica: Replica
    request: Request
    token: int | None


@dataclass(frozen=True, slots=True)
class WriteTxnMarkers:
    """The transaction coordinator sends a marker to a replica (KIP-98)."""

    kind: ClassVar[str] = "markers"
    replica: Replica
    request: Request
    token: int | None


@dataclass(frozen=True, slots=True)
class ProduceAnswer:
    """A broker tells a producer whether its batch is written as its acks ask."""

    kind: ClassVar[str] = "produce-answered"
    request: Request
    token: int
    written: bool


@dataclass(frozen=True, slots=True)
class OutOfOrderSequence:
    """A broker refuses a batch whose sequence numbers do not follow (KIP-98)."""

    kind: ClassVar[str] = "sequence-refused"
    request: Request
    token: int
    cause: Seq


@dataclass(frozen=True, slots=True)
class DeleteRecords:
    """A request to delete what is below an offset (0.11, KIP-107); None is the high watermark."""

    kind: ClassVar[str] = "delete-records"
    replica: Replica
    offset: Offset | None
    cause: Seq


@dataclass(frozen=True, slots=True)
class ConsumerFetch:
    """A consumer asks for what follows its position."""

    kind: ClassVar[str] = "read"
    read: Read


@dataclass(frozen=True, slots=True)
class ConsumerFetchAnswer:
    """What a consumer may read ends at `end`, which is its position if there is nothing."""

    kind: ClassVar[str] = "read-answered"
    read: Read
    end: Offset
    hw: Offset


@dataclass(frozen=True, slots=True)
class ConsumerFetchRefused:
    """The broker does not serve the partition to consumers."""

    kind: ClassVar[str] = "read-refused"
    read: Read


@dataclass(frozen=True, slots=True)
class PreferredReadReplica:
    """The leader names the follower that a consumer is to read from (2.4, KIP-392)."""

    kind: ClassVar[str] = "read-sent-on"
    read: Read
    broker: BrokerId


@dataclass(frozen=True, slots=True)
class ConsumerOffsetOutOfRange:
    """A consumer's position is not in the log."""

    kind: ClassVar[str] = "read-out-of-range"
    read: Read
    cause: Seq


@dataclass(frozen=True, slots=True)
class ConsumerListOffsets:
    """A consumer asks for the first or the last offset, as its `auto.offset.reset` says."""

    kind: ClassVar[str] = "reset-asked"
    consumer: Consumer
    broker: BrokerId
    token: int
    cause: Seq | None


@dataclass(frozen=True, slots=True)
class ConsumerListOffsetsRefused:
    """The broker that was asked does not lead."""

    kind: ClassVar[str] = "reset-refused"
    consumer: Consumer
    token: int


@dataclass(frozen=True, slots=True)
class ConsumerListOffsetsAnswer:
    """The offset at which a consumer is to go on."""

    kind: ClassVar[str] = "reset-told"
    consumer: Consumer
    token: int
    broker: BrokerId
    offset: Offset
    cause: Seq | None


@dataclass(frozen=True, slots=True)
class ProduceDue:
    """Timer: a producer has a batch to send."""

    request: Request


@dataclass(frozen=True, slots=True)
class ProduceBackoffOver:
    """Timer: a producer has waited for `retry.backoff.ms`."""

    request: Request


@dataclass(frozen=True, slots=True)
class ProduceTimeout:
    """Timer: a producer has waited for `request.timeout.ms` for the answer to one attempt."""

    request: Request
    token: int


@dataclass(frozen=True, slots=True)
class EndTransactionDue:
    """Timer: a producer looks whether all batches of a transaction are written that it is to end."""

    writer: Producer
    turn: int
    aborts: bool
    cause: Seq


@dataclass(frozen=True, slots=True)
class TransactionTimeout:
    """Timer: the coordinator looks whether a transaction has lasted too long."""

    writer: Producer
    turn: int


@dataclass(frozen=True, slots=True)
class AcksTimeout:
    """Timer: the high watermark has not passed a produce with acks=all within `request.timeout.ms`."""

    replica: Replica
    leading: Leading
    produce: Unanswered


@dataclass(frozen=True, slots=True)
class ConsumerFetchWaitOver:
    """Timer: a consumer's fetch has waited at a broker for `fetch.max.wait.ms`."""

    replica: Replica
    read: Read


@dataclass(frozen=True, slots=True)
class ConsumerBackoffOver:
    """Timer: a consumer has waited for `retry.backoff.ms`."""

    consumer: Consumer


@dataclass(frozen=True, slots=True)
class ConsumerTimeout:
    """Timer: a consumer looks whether it has waited for `request.timeout.ms`."""

    consumer: Consumer


NamesNoClient: TypeAlias = Produce | ProduceAnswer | OutOfOrderSequence | DeleteRecords
"""Sent with 0 in the place of the client."""
ConsumerFetchAnswered: TypeAlias = (
    ConsumerFetchAnswer | ConsumerFetchRefused | PreferredReadReplica | ConsumerOffsetOutOfRange
)
ConsumerReset: TypeAlias = ConsumerListOffsets | ConsumerListOffsetsRefused | ConsumerListOffsetsAnswer
SentOfClients: TypeAlias = (
    NamesNoClient | WriteTxnMarkers | ConsumerFetch | ConsumerFetchAnswered | ConsumerReset
)
ProducerTimer: TypeAlias = (
    ProduceDue | ProduceBackoffOver | ProduceTimeout | AcksTimeout | EndTransactionDue | TransactionTimeout
)
ConsumerTimer: TypeAlias = ConsumerFetchWaitOver | ConsumerBackoffOver | ConsumerTimeout
