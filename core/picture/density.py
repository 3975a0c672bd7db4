"""The log area where events stand closer than pixels: the extremes of each column, no subsampling.

The columns are shared by all lanes of a picture (visual design, section 6).
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.history.running_bounds import Flags, Numbers
from core.history.state import History, Role
from core.picture.areas import pieces_between
from core.picture.axis import StopAxis, TimeAxis
from core.picture.hatch import hatched
from core.picture.lane import Bins, Lane
from core.picture.leader_end import lag_trends
from core.picture.marks import Fill, Hatch, Line
from core.picture.roles import epoch_role
from core.picture.sheet import Depth, Sheet
from core.picture.trend import (
    ABSENT,
    HIGHEST,
    HIGHEST_EXACT,
    LOWEST,
    LOWEST_EXACT,
    PROVEN,
    UNBOUNDED,
    WIDEST,
    Trends,
    changes_between,
    least_of_all,
    trends_of,
)

_PIXELS_A_CHANGE: Final = 4
_EVENTS_A_PIXEL: Final = 4
_OFFLINE_SHARE: Final = 0.38
_UNDER: Final = 2.0
"""How far the high watermark runs below the log end offset where both are equal."""
_APART: Final = 24
"""Columns that share one box of what no label may cover."""

Ys = NDArray[np.float64]


def is_dense(history: History, axis: TimeAxis | StopAxis) -> bool:
    """Whether the changes between the ends of an axis have less than 4 px each."""
    width = int(axis.right - axis.left)
    first, last = axis.first, axis.last
    events = history.rank(last) - history.rank(first)
    if events * _PIXELS_A_CHANGE <= width:
        return False
    changes = changes_between(history, first, last)
    return changes * _PIXELS_A_CHANGE > width or events > width * _EVENTS_A_PIXEL


def bins_of(axis: TimeAxis | StopAxis) -> Bins:
    """The columns of an axis, each a pixel."""
    return Bins(axis.left, axis.by_pixel())


@dataclass(frozen=True, slots=True)
class Extremes:
    """Highest and lowest value that is known of all replicas; `lowest` is None where nothing is.

    `widest` is how far apart two values of one replica at one moment were.
    """

    highest: int
    lowest: int | None
    widest: int


def extremes_by_column(history: History, first: int, last: int) -> Extremes:
    """The extremes between two cursors, from the columns of each history."""
    least = least_of_all(history, first, last)
    if least[LOWEST] == ABSENT:
        return Extremes(0, None, 0)
    bound = -int(least[HIGHEST])
    # Without an upper bound, what is proven is what is known.
    highest = max(-int(least[PROVEN]), bound if bound < UNBOUNDED else 0, 0)
    return Extremes(highest, int(least[LOWEST]), -int(least[WIDEST]))


@dataclass(frozen=True)
class _Columns:
    """One lane's values by column, as heights."""

    lane: Lane
    leo: Numbers
    hw: Numbers
    offline: Flags
    logs: Numbers
    starts: Numbers
    dashed: Flags
    ahead: Numbers
    """What heights are counted from at the end of a column: 0, or the leader's log end."""

    def ys(self, values: Numbers) -> Ys:
        """Heights of offsets, as the scale of the lane has them."""
        return self.lane.offsets.ys(values)

    @cached_property
    def known(self) -> Flags:
        """Where something is known of the log end."""
        return self.leo[LOWEST] != ABSENT

    @cached_property
    def lowest(self) -> Numbers:
        """The end that the log surely has all along a column."""
        return np.where(self.known, self.leo[LOWEST], self.lane.offsets.lowest)

    @cached_property
    def highest(self) -> Numbers:
        """The end that it surely reaches in it."""
        return np.where(self.known, -self.leo[PROVEN], self.lane.offsets.lowest)

    @cached_property
    def committed(self) -> Numbers:
        """What is surely below the high watermark all along a column."""
        return np.where(self.hw[LOWEST] == ABSENT, self.lane.offsets.lowest, self.hw[LOWEST])

    @cached_property
    def sure_ys(self) -> Ys:
        """The height of what is held and committed all along a column."""
        return self.ys(np.minimum(self.committed, self.lowest))

    @cached_property
    def top_ys(self) -> Ys:
        """The height of the end that the log surely reaches."""
        return self.ys(self.highest)

    @cached_property
    def end_stroke(self) -> tuple[Ys, Ys]:
        """Tops and bottoms of the line of the log end."""
        return _stroke(self, self.leo)


