"""Notes as they are drawn: a numbered tag on the picture, and in exports the texts in a list below."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.language import say
from core.picture.marks import Box, Glyph, Line, Mark, Ref, Sign, Text
from core.picture.metrics import wrap

TAG = 17.0
_LINE = 16.0
_NOTCH = 12.0


class NoteKind(StrEnum):
    """What a note is tied to."""

    POSITION = "position"
    BOOKMARK = "bookmark"
    """A name for a position, drawn as a notch and without a number."""


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note with its number; 0 is a bookmark, drawn as a notch.

    `position` is a cursor in a timeline and a stop in a comparison.
    `broker` is set for a note on one replica; `where` is the position in words ("10:02:22.105", "step 8").
    `note_id` is what a click on the tag gives back.
    """

    number: int
    position: int
    text: str
    broker: int | None = None
    where: str = ""
    note_id: int = 0


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
    ref = Ref("note", 0, note.note_id, text=say(f"bookmark: {note.text}", f"书签：{note.text}"))
    left, right, low = x - 3.5, x + 4.5, y + _NOTCH
    return (
        Box(left, y, right - left, _NOTCH - 3, fill="note", ref=ref),
        Line(((left + 1, low - 3), (left + 1, low)), "note", 2.0),
        Line(((right - 1, low - 3), (right - 1, low)), "note", 2.0),
    )


def _note_tag(
    note: PlacedNote, x: float, y: float, right: float, bottom: float, before: int
) -> tuple[Mark, ...]:
    """The tag beside x, and a dashed line at x down to `bottom`: at x itself the cursor's mark covers it."""
    ref = Ref(
        "note",
        0,
        note.note_id,
        -1 if note.broker is None else note.broker,
        say(f"note {note.number}: {note.text}", f"批注 {note.number}：{note.text}"),
    )
    shift = TAG / 2 + 5 + before * (TAG + 3)
    middle = x + shift if x + shift + TAG / 2 <= right else x - shift
    return (
        Line(((x + 0.5, y), (x + 0.5, bottom)), "note", 1.0, dash=(3.0, 3.0)),
        Sign(middle, y, Glyph.NOTE, TAG, "note", label=str(note.number), rank=7, ref=ref),
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
            marks.append(
                Sign(left + TAG / 2, top + 9, Glyph.NOTE, TAG, "note", label=str(note.number), rank=7)
            )
            lines = wrap(note.text, column - 30, size)
            head = [note.where] if note.where else []
            for row, line in enumerate([*head, *lines]):
                bold = row == 0 and bool(head)
                role, weight = ("text", 600) if bold else ("text.2", 400)
                marks.append(Text(left + 30, top + 13 + row * _LINE, line, role, size, weight))
            heights.append((len(lines) + len(head)) * _LINE + 12)
        top += max(heights)
    return tuple(marks), top - y
