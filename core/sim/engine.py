"""The engine of a run: its state, its time, and the heap of what is sent and what falls due."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, Protocol, TypeAlias, TypeVar

from core.kafka.eras import Era
from core.sim.chance import Chance
from core.sim.client_state import Consumer, Producer, Request
from core.sim.journal import Journal
from core.sim.ledger import Ledger
from core.sim.messages.control import (
    AlterPartition,
    AlterPartitionAnswer,
    AlterPartitionRefused,
    Background,
    ControllerElected,
    Holdable,
)
from core.sim.messages.kinds import Message, Sent, Waiting
from core.sim.script import Limits
from core.sim.state import (
    NOBODY,
    Broker,
    Controller,
    Leading,
    Partition,
    Quorum,
    Replica,
    Rules,
    Way,
)
from core.sim.voters.state import Voters
from core.trace.ids import BrokerId, Nanos, Seq

Item: TypeAlias = tuple[int, int, bool, Message, int]
"""(time, order, whether a step waits for it, what it is, the target of a message or NOBODY)."""


@dataclass(slots=True)
class World:
    """What is not as usual around the brokers. Empty, it costs nothing."""

    cut: dict[Way, list[Waiting]] = field(default_factory=dict[Way, list[Waiting]])
    """What was sent on ways that are cut, oldest first."""
    slow: dict[Way, int] = field(default_factory=dict[Way, int])
    """The latency of single ways, in ns."""
    latest: dict[Way, int] = field(default_factory=dict[Way, int])
    """When the last message on a way whose latency was changed arrives: a connection keeps the order."""
    paused: dict[int, list[Waiting]] = field(default_factory=dict[int, list[Waiting]])
    """What waits at brokers that are paused."""
    routed: bool = False
    """There is a metadata quorum: who is the controller is for each sender to know."""

    @property
    def odd(self) -> bool:
        """Whether anything is not as usual."""
        return bool(self.routed or self.cut or self.slow or self.latest or self.paused)


class GoneDown(Protocol):
    """What a controller does when the process of a broker has ended."""

    def __call__(self, engine: "Engine", broker: Broker, /, *, clean: bool) -> None:
        """`clean`: it has stopped, not died."""
        ...


@dataclass(frozen=True, slots=True)
class Control:
    """What a controller does. Each kind of controller is a module with one such table."""

    begin: "Callable[[Engine], None]"
    """The state before the first step is there."""
    come_up: "Callable[[Engine, Broker, Seq], None]"
    """A broker has loaded its logs and starts, with the Seq of its broker_starting."""
    gone_down: GoneDown
    silenced: "Callable[[Engine, Broker], None]"
    """Nothing of a broker reaches the controller any more."""
    reconnected: "Callable[[Engine, Broker, Seq], None]"
    """What a broker that was silent says reaches the controller again, with the Seq of the cause."""
    shut_down: "Callable[[Engine, Broker, Seq], None]"
    """A broker is asked to stop, and tells the controller, with the Seq of the cause."""
    appoint: "Callable[[Engine, Partition, BrokerId | None, Seq], None]"
    """A person moves the leader to a broker, or to the preferred one, with the Seq of the cause."""
    appoint_uncleanly: "Callable[[Engine, Partition, BrokerId | None, Seq], None]"
    """A person asks for a leader at any cost: the broker, or any live replica. With the Seq of the cause."""
    was_down: "Callable[[Engine, Broker, int], None]"
    """A broker was down for so many ns already before the first step: its session lasts so much shorter."""
    reassign: "Callable[[Engine, Partition, Seq], None]"
    """A partition moves to other brokers, with the Seq of the cause."""
    complete_reassignment: "Callable[[Engine, Partition, Seq], None]"
    """It has moved, with the Seq of the cause."""
    configure: "Callable[[Engine, int, Seq], None]"
    """A person sets min.insync.replicas anew, with the Seq of the cause. Brokers know it at once."""
    fail_over: "Callable[[Engine], None]"
    """The controller dies, another takes over later."""
    write_isr: "Callable[[Engine, Replica, Leading, tuple[BrokerId, ...], Seq], None]"
    """A leader changes the in-sync set by itself (to 2.6), with the Seq of the cause."""
    on_alter_partition: "Callable[[Engine, AlterPartition], None]"
    """A leader's request for another in-sync set arrives (2.7, KIP-497)."""
    on_partition_altered: "Callable[[Engine, AlterPartitionAnswer], None]"
    """The controller's consent arrives at the leader."""
    on_alter_refused: "Callable[[Engine, AlterPartitionRefused], None]"
    """The controller's refusal arrives at the leader."""
    on_elected: "Callable[[Engine, ControllerElected], None]"
    """Another controller takes over."""


@dataclass(frozen=True, slots=True)
class Network:
    """What core/sim/network.py does while something in `World` is not as usual."""

    send_over: "Callable[[Engine, Sent, int, int], None]"
    """Sends a message from one to another."""
    deliver: "Callable[[Engine, Message, int], None]"
    """Deals with what is due at a target."""


Handlers: TypeAlias = Mapping[type[Message], "Callable[[Engine, Any], None]"]
"""Who deals with a message or timer, by its class. Each takes its own class: `handled` sees to it."""
_Handled = TypeVar("_Handled", bound=Message)


def handled(
    kind: type[_Handled], by: "Callable[[Engine, _Handled], None]"
) -> tuple[type[Message], "Callable[[Engine, Any], None]"]:
    """An entry of `Handlers`. A type checker refuses a handler that takes another class."""
    return kind, by