def dense_area(lane: Lane, bins: Bins, sheet: Sheet) -> None:
    """The log area and both curves of a lane, by columns."""
    left, right, bottom = lane.axis.left, lane.axis.right, lane.box.bottom
    sheet.add(Depth.GRID, Line(((left, bottom + 0.5), (right, bottom + 0.5)), "line.strong"))
    trends = trends_of(lane.history)[lane.broker]
    columns = _columns(lane, bins, trends)
    held = _Held(columns)
    for first, end in _spans(columns):
        if lane.lag is None:
            _hold(columns, trends, held, first, end)
        else:
            _hold_behind(columns, trends, held, first, end)
        if columns.offline[first]:
            _away(columns, first, end, sheet)
    sheet.add(Depth.AREA, *held.fills())
    _unknown(columns, sheet)
    for depth, fill in (*_watermark(columns), *_log_end(columns)):
        if (fill.tops < fill.bottoms).any():
            sheet.add(depth, fill)
    sheet.keep_clear(*_clear(columns))


def _columns(lane: Lane, bins: Bins, trends: Trends) -> _Columns:
    ends = bins.cursors[1:]
    offline = np.array([state.role is Role.OFFLINE for state in trends.band_states.kinds])
    leo, hw = (trends.leo, trends.hw) if lane.lag is None else lag_trends(lane.history)[lane.broker]
    inferred = leo.inferred[leo.places(ends)]
    return _Columns(
        lane,
        leo.least(bins.cursors),
        hw.least(bins.cursors),
        offline[trends.band_states.at(ends)],
        trends.logs.at(ends),
        trends.starts.at(ends),
        inferred,
        np.zeros(len(ends), np.int64) if lane.lag is None else lane.lag.most(ends),
    )


def _spans(columns: _Columns) -> Iterator[tuple[int, int]]:
    """Neighbouring columns of one log that only grows, as (first, after the last)."""
    looks = np.stack([columns.offline, columns.logs, columns.starts])
    changed = np.flatnonzero((looks[:, 1:] != looks[:, :-1]).any(axis=0)) + 1
    edges = [0, *changed.tolist(), looks.shape[1]]
    yield from itertools.pairwise(edges)


class _Held:
    """What a log holds, as one mark for each colour and strength, however many spans it is made of."""

    def __init__(self, columns: _Columns) -> None:
        self._left, self._width = columns.lane.axis.left, len(columns.offline)
        self._parts: dict[tuple[str, float, int], tuple[Ys, Ys]] = {}
        self._ends: dict[tuple[str, float, int], int] = {}

    def put(
        self, first: int, end: int, tops: Ys | float, bottoms: Ys | float, look: tuple[str, float]
    ) -> None:
        """Fill columns from `first` to `end` in a role and a strength. Spans come from left to right."""
        role, opacity = look
        key = (role, opacity, 0)
        # Two of one colour over one another: epochs six apart share one.
        while self._ends.get(key, 0) > first:
            key = (role, opacity, key[2] + 1)
        if key not in self._parts:
            self._parts[key] = np.zeros(self._width), np.zeros(self._width)
        self._ends[key] = end
        self._parts[key][0][first:end], self._parts[key][1][first:end] = tops, bottoms

    def fills(self) -> Iterator[Fill]:
        """The marks."""
        for (role, opacity, _), (tops, bottoms) in self._parts.items():
            yield Fill(self._left, tops, bottoms, role, opacity)


