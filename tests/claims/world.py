"""What is so at each event of a simulated run: by a replay of its events, and by the simulator's ledger.

The replay knows nothing of core/history and core/diagnose, from which the sentences come. That it is right
is held against the logs that the simulator has at the end (`World.replicas` beside `Truth.logs`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Final

from core.history.running import is_mixed, rules_over_time
from core.kafka.eras import Era
from core.kafka.switches import Switches
from core.sim.script import Scenario
from core.sim.truth import Truth
from core.trace.trace import Event, Origin, Trace
from core.trace.vocabulary import CutReason

GAP: Final = -1
"""In the place of a record where a log holds nothing."""
NOBODY: Final = -1
EVERY: Final = 1 << 62
"""Above every offset."""
_TOLD_BY_CONTROLLER: Final = frozenset(("leader_elected", "leaderless", "partition_created"))


@dataclass(frozen=True, slots=True)
class Replica:
    """A replica: `log` has (record, epoch) at each offset from `start` on."""

    start: int = 0
    log: tuple[tuple[int, int], ...] = ()
    hw: int = 0
    checkpoint: int = 0
    role: str = "none"
    leader: int = NOBODY
    epoch: int = -1
    entries: tuple[tuple[int, int], ...] = ()
    remote: Mapping[int, int] = field(default_factory=dict[int, int])
    """Of a leader: the log ends of followers that it knows."""
    isr: tuple[int, ...] = ()
    """Of a leader: the in-sync set that it goes by."""
    proposed: tuple[int, ...] | None = None
    state: int = -1
    """Of a leader: the partition epoch of the in-sync set that it goes by."""

    @property
    def end(self) -> int:
        return self.start + len(self.log)

    def records(self, first: int, end: int) -> tuple[int, ...]:
        """The records at offsets [first, end), as far as the log reaches."""
        low, high = max(first - self.start, 0), max(end - self.start, 0)
        return tuple(record for record, _ in self.log[low:high])

    def cut(self, to: int) -> "Replica":
        return replace(self, log=self.log[: max(to - self.start, 0)])


@dataclass(frozen=True, slots=True)
class World:
    """A partition at one moment: replicas by broker, what the controller says, which processes run."""

    replicas: Mapping[int, Replica] = field(default_factory=dict[int, Replica])
    leader: int = NOBODY
    epoch: int = -1
    isr: tuple[int, ...] = ()
    partition_epoch: int = -1
    eligible: tuple[int, ...] = ()
    up: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    """Fenced, or without a session: the controller counts them as dead."""
    leaving: frozenset[int] = frozenset()
    """In a controlled shutdown."""
    torn: frozenset[int] = frozenset()
    """Died without a stop, and has not loaded its log since."""

    def of(self, broker: int | None) -> Replica:
        return self.replicas.get(-1 if broker is None else broker, Replica())


def _with(world: World, broker: int, made: Callable[[Replica], Replica]) -> World:
    return replace(world, replicas={**world.replicas, broker: made(world.of(broker))})


def _appended(one: Replica, event: Event) -> Replica:
    first, end, record = event.values["from_offset"], event.values["offset"], event.values["aux"]
    gap = ((GAP, -1),) * (first - one.end)
    run = tuple((record + place, event.values["epoch"]) for place in range(end - first))
    return replace(one, log=one.log + gap + run)


def _log_event(one: Replica, event: Event) -> Replica:  # noqa: PLR0911 - one return for each kind
    kind = event.kind
    if kind == "appended":
        return _appended(one, event)
    if kind == "tier_joined":
        return _appended(one.cut(event.values["from_offset"]), event)
    if kind == "log_created":
        start = event.values["log_start"]
        return replace(one, start=start, log=(), hw=start, checkpoint=start)
    if kind == "truncated":
        return one.cut(event.values["offset"])
    if kind == "log_gap":
        return replace(one, log=one.log + ((GAP, -1),) * (event.values["offset"] - one.end))
    if kind == "log_deleted":
        return Replica()
    if kind == "log_reset":
        new_disk = event.get("aux") == CutReason.RECOVERY
        checkpoint = 0 if new_disk else one.checkpoint
        return replace(one, start=event.values["offset"], log=(), entries=(), checkpoint=checkpoint)
    if kind == "log_start_moved":
        start = event.values["log_start"]
        return replace(one, start=start, log=one.log[start - one.start :])
    if kind == "hw_checkpointed":
        return replace(one, checkpoint=event.values["hw"])
    return replace(one, hw=event.values["hw"])


_LOG: Final = frozenset(
    (
        "appended",
        "tier_joined",
        "log_created",
        "log_deleted",
        "truncated",
        "log_gap",
        "log_reset",
        "log_start_moved",
        "hw_moved",
        "hw_loaded",
        "hw_checkpointed",
    )
)


def _cache(one: Replica, event: Event) -> Replica:
    if event.kind == "epoch_cache_loaded":
        return replace(one, entries=())
    if event.kind == "epoch_cache_cut":
        kept = tuple(entry for entry in one.entries if entry[1] < event.values["offset"])
        return replace(one, entries=kept)
    epoch, offset = event.values["epoch"], event.values["offset"]
    kept = tuple(entry for entry in one.entries if entry[0] < epoch and entry[1] < offset)
    return replace(one, entries=(*kept, (epoch, offset)))


def _role(one: Replica, event: Event, isr: tuple[int, ...]) -> Replica:
    leader, epoch = event.values["leader"], event.values["epoch"]
    if event.kind == "became_follower":
        return replace(one, role="follower", leader=leader, epoch=epoch, remote={}, isr=(), proposed=None)
    remote = one.remote if one.role == "leader" else {}
    state = event.get("partition_epoch")
    led = replace(one, role="leader", leader=leader, epoch=epoch, remote=remote, isr=isr, proposed=None)
    return replace(led, state=-1 if state is None else state)


def _notified(one: Replica, event: Event, isr: tuple[int, ...]) -> Replica:
    """A leader that reads of a state: what it has proposed counts no more, if the state is new to it.

    Partition.makeLeader (3.6) passes over an older partition epoch.
    """
    state = event.get("partition_epoch")
    if state is None or state <= one.state:
        return replace(one, isr=isr) if state is None else one
    return replace(one, isr=isr, proposed=None, state=state)


def _of_brokers(world: World, event: Event) -> World:
    broker, kind = event.get("replica"), event.kind
    if broker is None:
        return world
    if kind in ("broker_crashed", "broker_stopped", "broker_exited"):
        world = replace(world, up=world.up - {broker}, leaving=world.leaving - {broker})
        if kind != "broker_stopped":
            world = replace(world, torn=world.torn | {broker})
        if broker in world.replicas:
            return _with(world, broker, lambda one: replace(one, role="none", leader=NOBODY, remote={}))
    elif kind in ("broker_starting", "broker_started"):
        return replace(world, up=world.up | {broker})
    elif kind in ("broker_fenced", "session_expired"):
        return replace(world, gone=world.gone | {broker})
    elif kind == "broker_registered" and event.get("broker") is None:
        # A KRaft controller registers a broker as a fenced one, whatever was told of it before.
        return replace(world, gone=world.gone | {broker})
    elif kind in ("broker_unfenced", "broker_registered"):
        return replace(world, gone=world.gone - {broker})
    elif kind == "shutdown_requested":
        return replace(world, leaving=world.leaving | {broker})
    return world


def _decided(world: World, event: Event) -> World:
    """The world after a change of the partition's state: each raises its number, where the event has it."""
    number = event.get("partition_epoch")
    return world if number is None else replace(world, partition_epoch=number)


