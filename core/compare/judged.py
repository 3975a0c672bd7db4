"""What was found in a simulated run, kept for the next time that it is shown: a switch is flipped back."""

from collections import deque
from dataclasses import fields, replace
from typing import Final

from core.diagnose.verdict.check import open_and_judge
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.trace.trace import Origin, Trace

_KEPT: Final = 16
"""The last runs that are kept: those of a comparison with its switches flipped one after the other."""
_SAME: Final = tuple(one.name for one in fields(Trace) if one.name != "name")

_LAST: deque[tuple[History, PartitionVerdict]] = deque(maxlen=_KEPT)


def judged(trace: Trace, partition: int) -> tuple[History, PartitionVerdict]:
    """The history of a partition and the verdict on it, made once for the last simulated runs.

    A run that only has another name beside others is the same run.
    """
    if trace.origin != Origin.SIMULATED:
        return open_and_judge(trace, partition)
    for history, verdict in tuple(_LAST):
        if history.partition == partition and _is_same_run(history.trace, trace):
            return (history if history.trace is trace else replace(history, trace=trace)), verdict
    found = open_and_judge(trace, partition)
    _LAST.append(found)
    return found


def _is_same_run(one: Trace, other: Trace) -> bool:
    """Whether two traces hold the very same values and differ in no more than their names."""
    return all(getattr(one, name) is getattr(other, name) for name in _SAME)
