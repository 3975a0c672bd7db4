"""The story of an incident as lanes: of each broker who it led, and how many of the lost records it held.

Quiet time is folded as on a timeline. The area falls at each cut; it is hatched while the broker is silent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.diagnose.account.story import Held, Led, Step, StepKind, Story
from core.message import Count
from core.picture.callouts import circle
from core.picture.fold_marks import fold_length, slashes
from core.picture.folds import folded
from core.picture.hatch import hatched
from core.picture.marks import Align, Box, Glyph, Hatch, Layer, Line, Mark, Picture, Ref, Sign, Text
from core.picture.metrics import text_width
from core.picture.roles import epoch_role
from core.picture.scale import TimeScale
from core.trace.broker_names import broker_text
from core.trace.times import clock, virtual_time
from core.trace.trace import Origin, Trace
from core.words import said

LANE: Final = 84.0
_RULER: Final = 34.0
_GUTTER: Final = 136.0
_NARROW_GUTTER: Final = 96.0
_WIDE: Final = 760.0
"""From this width on the gutter has its full one."""
_BAND: Final = 16.0
_GAP: Final = 10.0
_AREA: Final = 38.0
_EDGE: Final = 10.0
_CIRCLE: Final = 16.0
_MOST_LANES: Final = 5
"""Of more brokers, those that never held a lost record are one line."""


@dataclass(frozen=True, slots=True)
class _Lane:
    """One broker at a height, with its share of the story."""

    held: Held
    led: tuple[Led, ...]
    silent: tuple[tuple[int, int], ...]
    steps: tuple[tuple[int, Step], ...]
    y: float


def lay_out_story(trace: Trace, story: Story, width: float) -> Picture:
    """The lanes, `width` wide and as high as their number asks."""
    shown = [one for one in story.held if one.most or len(story.held) <= _MOST_LANES]
    gutter = _GUTTER if width >= _WIDE else _NARROW_GUTTER
    scale = _scale(story, gutter, width - _EDGE)
    marks: list[Mark] = list(_ruler(trace, scale))
    silent = dict(story.silent)
    y = _RULER
    for one in shown:
        steps = tuple(
            (number, step) for number, step in enumerate(story.steps, 1) if one.broker in step.brokers
        )
        led = tuple(span for span in story.led if span.broker == one.broker)
        lane = _Lane(one, led, silent.get(one.broker, ()), steps, y)
        marks += _lane(trace, story, lane, scale)
        y += LANE
    if len(shown) < len(story.held):
        count = Count(len(story.held) - len(shown))
        exact = trace.origin is Origin.SIMULATED
        words = said("incident.page.lane.others" if exact else "incident.page.lane.others-shown", count=count)
        marks.append(Text(0, y + 14, words, "text.2", 11))
        y += 22
    title = said("incident.page.story-name", number=Count(story.records))
    return Picture(width, y, (Layer("static", tuple(marks)),), title, _alt(trace, story))


def _alt(trace: Trace, story: Story) -> str:
    """What each broker held, for people who do not see it."""
    return "; ".join(
        f"{broker_text(trace, one.broker)}: {_held_words(trace, story, one)}" for one in story.held
    )


def _held_words(trace: Trace, story: Story, held: Held) -> str:
    """How many a broker held at one time. Of a real log that is what is proven: it may have held more."""
    exact, count = trace.origin is Origin.SIMULATED, Count(story.records)
    if not held.most:
        return said("incident.page.lane.none") if exact else said("incident.page.lane.none-shown")
    if exact or held.most == story.records:
        return said("incident.page.lane.holds", most=Count(held.most), count=count)
    return said("incident.page.lane.holds-least", most=Count(held.most), count=count)


def _scale(story: Story, left: float, right: float) -> TimeScale:
    """All of the time, folded between what happened."""
    moments = {at for step in story.steps for at in (step.at, step.until)}
    moments.update(at for held in story.held for at, _ in held.steps)
    moments.update(at for _, gaps in story.silent for gap in gaps for at in gap)
    steps = sorted(at for at in moments if story.first <= at <= story.last)
    return TimeScale(story.first, story.last, left, right, folded(story.first, story.last, steps))


def _ruler(trace: Trace, scale: TimeScale) -> Iterator[Mark]:
    """Folds with their lengths, and the time at which each open span begins, where it has room."""
    base = _RULER - 8
    yield Line(((scale.left, base + 0.5), (scale.right, base + 0.5)), "line.strong")
    taken: list[tuple[float, float]] = []
    for first, end in scale.folds.spans:
        middle = (scale.x(first) + scale.x(end)) / 2
        words = fold_length(end - first)
        half = text_width(words, 10, 600, mono=True) / 2
        centre = min(max(middle, scale.left + half), scale.right - half)
        yield from slashes(middle, base)
        if _is_free(taken, centre - half, centre + half):
            taken.append((centre - half, centre + half))
            yield Text(centre, base - 10, words, "text.2", 10, 600, mono=True, align=Align.CENTRE)
    for at in scale.ticks(96.0):
        x = scale.x(at)
        words = virtual_time(at) if trace.origin is Origin.SIMULATED else clock(at)[3:10]
        half = text_width(words, 10, mono=True) / 2
        folded_away = any(first < at < end for first, end in scale.folds.spans)
        if folded_away or x - half < scale.left or x + half > scale.right:
            continue
        if _is_free(taken, x - half, x + half):
            taken.append((x - half, x + half))
            yield Line(((x, base - 4), (x, base)), "line.strong")
            yield Text(x, base - 10, words, "text.2", 10, mono=True, align=Align.CENTRE)


def _is_free(taken: Sequence[tuple[float, float]], x0: float, x1: float) -> bool:
    return all(x1 + 6 < first or last + 6 < x0 for first, last in taken)


def _lane(trace: Trace, story: Story, lane: _Lane, scale: TimeScale) -> Iterator[Mark]:
    """One broker: its name, band, area, and the circles of its steps."""
    y, held = lane.y, lane.held
    name = broker_text(trace, held.broker)
    ref = Ref("lane", 0, held.broker, held.broker, f"{name}: {_held_words(trace, story, held)}")
    room = scale.left - 10
    yield Line(((0, y - 6.5), (scale.right, y - 6.5)), "line.hair")
    yield Text(0, y + 12, name, "text", 12, 600, max_width=room, ref=ref)
    yield Text(0, y + 28, _held_words(trace, story, held), "text.2", 10, max_width=room)
    circles = list(_numbers(lane, scale))
    on_band = [mark.x for mark in circles if isinstance(mark, Box) and mark.y < y + _BAND]
    yield from _band(lane, scale, on_band)
    yield from _area(story, lane, scale)
    yield from circles


def _band(lane: _Lane, scale: TimeScale, circles: Sequence[float]) -> Iterator[Mark]:
    """Who it led; hatched where no line of it is there. Words stand clear of the circles."""
    y = lane.y
    yield Box(scale.left, y, scale.right - scale.left, _BAND, fill="bg.sunken")
    for one in lane.led:
        x0, x1 = scale.x(one.start), scale.x(one.end)
        strong = 1.0 if one.epoch is not None else 0.35
        yield Box(x0, y, max(x1 - x0, 1.0), _BAND, fill=epoch_role(one.epoch), opacity=strong)
        words = _led_words(one)
        half = text_width(words, 10, 600) / 2
        hidden = any(scale.x(first) < x1 - 12 and scale.x(end) > x0 for first, end in lane.silent)
        if x1 - x0 > 2 * half + 24 and not hidden and _is_clear(circles, (x0 + x1) / 2, half):
            ink = "text" if one.epoch is None else epoch_role(one.epoch, "ink")
            yield Text((x0 + x1) / 2, y + 12, words, ink, 10, 600, align=Align.CENTRE)
    for first, end in lane.silent:
        x0, x1 = scale.x(first), scale.x(end)
        rect = (x0, y, x1 - x0, _BAND)
        yield Box(*rect, fill="bg.panel", opacity=0.85)
        yield from hatched(rect, Hatch.FALLING, 6.0, (x0, y), "offline", opacity=0.9)
        words = said("incident.page.lane.silent")
        half = text_width(words, 10) / 2
        if x1 - x0 > 2 * half + 24 and _is_clear(circles, (x0 + x1) / 2, half + 4):
            yield Text((x0 + x1) / 2, y + 12, words, "text.2", 10, align=Align.CENTRE, plate=True)


def _is_clear(circles: Sequence[float], middle: float, half: float) -> bool:
    """Whether no circle stands over words; circles are named by their left edges."""
    return all(x + _CIRCLE < middle - half or middle + half < x for x in circles)


def _led_words(one: Led) -> str:
    if one.epoch is None:
        return said("incident.page.lane.leads.epochs", count=Count(one.partitions))
    return said("incident.page.lane.leads", count=Count(one.partitions), epoch=one.epoch)


def _area(story: Story, lane: _Lane, scale: TimeScale) -> Iterator[Mark]:
    """How many of the records it held, as steps; hatched while it was silent, empty in folds."""
    base = lane.y + _BAND + _GAP + _AREA
    yield Line(((scale.left, base + 0.5), (scale.right, base + 0.5)), "line.strong")
    steps = (*lane.held.steps, (story.last, 0))
    outline: list[tuple[float, float]] = []
    for (start, count), (end, _) in pairwise(steps):
        x0, x1 = scale.x(start), scale.x(end)
        if not count or x1 <= x0:
            continue
        top = base - max(_AREA * count / max(story.records, 1), 1.0)
        yield Box(x0, top, x1 - x0, base - top, fill=epoch_role(story.epoch, "committed"))
        for first, last in lane.silent:
            s0, s1 = max(x0, scale.x(first)), min(x1, scale.x(last))
            if s1 > s0:
                yield Box(s0, top, s1 - s0, base - top, fill="bg.panel", opacity=0.6)
                yield from hatched((s0, top, s1 - s0, base - top), Hatch.FALLING, 6.0, (0, 0), "unknown")
        if not outline or outline[-1][0] != x0:
            outline.append((x0, base))
        outline += [(x0, top), (x1, top)]
        outline.append((x1, base))
    if outline:
        yield Line(tuple(_corners(outline)), "text", width=1.6)
    for first, end in scale.folds.spans:
        x0, x1 = scale.x(first), scale.x(end)
        yield Box(x0, base - _AREA - 1, x1 - x0, _AREA + 1, fill="bg.sunken")
        for x in (x0, x1):
            yield Line(((x, base - _AREA), (x, base)), "line.edge", dash=(2.0, 3.0))


def _corners(points: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """An outline without the way down to the base and up again where two steps touch."""
    for place, point in enumerate(points):
        if 0 < place < len(points) - 1:
            before, after = points[place - 1], points[place + 1]
            if point[0] == before[0] == after[0] and point[1] >= max(before[1], after[1]):
                continue
        yield point


def _numbers(lane: _Lane, scale: TimeScale) -> Iterator[Mark]:
    """The circles of the steps; where a last copy goes with how many records went."""
    radius = _CIRCLE / 2
    on_band, in_area = scale.left - _CIRCLE, scale.left
    for number, step in lane.steps:
        gone = step.kind is StepKind.GONE
        role = "loss" if gone else "bg.inverse"
        if step.kind not in (StepKind.CUT, StepKind.GONE):
            x = on_band = max(scale.x(step.at) - 12.0, on_band + _CIRCLE)
            yield from circle(x, lane.y + _BAND / 2, number, role)
            continue
        sign = "≥" if step.at_least else "≤" if step.possible else "−"
        pill = f"{sign}{step.records:,}" if gone else ""
        wide = text_width(pill, 11, 700) + 14 if pill else 0.0
        y = lane.y + _BAND + _GAP + _AREA / 2
        x = scale.x(step.until) + 14.0
        if x + radius + wide + 6 > scale.right:
            x = scale.x(step.at) - 14.0 - wide
        x = max(x, in_area + radius)
        in_area = x + radius + wide + 6
        yield from circle(x, y, number, role)
        if pill and step.possible:
            # A filled pill is a loss that is proven.
            yield Text(x + radius + 4, y + 4, pill, "loss", 11, 700)
        elif pill:
            yield Sign(x + radius + 4 + wide / 2, y, Glyph.LOSS, wide, "loss", label=pill)