def after(world: World, event: Event, trace: Trace) -> World:  # noqa: PLR0911 - one for each group
    """The world after an event."""
    kind, who = event.kind, event.get("replica")
    place = event.get("isr")
    isr = () if place is None else trace.isrs[place]
    if event.get("partition") is None:
        return _of_brokers(world, event)
    if kind in _LOG and who is not None:
        world = _with(world, who, lambda one: _log_event(one, event))
        return replace(world, torn=world.torn - {who}) if kind == "hw_loaded" else world
    if kind.startswith(("epoch_assigned", "epoch_cache")):
        return _with(world, who or 0, lambda one: _cache(one, event))
    if kind in ("became_leader", "became_follower"):
        return _with(world, who or 0, lambda one: _role(one, event, isr))
    if kind == "follower_leo_recorded":
        known = {who or 0: event.values["leo"]}
        leader = event.values["broker"]
        return _with(world, leader, lambda one: replace(one, remote={**one.remote, **known}))
    if kind.endswith("_proposed"):
        return _with(world, who or 0, lambda one: replace(one, proposed=isr))
    if kind == "isr_update_rejected":
        return _with(world, event.values["broker"], lambda one: replace(one, proposed=None))
    if kind == "metadata_applied" and world.of(who).role == "leader":
        return _with(world, who or 0, lambda one: _notified(one, event, isr))
    if kind == "elr_changed":
        return _decided(replace(world, eligible=isr), event)
    if kind == "leader_recovery_changed":
        return _decided(world, event)
    if kind == "isr_committed":
        leader, number = event.get("broker"), event.get("partition_epoch")
        if leader is not None:
            state = -1 if number is None else number
            world = _with(world, leader, lambda one: replace(one, isr=isr, proposed=None, state=state))
        # What a leader hears late was decided before what holds by now.
        late = number is not None and number < world.partition_epoch
        return world if late else _decided(replace(world, isr=isr), event)
    if kind in _TOLD_BY_CONTROLLER:
        leader = event.get("leader")
        known_isr = world.isr if place is None else isr
        named = NOBODY if leader is None else leader
        return _decided(replace(world, leader=named, epoch=event.get("epoch") or 0, isr=known_isr), event)
    return world


