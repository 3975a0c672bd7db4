"""Leader epochs that fall from one log of a broker to another one: they are not of one history."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.assumptions import CLOCK_SET_BACK_AT_MOST
from core.trace.ids import METADATA_TOPIC
from core.trace.vocabulary import NUMBER
from importers.lines.statements import NONE
from importers.merge.attribution import Owner
from importers.merge.contradicting import Contradiction, Pair, written_as
from importers.merge.files import ReadFile, Role

_OWN: Final = [
    NUMBER[kind]
    for kind in (
        "became_leader",
        "became_follower",
        "leader_and_isr_received",
        "isr_committed",
        "fetcher_added",
    )
]
"""Kinds that state the epoch in which a broker is now. What a controller tells may be of long ago."""
_Place: TypeAlias = tuple[str, int]
_Epochs: TypeAlias = Mapping[_Place, NDArray[np.int64]]
"""By partition (stamp, epoch, line) of each statement, in the order of the stamps."""


def falls(files: Sequence[ReadFile], owners: Sequence[Owner]) -> Mapping[Pair, Contradiction]:
    """By numbers of two logs, the lower one first, where the epoch of a partition falls between them.

    Both are of one broker, and so of one clock; they lie in two folders or have names of another hand, and no
    line is in both. Not where epochs go on in more topics than they fall in: then topics were made anew.
    """
    of_broker: dict[tuple[int, bool], list[int]] = {}
    for number, (file, owner) in enumerate(zip(files, owners, strict=True)):
        if file.role is Role.LOG and file.drafts is not None and owner.broker is not None:
            zoned = file.layout is not None and file.layout.zoned
            of_broker.setdefault((owner.broker, zoned), []).append(number)
    found: dict[Pair, Contradiction] = {}
    for numbers in of_broker.values():
        if len({written_as(files[number]) for number in numbers}) > 1:
            found.update(_of_one_broker(files, numbers))
    return found


def _of_one_broker(files: Sequence[ReadFile], numbers: Sequence[int]) -> Iterator[tuple[Pair, Contradiction]]:
    epochs = {number: _epochs(files[number]) for number in numbers}
    for one, other in combinations(numbers, 2):
        if written_as(files[one]) == written_as(files[other]):
            continue
        fall = _fall(epochs[one], epochs[other])
        if fall is not None and not len(np.intersect1d(_marks(files[one]), _marks(files[other]))):
            (topic, partition), (its, others), lines = fall
            key = ("epoch", topic, partition, max(its, others))
            yield (one, other), Contradiction(key, ((its,), (others,)), (one, other), lines)


def _fall(one: _Epochs, other: _Epochs) -> tuple[_Place, tuple[int, int], tuple[int, int]] | None:
    """The partition, the epoch that each log has there, and the lines; None where none falls."""
    falling: dict[str, tuple[_Place, tuple[int, int], tuple[int, int]]] = {}
    topics: set[str] = set()
    for place in sorted(one.keys() & other.keys()):
        ahead, behind = _drop(one[place], other[place]), _drop(other[place], one[place])
        if ahead is not None:
            falling.setdefault(place[0], (place, (ahead[0], ahead[2]), (ahead[1], ahead[3])))
        elif behind is not None:
            falling.setdefault(place[0], (place, (behind[2], behind[0]), (behind[3], behind[1])))
        topics.add(place[0])
    if not falling or len(falling) < len(topics - falling.keys()):
        return None
    return falling[min(falling)]


def _drop(before: NDArray[np.int64], after: NDArray[np.int64]) -> tuple[int, int, int, int] | None:
    """Epoch and line of a statement, and of a later one of the other log with a lower epoch."""
    ends = np.searchsorted(before[:, 0], after[:, 0] - CLOCK_SET_BACK_AT_MOST.ns)
    tops = np.append(-1, np.maximum.accumulate(before[:, 1]))
    low = np.flatnonzero(tops[ends] > after[:, 1])
    if not len(low):
        return None
    top = int(np.argmax(before[: ends[low[0]], 1]))
    return int(before[top, 1]), int(before[top, 2]), int(after[low[0], 1]), int(after[low[0], 2])


def _epochs(file: ReadFile) -> _Epochs:
    """Nothing of a log whose times go back further than threads and clocks do."""
    if file.drafts is None or _goes_back(file.drafts.stamps):
        return {}
    columns, texts = file.drafts.drafts.columns, file.drafts.drafts.texts
    rows = np.flatnonzero(
        np.isin(columns["kind"], _OWN) & (columns["topic"] != NONE) & (columns["epoch"] >= 0)
    )
    rows = rows[np.argsort(columns["local_ns"][rows], kind="stable")]
    table = np.stack([columns[name][rows].astype(np.int64) for name in ("local_ns", "epoch", "line")], axis=1)
    places = np.stack([columns["topic"][rows].astype(np.int64), columns["number"][rows]], axis=1)
    named, of = np.unique(places, axis=0, return_inverse=True)
    found = {
        (texts[topic], partition): table[of.reshape(-1) == at]
        for at, (topic, partition) in enumerate(named.tolist())
    }
    return {place: rows for place, rows in found.items() if place[0] != METADATA_TOPIC}


def _goes_back(stamps: NDArray[np.int64]) -> bool:
    return bool((stamps < np.maximum.accumulate(stamps) - CLOCK_SET_BACK_AT_MOST.ns).any())


def _marks(file: ReadFile) -> NDArray[np.int64]:
    """A number for each statement: the same for the same text at the same time."""
    if file.drafts is None:
        return np.empty(0, np.int64)
    columns = file.drafts.drafts.columns
    return columns["fingerprint"] ^ columns["local_ns"]
