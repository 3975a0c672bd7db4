"""The fast engine: breadth first over numbers, a level at a time, in columns.

A state is a pair of numbers, one of its beliefs and one of its logs; core/model/labels.py says how they meet.
What may happen to either half is found once for each value of it (core/model/halves.py). Then a level of
states takes some look-ups. Exact: no state is known by a hash.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from core.message import message
from core.model.actions import steps
from core.model.canonical import canonical
from core.model.exploration import UNLIMITED, EndedBy, Exploration, Limits, Verdict
from core.model.halves import LOG_BITS, LOG_MASK, Beliefs, Logs, Renaming, Truths, decoded
from core.model.invariants import Invariant
from core.model.numbering import MOST_BITS, Integers
from core.model.plain_engine import World, itself, replayed
from core.model.state import Bounds, State, initial
from core.model.variants import Variant
from core.work import QUIET, Work

AT_ONCE: Final = 1 << 14
"""States whose successors are found together: what is made of them fits in the processor's cache."""
MOST_PENDING: Final = 1 << 22
"""Keys of the next level that may wait with some of them twice."""
BYTES_A_STATE: Final = 32
"""In its level, among all, and where these are put in order; measured with ten million states."""
MOST_REPLICAS: Final = 4


def fits(bounds: Bounds, variant: Variant) -> bool:
    """Whether both halves of a state can be packed: else the plain engine has to do."""
    halves = Beliefs(bounds, variant).world, Logs(bounds, variant).world
    return bounds.replicas <= MOST_REPLICAS and all(one.packing.width <= MOST_BITS for one in halves)


def world_of(bounds: Bounds, variant: Variant, *, symmetry: bool = False) -> World[State]:
    """The same world for the plain engine."""
    same = canonical(bounds.replicas) if symmetry else itself
    return World(initial(bounds), lambda state: steps(state, bounds, variant), same)


