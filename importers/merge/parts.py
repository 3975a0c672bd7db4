"""Parts of a log that were joined in the wrong order, as `cat server.log server.log.1` does: put right."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import LINES_OUT_OF_ORDER_WITHIN
from core.trace.columns import replaced
from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER
from importers.lines.parsed import Drafts
from importers.lines.statements import NONE
from importers.merge.order import APPLIES, ASSIGNS

_MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a log: its first line, the byte at which it begins in the right order, and what leads back.

    `back` is added to a byte of the right order and gives that of the file.
    """

    line: int
    begin: int
    back: int


def put_right(
    drafts: Drafts, others: Sequence[NDArray[np.int64]] = ()
) -> tuple[Drafts, tuple[Part, ...]] | None:
    """A log whose times go back, and its parts in the order of their times; None where that is in doubt.

    Records and all that they say have their lines, and bytes that rise in the new order: `bytes_in_file`.
    Spans of parts must not overlap. A clock that was set back by more than was written before it looks the
    same, so for each part and the next one in time something else must tell which came first: a partition
    that has come to a later leader epoch, or one of the `others`, the stamps of logs by the same clock, that
    never goes back, with records in the spans of both. No leader epoch may fall.
    """
    stamps = drafts.stamps
    starts = np.append(0, np.flatnonzero(np.diff(stamps) < -LINES_OUT_OF_ORDER_WITHIN.ns) + 1)
    if not 1 < len(starts) <= _MOST:
        return None
    firsts, lasts = np.minimum.reduceat(stamps, starts), np.maximum.reduceat(stamps, starts)
    turn = np.argsort(firsts, kind="stable")
    if (lasts[turn[:-1]] > firsts[turn[1:]]).any():
        return None
    told = _told_by_epochs(drafts, starts, turn)
    spans = list(zip(firsts[turn].tolist(), lasts[turn].tolist(), strict=True))
    if told is None or len(told | _told_by_others(spans, others)) < len(turn) - 1:
        return None
    return turned(drafts, starts, turn)


def bytes_in_file(parts: Sequence[Part], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """The bytes of a file, of those in the right order of its parts."""
    begins = np.array([part.begin for part in parts])
    backs = np.array([part.back for part in parts])
    return places + backs[np.searchsorted(begins, places, side="right") - 1]


def _told_by_others(spans: Sequence[tuple[int, int]], others: Sequence[NDArray[np.int64]]) -> set[int]:
    """The parts that came after the one before them by another log, which was written in both."""
    found: set[int] = set()
    for stamps in others:
        if (np.diff(stamps) < -LINES_OUT_OF_ORDER_WITHIN.ns).any():
            continue
        within = [bool(((first <= stamps) & (stamps <= last)).any()) for first, last in spans]
        found |= {place for place in range(1, len(spans)) if within[place - 1] and within[place]}
    return found


def _told_by_epochs(drafts: Drafts, starts: NDArray[np.int64], turn: NDArray[np.int64]) -> set[int] | None:
    """The parts in which some partition comes to a later leader epoch than before; None where one falls."""
    said = drafts.drafts.columns
    kinds = [NUMBER[kind] for kind in APPLIES | ASSIGNS]
    told = np.isin(said["kind"], kinds) & (said["epoch"] != UNSAID) & (said["topic"] != NONE)
    nth = np.argsort(turn)[_part_of(said["byte"][told], drafts.bytes[starts])]
    named = (said[name][told].tolist() for name in ("topic", "number", "topic_id", "epoch"))
    spans: dict[tuple[int, int, int], dict[int, tuple[int, int]]] = {}
    for place, topic, number, topic_id, epoch in zip(nth.tolist(), *named, strict=True):
        of_partition = spans.setdefault((topic, number, topic_id), {})
        low, high = of_partition.get(place, (epoch, epoch))
        of_partition[place] = min(low, epoch), max(high, epoch)
    risen: set[int] = set()
    for of_partition in spans.values():
        highest: int | None = None
        for place, (low, high) in sorted(of_partition.items()):
            if highest is not None and low < highest:
                return None
            if highest is not None and high > highest:
                risen.add(place)
            highest = high
    return risen


def _part_of(places: NDArray[np.int64], begins: NDArray[np.int64]) -> NDArray[np.intp]:
    """The number of the part in which each byte of the file lies."""
    return np.searchsorted(begins, places, side="right") - 1


def turned(
    drafts: Drafts, starts: NDArray[np.intp], turn: NDArray[np.intp]
) -> tuple[Drafts, tuple[Part, ...]]:
    """A log with its parts in another order. `starts`: their first records; `turn`: their numbers in it."""
    begins = drafts.bytes[starts]
    lengths = np.diff(begins, append=drafts.bytes[-1] + 1)[turn]
    shifts = np.empty_like(begins)
    shifts[turn] = np.cumsum(lengths) - lengths - begins[turn]

    def moved(places: NDArray[np.int64]) -> NDArray[np.int64]:
        return places + shifts[_part_of(places, begins)]

    new = moved(drafts.bytes)
    order = np.argsort(new)
    records = {"stamps": drafts.stamps[order], "bytes": new[order], "lines": drafts.lines[order]}
    said = drafts.drafts
    places = moved(said.columns["byte"])
    facts = (replace(one, byte=int(moved(np.array([one.byte]))[0])) for one in drafts.facts)
    right = replace(
        drafts,
        records=replaced(drafts.records, records),
        drafts=said.moved(byte=places).taken(np.lexsort((said.columns["ordinal"], places))),
        facts=tuple(sorted(facts, key=lambda one: one.byte)),
    )
    lines = drafts.lines[starts]
    parts = (Part(int(lines[one]), int(begins[one] + shifts[one]), int(-shifts[one])) for one in turn)
    return right, tuple(parts)
