"""The shared axis: anchors advance all runs at once, stops between two anchors one run each."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.compare.comparison import Run, Stop
from core.message import Message


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place that all runs have: `cursors` are those just after its event. Texts are as in `Stop`."""

    key: str
    label: Message | None
    detail: Message | None
    cursors: tuple[int, ...]


def merge(runs: Sequence[Run], anchors: Sequence[Anchor]) -> tuple[tuple[Stop, ...], tuple[int, ...]]:
    """All stops, and the places of the anchors among them. Every event of every run's view is reached by one.

    The first anchor is the beginning. Between two anchors the runs' events come in the order of the time
    that has passed since the first of the two, so that the runs stay close to each other.
    """
    stops: list[Stop] = []
    heads: list[int] = []
    for place, anchor in enumerate(anchors):
        heads.append(len(stops))
        stops.append(Stop(anchor.cursors, anchor.key, anchor.label, anchor.detail))
        ends = (
            [cursor - 1 for cursor in anchors[place + 1].cursors]
            if place + 1 < len(anchors)
            else [len(run.history.trace) for run in runs]
        )
        cursors = list(anchor.cursors)
        steps = [_between(run, index, cursors[index], ends[index]) for index, run in enumerate(runs)]
        for _elapsed, index, seq in heapq.merge(*steps):
            cursors[index] = seq + 1
            stops.append(Stop(tuple(cursors)))
    return tuple(stops), tuple(heads)


def _between(run: Run, index: int, cursor: int, end: int) -> Iterator[tuple[int, int, int]]:
    """(time since the anchor, run, Seq) of the view's events from `cursor` to before `end`."""
    seqs, at = run.history.seqs, run.history.trace.columns["at"]
    first, last = np.searchsorted(seqs, (cursor, end)).tolist()
    if first >= last:
        return
    since = int(at[cursor - 1]) if cursor else int(at[seqs[first]])
    for seq in seqs[first:last].tolist():
        yield int(at[seq]) - since, index, seq
