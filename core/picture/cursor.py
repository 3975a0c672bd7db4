"""The cursor's line: it breaks where it would run through a text."""

from collections.abc import Sequence

from core.picture.hatch import Rect
from core.picture.hit import bounds
from core.picture.marks import Box, Line, Mark, Sign, Text
from core.picture.memo import Same, remembered


def cursor_line(static: Sequence[Mark], x: float, top: float, bottom: float) -> tuple[Mark, ...]:
    """A line of 1 px from top to bottom, with a gap at each text and labelled sign that stands in its way."""
    return tuple(
        Line(((x + 0.5, start), (x + 0.5, end)), "cursor")
        for start, end in clear_spans(static, x, top, bottom)
    )


def clear_spans(static: Sequence[Mark], x: float, top: float, bottom: float) -> list[tuple[float, float]]:
    """The parts of a vertical from top to bottom that run through no text, labelled sign or callout."""
    # A tuple never changes: what stands in it is looked up once for all steps of the cursor.
    obstacles = _remembered(Same((static,), static)) if isinstance(static, tuple) else _obstacles(static)
    gaps = [
        (y - 1, y + h + 1)
        for left, y, w, h in obstacles
        if left - 2 <= x <= left + w + 2 and y < bottom and y + h > top
    ]
    spans: list[tuple[float, float]] = []
    at = top
    for start, end in sorted(gaps):
        if start > at:
            spans.append((at, start))
        at = max(at, end)
    if at < bottom:
        spans.append((at, bottom))
    return spans


@remembered
def _remembered(static: Same[Sequence[Mark]]) -> tuple[Rect, ...]:
    return _obstacles(static.value)


def _obstacles(static: Sequence[Mark]) -> tuple[Rect, ...]:
    """The boxes of texts, labelled signs and callouts."""
    return tuple(bounds(mark) for mark in static if _stands_in_the_way(mark))


def _stands_in_the_way(mark: Mark) -> bool:
    if isinstance(mark, Box):
        return mark.ref is not None and mark.ref.kind == "step"
    return isinstance(mark, Text) or (isinstance(mark, Sign) and bool(mark.label))
