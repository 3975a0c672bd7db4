"""Which eras could have made a trace: a column an era over time, filled to the event where it breaks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.conform.answer import Break, Conformance, OfEra
from core.message import Listing, Message, message
from core.picture.hatch import Rect, hatched
from core.picture.hit import bounds
from core.picture.marks import Align, Box, Glyph, Hatch, Layer, Line, Mark, Picture, Ref, Segments, Sign, Text
from core.picture.metrics import text_width
from core.picture.outline import Part
from core.picture.ruler import time_words
from core.picture.scale import TimeScale
from core.trace.trace import Trace
from core.trace.units import SECOND_NS
from core.words import Language, speaking, text

HEAD: Final = 62.0
"""Height of what stands over the columns: the era, what came of it, and whether it is its own."""
LEAST: Final = 38.0
"""Least width of a column."""
_MOST: Final = 96.0
_FOOT: Final = 14.0
_EDGE: Final = 12.0
_BREAK: Final = 17.0
_RANK: Final = 5
"""That of a first difference."""
_ACCEPTED: Final = {
    True: message("picture.conformance.accepted"),
    False: message("picture.conformance.refused"),
    None: message("picture.conformance.open"),
}
_ROLES: Final = {True: "ok", False: "text", None: "text.2"}


@dataclass(frozen=True, slots=True)
class ConformanceView:
    """An answer, the trace that it is about, and how much room there is. Lengths are logical pixels."""

    answer: Conformance
    trace: Trace
    run: int
    """Which of the compared runs it is; 0 alone."""
    width: float
    height: float
    selected: int = -1
    """The place of the selected column; -1 is none."""
    lang: Language = "en"


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Where columns and times are."""

    scale: TimeScale
    left: float
    wide: float
    view: ConformanceView

    def middle(self, place: int) -> float:
        return round(self.left + (place + 0.5) * self.wide) + 0.5

    def y(self, seq: int) -> float:
        return self.scale.x(int(self.view.trace.columns["at"][seq]))


def least_width(answer: Conformance) -> float:
    """How wide the picture has to be at least: it is scrolled in less."""
    return text_width("00:00:00.000", 11, mono=True) + 2 * _EDGE + len(answer.eras) * LEAST + _EDGE


def lay_out_conformance(view: ConformanceView) -> Picture:
    """The picture: times at the left, a column an era, in the order of the answer."""
    with speaking(view.lang):
        return _laid_out(view)


def _laid_out(view: ConformanceView) -> Picture:
    first, last = _times(view)
    top, bottom = HEAD + 8, max(view.height - _FOOT, HEAD + 40)
    scale = TimeScale(first, last, top, bottom)
    ticks = scale.ticks(44.0)
    step = ticks[1] - ticks[0] if len(ticks) > 1 else SECOND_NS
    words = [time_words(at, step) for at in ticks]
    left = max((text_width(one, 11, mono=True) for one in words), default=0.0) + 2 * _EDGE
    wide = min(max((view.width - left - _EDGE) / max(len(view.answer.eras), 1), LEAST), _MOST)
    sheet = _Sheet(scale, left, wide, view)
    right = left + wide * len(view.answer.eras)
    marks: list[Mark] = [*_washes(sheet, bottom)]
    for at, said in zip(ticks, words, strict=True):
        y = float(round(scale.x(at))) + 0.5
        marks.append(Line(((left - 6, y), (right, y)), "line.hair"))
        marks.append(Text(left - _EDGE, y + 4, said, "text.2", 11, mono=True, align=Align.RIGHT))
    for place, one in enumerate(view.answer.eras):
        marks += _head(sheet, place, one)
        marks += _column(sheet, place, one, bottom)
    return Picture(
        max(view.width, right + _EDGE),
        view.height,
        (Layer("static", tuple(marks)),),
        text(message("picture.conformance.title")),
        _alt_text(view.answer),
    )


def _times(view: ConformanceView) -> tuple[int, int]:
    """From the first decision to the last; of a trace without one from its first event to its last."""
    at = view.trace.columns["at"]
    seqs = [seq for one in view.answer.eras for seq in _seqs(one)]
    if not seqs:
        return (int(at[0]), int(at[-1])) if len(at) else (0, SECOND_NS)
    times = at[seqs]
    return int(times.min()), int(times.max())


def _seqs(one: OfEra) -> Iterator[int]:
    yield from one.fits_at
    yield from one.open_at
    if one.breaks is not None:
        yield one.breaks.seq


def _alt_text(answer: Conformance) -> str:
    eras = [
        (accepted, tuple(one.era for one in answer.eras if one.accepted is accepted))
        for accepted in (True, False, None)
    ]
    return " ".join(
        text(message("picture.conformance.alt", accepted=_ACCEPTED[accepted], eras=Listing(names)))
        for accepted, names in eras
        if names
    )


def verdict_message(one: OfEra) -> Message:
    """What came of an era, in a word."""
    return _ACCEPTED[one.accepted]


