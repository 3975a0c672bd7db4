"""Whether each step of a simulated run is a step of the model, some of them, or none.

What is held against the model is one partition: the log of each replica, its high watermark, what it
believes, and what the controller holds. A step of the run is a message or a timer that is dealt with, or what
the script does. It stutters where the model sees no difference; else a path of at most `MOST` steps must lead
on.

**How epochs are counted.** The model's controller takes out one broker at a time, and elects in a step of its
own, each in a new leader epoch; Kafka's does all of it in one. So the model's epochs are Kafka's, counted
anew: each decision is as many of the model's steps as it takes, and what is said in Kafka's epoch is said in
the last of them.

**What the model has no step for** is core/refine/extras.py: each is taken only where its own condition holds,
and is counted. **What is not held against it at all** (`Refinement.beyond`): runs that delete records, end a
log inside a batch, reassign replicas, lose what was on a disk, elect uncleanly, have eligible leader
replicas (KIP-966), brokers of several releases or message formats with and without leader epochs; and runs
with more records or epochs than `Bounds` allows. Timers, latencies, acks, clients and checkpoints stutter.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from core.kafka.eras import Era
from core.model.actions import controller_elects, controller_removes
from core.model.state import (
    MOST_OF_OTHERS,
    NO_EPOCH,
    NO_LEADER,
    Assignment,
    Bounds,
    Record,
    Replica,
    State,
)
from core.model.variants import KIP_101_CLAMPED, KIP_279, KIP_320, TRUNCATE_TO_HW, Variant
from core.refine.extras import Past, Taken
from core.refine.moments import NOTHING, Moment, Run
from core.refine.path import path
from core.refine.views import View, views
from core.trace.vocabulary import NUMBER

MOST: Final = 24
_DECIDED: Final = frozenset(NUMBER[one] for one in ("leader_elected", "leaderless", "isr_committed"))


def variant_of(era: Era) -> Variant:
    """The variant that an era corresponds to."""
    switches = era.switches
    if switches.truncation == "high-watermark":
        return TRUNCATE_TO_HW
    if switches.epoch_answer == "offset":
        return KIP_101_CLAMPED
    return KIP_279 if era.id == "2.0" else KIP_320


@dataclass(frozen=True, slots=True)
class Refused:
    """The first step of a run to which no steps of the model lead."""

    moment: int
    first: int
    """The Seq of the first event of the step."""
    what: str
    """The class of the message that was dealt with; "script" for what the script did."""
    before: State
    after: State


@dataclass(frozen=True, slots=True)
class Refinement:
    """A run held against a variant."""

    variant: str
    beyond: tuple[str, ...]
    """Why it was not held against it at all; empty where it was."""
    stuttered: int
    """Steps of the run in which the model sees no difference."""
    matched: int
    """Steps of the run to which steps of the variant alone lead."""
    taken: Counter[str]
    """Steps of the variant, by name."""
    extras: Counter[str]
    """What the model has no step for, by name."""
    refused: Refused | None
    """None where the whole run is matched."""


@dataclass(slots=True)
class _Walk:
    """The state of the model so far, and what of the run it stands for."""

    run: Run
    bounds: Bounds
    past: Past
    state: State
    epochs: dict[int, int]
    """The model's epoch, by Kafka's."""
    known: int
    """The latest of Kafka's epochs."""
    ids: dict[tuple[int, int, int], int]
    """The model's number of a record, by (number, epoch, offset)."""
    assignments: dict[int, Assignment]
    """By the model's epoch."""
    taken: Counter[str] = field(default_factory=Counter[str])
    extras: Counter[str] = field(default_factory=Counter[str])
    stuttered: int = 0
    matched: int = 0


class _TooManyEpochsError(Exception):
    """The run has more leader epochs than the model may count."""


