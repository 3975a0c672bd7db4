"""Notes as they are drawn: a numbered tag on the picture, and in exports the texts in a list below."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.document.notes import COLOURS, NoteKind
from core.picture.lane import BAND_HEIGHT, LaneBox
from core.picture.marks import Align, Box, Glyph, Line, Mark, Ref, Sign, Text
from core.picture.metrics import elide, text_width, wrap
from core.words import said

TAG = 17.0
_SIGNS: Final = {"tag": Glyph.NOTE, "round": Glyph.NOTE_ROUND, "pointed": Glyph.NOTE_POINTED}
"""By shape of the note."""
_LINE = 16.0
_NOTCH = 12.0
_END = 11.0
_PLATE = 24.0
_WIDEST = 260.0


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note with its number; 0 is a bookmark, drawn as a notch.

    `position` and `end` are cursors in a timeline and stops in a comparison, `run` is the run of the lanes.
    `broker` is set for a note on one replica; `where` is the position in words ("10:02:22.105", "step 8").
    `note_id` is what a click on the tag gives back. `colour` is one of COLOURS, `shape` one of SHAPES.
    """

    number: int
    position: int
    text: str
    broker: int | None = None
    where: str = ""
    note_id: int = 0
    kind: str = NoteKind.POSITION
    end: int | None = None
    end_broker: int | None = None
    colour: str = ""
    shape: str = ""
    run: int = 0

    @property
    def role(self) -> str:
        """The role that it is drawn in."""
        return self.colour if self.colour in COLOURS else COLOURS[0]

    @property
    def glyph(self) -> Glyph:
        """The shape of its tag."""
        return _SIGNS.get(self.shape, Glyph.NOTE)

    @property
    def ref(self) -> Ref:
        """What a click on it means."""
        if self.number:
            name = said("picture.note.numbered", number=self.number, text=self.text)
        else:
            name = said("picture.note.bookmark", text=self.text)
        return Ref("note", 0, self.note_id, -1 if self.broker is None else self.broker, name)

    def tag(self, x: float, y: float) -> Sign:
        """Its numbered tag, centred at a place."""
        return Sign(x, y, self.glyph, TAG, self.role, label=str(self.number), rank=7, ref=self.ref)


@dataclass(frozen=True, slots=True)
class NoteGround:
    """Where notes may be: between the ruler's lower edge and `bottom`, the plot from `left` to `right`.

    `lanes` are the boxes of lanes by run and broker.
    """

    top: float
    bottom: float
    left: float
    right: float
    lanes: Mapping[tuple[int, int], LaneBox]


def note_marks(
    notes: Sequence[PlacedNote], x_of: Callable[[int], float], span: tuple[int, int], ground: NoteGround
) -> tuple[Mark, ...]:
    """All notes that have a place in what is shown: `span` is its first and last position, `x_of` their x."""
    marks: list[Mark] = []
    above: list[tuple[PlacedNote, float]] = []
    first, last = span
    beside: Counter[float] = Counter()
    for note in notes:
        lane = None if note.broker is None else ground.lanes.get((note.run, note.broker))
        end = note.position if note.end is None else note.end
        x0, x1 = (x_of(min(max(place, first), last)) for place in (note.position, end))
        seen = min(note.position, end) <= last and max(note.position, end) >= first
        match note.kind:
            case NoteKind.LANE if lane is not None:
                x = ground.left - 18 - beside[lane.top] * (TAG + 3)
                beside[lane.top] += 1
                marks.append(note.tag(x, lane.band + BAND_HEIGHT / 2))
            case NoteKind.RANGE if seen:
                marks.extend(_bracket(note, x0, x1, lane, ground))
            case NoteKind.ARROW if seen and lane is not None:
                marks.extend(_arrow(note, (x0, x1), lane, ground))
            case NoteKind.POSITION if seen and lane is not None:
                y = lane.area_top - 2
                marks.append(Line(((x0 + 0.5, y), (x0 + 0.5, lane.bottom)), note.role, dash=(3.0, 3.0)))
                marks.append(note.tag(_within(x0 + TAG / 2 + 5, ground), y))
            case NoteKind.POSITION | NoteKind.BOOKMARK if first <= note.position <= last:
                above.append((note, x0))
            case _:
                continue
    marks.extend(note_tags(above, ground.top, ground.right, ground.bottom))
    return tuple(marks)


def _within(x: float, ground: NoteGround) -> float:
    return min(x, ground.right - TAG / 2)


