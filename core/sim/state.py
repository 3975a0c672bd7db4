"""What a run consists of: brokers, replicas, partitions, the controller. core/sim/engine.py holds all of it.

It is changed by the functions of this folder only, each change with its event.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from core.kafka.epochs import Entries
from core.kafka.eras import Era
from core.kafka.isr import NEVER
from core.kafka.switches import Switches
from core.kafka.tiers import RemoteSegment
from core.kafka.transactions import Transaction
from core.sim.client_state import Read, Request
from core.sim.script import Acks, BrokerPlan
from core.trace.ids import BrokerId, LeaderEpoch, Nanos, Offset, Seq

NOBODY: Final = BrokerId(-1)
NO_EPOCH: Final = LeaderEpoch(-1)
LOG_BEGIN: Final = Offset(0)
GAP: Final = -1
"""In the place of a record number: this offset of a log holds nothing."""
NONE_OLD: Final[frozenset[int]] = frozenset()
"""Every record names its leader epoch."""
Way: TypeAlias = tuple[int, int]
"""From and to: broker ids, 0 for the controller, CLIENTS."""
CLIENTS: Final = -1


@dataclass(frozen=True, slots=True)
class Rules:
    """The switches of the era, and the settings with the era's defaults filled in. Times in ns."""

    era: Era
    switches: Switches
    unclean_allowed: bool
    lag_time: int
    session_timeout: int
    min_isr: int
    checkpoint_interval: int
    fetch_wait_max: int
    fetch_backoff: int
    request_timeout: int
    fetch_min_bytes: int
    consumer_wait_max: int
    retry_backoff: int
    transaction_timeout: int
    tiered: bool
    """Segments are copied to the remote tier: the release can do it, and the topic is set so (KIP-405)."""
    acks: Acks | None = None
    """Of every producer; None leaves it to the steps."""


@dataclass(slots=True)
class Broker:
    """A broker's process. `life` counts its starts, so that what was meant for an earlier life is dropped."""

    id: BrokerId
    name: str
    rules: Rules
    """Those of its release, with the defaults of that. `min_isr` is that of the engine, for it may change."""
    switches: Switches
    """Its rules: those of its release, as its protocol and its message format leave them."""
    up: bool = True
    life: int = 1
    stated: list["Stated"] = field(default_factory=list["Stated"])
    """What it runs by, and from when on; nothing where the era alone decides."""
    writes_old: bool = False
    fetches_old: bool = False
    """Records that it writes as a leader, or gets as a follower, have no leader epoch."""
    registered: bool = True
    """The controller counts it as live: its session lives, and with KRaft it is not fenced."""
    listening: bool = True
    """It answers clients and followers."""
    epoch: int = -1
    """The broker epoch of this life, with KRaft; -1 before it is registered."""
    offered: int = 0
    applied: int = 0
    """How many entries of the metadata log have arrived, and how many it has applied."""
    known: dict[BrokerId, "RegisteredBroker"] = field(default_factory=dict[BrokerId, "RegisteredBroker"])
    """What the applied entries say of each broker."""
    stopped_cleanly: bool = True
    """Whether its last life ended by a clean stop."""
    silent_since: Nanos | None = None
    """With ZooKeeper: since when, in ns, nothing of it arrives there although it runs."""
    tail_lost: int = 0
    """How many records at the end of each of its logs had not reached the disk when it went down."""

    @property
    def reachable(self) -> bool:
        """Whether clients and followers find it."""
        return self.up and self.listening


class Stated(NamedTuple):
    """From when on a broker runs by an era with a protocol and a format; "" is the default."""

    at: Nanos
    era: Era
    plan: BrokerPlan


@dataclass(frozen=True, slots=True)
class RegisteredBroker:
    """A broker as the metadata log has it. Its epoch is the place of its registration in the log."""

    epoch: int
    fenced: bool
    leaving: bool = False
    """It is in controlled shutdown."""
    life: int = 1
    """Which of its lives is registered (Kafka: the incarnation id)."""


@dataclass(frozen=True, slots=True)
class BrokerEntry:
    """An entry of the metadata log: a registration, or a change of one."""

    broker: BrokerId
    registration: RegisteredBroker


class PartitionState(NamedTuple):
    """What a controller says of a partition."""

    leader: BrokerId
    epoch: LeaderEpoch
    isr: tuple[BrokerId, ...]
    partition_epoch: int


@dataclass(frozen=True, slots=True)
class PartitionEntry:
    """An entry of the metadata log: the state of a partition from now on."""

    partition: int
    state: PartitionState
    seq: Seq | None
    """Seq of the controller's event; None before the first step."""