@dataclass(slots=True)
class Engine:
    """Everything of a run. Items of the heap are ordered by (time, order) and nothing else."""

    era: Era
    """What the run was asked for; `rules` are those of it that hold under the metadata.version."""
    rules: Rules
    limits: Limits
    chance: Chance
    control: Control
    handlers: Handlers
    network: Network
    journal: Journal
    brokers: dict[int, Broker]
    partitions: tuple[Partition, ...]
    controller: Controller = field(default_factory=Controller)
    quorum: Quorum = field(default_factory=Quorum)
    voters: Voters | None = None
    """The metadata quorum itself, where the script asks for it and the controller is one of KRaft."""
    world: World = field(default_factory=World)
    by_release: Mapping[str, Rules] = field(default_factory=dict[str, Rules])
    """By each release that the script names: the rules of brokers that run it."""
    metadata_versions: list[tuple[Nanos, str]] = field(default_factory=list[tuple[Nanos, str]])
    """With KRaft, where it is not that of the era: each with the time from which on."""
    mixed: bool = False
    """Brokers have protocols or message formats of their own: some records may name no leader epoch."""
    odd: bool = False
    """Something in `world` is not as usual: core/sim/network.py sends and delivers then."""
    record_names: list[str] = field(default_factory=list[str])
    continues: bytearray = field(default_factory=bytearray)
    """By record number: 1 where it is in the batch of the record before it."""
    sequences: dict[int, tuple[int, int, int]] = field(default_factory=dict[int, tuple[int, int, int]])
    """By record number, of idempotent producers: (producer, producer epoch, sequence number)."""
    transactional: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """By record number, of transactions: (producer, producer epoch)."""
    markers: dict[int, tuple[int, int, bool]] = field(default_factory=dict[int, tuple[int, int, bool]])
    """By record number, of the markers of transactions: (producer, producer epoch, aborts)."""
    aborted: set[int] = field(default_factory=set[int])
    """The numbers of the records whose transaction was aborted: readers of committed ones pass over them."""
    ledger: Ledger = field(default_factory=Ledger)
    consumers: dict[str, Consumer] = field(default_factory=dict[str, Consumer])
    producers: dict[str, Producer] = field(default_factory=dict[str, Producer])
    in_flight: list[Request] = field(default_factory=list[Request])
    """Produce requests whose answer a producer waits for."""
    under_way: int = 0
    """Messages that were sent and have not arrived. Timers and parked fetches do not count."""
    order: int = 0
    tokens: int = 0
    heap: list[Item] = field(default_factory=list[Item])
    sent: dict[tuple[str, int, int], int] = field(default_factory=dict[tuple[str, int, int], int])
    """How many messages of a kind went from one to another: the key of their luck."""
    held: dict[int, list[Holdable]] = field(default_factory=dict[int, list[Holdable]])
    """What the controller told brokers whose messages the script holds back, oldest first."""

    @property
    def now(self) -> Nanos:
        """Virtual time, ns."""
        return self.journal.now

    def replicas_on(self, broker: BrokerId) -> list[Replica]:
        """The replicas that a broker holds, by partition."""
        return [one.replicas[broker] for one in self.partitions if broker in one.assigned]

    def after(self, delay: int, message: Message) -> None:
        """A timer: it does not keep a step open."""
        self.order += 1
        heappush(self.heap, (self.journal.now + delay, self.order, False, message, NOBODY))

    def soon(self, delay: int, message: Message) -> None:
        """Work that a step waits for.

        With a delay of 0: after all that was already scheduled for this instant.
        """
        self.order += 1
        self.under_way += 1
        heappush(self.heap, (self.journal.now + delay, self.order, True, message, NOBODY))

    def send(self, message: Sent, source: int, target: int) -> None:
        """A message: it arrives after the latency.

        Whether its target is still there is the handler's question.
        """
        if target in self.held and isinstance(message, Holdable):
            self.held[target].append(message)
            return
        if self.odd:
            self.network.send_over(self, message, source, target)
            return
        at = self.journal.now + self.limits.latency_ns + self.luck(message, source, target)
        awaited = not isinstance(message, Background)
        self.order += 1
        self.under_way += awaited
        heappush(self.heap, (at, self.order, awaited, message, target))

    def luck(self, message: Sent, source: int, target: int) -> int:
        """How much longer than the latency the next message of its kind takes, in ns."""
        jitter = self.limits.jitter_ns
        if not jitter:
            return 0
        key = (message.kind, source, target)
        nth = self.sent[key] = self.sent.get(key, 0) + 1
        return self.chance.below(jitter + 1, *key, nth)

    def name_records(self, names: Sequence[str], batch: int = 1) -> range:
        """Numbers for new records, in batches of `batch`."""
        first = len(self.record_names)
        self.record_names.extend(names)
        goes_on = (b"\0" + b"\1" * (batch - 1)) * (len(names) // batch + 1)
        self.continues += goes_on[: len(names)]
        self.ledger.grow(len(names))
        return range(first, first + len(names))

    def run_next(self) -> None:
        """Take the next item off the heap and run it."""
        at, _, awaited, message, target = heappop(self.heap)
        self.journal.now = Nanos(at)
        self.under_way -= awaited
        if self.odd:
            self.network.deliver(self, message, target)
        else:
            self.handlers[type(message)](self, message)

    def token(self) -> int:
        """A number for a request, never used before."""
        self.tokens += 1
        return self.tokens

    def push(self, at: int, message: Message, *, awaited: bool, target: int = NOBODY) -> None:
        """Put an item on the heap, after all that is there for that time.

        `awaited`: a step waits for it.
        """
        self.order += 1
        self.under_way += awaited
        heappush(self.heap, (at, self.order, awaited, message, target))