def refine(run: Run, rules: Era | None = None) -> Refinement:
    """Hold a run against the variant of an era, with its extra steps: by itself of the run's own era."""
    rules = rules or run.era
    variant = variant_of(rules)
    if run.beyond:
        return _not_held(variant, *sorted(run.beyond))
    seen = views(run)
    if _is_too_large(seen):
        return _not_held(variant, "records")
    walk = _first(run, seen[0], Past(rules.switches, variant))
    refused = None
    try:
        for at in range(1, len(run.moments)):
            refused = _step(walk, at, seen[at - 1], seen[at])
            if refused is not None:
                break
    except _TooManyEpochsError:
        return _not_held(variant, "epochs")
    return Refinement(variant.name, (), walk.stuttered, walk.matched, walk.taken, walk.extras, refused)


def _not_held(variant: Variant, *beyond: str) -> Refinement:
    return Refinement(variant.name, beyond, 0, 0, Counter(), Counter(), None)


def _is_too_large(seen: list[tuple[View, ...]]) -> bool:
    records = {(*one, offset) for row in seen for view in row for offset, one in enumerate(view.log)}
    return len(records) > MOST_OF_OTHERS


def _first(run: Run, seen: tuple[View, ...], past: Past) -> _Walk:
    """The run begins with a leader in an epoch, whom all follow: taken as it is."""
    moment = run.moments[0]
    bounds = Bounds(len(run.place), MOST_OF_OTHERS, MOST_OF_OTHERS, MOST_OF_OTHERS)
    quorum = Assignment(moment.epoch, moment.leader, moment.isr)
    blank = Replica((), 0, NO_EPOCH, NO_LEADER, frozenset())
    state = State((blank,) * len(run.place), 0, moment.epoch + 1, frozenset((quorum,)), quorum)
    walk = _Walk(
        run,
        bounds,
        past,
        state,
        epochs={one: one for one in range(moment.epoch + 1)},
        known=moment.epoch,
        ids={},
        assignments={moment.epoch: quorum},
    )
    walk.state = _goal(walk, state, moment, None, seen)
    walk.past.remember(state, walk.state)
    return walk


def _step(walk: _Walk, at: int, before: tuple[View, ...], now: tuple[View, ...]) -> Refused | None:
    moment, was = walk.run.moments[at], walk.run.moments[at - 1]
    start = goal = walk.state
    found: tuple[tuple[Taken, bool], ...] | None = None
    decided = _decide(walk, was, moment)
    if decided is not None:
        steps, state = decided
        goal = _goal(walk, state, moment, was, now)
        _look_back(walk.past, moment, before, now)
        rest = path(state, goal, walk.bounds, walk.past, MOST)
        found = None if rest is None else (*((one, True) for one in steps), *rest)
    if found is None:
        what = "script" if moment.message is None else type(moment.message).__name__
        return Refused(at, was.end, what, start, goal)
    walk.past.remember(start, goal)
    walk.state = goal
    walk.stuttered += not found
    walk.matched += bool(found) and all(own for _, own in found)
    for step, own in found:
        (walk.taken if own else walk.extras)[step.name] += 1
    return None


def _look_back(past: Past, moment: Moment, before: tuple[View, ...], now: tuple[View, ...]) -> None:
    """What extra steps may ask of this moment."""
    numbered = list(enumerate(now, start=1))
    past.started = frozenset(place for place, it in numbered if it.life != before[place - 1].life)
    past.interrupted = {place: it.interrupted for place, it in numbered if it.interrupted is not None}
    past.heard = {
        (leader, follower): end
        for leader, held in enumerate(moment.held, start=1)
        for follower, end in held.heard
    }


