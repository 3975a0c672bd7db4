"""The rail under a lane: where log end and high watermark are known, in bounds, or not at all."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from core.history.state import ReplicaHistory, Role
from core.picture.hatch import hatch_segments
from core.picture.lane import Lane, change_cursors
from core.picture.marks import Box, Hatch, Line, Mark, Segments
from core.picture.sheet import Depth, Sheet

SOLID: Final = "text.3"
HIGH: Final = 3.0
_STEP: Final = 2
"""Where events stand closer than pixels, the state is looked up so many pixels apart."""


class Known(StrEnum):
    """How well a replica is known at a moment."""

    EXACT = "exact"
    BOUNDED = "bounded"
    SILENT = "silent"
    """No line of this broker tells of it."""


@dataclass(frozen=True, slots=True)
class KnownSpan:
    """From x0 to x1 a replica is equally well known."""

    x0: float
    x1: float
    known: Known


def known_rail(lane: Lane, sheet: Sheet) -> None:
    """Draw the rail; none in simulations, where all is known, or where the lane is folded."""
    if lane.simulated or not lane.box.area:
        return
    for span in known_spans(lane):
        sheet.add(Depth.STRIP, *rail_marks(span.x0, lane.box.known, span.x1 - span.x0, span.known))


def known_spans(lane: Lane) -> Iterator[KnownSpan]:
    """The spans of a lane from left to right, neighbours that are alike joined."""
    looked_at = [(x, known_at(lane.replica, cursor)) for x, cursor in _cursors(lane)]
    begun = [(known, next(iter(group))[0]) for known, group in groupby(looked_at, key=lambda one: one[1])]
    ends = [*(x for _, x in begun[1:]), lane.axis.right]
    for (known, x0), x1 in zip(begun, ends, strict=True):
        yield KnownSpan(x0, x1, known)


def _cursors(lane: Lane) -> list[tuple[float, int]]:
    """Where the replica is looked at: at each change, or every few pixels."""
    axis = lane.axis
    if lane.bins is not None:
        ends = lane.bins.cursors[1:].tolist()
        return [(axis.left + place, ends[place]) for place in range(0, len(ends), _STEP)]
    changes = change_cursors(lane.replica, axis.first, axis.last)
    return [(axis.left, axis.first), *((max(axis.x(cursor), axis.left), cursor) for cursor in changes)]


def known_at(replica: ReplicaHistory, cursor: int) -> Known:
    """How well a replica is known at a cursor."""
    role = replica.role.at(cursor)
    leo, hw = replica.leo.at(cursor), replica.hw.at(cursor)
    if role is Role.OFFLINE or (replica.alive.at(cursor) is None and role in (Role.LEADER, Role.FOLLOWER)):
        return Known.SILENT
    if leo.exact is not None and hw.exact is not None:
        return Known.EXACT
    bounds = (leo.lo, leo.hi, hw.lo, hw.hi)
    return Known.BOUNDED if any(bound is not None for bound in bounds) else Known.SILENT


def rail_marks(x: float, y: float, width: float, known: Known) -> tuple[Mark, ...]:
    """A span of the rail."""
    if width <= 0:
        return ()
    if known is Known.EXACT:
        return (Box(x, y, width, HIGH, fill=SOLID),)
    if known is Known.BOUNDED:
        edges = (y + 0.5, y + HIGH - 0.5)
        return tuple(Line(((x, at), (x + width, at)), "line.edge", dash=(1.0, 2.0)) for at in edges)
    lines = hatch_segments((x, y, width, HIGH + 1), Hatch.RISING, 5.0, (x, y))
    return (Segments(lines, "line.edge", width=1.0),)
