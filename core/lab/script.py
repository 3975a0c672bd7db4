"""The script of a lift: the incident's later faults, what was appended between them, elections by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.lab.choices import Stance
from core.lab.faults import Fault
from core.lab.growth import Growth
from core.lab.material import Material
from core.sim.script_text import StepPlan, Value
from core.trace.times import utc_clock
from core.trace.units import MILLISECOND_NS, SECOND_NS

_REQUESTS: Final = 300
"""In so many requests at most the records between two faults are written."""
_AFTER: Final = 30 * SECOND_NS
"""So long after the last fault the run is watched: replicas come back and follow."""
_RACE: Final = 10 * SECOND_NS
"""So much later than in the incident a follower may send its first fetch, in other eras."""
_MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class _Item:
    """A step at a time. Of two at one time the one with the lower `order` comes first."""

    at: int
    order: int
    plan: Mapping[str, Value]
    timed: bool = True
    """It waits for its time; else it follows at once on the step before."""


@dataclass(slots=True)
class _Writer:
    """Collects the steps of a script."""

    material: Material
    start: int
    until: int
    acks: str
    told: bool
    """Times of the incident may be told."""
    items: list[_Item] = field(default_factory=list[_Item])

    def add(
        self, at: int, order: int, plan: Mapping[str, Value], *, bounds: tuple[int, int] | None = None
    ) -> None:
        """Add a step, with the time at which it was in the incident."""
        lo, hi = (at, at) if bounds is None else bounds
        exact = hi - lo <= MILLISECOND_NS
        when = utc_clock(at) if exact else f"{utc_clock(at)} ({utc_clock(lo)}–{utc_clock(hi)})"
        effect: dict[str, Value] = {"effect": when} if self.told else {}
        self.items.append(_Item(at, order, {**plan, **effect}))


def steps_of(
    material: Material,
    span: tuple[int, int],
    growth: Sequence[Growth],
    stance: Stance,
    *,
    redacted: bool,
) -> tuple[StepPlan, ...]:
    """The steps from one time to another, in ns since 1970; the run begins at the first."""
    start, until = span
    acks = "1" if stance is Stance.WORST else "all"
    writer = _Writer(material, start, until, acks, told=not redacted)
    last = {one.broker: one for one in material.faults if one.at <= start}
    for one in last.values():
        if one.kind in ("freeze", "cut"):
            writer.add(start, 0, _fault_plan(material, one))
    faults = [one for one in material.faults if start < one.at <= until and _matters(material, one)]
    for one in growth:
        _appends(writer, one)
    for one in faults:
        order = 4 if one.kind == "heal" else 3
        writer.add(one.at, order, _fault_plan(material, one), bounds=(one.lo, one.hi))
    _elections(writer)
    _deletions(writer)
    _moves(writer)
    _controllers(writer)
    items = sorted(writer.items, key=lambda one: (one.at, one.order))
    for crash in faults:
        follower = material.raced(crash)
        if follower is not None:
            items = _side_by_side(items, crash, follower)
    last = max((one.at for one in items), default=start)
    items.append(_Item(last, 9, {"do": "wait", "for_ms": _AFTER // MILLISECOND_NS}))
    return tuple(_step(one, start) for one in items)


def voter_name(voter: int) -> str:
    """What a controller is called in a script: it may have the id of a broker."""
    return f"controller-{voter}"


def _matters(material: Material, fault: Fault) -> bool:
    """Whether a fault is of a replica, or takes the controller."""
    return fault.broker in material.holders or fault.with_controller


def _step(item: _Item, start: int) -> StepPlan:
    """A step with its time in ms from the start."""
    at: dict[str, Value] = {"at_ms": max(item.at - start, 0) // MILLISECOND_NS} if item.timed else {}
    return {"do": item.plan["do"], **at, **{key: one for key, one in item.plan.items() if key != "do"}}


def _fault_plan(material: Material, fault: Fault) -> dict[str, Value]:
    """The step of a fault."""
    name = str(fault.broker)
    if fault.kind in ("freeze", "thaw"):
        return {"do": fault.kind, "brokers": (name,)}
    if fault.kind in ("cut", "heal"):
        do = "disconnect" if fault.kind == "cut" else "heal"
        return {"do": do, "from": (name,), "to": (str(fault.leader),), "both_ways": True}
    plan: dict[str, Value] = {"do": fault.kind, "broker": name}
    if fault.kind == "crash":
        if fault.with_controller:
            plan["controller_fails_over"] = True
        lost = material.tail_lost(fault)
        if lost:
            plan["tail_lost"] = lost
    if fault.kind == "start" and _new_disk(material, fault):
        plan["disk_replaced"] = True
    return plan


def _new_disk(material: Material, fault: Fault) -> bool:
    """Whether a broker that held records came back with an empty log, as on a new disk."""
    replica = material.history.replicas.get(fault.broker)
    if replica is None or not (replica.leo.at(fault.seq).lo or 0):
        return False
    for event in material.rows_after(fault.seq):
        if event.get("replica") == fault.broker:
            if event.kind in ("log_created", "log_loaded"):
                return event.kind == "log_created"
            if event.kind in ("broker_crashed", "broker_stopped"):
                break
    return False


def _appends(writer: _Writer, growth: Growth) -> None:
    """What a leader appended up to a fault; at last what nobody copied, with its followers cut off."""
    first_at, lasts = _when(writer.material, growth)
    length = growth.end - growth.start
    alive = [one for one in writer.material.alive_at(growth.end) if one != growth.leader]
    held = min(growth.held, growth.count) if alive else 0
    first = growth.count - held
    if first:
        writer.add(first_at, 1, _produce(first, lasts, writer.acks))
    if held:
        ends = {"from": tuple(map(str, alive)), "to": (str(growth.leader),)}
        cut: dict[str, Value] = {**ends, "both_ways": True}
        at = growth.start + length * 8 // 10
        writer.add(at, 1, {"do": "disconnect", **cut})
        writer.add(at, 2, _produce(held, length // 10, writer.acks))
        writer.add(growth.end, 4, {"do": "heal", **cut})


def _when(material: Material, growth: Growth) -> tuple[int, int]:
    """When a leader appended, and for how long: by the time stamps of the records that are left."""
    start, end, offset = growth.start, growth.end, growth.log_end - growth.count
    length = end - start
    stamps = [
        one.at for one in material.stamps if offset <= one.offset < growth.log_end and start <= one.at <= end
    ]
    if not stamps:
        return start + length // 10, length * 6 // 10
    return min(stamps), min(max(stamps) - min(stamps), length * 6 // 10)


def _produce(count: int, lasts: int, acks: str) -> dict[str, Value]:
    """A step that writes so many records, spread over a time."""
    batch = -(-count // _REQUESTS)
    every = min(lasts // MILLISECOND_NS // -(-count // batch), _MINUTE_MS)
    # The script goes on at once: the next step has a time of its own.
    plan: dict[str, Value] = {"do": "produce", "count": count, "acks": acks, "for_ms": 0}
    if batch > 1:
        plan["batch"] = batch
    if every:
        plan["every_ms"] = every
    return plan


def _elections(writer: _Writer) -> None:
    """Elections that a person, or a timer, asked for."""
    by_itself = writer.material.elects_uncleanly
    for one in writer.material.verdict.leadership:
        if not writer.start < one.start <= writer.until or one.leader < 0:
            continue
        if one.election == "preferred":
            writer.add(one.start, 5, {"do": "elect", "broker": str(one.leader)})
        elif one.election == "unclean" and not by_itself:
            writer.add(one.start, 5, {"do": "elect", "broker": str(one.leader), "unclean": True})


def _deletions(writer: _Writer) -> None:
    """What was deleted at the start of logs."""
    for one in writer.material.deletions:
        if writer.start < one.at <= writer.until and one.broker in writer.material.holders:
            plan: dict[str, Value] = {"do": "retain", "brokers": (str(one.broker),), "offset": one.offset}
            writer.add(one.at, 3, plan)


def _moves(writer: _Writer) -> None:
    """Where the partition was moved to."""
    for one in writer.material.moves:
        if writer.start < one.at <= writer.until:
            writer.add(one.at, 3, {"do": "reassign", "brokers": tuple(map(str, one.brokers)), "for_ms": 0})


def _controllers(writer: _Writer) -> None:
    """What happened to controllers, up to the last step of the partition: later it decides nothing."""
    quorum = writer.material.quorum
    if quorum is None:
        return
    last = max((one.at for one in writer.items), default=writer.start)
    for one in quorum.between(writer.start, last):
        name = voter_name(one.broker)
        plan: dict[str, Value]
        if one.kind in ("cut", "heal"):
            others = tuple(voter_name(other) for other in quorum.voters if other != one.broker)
            do = "disconnect" if one.kind == "cut" else "heal"
            plan = {"do": do, "from": (name,), "to": others, "both_ways": True}
        else:
            plan = {"do": "start" if one.kind == "start" else "crash", "broker": name}
        writer.add(one.at, 2, {**plan, "for_ms": 0}, bounds=(one.lo, one.hi))


def _side_by_side(items: Sequence[_Item], crash: Fault, follower: int) -> list[_Item]:
    """The start of a follower, which ends as it sends its first fetch, and at that instant the crash."""
    starts = [
        one for one in items if one.plan.get("do") == "start" and one.plan.get("broker") == str(follower)
    ]
    start = [one for one in starts if one.at <= crash.hi][-1]
    end = next(
        one
        for one in items
        if (one.at, one.plan["do"], one.plan.get("broker")) == (crash.at, "crash", str(crash.broker))
    )
    within = max(crash.hi - start.at, 0) + _RACE
    waits = {"until": f"{follower} sends a fetch", "within_ms": within // MILLISECOND_NS}
    found: list[_Item] = []
    for one in items:
        if one is end:
            found += [replace(start, plan={**start.plan, **waits}), replace(end, timed=False)]
        elif one is not start:
            found.append(one)
    return found
