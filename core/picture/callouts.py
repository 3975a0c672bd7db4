"""Callouts: the steps of what went wrong as plates on a shelf over the lanes, each tied to its mark.

A plate has a number, what happened, and a fact. Steps keep their order, and no tether crosses another one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, LiteralString

from core.diagnose.account.partition_story import partition_steps, seq_of
from core.diagnose.account.story import Step, StepKind
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import History
from core.picture.cuts import offsets_words
from core.picture.gutter import band_words
from core.picture.hatch import Rect
from core.picture.hit import bounds
from core.picture.labels import overlap
from core.picture.lane import STRIP_HEIGHT, Lane
from core.picture.marks import Align, Box, Line, Mark, Ref, Sign, Text
from core.picture.memo import Same, keeping
from core.picture.metrics import text_width
from core.picture.sheet import Depth, Sheet
from core.picture.signs import terms
from core.words import in_force, said, text

GAP: Final = 18.0
"""Between plates and the role band: tethers go through it."""
FULL: Final = 38.0 + GAP
"""Height of a shelf for plates with title and fact, which is what lanes with enough room have."""
TITLED: Final = 22.0 + GAP
"""One for plates with the title alone."""
NUMBERED: Final = 16.0 + GAP
"""One for numbers."""
_WIDEST: Final = 300.0
_APART: Final = 10.0
_FURTHEST: Final = 160.0
"""How far a plate may stand from its mark before it becomes smaller."""
_CIRCLE: Final = 16.0
_RING: Final = 3.2
_MARKS_APART: Final = 8.0
"""Between the tethers of two steps that are drawn at one place."""
_ELBOW: Final = 6.0
"""How far below its plate a tether turns; those that would cross turn nearer or further."""
_TURN: Final = 3.0
_HIGHEST: Final = 2.0
_LOWEST: Final = 9.0
_INSET: Final = 8.0
_FACE: Final = 10.5
"""How far above a cut's face its ring is: the line of the cut begins 6 above it."""
_FACTS: Final = 2
"""Ways to draw a plate: 2 with its fact, 1 with its title, 0 its number."""


