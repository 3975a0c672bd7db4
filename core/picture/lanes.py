"""Whole lanes, and the heights and scales that lanes of one picture share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from core.diagnose.verdict.facts import PartitionVerdict, Severity
from core.document.lane_order import LaneOrder
from core.history.state import History
from core.picture.areas import Block, area, axis_gap, blocks, offset_axis
from core.picture.axis import Axis
from core.picture.bands import band, gap_events, separator, strip
from core.picture.callouts import FULL, NUMBERED, TITLED, draw_callouts
from core.picture.consumers import consumers
from core.picture.crowds import Crowds, crowds_of
from core.picture.curves import curves
from core.picture.cuts import cut_faces, cut_members, cut_xs, cuts_of
from core.picture.density import Extremes, dense_area, extremes_by_column
from core.picture.drawing import PLAIN, Drawing, Vertical
from core.picture.fold_marks import folds_in_area
from core.picture.gutter import lane_name
from core.picture.known import known_rail
from core.picture.lane import (
    STRIP_HEIGHT,
    Bins,
    Lane,
    LaneBox,
    change_cursors,
    fixed_height,
    state_spans,
    state_spans_by_column,
)
from core.picture.leader_end import lag_trends
from core.picture.messages import message_ticks, messages
from core.picture.scale import OffsetScale
from core.picture.sheet import Depth, Sheet
from core.picture.signs import (
    acknowledgements,
    divergence_members,
    divergence_xs,
    divergences,
    election_members,
    flags,
    gaps,
    hw_drops,
    hw_rises,
    poles,
    samples,
    spared,
    terms,
)
from core.picture.trend import ABSENT, HIGHEST, LOWEST, PROVEN, UNBOUNDED, lowest_start

AREA_LEAST = 48.0
_TIGHT_LEAST = 28.0
"""Of lanes that stand close."""
AREA_MOST = 220.0
_SHELVES: Final = ((FULL, 110.0), (TITLED, AREA_LEAST), (NUMBERED, 0.0))
"""Heights of a shelf, each with the height that it leaves to log areas at the least.