@dataclass(slots=True)
class Quorum:
    """The metadata log of a KRaft controller, and what it makes of it. Another controller has the same."""

    log: list[BrokerEntry | PartitionEntry] = field(default_factory=list[BrokerEntry | PartitionEntry])
    registrations: dict[BrokerId, RegisteredBroker] = field(default_factory=dict[BrokerId, RegisteredBroker])
    heard: dict[BrokerId, Nanos] = field(default_factory=dict[BrokerId, Nanos])
    """When each broker was last heard of. It is not in the log."""


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """A fetch as sent. `token` tells it from the follower's other requests."""

    follower: "Replica"
    leader: BrokerId
    epoch: LeaderEpoch
    offset: Offset
    last_epoch: LeaderEpoch | None
    token: int
    sent: Seq
    """Seq of its fetch_sent."""
    broker_epoch: int = -1
    """In which life of the follower's broker it was sent (3.5, KIP-903); -1 is not said."""


@dataclass(slots=True)
class Remote:
    """What a leader remembers of a follower. `leo` is None until its first fetch in the leader's epoch."""

    leo: Offset | None
    caught_up_at: int = NEVER
    last_fetch_at: int = NEVER
    leo_at_last_fetch: Offset = LOG_BEGIN
    hw_sent: Offset = LOG_BEGIN
    """The high watermark that the answer to its last fetch carried, if given at once (2.4, KIP-392)."""
    broker_epoch: int = -1
    """The broker epoch of its last fetch (3.5, KIP-903)."""


@dataclass(slots=True)
class Parked:
    """A fetch in the leader's purgatory."""

    request: FetchRequest
    parked: Seq
    """Seq of its fetch_parked."""


@dataclass(slots=True)
class Unanswered:
    """A produce that waits for the high watermark to pass `end`."""

    start: int
    end: int
    acks: Acks
    appended: Seq
    request: Request
    token: int | None
    """The attempt that brought it."""


@dataclass(frozen=True, slots=True)
class Sequenced:
    """A batch of an idempotent producer in a log: sequence numbers first..last at offsets [start, end)."""

    epoch: int
    first: int
    last: int
    start: int
    end: int


@dataclass(slots=True)
class LogTransactions:
    """What a log holds of transactions, as far as its last stable offset needs it."""

    stable: Offset
    """The last stable offset."""
    epochs: dict[int, int] = field(default_factory=dict[int, int])
    """By producer: the latest producer epoch."""
    ongoing: dict[int, Transaction] = field(default_factory=dict[int, Transaction])
    """By producer: its transaction without a marker."""
    unreplicated: list[Transaction] = field(default_factory=list[Transaction])
    """Those whose marker the high watermark has not passed."""


@dataclass(slots=True)
class Leading:
    """What only a leader has."""

    epoch_start: Offset
    isr: tuple[BrokerId, ...]
    partition_epoch: int
    remotes: dict[BrokerId, Remote]
    proposed: tuple[BrokerId, ...] | None = None
    """A change of the ISR that the controller has not answered yet (KIP-497)."""
    vouched: dict[BrokerId, int] = field(default_factory=dict[BrokerId, int])
    """For each of the proposed: the broker epoch in which the leader knows it (KIP-903)."""
    parked: list[Parked] = field(default_factory=list["Parked"])
    waiting: list[Unanswered] = field(default_factory=list["Unanswered"])
    sequences: dict[int, list[Sequenced]] | None = None
    """By producer: its last batches in this log, newest last. None until one is asked for."""
    tier_seen: bool = False
    """It has looked where the log begins in the remote tier (KAFKA-15351)."""


@dataclass(slots=True)
class Fetcher:
    """A follower's fetcher. `token` is the request that is under way, None where there is none."""

    leader: BrokerId
    epoch: LeaderEpoch
    token: int | None = None
    connected: bool = False
    """There is a connection to the leader. To make one, messages must pass both ways."""
    truncating: bool = False
    """It asks the leader for the end of an epoch and does not fetch yet."""
    rounds: dict[tuple[object, ...], int] = field(default_factory=dict[tuple[object, ...], int])
    """By the state of the replica: how many of its requests came to nothing there."""
    heard: tuple[object, ...] | None = None
    """What the last of them was answered from, where the next one waits until that has changed."""


