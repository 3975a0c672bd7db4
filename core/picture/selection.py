"""The frame around the selected mark."""

from collections.abc import Collection, Sequence

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


def cell_frames(marks: Sequence[Mark], offsets: Collection[int]) -> tuple[Mark, ...]:
    """3 px of text around each cell of these offsets; dashed around a fold that has others, too."""
    frames: list[Mark] = []
    for mark in marks if offsets else ():
        if not isinstance(mark, Box) or mark.ref is None or mark.ref.kind != "cell":
            continue
        span = range(mark.ref.key, max(mark.ref.key, mark.ref.last) + 1)
        marked = sum(offset in offsets for offset in span)
        if marked:
            x, y, w, h = bounds(mark)
            dash = () if marked == len(span) else (6.0, 4.0)
            frames.append(Box(x, y, w, h, edge="text", edge_width=3.0, dash=dash))
    return tuple(frames)