def _decide(walk: _Walk, was: Moment, moment: Moment) -> tuple[list[Taken], State] | None:
    """The controller's steps for what it decided in new epochs; None where it has no such steps."""
    taken: list[Taken] = []
    state = walk.state
    if moment.epoch == was.epoch:
        return taken, state
    trace = walk.run.trace
    kinds, brokers, epochs = (trace.columns[name] for name in ("kind", "broker", "epoch"))
    for seq in range(was.end, moment.end):
        if int(kinds[seq]) not in _DECIDED or int(brokers[seq]) >= 0 or int(epochs[seq]) <= walk.known:
            continue
        event = trace.event(seq)
        leader = walk.run.place.get(event.get("leader") or NOTHING, NO_LEADER)
        isr = frozenset(walk.run.place[one] for one in trace.isrs[event.values["isr"]])
        done = _decision(state, walk.bounds, leader, isr)
        if done is None:
            return None
        steps, state = done
        taken += steps
        walk.known = int(epochs[seq])
        walk.epochs[walk.known] = state.quorum.epoch
        walk.assignments[state.quorum.epoch] = state.quorum
    return taken, state


def _decision(
    state: State, bounds: Bounds, leader: int, isr: frozenset[int]
) -> tuple[list[Taken], State] | None:
    """Who has left goes, one by one; then another leader is elected, if there is to be one."""
    taken: list[Taken] = []
    if state.next_epoch + len(state.replicas) > bounds.epochs:
        raise _TooManyEpochsError
    gone = sorted(state.quorum.isr - isr)
    if leader == NO_LEADER and state.quorum.leader not in (*gone, NO_LEADER):
        gone.append(state.quorum.leader)  # The last one stays in the set.
    for broker in gone:
        found = next((it for it in controller_removes(state, bounds) if it[0].broker == broker), None)
        if found is None:
            return None
        taken.append(Taken(found[0].action, broker))
        state = found[1]
    if leader not in (NO_LEADER, state.quorum.leader):
        found = next((it for it in controller_elects(state, bounds) if it[0].broker == leader), None)
        if found is None:
            return None
        taken.append(Taken(found[0].action, leader))
        state = found[1]
    return (taken, state) if taken and state.quorum[1:] == (leader, isr) else None


def _goal(walk: _Walk, decided: State, moment: Moment, was: Moment | None, now: tuple[View, ...]) -> State:
    """The model's state that a moment stands for; `decided` is after what the controller did in it."""
    for view in now:
        for offset, (number, epoch) in enumerate(view.log):
            walk.ids.setdefault((number, epoch, offset), len(walk.ids))
    replicas = tuple(_replica(walk, moment, was, place, view) for place, view in enumerate(now, start=1))
    quorum = Assignment(decided.quorum.epoch, moment.leader, moment.isr)
    return State(replicas, len(walk.ids), decided.next_epoch, decided.requests, quorum)


def _replica(walk: _Walk, moment: Moment, was: Moment | None, place: int, view: View) -> Replica:
    log = tuple(
        Record(walk.ids[number, epoch, offset], walk.epochs[epoch])
        for offset, (number, epoch) in enumerate(view.log)
    )
    belief = view.belief
    if belief.leader == NOTHING:
        return Replica(log, view.high_watermark, NO_EPOCH, NO_LEADER, frozenset())
    epoch = walk.epochs[belief.epoch]
    isr = walk.assignments[epoch].isr
    if belief.leader == place:
        isr = _isr_of_leader(walk, moment, was, place, epoch)
    return Replica(log, view.high_watermark, epoch, belief.leader, isr)


def _isr_of_leader(walk: _Walk, moment: Moment, was: Moment | None, place: int, epoch: int) -> frozenset[int]:
    """What it was told when it began to lead, and from then on what the controller took over in its epoch.

    A change that a leader has asked for counts from the controller's consent on (KIP-497).
    """
    own, held = walk.state.of(place), moment.held[place - 1]
    if (own.leader, own.epoch) != (place, epoch):
        return held.isr
    leads = moment.leader == place and walk.epochs[moment.epoch] == epoch
    if leads and was is not None and was.isr != moment.isr:
        return moment.isr
    told = was is not None and was.held[place - 1].isr != held.isr
    if leads and told and held.isr == moment.isr:
        return held.isr
    return own.isr