@dataclass(frozen=True, slots=True)
class Callout:
    """One step of the story of a partition. `last`: with it the last copy of records goes.

    `offset` is the log end before a cut, which is where the cut's face begins.
    """

    number: int
    broker: int
    seq: int
    title: str
    fact: str
    elected: bool = False
    last: bool = False
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A callout with the x of its mark, how much of it is told, and the left edge of its plate.

    `elbow` is how far below the plate its tether turns towards the mark.
    """

    callout: Callout
    mark: float
    told: int
    left: float = 0.0
    elbow: float = _ELBOW

    @property
    def wide(self) -> float:
        """The width of the plate."""
        return _wide(self.callout, self.told)

    @property
    def foot(self) -> float:
        """Where the tether leaves the plate: over the mark where the plate is over it."""
        inset = min(_INSET, self.wide / 2)
        return min(max(self.mark, self.left + inset), self.left + self.wide - inset)

    def path(self, bottom: float) -> tuple[tuple[float, float], ...]:
        """The tether from the lower edge of the plate to above the mark, with an elbow where it is beside."""
        x, foot = self.mark + 0.5, self.foot + 0.5
        if abs(foot - x) < 1:
            return ((x, bottom),)
        elbow = bottom + self.elbow
        return ((foot, bottom), (foot, elbow), (x, elbow))


def callouts_of(history: History, verdict: PartitionVerdict) -> tuple[Callout, ...]:
    """The steps of a partition in order of time; () where nothing was lost, nor may be."""
    if not verdict.losses:
        return ()
    return _callouts(Same((history, verdict, in_force()), (history, verdict)))


@keeping(16)
def _callouts(same: Same[tuple[History, PartitionVerdict]]) -> tuple[Callout, ...]:
    history, verdict = same.value
    steps = partition_steps(history.trace, verdict, history.replicas)
    return tuple(
        _callout(history, verdict, step, number, broker)
        for number, step in enumerate(steps, 1)
        for broker in step.brokers
        if broker in history.replicas
    )


def _callout(history: History, verdict: PartitionVerdict, step: Step, number: int, broker: int) -> Callout:
    seq = seq_of(history.trace, step)
    cut = next((one for one in verdict.truncations if (one.seq, one.broker) == (seq, broker)), None)
    state = history.replicas[broker].at(seq + 1)
    end, hw = band_words(state.leo), band_words(state.hw)
    fact = ""
    if cut is not None:
        fact = offsets_words(cut)
    elif step.kind is StepKind.ELECTED:
        epoch = next(
            (one.epoch for one in verdict.leadership if one.leader == broker and one.start == step.at), None
        )
        plain = epoch is None
        fact = (
            said("picture.step.end", end=end) if plain else said("picture.step.elected", epoch=epoch, end=end)
        )
    elif step.kind is StepKind.SILENT:
        fact = said("picture.step.silent", end=end, hw=hw)
    return Callout(
        number,
        broker,
        seq,
        text(step.message),
        fact,
        elected=step.kind is StepKind.ELECTED,
        last=step.kind is StepKind.GONE,
        offset=None if cut is None else cut.from_offset,
    )


def telling(history: History, verdict: PartitionVerdict) -> frozenset[int]:
    """The brokers whose lanes have a shelf."""
    return frozenset(one.broker for one in callouts_of(history, verdict))


def draw_callouts(lane: Lane, sheet: Sheet) -> None:
    """The plates of a lane with their tethers, over what is placed already."""
    if not lane.box.shelf:
        return
    left, right = lane.axis.left, lane.axis.right
    most = {FULL: 2, TITLED: 1, NUMBERED: 0}[lane.box.shelf]
    mine = [
        (one, _mark_x(lane, one))
        for one in callouts_of(lane.history, lane.verdict)
        if one.broker == lane.broker and lane.axis.first < one.seq + 1 <= lane.axis.last
    ]
    placed = side_by_side(mine, most, (left, right))
    obstacles = [bounds(mark) for _, mark in sheet.placed() if isinstance(mark, Text | Sign)]
    for one in placed:
        sheet.add(Depth.LABEL, *_tether(lane, one, obstacles))
    for one in placed:
        sheet.add(Depth.LABEL, *_plate(lane, one))


def _mark_x(lane: Lane, callout: Callout) -> float:
    """Where the mark of a step is: that of an election at its pole."""
    cursor = callout.seq + 1
    if callout.elected:
        led = [one.cursor for one in terms(lane) if one.leader == lane.broker]
        cursor = min(led, key=lambda one: abs(one - cursor), default=cursor)
    return lane.axis.x(cursor)


def _spread(marks: Sequence[tuple[Callout, float]], right: float) -> list[tuple[Callout, float]]:
    """In order of their marks; marks at one place a little apart, so that each has a tether of its own."""
    ordered = sorted(marks, key=lambda one: (one[1], one[0].number))
    xs: list[float] = []
    for _, x in ordered:
        xs.append(max(x, xs[-1] + _MARKS_APART) if xs else x)
    for place in range(len(xs) - 1, -1, -1):
        limit = right if place == len(xs) - 1 else xs[place + 1] - _MARKS_APART
        xs[place] = min(xs[place], limit)
    return [(callout, x) for (callout, _), x in zip(ordered, xs, strict=True)]


def _wide(callout: Callout, told: int) -> float:
    if not told:
        return _CIRCLE
    words = [text_width(callout.title, 11, 600)]
    if told == _FACTS and callout.fact:
        words.append(text_width(callout.fact, 10))
    return min(max(words) + 36, _WIDEST)


def side_by_side(
    marks: Sequence[tuple[Callout, float]], most: int, ends: tuple[float, float]
) -> list[Placed]:
    """Plates over the x of their marks, between the ends of a plot: as much of each is told as has room.

    A plate that would stand far from its mark, or whose tether would cross others, becomes smaller.
    """
    spread = _spread(marks, ends[1])
    told = [most] * len(spread)
    while True:
        placed = _pushed([Placed(*one, how) for one, how in zip(spread, told, strict=True)], ends)
        turns = _turns(placed)
        near = [
            place
            for place, one in enumerate(placed)
            if abs(one.left + one.wide / 2 - one.mark) > _FURTHEST
            or one.left < ends[0] - _CIRCLE
            or abs(turns[place]) > 1
        ]
        larger = [place for place, how in enumerate(told) if how]
        if not near or not larger:
            elbows = _elbows(turns)
            return [replace(one, elbow=elbow) for one, elbow in zip(placed, elbows, strict=True)]
        nearest = {place: min(abs(place - one) for one in near) for place in larger}
        told[max(larger, key=lambda place: (told[place], -nearest[place]))] -= 1


def _pushed(placed: Sequence[Placed], ends: tuple[float, float]) -> list[Placed]:
    """Each centred on its mark, pushed right by the one before it, and left by the end of the plot."""
    lefts: list[float] = []
    for place, one in enumerate(placed):
        least = lefts[-1] + placed[place - 1].wide + _between(placed[place - 1], one) if place else ends[0]
        lefts.append(max(one.mark - one.wide / 2, least))
    limit = ends[1] + _CIRCLE / 2
    for place in range(len(placed) - 1, -1, -1):
        lefts[place] = min(lefts[place], limit - placed[place].wide)
        if place:
            limit = lefts[place] - _between(placed[place - 1], placed[place])
    return [replace(one, left=float(int(left))) for one, left in zip(placed, lefts, strict=True)]


def _between(before: Placed, after: Placed) -> float:
    return _APART if before.told or after.told else 2.0


def _turns(placed: Sequence[Placed]) -> list[int]:
    """How much earlier or later each tether turns: of two side by side the outer one turns first.

    Where a plate is left of its mark, the next one that is too turns above it; right of its mark, below it.
    """
    turns: list[int] = [0] * len(placed)
    for place in range(1, len(placed)):
        one, before = placed[place], placed[place - 1]
        foot, last = one.foot, before.foot
        if foot > one.mark and last > before.mark and one.mark <= last:
            turns[place] = turns[place - 1] + 1
        elif foot < one.mark and last < before.mark and foot <= before.mark:
            turns[place] = turns[place - 1] - 1
    return turns


def _elbows(turns: Sequence[int]) -> list[float]:
    """How far below its plate each tether turns: those that would cross one above the other."""
    first, last = min(turns, default=0), max(turns, default=0)
    if first == last:
        return [_ELBOW] * len(turns)
    step = min(_TURN, (_LOWEST - _HIGHEST) / (last - first))
    return [_HIGHEST + (turn - first) * step for turn in turns]


def _tether(lane: Lane, one: Placed, obstacles: Sequence[Rect]) -> Iterator[Mark]:
    """From the plate down to a ring over the mark; it ends over the band where it would meet a text."""
    role = "loss" if one.callout.last else "text"
    x, end, ref = one.mark + 0.5, _ring_y(lane, one, obstacles), _ref(lane, one.callout)
    yield Line((*one.path(lane.box.band - GAP), (x, end - _RING)), role, ref=ref)
    yield Box(x - _RING, end - _RING, 2 * _RING, 2 * _RING, edge=role, radius=_RING, ref=ref)


def _ring_y(lane: Lane, one: Placed, obstacles: Sequence[Rect]) -> float:
    """The middle of the ring: over the face of a cut, else over the band."""
    over_band, callout = lane.box.band - 2 - _RING, one.callout
    if callout.offset is None or not lane.box.area:
        return over_band
    face = lane.y(callout.offset, callout.seq + 1) - _FACE
    least = lane.box.strip + STRIP_HEIGHT + 2 + _RING
    if face < least:
        return over_band
    way = (one.mark - 2, lane.box.band, 5.0, face - lane.box.band + _RING)
    return over_band if any(overlap(way, rect) > 0 for rect in obstacles) else face


def _ref(lane: Lane, callout: Callout) -> Ref:
    id_: LiteralString = "picture.step.name"
    words = said(id_, number=callout.number, title=callout.title)
    return Ref("step", lane.run, callout.seq, lane.broker, words)


def _plate(lane: Lane, one: Placed) -> Iterator[Mark]:
    """The number of a step, with what happened and a fact where they have room."""
    callout, ref = one.callout, _ref(lane, one.callout)
    role = "loss" if callout.last else "bg.inverse"
    high = (_CIRCLE, TITLED - GAP, FULL - GAP)[one.told]
    bottom = lane.box.band - GAP
    if not one.told:
        yield from circle(one.left + _CIRCLE / 2, bottom - _CIRCLE / 2, callout.number, role, ref)
        return
    edge = "loss" if callout.last else "line.strong"
    y = bottom - high
    yield Box(one.left + 0.5, y + 0.5, one.wide - 1, high - 1, fill="bg.lane", edge=edge, radius=5, ref=ref)
    whole = one.told == _FACTS and callout.fact
    middle = y + (13 if whole else high / 2)
    yield from circle(one.left + 15, middle, callout.number, role, ref)
    room, ink = one.wide - 35, "loss" if callout.last else "text"
    x = one.left + 28
    yield Text(x, middle + 4, callout.title, ink, 11, 600, max_width=room, ref=ref)
    if whole:
        yield Text(x, y + 30, callout.fact, "text.2", 10, max_width=room, ref=ref)


def circle(x: float, y: float, number: int, role: str, ref: Ref | None = None) -> Iterator[Mark]:
    """A number in a circle, around its middle."""
    radius = _CIRCLE / 2
    yield Box(x - radius, y - radius, _CIRCLE, _CIRCLE, fill=role, radius=radius, ref=ref)
    yield Text(x, y + 3.5, str(number), "text.inverse", 10, 700, align=Align.CENTRE, ref=ref)
