"""The partitions that are judged while others still are: verdicts that stand, of a trace that is whole."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from typing import Final

from core.diagnose.verdict.summary import PartitionSummary, sort_key
from core.trace.ids import TopicPartition
from core.trace.trace import Trace

MOST: Final = 200
"""Partitions that are told: the worst."""


@dataclass(frozen=True, slots=True)
class JudgedPartition:
    """A partition and what triage will say of it; without what its mini band shows."""

    tp: TopicPartition
    summary: PartitionSummary


@dataclass(frozen=True, slots=True)
class JudgedSoFar:
    """The worst of those that are judged, worst first; how many are judged, of how many."""

    worst: tuple[JudgedPartition, ...]
    judged: int
    partitions: int


def judged_so_far(trace: Trace, rows: Sequence[PartitionSummary]) -> JudgedSoFar:
    """What the rows show that are there by now."""
    names = trace.partitions
    worst = nsmallest(MOST, rows, key=lambda one: sort_key(one, str(names[one.partition].tp)))
    return JudgedSoFar(
        tuple(
            JudgedPartition(names[one.partition].tp, replace(one, findings={}, spells=(), marks=()))
            for one in worst
        ),
        len(rows),
        len(names),
    )