def _hold(columns: _Columns, trends: Trends, held: _Held, first: int, end: int) -> None:
    """What the log holds in a span: what is committed all along a column, and what is not in all of it."""
    here, scale = slice(first, end), columns.lane.offsets
    share = _OFFLINE_SHARE if columns.offline[first] else 1.0
    begun = trends.starts.kinds[columns.starts[first]]
    sure, top = columns.sure_ys[here], columns.top_ys[here]
    runs = trends.logs.kinds[columns.logs[first]]
    highest = int(columns.highest[here].max(initial=0))
    above, below = float(sure.min()), float(sure.max())
    for piece in pieces_between(runs, begun, highest):
        if piece.end <= scale.lowest or (floor := scale.y(piece.start)) == (ceiling := scale.y(piece.end)):
            continue
        if above < floor:
            # Most pieces are old: committed as a whole, and flat.
            middle = ceiling if below <= ceiling else np.minimum(np.maximum(sure, ceiling), floor)
            held.put(first, end, middle, floor, (epoch_role(piece.epoch, "committed"), share))
        else:
            middle = floor
        if below <= ceiling:
            continue
        _put_open(
            held, (first, end), np.minimum(np.maximum(top, ceiling), middle), middle, (piece.epoch, share)
        )


def _put_open(
    held: _Held, columns: tuple[int, int], upper: Ys, lower: Ys | float, look: tuple[int | None, float]
) -> None:
    """Fill what is not yet committed of a piece of this (leader epoch, strength), if there is any."""
    epoch, share = look
    if (upper < lower).any():
        held.put(*columns, upper, lower, (epoch_role(epoch, "open"), 1.0 if share == 1.0 else 0.6))
        # Columns are too narrow for a hatch: its tint stands in.
        held.put(*columns, upper, lower, (epoch_role(epoch), 0.22 * share))


def _hold_behind(columns: _Columns, trends: Trends, held: _Held, first: int, end: int) -> None:
    """The same where heights are counted from the leader's log end: what lies still in a log goes down."""
    here = slice(first, end)
    share = _OFFLINE_SHARE if columns.offline[first] else 1.0
    begun, runs = (
        trends.starts.kinds[columns.starts[first]],
        trends.logs.kinds[columns.logs[first]],
    )
    ahead, sure, top = columns.ahead[here], columns.sure_ys[here], columns.top_ys[here]
    highest = int((columns.highest[here] + ahead).max(initial=0))
    for piece in pieces_between(runs, begun, highest):
        floor, ceiling = columns.ys(piece.start - ahead), columns.ys(piece.end - ahead)
        middle = np.minimum(np.maximum(sure, ceiling), floor)
        held.put(first, end, middle, floor, (epoch_role(piece.epoch, "committed"), share))
        _put_open(
            held, (first, end), np.minimum(np.maximum(top, ceiling), middle), middle, (piece.epoch, share)
        )


def _away(columns: _Columns, first: int, end: int, sheet: Sheet) -> None:
    """The log of a stopped broker stays on its disk."""
    lane = columns.lane
    top = float(columns.ys(columns.lowest[first:end]).min())
    rect = (lane.axis.left + first, top, float(end - first), lane.box.bottom - top)
    sheet.add(Depth.HATCH, *hatched(rect, Hatch.FALLING, 9.0, lane.origin, "offline", opacity=0.55))


def _unknown(columns: _Columns, sheet: Sheet) -> None:
    lane, top = columns.lane, columns.lane.offsets.ceiling
    if columns.known.all():
        return
    edges = np.flatnonzero(np.diff(~columns.known, prepend=False, append=False))
    for first, end in edges.reshape(-1, 2).tolist():
        rect = (lane.axis.left + first, top, float(end - first), lane.box.bottom - top)
        sheet.add(Depth.HATCH, *hatched(rect, Hatch.RISING, 12.0, lane.origin, "unknown", opacity=0.55))


def _stroke(columns: _Columns, least: Numbers, under: Ys | float = 0.0) -> tuple[Ys, Ys]:
    """Tops and bottoms of a line of 2 px through the exact values of each column; empty where none is."""
    exact = least[LOWEST_EXACT] != ABSENT
    top = columns.ys(np.where(exact, -least[HIGHEST_EXACT], 0)) - 1 + under
    bottom = columns.ys(np.where(exact, least[LOWEST_EXACT], 0)) + 1 + under
    drawn = exact & ~(_gaps(columns.offline, 6, 3) | _gaps(columns.dashed, 10, 6))
    return np.where(drawn, top, bottom), bottom


