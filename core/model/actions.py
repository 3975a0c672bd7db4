"""What can happen next: the actions of the model, as pure functions of a state.

Each gives the steps that its guard allows, with the state after each. The cells of the variant
(core/model/variants.py) say what guards ask.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from core.model.state import NO_LEADER, Assignment, Bounds, Record, State
from core.model.variants import Check, Cut, Variant

Action: TypeAlias = Literal[
    "controller-removes",
    "controller-elects",
    "becomes-leader",
    "becomes-follower",
    "writes",
    "leader-removes",
    "leader-adds",
    "raises-high-watermark",
    "copies",
    "cuts-later",
    "controller-accepts",
    "leader-asks-to-remove",
    "leader-asks-to-add",
    "leader-learns",
    "leader-appends",
    "follower-copies",
]
"""The last six are of async-isr; there the epoch of a step is a version."""


class Step(NamedTuple):
    """The action, the broker that does it or that it is about, the other broker, and a leader epoch."""

    action: Action
    broker: int
    other: int = NO_LEADER
    epoch: int = -1


Steps: TypeAlias = Iterator[tuple[Step, State]]


def steps(state: State, bounds: Bounds, variant: Variant) -> Steps:
    """All that can happen next. A step may lead back to the same state, and two steps to the same one."""
    yield from controller_removes(state, bounds)
    yield from controller_elects(state, bounds)
    yield from becomes_leader(state)
    yield from becomes_follower(state, variant)
    yield from writes(state, bounds)
    yield from leader_removes(state, variant)
    yield from leader_adds(state, variant)
    yield from raises_high_watermark(state, variant)
    yield from copies(state, bounds, variant)
    if variant.cuts_later:
        yield from cuts_later(state)


def _assigned(state: State, leader: int, isr: frozenset[int]) -> State:
    """The controller decides, in a new leader epoch, and sends a request."""
    decided = Assignment(state.next_epoch, leader, isr)
    return state._replace(
        next_epoch=state.next_epoch + 1, requests=state.requests | {decided}, quorum=decided
    )


def controller_removes(state: State, bounds: Bounds) -> Steps:
    """The controller takes a broker for dead. The last one stays in the in-sync replicas while it leads."""
    if state.next_epoch > bounds.epochs:
        return
    _epoch, leader, isr = state.quorum
    for broker in bounds.brokers:
        step = Step("controller-removes", broker)
        if leader == broker:
            yield step, _assigned(state, NO_LEADER, isr if len(isr) == 1 else isr - {broker})
        elif broker in isr:
            yield step, _assigned(state, leader, isr - {broker})


def controller_elects(state: State, bounds: Bounds) -> Steps:
    """The controller elects a member of the in-sync replicas that does not lead."""
    if state.next_epoch > bounds.epochs:
        return
    for broker in sorted(state.quorum.isr - {state.quorum.leader}):
        yield (
            Step("controller-elects", broker, epoch=state.next_epoch),
            _assigned(state, broker, state.quorum.isr),
        )


def _believing(state: State, broker: int, request: Assignment) -> State:
    own = state.of(broker)._replace(epoch=request.epoch, leader=request.leader, isr=request.isr)
    return state.with_replica(broker, own)


def becomes_leader(state: State) -> Steps:
    """The broker that a request names leader reads it. Log and high watermark stay."""
    for request in sorted(state.requests):
        leader = request.leader
        if leader != NO_LEADER and request.epoch > state.of(leader).epoch:
            yield (
                Step("becomes-leader", leader, epoch=request.epoch),
                _believing(state, leader, request),
            )


def becomes_follower(state: State, variant: Variant) -> Steps:
    """Another broker reads a request, and cuts its log as the variant says."""
    fenced = variant.cut is Cut.FENCED_FIRST_DIFFERENCE
    for request in sorted(state.requests):
        leader = request.leader
        if leader == NO_LEADER:
            continue
        if fenced and state.of(leader).epoch != request.epoch:  # In this epoch it presumes to lead.
            continue
        for follower in range(1, len(state.replicas) + 1):
            own = state.of(follower)
            if follower == leader or request.epoch <= own.epoch:
                continue
            offset = cut_offset(state, variant.cut, leader, follower)
            if offset <= own.end:
                yield (
                    Step("becomes-follower", follower, leader, request.epoch),
                    _believing(_cut(state, follower, offset), follower, request),
                )


def _cut(state: State, broker: int, offset: int) -> State:
    own = state.of(broker)
    lower = min(offset, own.high_watermark)
    return state.with_replica(broker, own._replace(log=own.log[:offset], high_watermark=lower))


def cut_offset(state: State, cut: Cut, leader: int, follower: int) -> int:
    """Where `follower` would cut its log; it may be beyond its end."""
    if cut is Cut.NOWHERE:
        return state.of(follower).end
    if cut is Cut.HIGH_WATERMARK:
        return state.of(follower).high_watermark
    if cut in (Cut.END_OF_EPOCH, Cut.END_OF_EPOCH_CLAMPED):
        offset = _end_of_epoch(state, leader, follower)
        return offset if cut is Cut.END_OF_EPOCH else min(offset, state.of(follower).end)
    return _first_difference(state, leader, follower)


def _end_of_epoch(state: State, leader: int, follower: int) -> int:
    """KIP-101: the leader is asked where the epoch of the follower's last record ends."""
    own, log = state.of(follower), state.of(leader).log
    if not own.log:
        return 0
    if not log:
        return own.high_watermark
    asked = own.log[-1].epoch
    if log[-1].epoch == asked:
        return len(log)
    later = (offset for offset, record in enumerate(log) if record.epoch > asked)
    return next(later, own.high_watermark)