class FastEngine:
    """One exploration: the states of each level as keys, and what is known of their halves."""

    def __init__(self, bounds: Bounds, variant: Variant, *, symmetry: bool = False) -> None:
        self.bounds, self.variant, self.symmetry = bounds, variant, symmetry
        self.beliefs, self.logs = Beliefs(bounds, variant), Logs(bounds, variant)
        self._renaming = Renaming(self.beliefs, self.logs) if symmetry else None
        self.levels: list[Integers] = []

    def explore(
        self, invariants: Sequence[Invariant[State]], limits: Limits = UNLIMITED, work: Work = QUIET
    ) -> Exploration[State]:
        """All states that can be reached, level by level. Raises CancelledError."""
        level = self._canonical(np.zeros(1, np.int64))
        self.levels = []
        seen = level
        broken: dict[str, tuple[int, int]] = {}
        ended_by: EndedBy = ""
        while len(level):
            self.levels.append(level)
            self._know(level)
            for one in invariants:
                at = None if one.name in broken else self._first_broken(one, level)
                if at is not None:
                    broken[one.name] = len(self.levels) - 1, at
            all_broken = len(broken) == len(invariants) > 0
            ended_by = limits.end_after(len(self.levels), all_broken=all_broken)
            if ended_by:
                break
            found = self._next_level(level, seen, limits, work)
            if isinstance(found, str):
                ended_by = found
                break
            level = found
            seen = np.concatenate((seen, level))
            seen.sort(kind="stable")
        verdicts = [self._verdict(one, broken, exhausted=not ended_by) for one in invariants]
        return Exploration(len(seen), len(self.levels), ended_by, tuple(verdicts))

    def states(self) -> Iterator[State]:
        """All that were seen, in the order of levels."""
        for level in self.levels:
            yield from map(self.state, level.tolist())

    def state(self, key: int) -> State:
        """The state of a key, as a value."""
        packed = self.beliefs.numbers.packed[key >> LOG_BITS], self.logs.numbers.packed[key & LOG_MASK]
        return decoded(self.beliefs.world, self.logs.world, int(packed[0]), int(packed[1]))

    def _know(self, level: Integers) -> None:
        self.beliefs.know(level >> LOG_BITS)
        self.logs.know(level & LOG_MASK)

    def _canonical(self, keys: Integers) -> Integers:
        return keys if self._renaming is None else self._renaming.least(keys)

    def _next_level(self, level: Integers, seen: Integers, limits: Limits, work: Work) -> Integers | EndedBy:
        """The keys not seen before, in order; or why there are not all of them."""
        parts: list[Integers] = []
        pending = 0
        for start in range(0, len(level), AT_ONCE):
            work.step(len(seen), 0, message("model.progress", states=len(seen)))
            ended_by = limits.end_before(len(seen), self._bytes(len(seen)))
            if ended_by:
                return ended_by
            _source, keys = self._after(level[start : start + AT_ONCE])
            new = _without(_unique(keys), seen)
            if self._renaming is not None:
                new = _without(_unique(self._canonical(new)), seen)
            parts.append(new)
            pending += len(new)
            if pending > MOST_PENDING:
                parts = [_unique(np.concatenate(parts))]
                pending = len(parts[0])
                ended_by = limits.end_before(len(seen) + pending, self._bytes(len(seen) + pending))
                if ended_by:
                    return ended_by
        after = _unique(np.concatenate(parts))
        states = len(seen) + len(after)
        return limits.end_before(states, self._bytes(states)) or after

    def _bytes(self, states: int) -> int:
        """What so many states take, reckoned."""
        return BYTES_A_STATE * states + self.beliefs.bytes + self.logs.bytes

    def _after(self, keys: Integers) -> tuple[Integers, Integers]:
        """What follows: the place in `keys`, and the key after it, not canonical."""
        beliefs, logs = self.beliefs, self.logs
        value = keys >> LOG_BITS
        count = beliefs.count[value]
        ends = np.cumsum(count)
        source = np.repeat(np.arange(len(keys)), count)
        edge = np.arange(int(ends[-1])) + np.repeat(beliefs.start[value] - ends + count, count)
        width = logs.after.shape[1]
        row = np.repeat((keys & LOG_MASK) * width, count)
        reached = logs.after.ravel().take(row + beliefs.label.take(edge))
        allowed = np.flatnonzero(reached >= 0)
        return source[allowed], beliefs.target.take(edge[allowed]) | reached[allowed]

    def _first_broken(self, invariant: Invariant[State], level: Integers) -> int | None:
        """The key of the first state of a level in which it does not hold."""
        ask = _ASKED.get(invariant.name)
        if ask is None:
            return next((key for key in level.tolist() if not invariant.holds(self.state(key))), None)
        place = np.flatnonzero(~ask(self, level >> LOG_BITS, level & LOG_MASK))
        return int(level[place[0]]) if len(place) else None

    def _verdict(
        self, invariant: Invariant[State], broken: dict[str, tuple[int, int]], *, exhausted: bool
    ) -> Verdict[State]:
        if invariant.name not in broken:
            return Verdict(invariant, True if exhausted else None, None)
        depth, key = broken[invariant.name]
        path = [key]
        for level in reversed(self.levels[:depth]):
            path.append(self._before(path[-1], level))
        world = world_of(self.bounds, self.variant, symmetry=self.symmetry)
        states = [world.canonical(self.state(one)) for one in reversed(path)]
        return Verdict(invariant, holds=False, counterexample=replayed(world, states))

    def _before(self, key: int, level: Integers) -> int:
        """The first state of `level` that leads to `key`."""
        for start in range(0, len(level), AT_ONCE):
            part = level[start : start + AT_ONCE]
            source, keys = self._after(part)
            place = np.flatnonzero(self._canonical(keys) == key)
            if len(place):
                return int(part[source[place[0]]])
        raise AssertionError(key)


def _unique(keys: Integers) -> Integers:
    """Each once, in order."""
    ordered = np.sort(keys)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def _without(keys: Integers, seen: Integers) -> Integers:
    """Those of `keys` that are not in `seen`; both are in order."""
    place = np.searchsorted(seen, keys)
    place[place == len(seen)] = 0
    return keys[seen[place] != keys]


def _weak_isr(engine: FastEngine, beliefs: Integers, logs: Integers) -> Truths:
    return engine.beliefs.own[beliefs] & ~engine.logs.agreeing[logs] == 0


def _strong_isr(engine: FastEngine, beliefs: Integers, logs: Integers) -> Truths:
    return engine.beliefs.quorum[beliefs] & ~engine.logs.agreeing[logs] == 0


def _leader_in_isr(engine: FastEngine, beliefs: Integers, _logs: Integers) -> Truths:
    return engine.beliefs.leader_in_isr[beliefs] != 0


def _isr_not_empty(engine: FastEngine, beliefs: Integers, _logs: Integers) -> Truths:
    return engine.beliefs.isr_not_empty[beliefs] != 0


def _log_matching(engine: FastEngine, _beliefs: Integers, logs: Integers) -> Truths:
    return engine.logs.matching[logs] != 0


_ASKED: Final[dict[str, Callable[[FastEngine, Integers, Integers], Truths]]] = {
    "WeakIsr": _weak_isr,
    "StrongIsr": _strong_isr,
    "LeaderInIsr": _leader_in_isr,
    "IsrNotEmpty": _isr_not_empty,
    "LogMatchingBelowHw": _log_matching,
}
