"""What happened to the processes of an incident, from its events: faults with their times and bounds.

Logs show the end of a process by its silence, so its time lies between bounds. Within them it is taken where
the rules put it: a session that expired at 12:00:18 with a timeout of 18 s was heard of last at 12:00:00.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

import numpy as np

from core.assumptions import CHECKPOINT_BEFORE_FILE_TIME_BY
from core.history.state import History
from core.lab.choices import within
from core.trace.ids import NO_INDEX
from core.trace.trace import Event, Trace
from core.trace.units import MILLISECOND_NS, SECOND_NS

FaultKind: TypeAlias = Literal["crash", "stop", "start", "freeze", "thaw", "cut", "heal"]
BACK: Final = frozenset({"start", "thaw", "heal"})
"""With these a broker is there again, and copies."""
ENDS: Final = frozenset({"crash", "stop"})
"""With these its process ends."""
_DOWN: Final = frozenset({"broker_crashed", "broker_stopped", "broker_exited"})
_NOTICED: Final = frozenset({"broker_failure_noticed", "broker_fenced", "session_expired"})
_STOPPING: Final = frozenset({"shutdown_requested", "controlled_shutdown_begun"})
_ON_DISK: Final = frozenset(
    {
        "batch_on_disk",
        "epoch_assigned",
        "epoch_cache_loaded",
        "evidence_gap",
        "flushed",
        "hw_checkpointed",
        "log_end_on_disk",
    }
)
"""What files show long after it happened: no sign of life at their time."""
_READING: Final = SECOND_NS
"""What the simulator takes for a new controller to read the state of all, after a session has expired."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What happened to a broker's process, or between it and its leader. Times are ns; `at` is in lo..hi."""

    kind: FaultKind
    broker: int
    at: int
    lo: int
    hi: int
    seq: int
    """The event that shows it."""
    with_controller: bool = False
    """The broker was the controller, over ZooKeeper, and another one took over."""
    noticed: int | None = None
    """When its session was over, where something shows it."""
    shrunk: int | None = None
    """The event by which its leader took it out of the in-sync set, where nothing else shows the fault."""
    leader: int | None = None
    """Of a cut and its end: whom the broker does not reach."""

    @property
    def is_exact(self) -> bool:
        """Whether the bounds are within what a clock of logs tells apart."""
        return self.hi - self.lo <= MILLISECOND_NS


@dataclass(slots=True)
class _Rows:
    """The events of processes and controllers, in order."""

    trace: Trace
    session: int
    lag_of_checkpoints: int
    events: list[Event]
    controllers: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """When each controller began, and which broker it is."""

    def next_start(self, broker: int, after: int) -> Event | None:
        """The next start of a broker after an event."""
        return next((one for one in self.about(broker, after) if one.kind == "broker_starting"), None)

    def successor(self, broker: int, crash: Event) -> int | None:
        """When another controller followed on a broker that was the controller when it died."""
        before = [who for since, who in self.controllers if since <= crash.at]
        after = [since for since, _ in self.controllers if since > crash.at]
        return after[0] if before and before[-1] == broker and after else None

    def after(self, seq: int) -> Sequence[Event]:
        """The events behind one."""
        return self.events[bisect_right(self.events, seq, key=lambda one: int(one.seq)) :]

    def about(self, broker: int, after: int) -> Iterable[Event]:
        """The events about a broker behind one of them."""
        return (one for one in self.after(after) if one.get("replica") == broker)


def faults_of(
    history: History, session_ns: int, checkpoint_ns: int, *, over_zookeeper: bool
) -> tuple[Fault, ...]:
    """All faults of the brokers that hold a partition, and of its controllers, in the order of their times.

    `session_ns` is how long a broker may be silent until the controller notices.
    """
    events = events_of(history)
    rows = _Rows(history.trace, session_ns, checkpoint_ns, events)
    rows.controllers = [
        (one.at, one.values["broker"])
        for one in events
        if one.kind == "controller_elected" and "broker" in one.values
    ]
    brokers = _brokers(history, rows, over_zookeeper=over_zookeeper)
    found = [fault for broker in brokers for fault in _of(rows, broker, over_zookeeper=over_zookeeper)]
    return tuple(sorted(found, key=lambda one: (one.at, one.seq)))


def timed(faults: Iterable[Fault], session_ns: int) -> tuple[Fault, ...]:
    """The faults with their times taken so that a session of that length ends when it did."""
    found = [
        one if one.noticed is None else replace(one, at=within(one.noticed - session_ns, one.lo, one.hi))
        for one in faults
    ]
    return tuple(sorted(found, key=lambda one: (one.at, one.seq)))


