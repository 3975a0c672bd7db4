"""Which switches carry what sets simulated runs apart, found by running their script with them flipped.

Two things, and called so: the *first difference* is the first stop at which runs differ; *responsible* is
what carries the difference of their outcomes. Logs of real clusters cannot be run again and have neither.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from core.compare.align import make_run, partition_of
from core.compare.comparison import Comparison, Difference, FirstChange, PairCauses, ResponsibleSet, Run
from core.compare.script import step_cursors
from core.diagnose.narrate.why import why
from core.history.open import open_history
from core.history.state import History
from core.message import Message
from core.sim.ablation.causes import NONE, Chosen, Flips, Responsible, causes_between
from core.sim.ablation.setup import Factor, one_script, same_events, setup_of
from core.trace.vocabulary import NUMBER
from core.work import QUIET, Work

_CUTS = (NUMBER["truncated"], NUMBER["log_reset"])


def with_causes(comparison: Comparison, work: Work = QUIET) -> Comparison:
    """The comparison with what carries the differences of neighbouring runs, where they can be run again.

    Raises CancelledError if `work` was stopped.
    """
    if comparison.axis != "script":
        return comparison
    found = [_pair(comparison, (left, right), work) for left, right in pairwise(range(len(comparison.runs)))]
    return replace(comparison, causes=tuple(one for one in found if one is not None))


def _pair(comparison: Comparison, runs: tuple[int, int], work: Work) -> PairCauses | None:
    """None for runs of scripts that differ, or that this program makes otherwise than they were made."""
    left, right = (comparison.runs[one] for one in runs)
    flips = _flips(left, right, work)
    if flips is None:
        return None
    found = causes_between(flips, left.history.partition)
    first = next((one for one in comparison.differences if one.runs == runs), None)
    flipped = _FlippedRuns(flips, left, right)
    return PairCauses(
        runs=runs,
        outcomes=(found.left, found.right),
        carried=tuple(
            (one.aspect, tuple(_with_first_change(comparison, runs[0], each, flipped) for each in one.sets))
            for one in found.carried
        ),
        first=() if first is None else _carriers_of(comparison, first, flips, flipped),
    )


def _flips(left: Run, right: Run, work: Work) -> Flips | None:
    """The runs between two runs of one script, where both come out the same again."""
    traces = left.history.trace, right.history.trace
    setups = [setup_of(trace) for trace in traces]
    if setups[0] is None or setups[1] is None or not one_script(setups[0], setups[1]):
        return None
    flips = Flips(setups[0], setups[1], work)
    again = flips.trace(NONE), flips.trace(flips.every)
    return flips if all(map(same_events, again, traces)) else None


class _FlippedRuns:
    """The left run with factors as in the right one, opened and judged at most once each."""

    def __init__(self, flips: Flips, left: Run, right: Run) -> None:
        """With no factor: the left run. With all of them: the right one, if it shows the same partition."""
        self._flips, self._name, self._partition = flips, partition_of(left), left.history.partition
        self._opened = {NONE: left}
        if partition_of(right) == self._name:
            self._opened[flips.every] = right

    def of(self, factors: Collection[Factor]) -> Run:
        """The run with these factors."""
        chosen = frozenset(factors)
        if chosen not in self._opened:
            self._opened[chosen] = make_run(self._flips.trace(chosen), self._name)
        return self._opened[chosen]

    def history(self, chosen: Chosen) -> History:
        """Its history alone: nothing is judged."""
        if chosen in self._opened:
            return self._opened[chosen].history
        return open_history(self._flips.trace(chosen), self._partition)


def _with_first_change(
    comparison: Comparison, run: int, found: Responsible, flipped: _FlippedRuns
) -> ResponsibleSet:
    """A set with the first event that it changes, as the run has it and as it is with the set flipped."""
    shown = comparison.runs[run]
    stop = None
    if found.left_seq is not None:
        stop = next(
            (at for at, one in enumerate(comparison.stops) if one.cursors[run] > found.left_seq), None
        )
    other = flipped.of(found.factors)
    change = FirstChange(
        run, found.left_seq, stop, _event(shown, found.left_seq), _event(other, found.flipped_seq)
    )
    return ResponsibleSet(found.factors, change)


def _event(run: Run, seq: int | None) -> Message | None:
    """What happened, in a line; None where the run was over."""
    return None if seq is None else why(run.history, run.verdict, seq + 1).title


def _carriers_of(
    comparison: Comparison, difference: Difference, flips: Flips, flipped: _FlippedRuns
) -> tuple[tuple[Factor, ...], ...]:
    """The minimal sets of factors that carry one difference of state at the end of its step."""
    seen: dict[Chosen, object] = {}
    look = _observer(difference, _step_of(comparison, difference.stop))

    def observed(chosen: Chosen) -> object:
        if chosen not in seen:
            seen[chosen] = look(flipped.history(chosen))
        return seen[chosen]

    return flips.carriers(observed)


def _step_of(comparison: Comparison, stop: int) -> int:
    """The step in which a stop lies; 0 is before the first."""
    for one in reversed(comparison.stops[: stop + 1]):
        if one.anchor:
            return int(one.anchor.removeprefix("step ")) if one.anchor != "start" else 0
    return 0


def _observer(difference: Difference, step: int) -> Callable[[History], object]:
    """What is looked at in a run: the value that differs, at the end of the step, or the cuts within it."""

    def look(history: History) -> object:
        begun = step_cursors(history.trace)
        begin, end = begun.get(step, 0), begun.get(step + 1, len(history.trace) + 1) - 1
        if difference.attribute == "cut":
            return _cuts(history, difference.broker, range(begin, end))
        state = history.at(end)
        if difference.attribute == "leader":
            return state.leader
        if difference.attribute == "isr":
            return frozenset(state.isr or ())
        replica = state.replica(difference.broker)
        return getattr(replica, difference.attribute).exact

    return look


def _cuts(history: History, broker: int, within: Sequence[int]) -> tuple[int, ...]:
    """To which offsets a replica cut its log in a span of events."""
    columns = history.trace.columns
    span = slice(within[0] if within else 0, within[-1] + 1 if within else 0)
    mine = (
        np.isin(columns["kind"][span], _CUTS)
        & (columns["partition"][span] == history.partition)
        & (columns["replica"][span] == broker)
    )
    return tuple(columns["offset"][span][mine].tolist())