def _first_difference(state: State, leader: int, follower: int) -> int:
    """One after the largest offset at which both logs hold the same record, 0 if there is none."""
    pairs = zip(state.of(leader).log, state.of(follower).log, strict=False)
    same = [offset for offset, (one, other) in enumerate(pairs) if one == other]
    return same[-1] + 1 if same else 0


def writes(state: State, bounds: Bounds) -> Steps:
    """Whoever takes itself for the leader appends a record, in its own epoch."""
    for broker in bounds.brokers:
        own = state.of(broker)
        if state.presumes(broker) and state.next_record < bounds.records and own.end < bounds.log_size:
            longer = own._replace(log=(*own.log, Record(state.next_record, own.epoch)))
            after = state.with_replica(broker, longer)._replace(next_record=state.next_record + 1)
            yield Step("writes", broker, epoch=own.epoch), after


def has_records(state: State, check: Check, leader: int, follower: int, end: int) -> bool:
    """Whether `leader` finds that `follower` follows it and has its records below `end`."""
    if not state.follows(follower, leader):
        return False
    one, other = state.of(leader), state.of(follower)
    if check is Check.LEADER_EPOCH and one.epoch != other.epoch:
        return False
    if end == 0:
        return True
    if one.end < end or other.end < end:
        return False
    return check is not Check.RECORD_EPOCHS or one.log[end - 1].epoch == other.log[end - 1].epoch


def _in_sync(state: State, leader: int, isr: frozenset[int]) -> State:
    """The leader changes the in-sync replicas: no new epoch, no request."""
    after = state.with_replica(leader, state.of(leader)._replace(isr=isr))
    return after._replace(quorum=state.quorum._replace(isr=isr))


def _true_leaders(state: State) -> list[int]:
    leader = state.quorum.leader
    return [leader] if leader != NO_LEADER and state.is_true_leader(leader) else []


def leader_removes(state: State, variant: Variant) -> Steps:
    """The leader removes a member that lags."""
    for leader in _true_leaders(state):
        own = state.of(leader)
        for follower in sorted(own.isr):  # The leader itself has all.
            if not has_records(state, variant.shrink, leader, follower, own.end):
                step = Step("leader-removes", leader, follower)
                yield step, _in_sync(state, leader, own.isr - {follower})


def leader_adds(state: State, variant: Variant) -> Steps:
    """The leader adds a follower that has reached its high watermark."""
    for leader in _true_leaders(state):
        own = state.of(leader)
        if variant.expand_waits and not _has_reached_epoch(state, leader):
            continue
        for follower in range(1, len(state.replicas) + 1):
            if follower not in own.isr and has_records(
                state, variant.expand, leader, follower, own.high_watermark
            ):
                yield Step("leader-adds", leader, follower), _in_sync(state, leader, own.isr | {follower})


def _has_reached_epoch(state: State, leader: int) -> bool:
    """Whether the leader's high watermark has reached the first record of its own epoch."""
    own = state.of(leader)
    return own.high_watermark == own.end or own.log[own.high_watermark].epoch == own.epoch


def raises_high_watermark(state: State, variant: Variant) -> Steps:
    """A leader, in its own view, raises its high watermark by one: all that it counts as in sync have it."""
    for leader in range(1, len(state.replicas) + 1):
        own = state.of(leader)
        if not state.presumes(leader):
            continue
        end = own.high_watermark + 1
        if all(has_records(state, variant.high_watermark, leader, one, end) for one in own.isr):
            raised = own._replace(high_watermark=end)
            yield Step("raises-high-watermark", leader), state.with_replica(leader, raised)


def copies(state: State, bounds: Bounds, variant: Variant) -> Steps:
    """A follower copies one record; with it comes the leader's high watermark."""
    for leader, follower in _followings(state):
        own, log = state.of(follower), state.of(leader).log
        if own.end < min(len(log), bounds.log_size) and has_records(
            state, variant.fetch, leader, follower, own.end
        ):
            told = min(state.of(leader).high_watermark, own.end + 1)
            longer = own._replace(log=(*own.log, log[own.end]), high_watermark=told)
            yield Step("copies", follower, leader), state.with_replica(follower, longer)


def cuts_later(state: State) -> Steps:
    """A follower sees that its log differs from the leader's, and cuts it at the first difference."""
    for leader, follower in _followings(state):
        own, log = state.of(follower), state.of(leader).log
        last = own.end - 1
        differs = own.end > len(log) or (last >= 0 and log[last].epoch != own.log[last].epoch)
        if differs:
            offset = _first_difference(state, leader, follower)
            yield Step("cuts-later", follower, leader), _cut(state, follower, offset)


def _followings(state: State) -> Iterator[tuple[int, int]]:
    """(leader, follower), of leaders that take themselves for it."""
    for follower, own in enumerate(state.replicas, start=1):
        if own.leader not in (NO_LEADER, follower) and state.presumes(own.leader):
            yield own.leader, follower