@dataclass(slots=True)
class Replica:
    """A replica's log and what its broker knows of it.

    Log and checkpoint survive a crash, the rest does not.
    """

    broker: Broker
    partition: "Partition"
    log_start: Offset = LOG_BEGIN
    """The first offset that can be read; what is below is gone."""
    disk_start: Offset = LOG_BEGIN
    """Where its first segment begins, if above the log start: below lies the remote tier (KIP-405)."""
    local_start: Offset = LOG_BEGIN
    """What it takes for `disk_start`."""
    epochs: list[LeaderEpoch] = field(default_factory=list[LeaderEpoch])
    """The leader epoch of each record, from the log start on."""
    records: list[int] = field(default_factory=list[int])
    """The number of each record in the names of the trace, from the log start on."""
    old_format: set[int] = field(default_factory=set[int])
    """The offsets of records in a message format before 0.11, which names no leader epoch.

    Kept only in runs with brokers of several protocols or formats.
    """
    entries: Entries = ()
    unflushed_from: Entries | None = None
    """The epoch entries that its file has yet, while a cut of them has not reached the disk."""
    hw: Offset = LOG_BEGIN
    checkpointed: Offset = LOG_BEGIN
    role: Literal["none", "leader", "follower"] = "none"
    leader: BrokerId = NOBODY
    leader_epoch: LeaderEpoch = NO_EPOCH
    leading: Leading | None = None
    fetcher: Fetcher | None = None
    exists: bool = True
    """Its directory is there: a broker makes one when it first hears that it holds the partition."""
    free: bool = True
    """It fetches freely; else `allowed` says how many fetches it may still send."""
    allowed: int = 0
    id: BrokerId = field(init=False)
    """The broker's id. A field, not a property: it is read for every event."""
    reads: list[Read] = field(default_factory=list["Read"])
    """Consumers that wait here for something to read."""
    transactions: LogTransactions | None = None
    """None until its log holds a transaction: the last stable offset is the high watermark."""

    def __post_init__(self) -> None:
        """Take the id from the broker."""
        self.id = self.broker.id

    @property
    def leo(self) -> Offset:
        """The log end offset."""
        return Offset(self.log_start + len(self.records))

    @property
    def first_on_disk(self) -> Offset:
        """The first offset that its own disk holds."""
        return max(self.log_start, self.disk_start)

    def numbers(self, first: int, end: int) -> list[int]:
        """Numbers of the records at [first, end). Nothing lies below the log start."""
        return self.records[max(first - self.log_start, 0) : max(end - self.log_start, 0)]

    def read(self, first: int, end: int) -> tuple[list[int], list[LeaderEpoch]]:
        """Numbers and epochs of the records at [first, end). Nothing lies below the log start."""
        low, high = max(first - self.log_start, 0), max(end - self.log_start, 0)
        return self.records[low:high], self.epochs[low:high]

    def drop_from(self, end: int) -> None:
        """Forget what is at `end` and above."""
        del self.records[end - self.log_start :]
        del self.epochs[end - self.log_start :]
        if self.old_format:
            self.old_format = {offset for offset in self.old_format if offset < end}

    def drop_below(self, start: Offset) -> None:
        """Forget what is below `start`: the log begins there, with what it held from there on."""
        del self.records[: start - self.log_start]
        del self.epochs[: start - self.log_start]
        if self.old_format:
            self.old_format = {offset for offset in self.old_format if offset >= start}
        self.log_start = start


@dataclass(frozen=True, slots=True)
class TierSegment:
    """A segment in the remote tier, with its records by number and their leader epochs."""

    segment: RemoteSegment
    records: tuple[int, ...]
    epochs: tuple[LeaderEpoch, ...]


@dataclass(slots=True)
class Partition:
    """A partition as the controller and ZooKeeper hold it."""

    index: int
    replicas: dict[BrokerId, Replica] = field(default_factory=dict[BrokerId, Replica])
    """What each broker has or would have of it, by broker id."""
    assigned: tuple[BrokerId, ...] = ()
    """The brokers that hold it, in the order of assignment: the first is preferred."""
    holders: tuple[BrokerId, ...] = ()
    """Whoever held it at some time, in the order of first assignment."""
    target: tuple[BrokerId, ...] = ()
    """Who is to hold it, while it moves to other brokers."""
    leader: BrokerId = NOBODY
    epoch: LeaderEpoch = LeaderEpoch(0)
    isr: tuple[BrokerId, ...] = ()
    partition_epoch: int = 0
    elr: tuple[BrokerId, ...] = ()
    """Eligible leader replicas (KIP-966)."""
    last_leader: BrokerId = NOBODY
    """Who led last, while nobody does and nobody is eligible (KIP-966)."""
    recovering: bool = False
    """Its leader was elected uncleanly, and has not said since that it has recovered (KIP-704)."""
    tier: list["TierSegment"] = field(default_factory=list["TierSegment"])
    """Its segments in the remote tier, oldest copy first."""
    copied: list[RemoteSegment] = field(default_factory=list[RemoteSegment])
    """All that were ever copied there, those that are deleted by now too."""

    @property
    def state(self) -> PartitionState:
        """What the controller says of it now."""
        return PartitionState(self.leader, self.epoch, self.isr, self.partition_epoch)

    def change(self, *, raises_epoch: bool) -> None:
        """Count a change of it: the partition epoch grows by one, and the leader epoch where it is raised."""
        self.epoch = LeaderEpoch(self.epoch + raises_epoch)
        self.partition_epoch += 1


@dataclass(slots=True)
class Controller:
    """The controller. It runs on a broker outside of the picture."""

    up: bool = True
    epoch: int = 1
    deaths: int = 0


def broker_ids(numbers: Iterable[int]) -> tuple[BrokerId, ...]:
    """What core/kafka gives of brokers, as their ids."""
    return tuple(map(BrokerId, numbers))