def _bracket(
    note: PlacedNote, x0: float, x1: float, lane: LaneBox | None, ground: NoteGround
) -> tuple[Mark, ...]:
    """A bracket over the range, in its lane or in the headroom of the first, and a plate in its middle."""
    first = min((box.area_top for box in ground.lanes.values()), default=ground.top)
    y = first + _PLATE / 2 if lane is None else lane.area_top + lane.area * 0.62
    ends = tuple(Line(((x + 0.5, y - _END / 2), (x + 0.5, y + _END / 2)), note.role, 1.6) for x in (x0, x1))
    line = Line(((x0, y), (x1, y)), note.role, 1.6, ref=note.ref)
    return (line, *ends, *_plate(note, (x0 + x1) / 2, y, max(x1 - x0 - 24, 0), ground))


def _arrow(note: PlacedNote, xs: tuple[float, float], lane: LaneBox, ground: NoteGround) -> tuple[Mark, ...]:
    """A line from event to event with a head, and a plate in its middle."""
    other = lane if note.end_broker is None else ground.lanes.get((note.run, note.end_broker), lane)
    start, tip = (box.band + BAND_HEIGHT / 2 + 22 for box in (lane, other))
    line = Line(((xs[0], start), (xs[1], tip)), note.role, 1.6, arrow=7.0, ref=note.ref)
    return (line, *_plate(note, (xs[0] + xs[1]) / 2, (start + tip) / 2, _WIDEST, ground))


def _plate(note: PlacedNote, x: float, y: float, room: float, ground: NoteGround) -> tuple[Mark, ...]:
    """The tag and as much of the text as has room, on a plate centred at a place."""
    words = elide(note.text.replace("\n", " "), min(room, _WIDEST) - TAG - 18, 11, 600)
    wide = TAG + 10 + (text_width(words, 11, 600) + 8 if words else 0)
    left = max(min(x - wide / 2, ground.right - wide), ground.left)
    marks: list[Mark] = []
    if words:
        frame = Box(
            left, y - _PLATE / 2, wide, _PLATE, fill="bg.lane", edge=note.role, edge_width=1.4, radius=4,
            ref=note.ref,
        )  # fmt: skip
        text = Text(left + TAG + 10, y + 4, words, "text", 11, 600, align=Align.LEFT, ref=note.ref)
        marks = [frame, text]
    return (*marks, note.tag(left + TAG / 2 + 5, y))


def note_tags(
    notes: Sequence[tuple[PlacedNote, float]], y: float, right: float, bottom: float
) -> tuple[Mark, ...]:
    """The tags of notes that stand at an x each, beside one another where they share it."""
    marks: list[Mark] = []
    taken: Counter[float] = Counter()
    for note, x in notes:
        if not note.number:
            marks.extend(_notch(note, x, y))
            continue
        marks.extend(_note_tag(note, x, y, right, bottom, taken[x]))
        taken[x] += 1
    return tuple(marks)


def _notch(note: PlacedNote, x: float, y: float) -> tuple[Mark, ...]:
    """A bookmark: a ribbon of 12 that hangs on the ruler's lower edge."""
    left, right, low = x - 3.5, x + 4.5, y + _NOTCH
    return (
        Box(left, y, right - left, _NOTCH - 3, fill=note.role, ref=note.ref),
        Line(((left + 1, low - 3), (left + 1, low)), note.role, 2.0),
        Line(((right - 1, low - 3), (right - 1, low)), note.role, 2.0),
    )


def _note_tag(
    note: PlacedNote, x: float, y: float, right: float, bottom: float, before: int
) -> tuple[Mark, ...]:
    """The tag beside x, and a dashed line at x down to `bottom`: at x itself the cursor's mark covers it."""
    shift = TAG / 2 + 5 + before * (TAG + 3)
    middle = x + shift if x + shift + TAG / 2 <= right else x - shift
    return (
        Line(((x + 0.5, y), (x + 0.5, bottom)), note.role, 1.0, dash=(3.0, 3.0)),
        note.tag(middle, y),
    )


def note_list(
    notes: Sequence[PlacedNote],
    x: float,
    y: float,
    width: float,
    *,
    size: float = 12.0,
) -> tuple[tuple[Mark, ...], float]:
    """The notes with their texts in two columns from (x, y) on, and the height that they take."""
    marks: list[Mark] = []
    column = (width - 32) / 2
    top = y
    for place in range(0, len(notes), 2):
        heights = [0.0]
        for side, note in enumerate(notes[place : place + 2]):
            left = x + side * (column + 32)
            marks.append(replace(note.tag(left + TAG / 2, top + 9), ref=None))
            lines = wrap(note.text, column - 30, size)
            head = [note.where] if note.where else []
            for row, line in enumerate([*head, *lines]):
                bold = row == 0 and bool(head)
                role, weight = ("text", 600) if bold else ("text.2", 400)
                marks.append(Text(left + 30, top + 13 + row * _LINE, line, role, size, weight))
            heights.append((len(lines) + len(head)) * _LINE + 12)
        top += max(heights)
    return tuple(marks), top - y