def _gaps(dashed: Flags, period: int, drawn: int) -> Flags:
    """The columns that a dashed line leaves out."""
    return dashed & (np.arange(len(dashed)) % period >= drawn)


def _between(columns: _Columns, least: Numbers, bounded: Flags, role: str, opacity: float) -> Fill:
    """The room between the bounds of columns without an exact value."""
    unbounded = least[HIGHEST] < -UNBOUNDED
    low = columns.ys(np.where(bounded, least[LOWEST], 0))
    high = columns.ys(np.where(bounded & ~unbounded, -np.where(unbounded, 0, least[HIGHEST]), 0))
    high = np.where(unbounded, columns.lane.offsets.ceiling, high)
    return Fill(columns.lane.axis.left, np.where(bounded, np.minimum(high, low), low), low, role, opacity)


def _bound(columns: _Columns, least: Numbers, role: str, opacity: float) -> Iterator[tuple[Depth, Fill]]:
    """The room between bounds, or its edges alone."""
    bounded = (least[LOWEST] != ABSENT) & (least[LOWEST_EXACT] == ABSENT)
    if not bounded.any():
        return
    room = _between(columns, least, bounded, role, opacity)
    if columns.lane.drawing.boxes:
        yield Depth.BOUND, room
        return
    drawn = (room.tops < room.bottoms) & ~_gaps(np.ones(len(room.tops), bool), 5, 2)
    for edge in (room.tops, room.bottoms - 1):
        yield Depth.BOUND, Fill(room.x, np.where(drawn, edge, edge + 1), edge + 1, role)


def _watermark(columns: _Columns) -> Iterator[tuple[Depth, Fill]]:
    """The high watermark with its casing, and upright lines where it stands above the log end."""
    x = columns.lane.axis.left
    yield from _bound(columns, columns.hw, "hw", 0.15)
    hw, leo = columns.hw, columns.leo
    equal = (hw[LOWEST_EXACT] == leo[LOWEST_EXACT]) & (hw[HIGHEST_EXACT] == leo[HIGHEST_EXACT])
    top, bottom = _stroke(columns, hw, np.where(equal, _UNDER, 0.0))
    drawn = top < bottom
    yield Depth.CASING, Fill(x, np.where(drawn, top - 1, bottom + 1), bottom + 1, "bg.lane")
    yield Depth.HW, Fill(x, top, bottom, "hw")
    both = (hw[LOWEST_EXACT] != ABSENT) & (leo[LOWEST_EXACT] != ABSENT)
    over = both & (hw[LOWEST_EXACT] > -leo[HIGHEST_EXACT])
    if not over.any():
        return
    over &= np.arange(len(both)) % 6 == 0
    ends = columns.ys(np.where(over, -leo[HIGHEST_EXACT], 0))
    yield Depth.BOUND, Fill(x, np.where(over, bottom, ends), ends, "hw", 0.8)


def _log_end(columns: _Columns) -> Iterator[tuple[Depth, Fill]]:
    x = columns.lane.axis.left
    yield from _bound(columns, columns.leo, "leo", 0.12)
    top, bottom = columns.end_stroke
    yield Depth.LEO, Fill(x, top, bottom, "leo")


def _clear(columns: _Columns) -> Iterator[tuple[float, float, float, float]]:
    """Boxes around the log end, so that no label is struck through by it."""
    (tops, bottoms), left = columns.end_stroke, columns.lane.axis.left
    firsts = np.arange(0, len(tops), _APART)
    highest, lowest = np.minimum.reduceat(tops, firsts), np.maximum.reduceat(bottoms, firsts)
    for first, top, bottom in zip(firsts.tolist(), highest.tolist(), lowest.tolist(), strict=True):
        if bottom > top:
            yield (left + first, top, float(_APART), bottom - top)
