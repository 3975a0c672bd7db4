"""The named parts of a picture, as a tree: what a person who does not see it moves through."""

from collections import defaultdict
from dataclasses import dataclass

from core.picture.hatch import Rect
from core.picture.hit import bounds
from core.picture.marks import Box, Mark, Picture, Ref, Segments, Text


@dataclass(frozen=True, slots=True)
class Part:
    """Something in a picture that has a name: a lane, a mark in it, a row of cells, a cell."""

    ref: Ref
    box: Rect
    name: str
    about: str = ""
    """More of it than its name: the state of a replica, the words beside a row."""
    parts: tuple["Part", ...] = ()
    current: bool = False
    """Whether the cursor stands at it."""


def outline_of_lanes(picture: Picture) -> tuple[Part, ...]:
    """What belongs to no lane, in the order of the ruler; then each lane with its marks, by their events.

    Several shapes that stand for the same are one part.
    """
    lanes: dict[tuple[int, int], tuple[Ref, Rect]] = {}
    inside: dict[tuple[int, int], dict[Ref, Rect]] = defaultdict(dict)
    for mark in picture.marks():
        ref = _ref_of(mark)
        if ref is None:
            continue
        if ref.kind == "lane":
            lanes.setdefault((ref.run, ref.broker), (ref, bounds(mark)))
        else:
            inside[ref.run, ref.broker].setdefault(ref, bounds(mark))
    told = {(ref.kind, ref.run, ref.key) for at, marks in inside.items() if at in lanes for ref in marks}
    above = {
        ref: box
        for at, marks in inside.items()
        if at not in lanes
        for ref, box in marks.items()
        # What the overview repeats in small is told once, in its lane.
        if (ref.kind, ref.run, ref.key) not in told or ref.kind == "difference"
    }
    named = (
        Part(ref, box, ref.text, parts=_in_order(inside.get(at, {}))) for at, (ref, box) in lanes.items()
    )
    return (*sorted(_in_order(above), key=lambda part: part.box[0]), *named)


def outline_of_cells(picture: Picture) -> tuple[Part, ...]:
    """The rows from top to bottom, each with its cells by offset. A row is called as the picture calls it.

    What the picture says to the right of a row is told with it.
    """
    rows: dict[tuple[int, float], dict[Ref, Rect]] = defaultdict(dict)
    for mark in picture.marks():
        ref = _ref_of(mark)
        if ref is not None and ref.kind == "cell" and isinstance(mark, Box):
            box = bounds(mark)
            rows[ref.run, round(box[1] + box[3] / 2)].setdefault(ref, box)
    plain = [mark for mark in picture.marks() if isinstance(mark, Text) and mark.ref is None]
    found: list[Part] = []
    for (run, middle), cells in sorted(rows.items()):
        left = min(box[0] for box in cells.values())
        right = max(box[0] + box[2] for box in cells.values())
        high = max(box[3] for box in cells.values()) + 8
        level = [mark for mark in plain if abs(mark.y - 4 - middle) <= high / 2]
        before = [mark for mark in level if left - 200 < mark.x < left and not mark.mono]
        after = [mark for mark in level if right <= mark.x < right + 40 and not mark.mono]
        name = max(before, key=lambda mark: mark.x).text if before else ""
        box = (left, middle - high / 2, right - left, high)
        row = Ref("row", run, round(middle), text=name)
        found.append(Part(row, box, name, ". ".join(mark.text for mark in after), _in_order(cells)))
    return tuple(found)


def _in_order(marks: dict[Ref, Rect]) -> tuple[Part, ...]:
    return tuple(
        Part(ref, marks[ref], ref.text) for ref in sorted(marks, key=lambda ref: (ref.key, ref.kind))
    )


def _ref_of(mark: Mark) -> Ref | None:
    """What a mark stands for, where it can be called by a name."""
    ref = None if isinstance(mark, Segments) else mark.ref
    return ref if ref is not None and ref.text else None
