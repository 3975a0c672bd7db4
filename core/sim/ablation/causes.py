"""Which switches carry the difference between two runs of one script, found by flipping them.

A set of switches carries a difference if it turns it both ways: the left run with the set as in the right
one comes to what the right one comes to, and the right run with the set as in the left one to what the left
one comes to. Named are sets of which no proper subset does that. A run that has no leader for another
time than both of them turns nothing: where nobody leads, nothing is lost, and nothing is mended. Nor does a
run in which a follower asks the same without end, as with some mixtures of rules that no release has.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.message import message
from core.sim.ablation.minimal import minimal_sets, reduced
from core.sim.ablation.outcome import (
    Aspect,
    Outcome,
    differing,
    leads_alike,
    outcome_of,
    rounds_in_vain,
    shown,
)
from core.sim.ablation.setup import (
    LINE,
    Factor,
    Key,
    Setup,
    factors_between,
    flipped,
    run_once,
    same_events,
)
from core.trace.trace import Trace
from core.work import QUIET, Work

Chosen: TypeAlias = frozenset[Factor]
NONE: Final[Chosen] = frozenset()
"""Nothing flipped: the left run."""
_TRACES: Final = 200
"""Runs that are kept in memory at once; the outcomes of all are."""
_KEPT: Final = 64
"""Answers that are kept: a window asks again whenever a tab is opened."""
_EVERY: Final = 3
"""Up to this size all sets are looked for, larger ones where none carries it."""
_OF_THE_TRACE: Final = ("cause", "isr", LINE)
"""Columns that number things by trace or script, so that equal numbers mean nothing."""


@dataclass(frozen=True, slots=True)
class Responsible:
    """A set of factors that carries a difference, and the first event that it changes.

    `flipped` is the left run with the set as in the right one. `left_seq` and `flipped_seq` are the first
    events at which it goes another way; None is the end of that run.
    """

    factors: tuple[Factor, ...]
    flipped: Setup
    left_seq: int | None
    flipped_seq: int | None


@dataclass(frozen=True, slots=True)
class Carried:
    """One aspect in which the outcomes differ, and what carries it. No set: none of at most four does."""

    aspect: Aspect
    sets: tuple[Responsible, ...]


@dataclass(frozen=True, slots=True)
class Causes:
    """Two outcomes, and for each aspect in which they differ, the worst first, what carries it."""

    left: Outcome
    right: Outcome
    carried: tuple[Carried, ...]


def _anything(_: Chosen) -> bool:
    """Every run will do."""
    return True


class Flips:
    """Two setups of one script, and the runs between them."""

    def __init__(self, left: Setup, right: Setup, work: Work = QUIET) -> None:
        """Nothing has run yet."""
        self.left, self.right, self._work = left, right, work
        self.factors = factors_between(left, right)
        self._traces: OrderedDict[Chosen, Trace] = OrderedDict()
        self._outcomes: dict[tuple[Chosen, int], Outcome] = {}
        self._runs = 0
        self._endless: dict[Chosen, bool] = {}

    def trace(self, chosen: Chosen) -> Trace:
        """The left run with the chosen factors as in the right one. Raises CancelledError."""
        if chosen not in self._traces:
            self._runs += 1
            self._work.step(self._runs, 0, message("progress.flips", number=self._runs))
            setup = self.right if chosen == self.every else flipped(self.left, self.right, chosen)
            self._traces[chosen] = run_once(setup, Work(stopped=self._work.stopped))
            while len(self._traces) > _TRACES:
                self._traces.popitem(last=False)
        return self._traces[chosen]

    def _ends(self, chosen: Chosen) -> bool:
        """Whether no follower asks the same without end, or one does so in the left or the right run, too."""
        if chosen not in self._endless:
            self._endless[chosen] = bool(rounds_in_vain(self.trace(chosen)))
        return not self._endless[chosen] or chosen in (NONE, self.every) or self._either_is_endless

    @cached_property
    def _either_is_endless(self) -> bool:
        return any(rounds_in_vain(self.trace(one)) for one in (NONE, self.every))

    def outcome(self, chosen: Chosen, partition: int) -> Outcome:
        """The outcome of that run for a partition."""
        key = (chosen, partition)
        if key not in self._outcomes:
            self._outcomes[key] = outcome_of(self.trace(chosen), partition)
        return self._outcomes[key]

    @property
    def by_release(self) -> bool:
        """Whether two eras differ in more than switches: brokers have releases or protocols of their own."""
        return self.left.scenario.has_own_releases and self.left.era.id != self.right.era.id

    @property
    def every(self) -> Chosen:
        """All factors: with them the left run is the right one."""
        return frozenset(self.factors)

    def acting(self) -> tuple[Factor, ...]:
        """The factors that change some event when they are flipped alone, in the left or in the right run."""
        left, right = self.trace(NONE), self.trace(self.every)

        def is_alike(chosen: Chosen, end: Trace) -> bool:
            return self._ends(chosen) and same_events(end, self.trace(chosen))

        return tuple(
            one
            for one in self.factors
            if not is_alike(frozenset((one,)), left) or not is_alike(self.every - {one}, right)
        )

    def carriers(
        self, observed: Callable[[Chosen], object], allowed: Callable[[Chosen], bool] = _anything
    ) -> tuple[tuple[Factor, ...], ...]:
        """The minimal sets that carry the difference of what is observed; () where none of four is found.

        Both functions are asked about the left run with the chosen factors as in the right one. Runs that are
        not `allowed` turn nothing. Factors that change no event when they are flipped alone are tried only
        where the others do not carry it: then one set is looked for among all.
        """
        left, right = observed(NONE), observed(self.every)

        def comes_to(chosen: Chosen, wanted: object) -> bool:
            return self._ends(chosen) and observed(chosen) == wanted and allowed(chosen)

        def turns(chosen: Chosen) -> bool:
            return comes_to(chosen, right) and comes_to(self.every - chosen, left)

        acting = self.acting()
        found = minimal_sets(acting, turns, _EVERY) or minimal_sets(acting, turns)
        if not found:
            one = reduced(self.factors, turns)
            found = () if one is None else (one,)
        return tuple(tuple(one for one in self.factors if one in chosen) for chosen in found)

    def responsible(self, factors: tuple[Factor, ...], partition: int) -> Responsible:
        """A set with the first events of a partition that it changes."""
        before, after = self.trace(NONE), self.trace(frozenset(factors))
        mine, others = first_change(before, after, partition)
        return Responsible(factors, flipped(self.left, self.right, factors), mine, others)


def first_change(before: Trace, after: Trace, partition: int) -> tuple[int | None, int | None]:
    """The first event of a partition, or of a broker as a whole, that is another one; None is the end."""
    mine, others = _of_partition(before, partition), _of_partition(after, partition)
    common = min(len(mine), len(others))
    unlike = np.zeros(common, dtype=np.bool_)
    for name, column in before.columns.items():
        if name not in _OF_THE_TRACE:
            unlike |= column[mine[:common]] != after.columns[name][others[:common]]
    sets = {members: number for number, members in enumerate(after.isrs)}
    renumbered = np.array([*(sets.get(members, -2) for members in before.isrs), -1], np.int64)
    unlike |= renumbered[before.columns["isr"][mine[:common]]] != after.columns["isr"][others[:common]]
    place = int(np.argmax(unlike)) if unlike.any() else common
    return (
        int(mine[place]) if place < len(mine) else None,
        int(others[place]) if place < len(others) else None,
    )


def _of_partition(trace: Trace, partition: int) -> NDArray[np.int64]:
    named = trace.columns["partition"]
    return np.flatnonzero((named == partition) | (named < 0)).astype(np.int64)


_ANSWERS: OrderedDict[tuple[Key, Key, int], Causes] = OrderedDict()


def causes(left: Setup, right: Setup, partition: int = 0, work: Work = QUIET) -> Causes:
    """What carries the difference of the outcomes of two setups of one script, for a partition.

    Answers are kept. Raises CancelledError if `work` was stopped.
    """
    return causes_between(Flips(left, right, work), partition)


def causes_between(flips: Flips, partition: int) -> Causes:
    """The same for whoever has runs between the setups already, or looks at them afterwards."""
    key = (flips.left.key, flips.right.key, partition)
    if key not in _ANSWERS:
        _ANSWERS[key] = _causes(flips, partition)
        while len(_ANSWERS) > _KEPT:
            _ANSWERS.popitem(last=False)
    return _ANSWERS[key]


def _causes(flips: Flips, partition: int) -> Causes:
    left, right = flips.outcome(NONE, partition), flips.outcome(flips.every, partition)
    carried: list[Carried] = []
    for aspect in differing(left, right):

        def observed(chosen: Chosen, aspect: Aspect = aspect) -> object:
            return shown(aspect, flips.outcome(chosen, partition), left, right)

        def allowed(chosen: Chosen) -> bool:
            return leads_alike(flips.outcome(chosen, partition), left, right)

        sets = () if flips.by_release else flips.carriers(observed, allowed)
        carried.append(Carried(aspect, tuple(flips.responsible(one, partition) for one in sets)))
    return Causes(left, right, tuple(carried))