def column_name(one: OfEra) -> Message:
    """What a column is called: the era, what came of it, and its counts."""
    return message(
        "picture.conformance.column",
        era=one.era,
        accepted=_ACCEPTED[one.accepted],
        fitting=len(one.fits_at),
        open=len(one.open_at),
    )


def _washes(sheet: _Sheet, bottom: float) -> Iterator[Mark]:
    """The ground of each column: it is what a click in it finds."""
    for place, one in enumerate(sheet.view.answer.eras):
        chosen = place == sheet.view.selected
        ref = Ref("era", sheet.view.run, place, text=text(column_name(one)))
        fill = "bg.selected" if chosen else ""
        x = sheet.left + place * sheet.wide
        yield Box(x + 1, 2, sheet.wide - 2, bottom + 8, fill=fill, radius=4, ref=ref)


def _head(sheet: _Sheet, place: int, one: OfEra) -> Iterator[Mark]:
    middle, room, role = sheet.middle(place), sheet.wide - 4, _ROLES[one.accepted]
    yield Text(middle, 18, one.era, "text", 12, 600, align=Align.CENTRE, max_width=room)
    word = text(_ACCEPTED[one.accepted])
    width = text_width(word, 11, 500)
    wordy = 18 + width <= room - 8
    x = middle - (width + 18) / 2 + 6 if wordy else middle
    yield from _sign(one, x, 32.0)
    if wordy:
        yield Text(x + 12, 36, word, role, 11, 500)
    if one.era == sheet.view.answer.own:
        own = text(message("picture.conformance.own"))
        yield Text(middle, 53, own, "text.2", 10, 600, align=Align.CENTRE, max_width=room)


def _sign(one: OfEra, x: float, y: float) -> Iterator[Mark]:
    """What came of an era, as a shape."""
    if one.accepted:
        yield Line(((x - 5, y), (x - 1.5, y + 4), (x + 5.5, y - 5)), "ok", 2.0)
    elif one.accepted is None:
        yield Text(x, y + 5, "?", "text.2", 13, 700, align=Align.CENTRE)
    else:
        yield Sign(x, y, Glyph.DIFFERENCE, 13, "text")


def _column(sheet: _Sheet, place: int, one: OfEra, bottom: float) -> Iterator[Mark]:
    """Green where the era makes what happened, a diamond where it does not, and from there on an outline."""
    wide = round(min(max(sheet.wide * 0.42, 12.0), 30.0))
    x, top = sheet.middle(place) - wide / 2, HEAD + 8
    end = bottom if one.breaks is None else sheet.y(one.breaks.seq)
    if one.accepted is None:
        whole = (x, top, wide, bottom - top)
        yield from hatched(whole, Hatch.RISING, 9, (sheet.left, top), "unknown")
        yield Box(*whole, edge="line.edge", dash=(2, 3))
    elif end > top:
        yield Box(x, top, wide, end - top, fill="ok.soft", edge="ok")
        yield _ticks(sheet, (x + 3, top, wide - 6, end - top), one.fits_at)
    yield from _open(sheet, x + wide + 3, end, one.open_at)
    if one.breaks is not None:
        if end < bottom:
            yield Box(x, end, wide, bottom - end, edge="line.strong", dash=(3, 3))
        yield Line(((x - 4, end), (x + wide + 4, end)), "text", 2.0)
        name = _break_name(one, one.breaks)
        ref = Ref("break", sheet.view.run, one.breaks.seq, place, name)
        yield Sign(sheet.middle(place), end, Glyph.DIFFERENCE, _BREAK, "text", rank=_RANK, ref=ref)


def _break_name(one: OfEra, breaks: Break) -> str:
    return text(breaks.sentence(one.era))


def _ticks(sheet: _Sheet, room: Rect, seqs: Sequence[int]) -> Segments:
    """A stroke for each decision that fits; one for those that would lie on one another."""
    x, top, wide, high = room
    heights = sorted({round(sheet.y(seq)) for seq in seqs})
    lines = [(x, y + 0.5, x + wide, y + 0.5) for y in heights if top < y < top + high - 1]
    return Segments(tuple(lines), "ok", 1.0, 0.6)


def _open(sheet: _Sheet, x: float, end: float, seqs: Sequence[int]) -> Iterator[Mark]:
    """A ring for each decision that is not decided, beside the column; one where they would overlap."""
    free = 0.0
    for seq in seqs:
        y = sheet.y(seq)
        if free <= y <= end:
            yield Box(x, y - 2.5, 5, 5, edge="text.2", radius=2.5)
            free = y + 7


def outline_of_conformance(picture: Picture, selected: int) -> tuple[Part, ...]:
    """A part a column, each with the event that it could not have made."""
    refs = [
        (mark.ref, bounds(mark))
        for mark in picture.marks()
        if not isinstance(mark, Segments) and mark.ref is not None
    ]
    breaks = {ref.broker: Part(ref, box, ref.text) for ref, box in refs if ref.kind == "break"}
    found: list[Part] = []
    for ref, box in refs:
        if ref.kind == "era":
            inside = (breaks[ref.key],) if ref.key in breaks else ()
            found.append(Part(ref, box, ref.text, parts=inside, current=ref.key == selected))
    return tuple(found)
