"""The frame around the selected mark."""

from collections.abc import Sequence

from core.picture.hit import bounds
from core.picture.labels import union
from core.picture.marks import Box, Mark, Ref, Segments, Sign, Text


def selection_frame(marks: Sequence[Mark], selected: Ref | None) -> tuple[Mark, ...]:
    """2 px of text, 3 outside: around each sign of the selected thing, else around all its marks."""
    if selected is None:
        return ()
    key = (selected.kind, selected.run, selected.key)
    mine = [
        mark
        for mark in marks
        if not isinstance(mark, Segments | Text)
        and mark.ref is not None
        and (mark.ref.kind, mark.ref.run, mark.ref.key) == key
    ]
    if not mine:
        return ()
    signs = [mark for mark in mine if isinstance(mark, Sign)]
    framed = [bounds(mark) for mark in signs] or [union(bounds(mark) for mark in mine)]
    # Of a picture in layers, what crosses several of them is in each.
    return tuple(
        Box(x - 3, y - 3, w + 6, h + 6, edge="text", edge_width=2.0, radius=3)
        for x, y, w, h in dict.fromkeys(framed)
    )
