"""A step of a lesson as a room sees it from its last row: title, lanes, question, answer; never a note.

A picture of 16:9 that is enlarged to the screen. Its letters are those of other pictures; how wide it is laid
out follows from how large the smallest one, 10, must be on the screen (`viewing.py`). What does not fit one
picture is shown on several, one after the other (`paged`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Final

from core.picture.letters import Pointed, lettered, with_veil
from core.picture.marks import Align, Box, Layer, Line, Mark, Picture, Text
from core.picture.metrics import elide, text_width, wrap
from core.picture.moved import moved
from core.picture.ruler import TIME_RULER
from core.picture.timeline import TimelineView, lay_out, timeline_lanes
from core.picture.viewing import USUAL, WIDE, Room, letters_of
from core.words import speaking

_WIDTHS: Final = (
    *(240, 265, 295, 325, 360, 400, 440),
    *(480, 510, 545, 580, 620, 660, 700, 750, 800, 860, 960, 1120, 1280, 1480, 1700, 1920),
)
"""Widths of the layout, the one with the largest letters first; the first that all fits into is taken."""
_STEP: Final = 1.12
"""One step of size."""
_SHAPE: Final = 9 / 16
_MARGIN: Final = 10.0
_HEAD: Final = 24.0
_TITLE: Final = 14.0
_ASKS: Final = 15.0
_READS: Final = 12.0
_SMALL: Final = 10.0
_SHARE: Final = 0.33
"""Of the width, for question and answer beside the lanes."""
_GUTTER: Final = 64.0
_VEIL: Final = 0.16
"""Of the width of the lanes, for what is hidden."""
_OPTION: Final = 5.0


@dataclass(frozen=True, slots=True)
class Projected:
    """What a room is shown of a step. `veil` "" hides nothing; `options` are numbered from 1."""

    title: str
    runs: str
    """Which run the lanes are of, for the pill in the head."""
    view: TimelineView | None
    """The lanes; None where the picture has words alone."""
    heading: str
    """What the step is called."""
    sentence: str = ""
    question: str = ""
    options: tuple[str, ...] = ()
    framed: int | None = None
    """The place of an option that the speaker points at."""
    answer: str = ""
    """What happened; "" before the reveal."""
    counts: tuple[str, ...] = ()
    """Beside each option, how many hands; shown with the answer."""
    verdict: str = ""
    """What became of the run, where it is one of several."""
    veil: str = ""
    points: tuple[Pointed, ...] = ()


def projected(shown: Projected, larger: int = 0, room: Room = USUAL) -> Picture:
    """The picture, with the largest letters that all of it fits with, up to those that the room needs.

    `larger` is by how many steps they may be larger than that; negative is smaller.
    """
    first = width_for(room) / _STEP**larger
    with _speaking(shown):
        for width in (first, *(one for one in _WIDTHS[:-1] if one > first)):
            made = _fitted(shown, float(width))
            if made is not None:
                return made
        return _laid_out(shown, float(_WIDTHS[-1]))[0]


def width_for(room: Room) -> float:
    """How wide a picture is laid out whose smallest letters the last row of a room reads."""
    return _SMALL * WIDE / letters_of(room)


def paged(shown: Projected, room: Room = USUAL) -> tuple[Projected, ...]:
    """The same on as few pictures as it fits with the letters that the room needs.

    Where the words have no room beside the lanes, the lanes come first, with what is asked or what happened,
    and then all words with the width to themselves.
    """
    width = width_for(room)
    with _speaking(shown):
        if shown.view is None or _beside(shown, width):
            return (shown,)
        least = replace(shown, sentence="", question="", options=(), answer="", verdict="")
        told = replace(shown, sentence="", question="") if shown.answer else replace(shown, sentence="")
        fewer = (told, replace(told, options=()), least)
        lanes = next((one for one in fewer if _beside(one, width)), least)
    return lanes, replace(shown, view=None, points=(), veil="", verdict="")


def smallest_letters(picture: Picture) -> int:
    """How many pixels the smallest letters have on a screen of 1920."""
    return round(_SMALL * WIDE / picture.width)


def lanes_of(shown: Projected, width: float, height: float) -> Picture | None:
    """The lanes of a step alone, with their letters and the veil; higher where they do not fit.

    None where the picture has words alone.
    """
    if shown.view is None:
        return None
    with speaking(shown.view.lang):
        return _lanes(shown, shown.view, width, height, tight=False)[0]


def _speaking(shown: Projected) -> AbstractContextManager[None]:
    return nullcontext() if shown.view is None else speaking(shown.view.lang)


def _fitted(shown: Projected, width: float) -> Picture | None:
    picture, fits = _laid_out(shown, width)
    return picture if fits else None


def _laid_out(shown: Projected, width: float) -> tuple[Picture, bool]:
    """The picture at a width, and whether all of it has room."""
    height = width * _SHAPE
    head, title_fits = _head(shown, width)
    marks: list[Mark] = [Box(0, 0, width, height, fill="bg.lane"), *head]
    if shown.view is None:
        panel, tall = _panel(shown, width - 4 * _MARGIN)
        marks += moved(panel, 2 * _MARGIN, _HEAD + _MARGIN)
        fits = title_fits and tall <= height - _HEAD - 2 * _MARGIN
        words = " ".join((shown.heading, shown.question, *shown.options, shown.answer, shown.sentence))
        return Picture(width, height, (Layer("static", tuple(marks)),), shown.title, words), fits
    aside = round(width * _SHARE)
    room = height - _HEAD - 4
    folded = shown.view.lanes.folded
    body, bottom = _lanes(shown, shown.view, width - aside, room, tight=False)
    if bottom > room:
        body, bottom = _lanes(shown, shown.view, width - aside, room, tight=True)
    if bottom > room and folded:
        less = replace(shown.view, lanes=replace(shown.view.lanes, hidden=folded))
        body, bottom = _lanes(shown, less, width - aside, room, tight=True)
    panel, tall = _panel(shown, aside - 2 * _MARGIN)
    left = width - aside
    marks += moved(body.marks(), 0, _HEAD)
    marks.append(Line(((left, _HEAD + 6), (left, height - 6)), "line.strong"))
    marks += moved(panel, left + _MARGIN, _HEAD + 6)
    fits = title_fits and bottom <= room and tall <= height - _HEAD - 8
    return Picture(width, height, (Layer("static", tuple(marks)),), shown.title, body.alt), fits


def _beside(shown: Projected, width: float) -> bool:
    """Whether the words have room beside the lanes."""
    _, tall = _panel(shown, round(width * _SHARE) - 2 * _MARGIN)
    return tall <= width * _SHAPE - _HEAD - 8


def _head(shown: Projected, width: float) -> tuple[list[Mark], bool]:
    """The title of the lesson, and the pill of the run at its right; whether the title has room."""
    wide = text_width(shown.runs, _READS, 600) + 16
    room = width - wide - 3 * _MARGIN
    marks: list[Mark] = [
        Text(_MARGIN, 17, elide(shown.title, room, _TITLE, 700), "text", _TITLE, 700),
        Box(width - _MARGIN - wide, 3.5, wide, 18, fill="bg.inverse", radius=9),
        Text(width - _MARGIN - wide / 2, 17, shown.runs, "text.inverse", _READS, 600, align=Align.CENTRE),
        Line(((_MARGIN, _HEAD), (width - _MARGIN, _HEAD)), "line.strong"),
    ]
    return marks, text_width(shown.title, _TITLE, 700) <= room


def _lanes(
    shown: Projected, view: TimelineView, width: float, height: float, *, tight: bool
) -> tuple[Picture, float]:
    """The lanes at a size, and how far down they reach."""
    kept = round(width * _VEIL) if shown.veil else 0
    sized = replace(
        view,
        width=width - kept,
        height=height,
        gutter=_GUTTER,
        with_overview=False,
        selected=None,
        drawing=replace(view.drawing, callouts=False, messages=False, tight=tight),
    )
    body, lanes = lay_out(sized), timeline_lanes(sized)
    if kept:
        body = with_veil(replace(body, width=width), width - kept, TIME_RULER, shown.veil)
    bottom = max((lane.box.end for lane in lanes), default=body.height)
    return lettered(body, sized, shown.points), bottom


def _lines(text: str, width: float, size: float, weight: int) -> Iterator[str]:
    """The lines of a text. A name of a setting that is longer than the column breaks at a dot."""
    while text:
        lines = wrap(text, width, size, weight)
        wide = next((place for place, line in enumerate(lines) if _is_wide(line, width, size, weight)), None)
        if wide is None:
            yield from lines
            return
        yield from lines[:wide]
        word, rest = lines[wide], text.partition(lines[wide])[2]
        most = next(end for end in range(len(word), 0, -1) if not _is_wide(word[:end], width, size, weight))
        most = max(word.rfind(sign, 0, most) for sign in ".=-") + 1 or most
        yield word[:most]
        text = word[most:] + rest


def _is_wide(line: str, width: float, size: float, weight: int) -> bool:
    return len(line) > 1 and text_width(line, size, weight) > width


class _Column:
    """Texts under each other."""

    def __init__(self, width: float) -> None:
        self.width, self.y = width, 0.0
        self.marks: list[Mark] = []

    def put(self, text: str, size: float, weight: int = 400, role: str = "text", after: float = 6) -> None:
        """A text, as many lines as it needs."""
        if not text:
            return
        for line in _lines(text, self.width, size, weight):
            self.y += size * 1.25
            self.marks.append(Text(0, self.y - size * 0.25, line, role, size, weight))
        self.y += after

    def boxed(self, draw: Callable[["_Column"], None], fill: str, edge: str, edge_width: float = 1.5) -> None:
        """What is put by `draw`, in a box."""
        inside = _Column(self.width - 16)
        draw(inside)
        tall = inside.y + 8
        self.marks.append(
            Box(0, self.y, self.width, tall, fill=fill, edge=edge, edge_width=edge_width, radius=4)
        )
        self.marks += moved(inside.marks, 8, self.y + 4)
        self.y += tall + _OPTION


def _panel(shown: Projected, width: float) -> tuple[Sequence[Mark], float]:
    """The step in words: its name, the question with its options, or what happened and why."""
    column = _Column(width)
    asks = bool(shown.question)
    column.put(shown.heading, _READS if asks else _ASKS, 600 if asks else 700, "text.2" if asks else "text")
    column.put(shown.question, _ASKS, 700)
    for place, option in enumerate(shown.options):
        hands = f"   {shown.counts[place]}" if place < len(shown.counts) and shown.answer else ""
        words = f"{place + 1}  {option}{hands}"
        column.boxed(
            lambda inside, words=words: inside.put(words, _READS, 600, after=0),
            "bg.panel",
            "text",
            3.0 if place == shown.framed else 1.0,
        )
    if shown.answer:
        column.boxed(
            lambda inside: inside.put(shown.answer, _READS, 700, "text.inverse", after=0), "bg.inverse", ""
        )
    column.put(shown.verdict, _READS, 700)
    column.put(shown.sentence, _READS, 400, after=0)
    return column.marks, column.y