A title costs 6 more than a number that nobody explains.
"""
_BESIDE = 40.0
"""Least height of a log area beside one that is raised."""
_BREAKABLE = 72.0
"""Least height of a log area whose axis is broken."""
_SEEN = 64.0
"""Height of a cut that is well seen."""
_READABLE = 40.0
"""That of one that can be read."""
_BELOW = 6
"""Offsets that are drawn below what is in dispute."""


Wish: TypeAlias = tuple[int, float]
"""A broker, and how high its log area is to be."""


@dataclass(frozen=True, slots=True)
class OffsetSpan:
    """The offsets that lanes draw in one scale, and where logs start if that is below it."""

    low: int
    high: int
    start: int | None = None


def area_height(room: float, lanes: int, *, tight: bool = False) -> float:
    """The height of each log area so that all lanes fit, within 48 to 220; where they stand close from 28."""
    least = _TIGHT_LEAST if tight else AREA_LEAST
    each = room / max(lanes, 1) - (fixed_height(least, tight=tight) - least)
    return float(int(min(max(each, least), AREA_MOST)))


def lane_areas(order: LaneOrder, brokers: Sequence[int], room: float, *, tight: bool = False) -> list[float]:
    """The height of each log area in a room: 0 folded, as a person wants it, or its share of what is left."""
    given = [order.height_of(broker) for broker in brokers]
    taken = sum(fixed_height(height, tight=tight) for height in given if height is not None)
    share = area_height(room - taken, given.count(None), tight=tight)
    return [share if height is None else float(height) for height in given]


def lane_sizes(
    order: LaneOrder,
    brokers: Sequence[int],
    told: Sequence[bool],
    room: float,
    wish: Wish | None = None,
    *,
    tight: bool = False,
) -> list[tuple[float, float]]:
    """The heights of the log area and of the shelf for callouts of each lane in a room.

    Lanes that are `told` of have a shelf, as high as leaves room to the areas, and to the lane of a `wish`;
    folded ones have none.
    """
    with_shelf = [has and order.height_of(broker) != 0 for broker, has in zip(brokers, told, strict=True)]
    sizes: list[tuple[float, float]] = []
    for shelf, enough in _SHELVES:
        areas = lane_areas(order, brokers, room - shelf * sum(with_shelf), tight=tight)
        free = [area for area, broker in zip(areas, brokers, strict=True) if order.height_of(broker) is None]
        shelves = (shelf if has else 0.0 for has in with_shelf)
        sizes = raised(order, brokers, list(zip(areas, shelves, strict=True)), wish)
        if min(free, default=enough) >= enough and _is_seen(brokers, sizes, wish):
            break
    return sizes


def _is_seen(brokers: Sequence[int], sizes: Sequence[tuple[float, float]], wish: Wish | None) -> bool:
    """Whether the lane of a wish is so high that its cut can be seen."""
    areas = [area for broker, (area, _) in zip(brokers, sizes, strict=True) if wish and broker == wish[0]]
    return wish is None or not areas or areas[0] >= min(wish[1] * _READABLE / _SEEN, AREA_MOST)


def wanted(history: History, verdict: PartitionVerdict) -> Wish | None:
    """The broker of the largest cut that lost records, and how high its log area is to be so that it is seen.

    None where nothing is proven lost by a cut, and where the axis is broken to what is in dispute.
    """
    lost = max((cut for cut in cuts_of(verdict) if cut.lost), key=lambda cut: cut.records_lost, default=None)
    ends = [one.leo.values[-1].lo or 0 for one in history.replicas.values()]
    ends += [cut.from_offset or 0 for cut in verdict.truncations]
    highest, lowest = max(ends, default=0), lowest_in_dispute(verdict)
    if lost is None or lowest is None or not highest or 3 * (highest - lowest) < highest:
        return None
    share = 0.85 * lost.records_lost / highest
    return lost.truncation.broker, _SEEN / max(share, 0.01)


def raised(
    order: LaneOrder,
    brokers: Sequence[int],
    sizes: Sequence[tuple[float, float]],
    wish: Wish | None,
) -> list[tuple[float, float]]:
    """The sizes with one lane as high as it wishes, as far as the others keep their least height."""
    free = [place for place, broker in enumerate(brokers) if order.height_of(broker) is None]
    mine = next((place for place in free if wish is not None and brokers[place] == wish[0]), None)
    areas = [area for area, _ in sizes]
    if wish is None or mine is None or len(free) < 2:
        return list(sizes)
    whole = sum(areas[place] for place in free)
    most = min(wish[1], AREA_MOST, whole - _BESIDE * (len(free) - 1))
    if most <= areas[mine]:
        return list(sizes)
    for place in free:
        areas[place] = float(int(most if place == mine else (whole - most) / (len(free) - 1)))
    return [(area, shelf) for area, (_, shelf) in zip(areas, sizes, strict=True)]


def room_for(order: LaneOrder, brokers: Sequence[int], each: float) -> float:
    """What lanes need where each whose height nobody gave has `each`, its fixed parts included."""
    given = (order.height_of(broker) for broker in brokers)
    return sum(each if height is None else fixed_height(height) for height in given)


def offset_span(
    history: History,
    verdict: PartitionVerdict,
    axis: Axis,
    height: float,
    bins: Bins | None = None,
    drawing: Drawing = PLAIN,
) -> OffsetSpan:
    """Lowest offset to draw in one scale and highest one known, over all replicas on the axis.

    It begins at the log start, unless that would hide what happens. Where less than a third of it would be
    of offsets that were lost, cut or diverged, it begins a little below these, and the axis is broken. So it
    is a little below the lowest value where a record has less than 1.5 px and no gap between HW and log end
    has 4. A person may want it at the log start anyway, or all as lags: numbers from the leader's log end,
    which is 0.
    """
    if drawing.vertical is Vertical.LAG:
        return OffsetSpan(*_lag_span(history, axis))
    known = extremes_by_column(history, axis.first, axis.last) if bins else _extremes(history, axis)
    highest, lowest = known.highest, known.lowest
    start = lowest_start(history, axis.first, axis.last)
    wrong = lowest_in_dispute(verdict)
    narrow = wrong is not None and start < wrong < highest and 3 * (highest - wrong) < highest - start
    if wrong is not None and narrow and drawing.vertical is Vertical.AUTO:
        return OffsetSpan(max(start, wrong - max((highest - wrong) // 6, _BELOW)), highest, start)
    a_record = height / max(highest - start, 1)
    fits = lowest is None or a_record >= 1.5 or known.widest * a_record >= 4
    if lowest is None or fits or drawing.vertical is Vertical.OFFSET:
        return OffsetSpan(start, highest)
    return OffsetSpan(max(start, lowest - max((highest - lowest) // 6, 1)), highest, start)


def lowest_in_dispute(verdict: PartitionVerdict) -> int | None:
    """The lowest offset that was lost, may be, was cut, or has other records on two replicas."""
    found = [loss.first_offset for loss in verdict.losses if loss.severity is not Severity.NOTICE]
    found += [one.first_offset for one in verdict.divergences]
    if found:
        found += [cut.to_offset for cut in verdict.truncations if cut.records]
    return min(found, default=None)


def _lag_span(history: History, axis: Axis) -> tuple[int, int]:
    """From a little below what is furthest behind the leader on the axis to what is furthest before it."""
    lowest, highest = 0, 0
    for pair in lag_trends(history).values():
        for trend in pair:
            least = trend.within(axis.first, axis.last)
            if least[LOWEST] == ABSENT:
                continue
            lowest = min(lowest, int(least[LOWEST]))
            bound = -int(least[HIGHEST])
            # Without an upper bound, what is proven is what is known.
            highest = max(highest, -int(least[PROVEN]), bound if bound < UNBOUNDED else 0)
    return lowest - max((highest - lowest) // 6, 1), highest


def _extremes(history: History, axis: Axis) -> Extremes:
    """The extremes on the axis, from the states at each change."""
    highest, lowest, widest = 0, None, 0
    for replica in history.replicas.values():
        for cursor in (axis.first, *change_cursors(replica, axis.first, axis.last)):
            leo, hw = replica.leo.at(cursor), replica.hw.at(cursor)
            known = [value for value in (leo.lo, leo.hi, hw.lo, hw.hi) if value is not None]
            if known:
                highest = max(highest, *known)
                lowest = min(known) if lowest is None else min(lowest, *known)
                widest = max(widest, max(known) - min(known))
    return Extremes(highest, lowest, widest)


def scale_for(box: LaneBox, span: OffsetSpan) -> OffsetScale:
    """The vertical scale of a lane. Headroom on top: 15 % of a high lane, a label's in a low one.

    A low lane has no room for what is below the break of its axis, which is left out then.
    """
    broken = span.start is not None and span.start < span.low and box.area >= _BREAKABLE
    headroom = min(max(round((box.area - 40) * 0.2), 7), max(round(box.area * 0.15), 7))
    high, foot = max(span.high, span.low + 1), span.start if broken else None
    return OffsetScale(span.low, high, box.bottom, box.area_top + headroom, foot)


def draw_lane(lane: Lane, sheet: Sheet, gutter: float, *, grid: bool) -> None:
    """One lane with everything that stands in it, its labels placed."""
    axis, box = lane.axis, lane.box
    parts = state_spans_by_column(lane, lane.bins) if lane.bins else state_spans(lane.replica, axis, lane.lag)
    sheet.add(Depth.GRID, separator(lane, 0, axis.right), *lane_name(lane, gutter))
    crowds = _crowds(lane)
    band(lane, parts, sheet, _signs_on_band(lane, crowds))
    strip(lane, parts, sheet)
    flags(lane, sheet, crowds)
    gaps(lane, sheet)
    divergences(lane, sheet, crowds)
    if box.area and lane.bins:
        offset_axis(lane, sheet, grid=grid)
        dense_area(lane, lane.bins, sheet)
        hw_drops(lane, sheet)
    elif box.area:
        joined = blocks(parts)
        offset_axis(lane, sheet, grid=grid)
        area(lane, joined, sheet)
        curves(lane, joined, sheet)
        if lane.lag is None:
            consumers(lane, sheet)
        samples(lane, sheet)
        hw_rises(lane, sheet)
        hw_drops(lane, sheet)
        acknowledgements(lane, sheet)
        spared(lane, sheet)
        sheet.keep_clear(*curve_boxes(lane, joined))
    if box.area:
        axis_gap(lane, sheet)
        folds_in_area(lane, sheet)
        known_rail(lane, sheet)
    for term in terms(lane):
        x = axis.x(term.cursor)
        if x > axis.left + 1:
            sheet.keep_clear((x - 1, box.band, 3, box.bottom - box.band))
    cut_faces(lane, sheet, crowds)
    if lane.drawing.messages and lane.bins:
        message_ticks(lane, lane.bins, sheet)
    # No label stands on the strip of in-sync replicas.
    top = box.strip + STRIP_HEIGHT
    sheet.settle((axis.left, top, axis.right - axis.left, box.bottom - top))
    draw_callouts(lane, sheet)


def _signs_on_band(lane: Lane, crowds: Crowds) -> tuple[float, ...]:
    """The middles of the signs on the band: of gaps, in a folded lane of cuts and divergences, too."""
    gap_xs = (lane.axis.x(event.seq + 1) for event in gap_events(lane))
    return tuple(gap_xs) if lane.box.area else (*gap_xs, *cut_xs(lane, crowds), *divergence_xs(lane, crowds))


def _crowds(lane: Lane) -> Crowds:
    """Which marks stand for others, in the density view."""
    if lane.bins is None:
        return Crowds()
    return crowds_of((*cut_members(lane), *divergence_members(lane), *election_members(lane)))


def curve_boxes(lane: Lane, parts: Sequence[Block]) -> Iterable[tuple[float, float, float, float]]:
    """Thin boxes along the curves, so that no label is struck through by them."""
    for role in ("leo", "hw"):
        before: float | None = None
        for part in parts:
            value = (part.state.leo if role == "leo" else part.state.hw).exact
            if value is None:
                before = None
                continue
            y = lane.offsets.y(value)
            yield (part.x0, y - 1, part.x1 - part.x0, 2.0)
            if before is not None and before != y:
                yield (part.x0 - 1, min(before, y), 2.0, abs(before - y))
            before = y


def draw_between(lanes: Sequence[Lane], sheet: Sheet) -> None:
    """What runs through all lanes of one run: poles, and messages where each has room."""
    history, axis = lanes[0].history, lanes[0].axis
    poles(history, lanes, axis, sheet)
    if lanes[0].drawing.messages and lanes[0].bins is None:
        messages(history, lanes, axis, sheet)


def draw_lanes(lanes: Sequence[Lane], sheet: Sheet, gutter: float, *, grid: bool) -> None:
    """All lanes of one run, and what is between them."""
    for lane in lanes:
        draw_lane(lane, sheet, gutter, grid=grid)
    if lanes:
        draw_between(lanes, sheet)