def found_dead(trace: Trace, faults: Sequence[Fault]) -> tuple[Fault, ...]:
    """The faults in order. Who goes on and cannot fetch finds its leader dead: that had crashed before.

    A crash is no sooner than the last file of its broker, whose time may be up to a second late.
    """
    found = list(faults)
    for one in faults:
        event = trace.event(one.seq)
        if one.kind != "thaw" or event.kind != "fetch_failed":
            continue
        for crash in [other for other in found if other.kind == "crash"]:
            late = crash.lo - CHECKPOINT_BEFORE_FILE_TIME_BY.ns
            if crash.broker == event.get("leader") and late <= one.at <= crash.hi:
                hi = max(crash.lo, one.at)
                found[found.index(crash)] = replace(crash, at=min(crash.at, hi), hi=hi)
                at = max(one.at, min(crash.at, hi) + MILLISECOND_NS)
                found[found.index(one)] = replace(one, at=at, hi=max(one.hi, at))
    return tuple(sorted(found, key=lambda one: (one.at, one.seq)))


def events_of(history: History) -> list[Event]:
    """The events that matter here, in order: those of the partition's view, and on all brokers' processes."""
    trace = history.trace
    of_brokers = np.flatnonzero(trace.columns["partition"] == NO_INDEX)
    return [trace.event(seq) for seq in sorted({*history.seqs.tolist(), *of_brokers.tolist()})]


def _brokers(history: History, rows: _Rows, *, over_zookeeper: bool) -> list[int]:
    """The holders of the partition; over ZooKeeper also brokers that were the controller."""
    controllers = [broker for _, broker in rows.controllers] if over_zookeeper else []
    return list(dict.fromkeys([*history.replicas, *controllers]))


def _of(rows: _Rows, broker: int, *, over_zookeeper: bool) -> Iterable[Fault]:
    """The faults of one broker."""
    up = True
    stopping: Event | None = None
    goes_on = 0
    for event in rows.events:
        if event.get("replica") != broker:
            continue
        if event.kind in _STOPPING:
            stopping = stopping or event
        elif event.kind in _DOWN and up:
            up = False
            if event.kind == "broker_stopped" and stopping is not None:
                yield Fault("stop", broker, stopping.at, stopping.at, stopping.at, stopping.seq)
            else:
                yield _crash(rows, broker, event, over_zookeeper=over_zookeeper)
            stopping = None
        elif event.kind == "broker_starting" and not up:
            up, stopping = True, None
            at = _serving(rows, broker, event)
            yield Fault("start", broker, at, event.at, at, event.seq)
        elif event.kind in _NOTICED and up and event.at >= goes_on:
            silence = _silence(rows, broker, event)
            goes_on = silence[-1].at if silence else goes_on
            up = not silence or silence[-1].kind != "crash"
            yield from silence


def _serving(rows: _Rows, broker: int, starting: Event) -> int:
    """When a broker that starts can do what the simulator does at once: it has loaded its logs."""
    for event in rows.about(broker, starting.seq):
        if event.kind == "broker_started":
            return event.at
        if event.kind in _DOWN:
            break
    return starting.at


def _crash(rows: _Rows, broker: int, event: Event, *, over_zookeeper: bool) -> Fault:
    """A crash: between the last sign of life and the first sign of its absence."""
    lo, back = event.at, rows.next_start(broker, event.seq)
    hi = rows.events[-1].at if back is None else back.at
    noticed: int | None = None
    back_at = hi
    for other in rows.after(event.seq):
        if other.at >= back_at:
            break
        if other.kind == "fetch_failed" and other.get("leader") == broker:
            hi = min(hi, other.at)
        elif other.kind in _NOTICED and other.get("replica") == broker and noticed is None:
            noticed = other.at
            hi = min(hi, other.at)
    successor = rows.successor(broker, event) if over_zookeeper else None
    if successor is not None:
        hi = min(hi, successor)
        noticed = successor - _READING if noticed is None else noticed
    # Between two checkpoints at most: the next one would have been written.
    taken = lo + min(hi - lo, rows.lag_of_checkpoints) // 2
    replaced = successor is not None
    return Fault("crash", broker, taken, lo, hi, event.seq, with_controller=replaced, noticed=noticed)


def _silence(rows: _Rows, broker: int, noticed: Event) -> tuple[Fault, ...]:
    """A broker that is missed though no line shows its end: it stood still, or never came back."""
    before = [one.at for one in signs(rows.events, broker) if one.at < noticed.at]
    after = [one for one in signs(rows.events, broker) if one.at > noticed.at]
    lo = max(before, default=noticed.at)
    if noticed.at - lo < rows.session // 2:
        return ()
    if not after:
        return (Fault("crash", broker, lo, lo, noticed.at, noticed.seq, noticed=noticed.at),)
    return (
        Fault("freeze", broker, lo, lo, noticed.at, noticed.seq, noticed=noticed.at),
        Fault("thaw", broker, after[0].at, noticed.at, after[0].at, after[0].seq),
    )


def signs(events: Sequence[Event], broker: int) -> Iterable[Event]:
    """What a broker did itself."""
    return (
        one for one in events if one.values.get("broker") == broker and one.kind not in _ON_DISK | _NOTICED
    )


def noticed(events: Sequence[Event], broker: int) -> Iterable[Event]:
    """What says that a broker's session is over, by itself or by others."""
    return (one for one in events if one.get("replica") == broker and one.kind in _NOTICED)
