"""The legend of a figure: only the signs that occur in it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.picture.curves import LOCAL_START_DASH
from core.picture.fold_marks import slashes
from core.picture.hatch import dots, hatched
from core.picture.known import HIGH, SOLID, Known, rail_marks
from core.picture.marks import Box, Fill, Glyph, Hatch, Line, Mark, Segments, Sign, Text
from core.picture.metrics import text_width
from core.picture.scale import BREAK
from core.words import said

_WIDTH, _HEIGHT = 28.0, 14.0
_ROW = 26.0
Swatch = Callable[[float, float], Sequence[Mark]]
"""Draws a sign with its top left corner at (x, y)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign with its words; `width` is that of the drawing, in pixels."""

    words: str
    swatch: Swatch
    width: float = _WIDTH


def legend(marks: Sequence[Mark], x: float, y: float, width: float) -> tuple[tuple[Mark, ...], float]:
    """The entries for what stands in `marks`, in rows from (x, y) on, and the height that they take."""
    made: list[Mark] = []
    left, top = x, y
    for entry in entries(marks):
        whole = entry.width + 8 + text_width(entry.words, 11) + 22
        if left + whole - 22 > x + width and left > x:
            left, top = x, top + _ROW
        made.extend(entry.swatch(left, top + 4))
        made.append(Text(left + entry.width + 8, top + 15, entry.words, "text.2", 11))
        left += whole
    return tuple(made), top + _ROW - y


def entries(marks: Sequence[Mark]) -> list[Entry]:
    """An entry for each sign that occurs, in the order of a lane from top to bottom."""
    columns = {mark.role for mark in marks if isinstance(mark, Fill)}
    fills = columns | {mark.fill for mark in marks if isinstance(mark, Box) and mark.fill}
    return [
        *_bands(marks),
        *_areas(fills),
        *_lines(marks, columns),
        *_bounds(marks),
        *_hatches(marks),
        *_messages(marks),
        *_glyphs(marks),
        *_rails(marks),
        *_left_out(marks),
    ]


def _lines(marks: Sequence[Mark], columns: set[str]) -> Iterator[Entry]:
    """Log end, high watermark, last stable offset and local log start, as lines or `columns` of a pixel."""
    roles = {mark.role for mark in marks if isinstance(mark, Line)} | columns
    edges = [mark.dash for mark in marks if isinstance(mark, Line) and mark.role == "line.edge"]
    lines = (
        ("leo", said("picture.legend.log-end")),
        ("hw", said("picture.legend.watermark")),
        ("lso", said("picture.legend.stable")),
    )
    yield from (Entry(words, _line(role)) for role, words in lines if role in roles)
    if LOCAL_START_DASH in edges:
        yield Entry(said("picture.legend.local-start"), _local_start)


def _bounds(marks: Sequence[Mark]) -> Iterator[Entry]:
    """Boxes of values that lie between two bounds."""
    if any(isinstance(mark, Box) and mark.fill == "leo" for mark in marks):
        yield Entry(said("picture.legend.log-end-bound"), _bound("leo"))
    if any(isinstance(mark, Box) and mark.fill == "hw" and mark.opacity < 1 for mark in marks):
        yield Entry(said("picture.legend.watermark-bound"), _bound("hw"))


def _hatches(marks: Sequence[Mark]) -> Iterator[Entry]:
    """Times without a process, and what nobody knows."""
    roles = {mark.role for mark in marks if isinstance(mark, Segments)}
    if "offline" in roles:
        yield Entry(said("picture.legend.offline"), _hatch(Hatch.FALLING, "offline"))
    if "unknown" in roles:
        yield Entry(said("picture.unknown"), _hatch(Hatch.RISING, "unknown"))


def _messages(marks: Sequence[Mark]) -> Iterator[Entry]:
    """Arrows between lanes."""
    if any(isinstance(mark, Line) and mark.arrow == 6.0 and mark.role == "text.2" for mark in marks):
        yield Entry(said("picture.legend.fetch"), _arrow)


def _glyphs(marks: Sequence[Mark]) -> Iterator[Entry]:
    """Signs of single events."""
    glyphs = {mark.glyph for mark in marks if isinstance(mark, Sign)}
    names = (
        (Glyph.LOSS, said("picture.legend.loss"), "loss"),
        (Glyph.POSSIBLE_LOSS, said("picture.legend.possible-loss"), "loss"),
        (Glyph.DIVERGENCE, said("picture.legend.divergence"), "loss"),
        (Glyph.DIFFERENCE, said("picture.legend.difference"), "text"),
        (Glyph.TRUNCATION, said("picture.legend.truncation"), "text"),
        (Glyph.UNCLEAN_ELECTION, said("picture.legend.unclean-election"), "warn"),
        (Glyph.HW_BACK, said("picture.legend.hw-back"), "hw"),
        (Glyph.CRASH, said("picture.legend.crash"), "text"),
        (Glyph.STOP, said("picture.legend.stop"), "text"),
        (Glyph.START, said("picture.legend.start"), "text"),
        (Glyph.GAP, said("picture.legend.gap"), "unknown"),
        (Glyph.ISR_SHRINK, said("picture.legend.isr-shrink"), "text.2"),
        (Glyph.ISR_GROW, said("picture.legend.isr-grow"), "text.2"),
        (Glyph.ACK_ONE, said("picture.legend.ack-one"), "text"),
        (Glyph.ACK_ALL, said("picture.legend.ack-all"), "text"),
        (Glyph.OBSERVED, said("picture.legend.observed"), "text"),
        (Glyph.REPORTED, said("picture.legend.reported"), "text"),
    )
    return (Entry(words, _glyph(glyph, role), 16.0) for glyph, words, role in names if glyph in glyphs)


def _rails(marks: Sequence[Mark]) -> Iterator[Entry]:
    """How well a replica is known, where lanes have a rail that says so."""
    if any(isinstance(mark, Box) and (mark.fill, mark.h) == (SOLID, HIGH) for mark in marks):
        names = (
            (Known.EXACT, said("picture.legend.known")),
            (Known.BOUNDED, said("picture.legend.known-bounds")),
            (Known.SILENT, said("picture.legend.no-line")),
        )
        for known, words in names:
            yield Entry(words, _rail(known))


def _rail(known: Known) -> Swatch:
    return lambda x, y: rail_marks(x, y + 5, _WIDTH, known)


def _left_out(marks: Sequence[Mark]) -> Iterator[Entry]:
    """The signs of what is not drawn to scale."""
    refs = (mark.ref for mark in marks if isinstance(mark, Line))
    if any(ref is not None and ref.kind == "fold" for ref in refs):
        yield Entry(said("picture.legend.fold"), lambda x, y: tuple(slashes(x + 8, y + 7)), 16.0)
    if any(isinstance(mark, Box) and (mark.fill, mark.h) == ("bg.lane", BREAK) for mark in marks):
        yield Entry(said("picture.legend.break"), _gap)


def _gap(x: float, y: float) -> Sequence[Mark]:
    heights = (y + 3.5, y + 3.5 + BREAK)
    return tuple(Line(((x, at), (x + _WIDTH, at)), "line.edge", dash=(2.0, 3.0)) for at in heights)


def _bands(marks: Sequence[Mark]) -> list[Entry]:
    """Roles of replicas, and the strip of the in-sync set."""
    roles = {mark.text.split(" · ")[0] for mark in marks if isinstance(mark, Text) and " · " in mark.text}
    found: list[Entry] = []
    leader, follower = said("picture.role.leader"), said("picture.role.follower")
    if leader in roles:
        found.append(Entry(leader, lambda x, y: (Box(x, y, _WIDTH, _HEIGHT, fill="e0"),)))
    if follower in roles:
        found.append(Entry(follower, _follower))
    if any(isinstance(mark, Box) and mark.fill == "text.2" and mark.h == 4 for mark in marks):
        found.append(
            Entry(said("picture.legend.in-isr"), lambda x, y: (Box(x, y + 5, _WIDTH, 4, fill="text.2"),))
        )
    return found


def _follower(x: float, y: float) -> Sequence[Mark]:
    frame = Box(x + 0.5, y + 0.5, _WIDTH - 1, _HEIGHT - 1, edge="e0.edge")
    return (Box(x, y, _WIDTH, _HEIGHT, fill="e0", opacity=0.2), frame)


def _areas(fills: set[str]) -> list[Entry]:
    """What logs hold: committed by leader epoch, and not yet committed."""
    found: list[Entry] = []
    for fill in sorted(fill for fill in fills if fill.endswith(".committed") and fill != "unknown.committed"):
        epoch = fill[1 : fill.index(".")]
        found.append(Entry(said("picture.legend.committed", epoch=epoch), _box(fill)))
    if "unknown.committed" in fills:
        found.append(Entry(said("picture.legend.committed-unknown"), _box("unknown.committed")))
    opened = sorted(fill for fill in fills if fill.endswith(".open"))
    if opened:
        found.append(Entry(said("picture.legend.open"), _open(opened[0])))
    return found


def _box(fill: str) -> Swatch:
    return lambda x, y: (Box(x, y, _WIDTH, _HEIGHT, fill=fill),)


def _open(fill: str) -> Swatch:
    role = fill.removesuffix(".open")

    def draw(x: float, y: float) -> Sequence[Mark]:
        hatch = hatched((x, y, _WIDTH, _HEIGHT), Hatch.RISING, 6.0, (x, y), role, opacity=0.55)
        return (Box(x, y, _WIDTH, _HEIGHT, fill=fill), *hatch)

    return draw


def _line(role: str) -> Swatch:
    dash = (5.0, 2.0) if role == "lso" else ()
    return lambda x, y: (Line(((x, y + 7), (x + _WIDTH, y + 7)), role, 2.0, dash=dash),)


def _local_start(x: float, y: float) -> Sequence[Mark]:
    return (Line(((x, y + 7), (x + _WIDTH, y + 7)), "line.edge", 1.0, dash=LOCAL_START_DASH),)


def _bound(role: str) -> Swatch:
    def draw(x: float, y: float) -> Sequence[Mark]:
        rect = (x, y, _WIDTH, _HEIGHT)
        opacity = 0.055 if role == "leo" else 0.15
        inside = dots(rect, 6.0, (x, y), "leo") if role == "leo" else ()
        edges = [
            Line(((x, y + dy), (x + _WIDTH, y + dy)), "line.edge" if role == "leo" else "hw", dash=(2, 3))
            for dy in (0.5, 13.5)
        ]
        return (Box(*rect, fill=role, opacity=opacity), *inside, *edges)

    return draw


def _hatch(pattern: Hatch, role: str) -> Swatch:
    return lambda x, y: hatched((x, y, _WIDTH, _HEIGHT), pattern, 6.0, (x, y), role)


def _arrow(x: float, y: float) -> Sequence[Mark]:
    return (
        Line(((x, y + 12), (x + 12, y + 2)), "text.2", 1.1, arrow=6.0),
        Line(((x + 15, y + 2), (x + 27, y + 12)), "text.2", 1.1, arrow=6.0),
    )


def _glyph(glyph: Glyph, role: str) -> Swatch:
    size = {
        Glyph.LOSS: 16.0,
        Glyph.DIVERGENCE: 17.0,
        Glyph.DIFFERENCE: 17.0,
        Glyph.OBSERVED: 6.4,
        Glyph.REPORTED: 6.8,
    }
    return lambda x, y: (Sign(x + 8, y + 7, glyph, size.get(glyph, 12.0), role),)