@dataclass(frozen=True, eq=False)
class Run:
    """A simulated run of a script, with its partition `partition`."""

    trace: Trace
    truth: Truth
    script: Scenario
    rules: Era
    partition: int

    @property
    def is_mixed(self) -> bool:
        """Whether its brokers have releases, protocols or formats of their own."""
        return is_mixed(self.trace)

    @cached_property
    def _by_broker(self) -> Mapping[int, Sequence[tuple[int, Era | None]]]:
        """In a run whose brokers have rules of their own: those, each from a time in ns on."""
        if self.trace.origin is not Origin.SIMULATED or not is_mixed(self.trace):
            return {}
        return {int(one.broker_id): rules_over_time(self.trace, one) for one in self.trace.brokers}

    @property
    def ran_by(self) -> tuple[Switches, ...]:
        """What decided in it: the rules of the run, and those of single brokers."""
        own = (rules for lives in self._by_broker.values() for _, rules in lives)
        return self.rules.switches, *(one.switches for one in own if one is not None)

    def switches_of(self, broker: int | None, at: int) -> Switches:
        """By what a broker decides at a time in ns."""
        began = [rules for since, rules in self._by_broker.get(broker or 0, ()) if since <= at]
        return self.rules.switches if not began or began[-1] is None else began[-1].switches

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events of the partition and of brokers."""
        return tuple(map(self.trace.event, self.trace.seqs_of(self.partition).tolist()))

    @cached_property
    def worlds(self) -> tuple[World, ...]:
        """The world before each event, and at last the one after all."""
        worlds = [World()]
        for event in self.events:
            worlds.append(after(worlds[-1], event, self.trace))
        return tuple(worlds)

    @cached_property
    def release(self) -> tuple[int, ...]:
        """The release of the brokers as numbers."""
        return tuple(map(int, self.rules.release.split(".")))

    def place_of(self, event: Event) -> int:
        """The place of an event of the partition."""
        return self._places[event.seq]

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {event.seq: place for place, event in enumerate(self.events)}

    @cached_property
    def lag_time(self) -> int:
        """`replica.lag.time.max.ms` of the run, in ns."""
        return 1_000_000 * (self.script.settings.lag_time_ms or int(self.rules.switches.lag_time_ms))

    @cached_property
    def brokers(self) -> Mapping[str, int]:
        """Brokers by what the sentences call them."""
        return MappingProxyType({one.name: int(one.broker_id) for one in self.trace.brokers})

    def isr(self, event: Event) -> tuple[int, ...]:
        """The set that an event names."""
        place = event.get("isr")
        return () if place is None else tuple(self.trace.isrs[place])

    def between(self, first: int, end: int) -> Iterator[tuple[Event, World, World]]:
        """Events with the worlds before and after them, by place."""
        for place in range(max(first, 0), min(end, len(self.events))):
            yield self.events[place], self.worlds[place], self.worlds[place + 1]
