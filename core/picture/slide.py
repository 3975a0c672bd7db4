"""A figure for a slide of 16:9: as large as it fits, so that it can be read from the back of a room."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain
from typing import Final, TypeAlias

from core.errors import QuestionError
from core.message import message
from core.picture.comparison import ComparisonView, geometry, lay_out_comparison
from core.picture.figure import (
    CURSOR,
    FigureText,
    Part,
    comparison_words,
    drawn_otherwise,
    gutter_roles,
    timeline_words,
)
from core.picture.lane import Lane
from core.picture.marks import Align, Box, Layer, Mark, Picture, Text
from core.picture.metrics import wrap
from core.picture.moved import moved
from core.picture.notes import note_list
from core.picture.timeline import TimelineView, lay_out, timeline_lanes
from core.words import speaking

PIXELS: Final = (1920, 1080)
"""Of a slide. Its layout is smaller and is enlarged: at a width of 640 text of 10 comes out as 30."""
WIDTHS: Final = (640, 720, 800, 900, 1024, 1180, 1366, 1480, 1600, 1760, 1920)
"""Widths of the layout, the one with the largest text first; the first that all fits into is taken."""
_MARGIN: Final = 20.0
_GAP: Final = 8.0
_GUTTER: Final = 124.0
"""Of a timeline; beside columns there are words over it, too."""
_TITLE: Final = 15.0
_LINE: Final = 20.0
View: TypeAlias = TimelineView | ComparisonView


def slide(view: View, words: FigureText | None = None, left_out: Collection[Part] = ()) -> Picture:
    """Title, lanes, notes and what was redacted, in 16:9; whoever speaks says the rest.

    `width` and `height` of the view do not count. Raises QuestionError where not even text of 10 pixels fits.
    """
    with speaking(view.lang):
        for width in WIDTHS:
            made = _fitted(view, words or _words(view), left_out, float(width))
            if made is not None:
                return made
    raise QuestionError(
        message("error.figure.slide-full"),
        advice=message("error.figure.slide-full.way-out"),
    )


def _words(view: View) -> FigureText:
    if isinstance(view, TimelineView):
        return timeline_words(view)
    return comparison_words(view.comparison, view.lang)


def _fitted(view: View, words: FigureText, left_out: Collection[Part], width: float) -> Picture | None:
    """The slide laid out at a width; None where it is higher than 16:9."""
    height, inner = width * PIXELS[1] / PIXELS[0], width - 2 * _MARGIN
    title = () if Part.TITLE in left_out else wrap(words.title, inner, _TITLE, 700)
    notes = () if Part.NOTES in left_out else tuple(note for note in view.notes if note.number)
    above = [
        Text(_MARGIN, _MARGIN + 12 + row * _LINE, line, "text", _TITLE, 700) for row, line in enumerate(title)
    ]
    y = _MARGIN + len(title) * _LINE + (_GAP if title else 0.0)
    foot = _foot(words, drawn_otherwise(view), inner)
    listed, notes_height = note_list(notes, 0.0, 0.0, inner) if notes else ((), 0.0)
    room = height - y - notes_height - len(foot) * 14 - _MARGIN
    body, lanes = _body(view, inner, room, notes)
    bottom = max((lane.box.end for lane in lanes), default=body.height)
    if bottom > room:
        return None
    marks = [*above, *moved(_still(body), _MARGIN, y)]
    if _is_without_cursor(view):
        marks.extend(moved(gutter_roles(lanes, _GUTTER - 20), _MARGIN, y))
    marks.extend(moved(listed, _MARGIN, y + bottom + _GAP))
    low = height - _MARGIN / 2 - (len(foot) - 1) * 14
    marks.extend(
        Text(width - _MARGIN, low + row * 14, line, "text.2", 10, align=Align.RIGHT)
        for row, line in enumerate(foot)
    )
    paper = Box(0, 0, width, height, fill="bg.lane")
    pointing = moved(_pointing(body), _MARGIN, y)
    layers = (Layer("static", (paper, *marks)), *((Layer(CURSOR, pointing),) if pointing else ()))
    return Picture(width, height, layers, words.title, f"{words.caption} {body.alt}".strip())


def _foot(words: FigureText, otherwise: str, width: float) -> tuple[str, ...]:
    """What is drawn otherwise than usual and what was redacted, which is always said, and the product."""
    return tuple(
        chain.from_iterable(wrap(one, width, 10) for one in (otherwise, words.redacted, words.product))
    )


def _body(view: View, width: float, room: float, notes: Collection[object]) -> tuple[Picture, list[Lane]]:
    """The lanes in that room, with their ruler; higher where they do not fit."""
    shown = view.notes if notes else ()
    if isinstance(view, TimelineView):
        sized = replace(
            view, width=width, height=room, gutter=_GUTTER, with_overview=False, selected=None, notes=shown
        )
        sized = replace(sized, drawing=replace(view.drawing, callouts=False))
        return lay_out(sized), list(timeline_lanes(sized))
    run = replace(view, width=width, height=room, selected=None, notes=shown)
    run = replace(run, drawing=replace(view.drawing, callouts=False))
    return lay_out_comparison(run), [lane for lanes in geometry(run).lanes for lane in lanes]


def _is_without_cursor(view: View) -> bool:
    """Whether there is no cursor: the gutter then names roles, not values."""
    return (view.cursor if isinstance(view, TimelineView) else view.stop) is None


def _still(body: Picture) -> Iterator[Mark]:
    return (mark for layer in body.layers if layer.name != CURSOR for mark in layer.marks)


def _pointing(body: Picture) -> Iterator[Mark]:
    return (mark for layer in body.layers if layer.name == CURSOR for mark in layer.marks)
