"""The steps that lead from one state of the model to another, as few as may be of those that it lacks."""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import chain, count
from typing import Final

from core.model.actions import (
    Steps,
    becomes_follower,
    becomes_leader,
    copies,
    cuts_later,
    leader_adds,
    leader_removes,
    raises_high_watermark,
    writes,
)
from core.model.state import Bounds, State
from core.model.variants import Variant
from core.refine.extras import EXTRAS, Past, Taken

_MOST_LOOKED_AT: Final = 4_000
"""States that one search looks at. The longest step of a small scenario needs some hundred."""


def path(
    start: State, goal: State, bounds: Bounds, past: Past, most: int
) -> tuple[tuple[Taken, bool], ...] | None:
    """At most `most` steps from `start` to `goal`, True for the variant's own; None where there are none."""
    number = count()
    todo: list[tuple[int, int, int, State, tuple[tuple[Taken, bool], ...]]] = [(0, 0, 0, start, ())]
    done: set[State] = set()
    while todo and len(done) < _MOST_LOOKED_AT:
        extra, length, _, state, taken = heappop(todo)
        if state == goal:
            return taken
        if state in done or length == most:
            continue
        done.add(state)
        for step, own, after in _moves(state, goal, bounds, past):
            if after not in done and _is_between(start, after, goal):
                entry = (extra + (not own), length + 1, next(number), after, (*taken, (step, own)))
                heappush(todo, entry)
    return None


def _moves(state: State, goal: State, bounds: Bounds, past: Past) -> Iterator[tuple[Taken, bool, State]]:
    """What brings somebody nearer to the goal."""
    differ = [one for one in bounds.brokers if state.of(one) != goal.of(one)]
    for step, after in _steps(state, goal, bounds, past.variant):
        if step.broker in differ:
            yield Taken(step.action, step.broker, step.other), True, after
    # Whom the controller alone takes out is no change of a replica.
    about = dict.fromkeys([*differ, *([state.quorum.leader] if state.quorum != goal.quorum else [])])
    for broker in filter(None, about):
        for extra in EXTRAS:
            for taken, after in extra(state, goal, broker, past):
                yield taken, False, after


def _steps(state: State, goal: State, bounds: Bounds, variant: Variant) -> Steps:
    """The variant's own steps of the kinds that the difference asks for. The controller's come before."""
    pairs = list(zip(state.replicas, goal.replicas, strict=True))
    kinds: list[Steps] = []
    if any((one.epoch, one.leader) != (aim.epoch, aim.leader) for one, aim in pairs):
        kinds += [becomes_leader(state), becomes_follower(state, variant)]
    if state.quorum != goal.quorum:
        kinds += [leader_removes(state, variant), leader_adds(state, variant)]
    if state.next_record != goal.next_record:
        kinds.append(writes(state, bounds))
    if any(one.log != aim.log for one, aim in pairs):
        kinds.append(copies(state, bounds, variant))
        if variant.cuts_later:
            kinds.append(cuts_later(state))
    if any(one.high_watermark < aim.high_watermark for one, aim in pairs):
        kinds.append(raises_high_watermark(state, variant))
    return chain.from_iterable(kinds)


def _is_between(start: State, state: State, goal: State) -> bool:
    """Whether each replica is on its way: what it has is what it had, or what it is to have."""
    for begun, one, aim in zip(start.replicas, state.replicas, goal.replicas, strict=True):
        if one is begun:
            continue
        if one.log not in (begun.log[: one.end], aim.log[: one.end]):
            return False
        if one.epoch not in (begun.epoch, aim.epoch):
            return False
        if one.high_watermark > max(begun.high_watermark, aim.high_watermark):
            return False
    return True
