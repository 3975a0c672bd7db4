"""A range that was marked: a wash with two edges, over everything but the cursor."""

from core.picture.marks import Box, Line, Mark

_WASH = 0.5


def span_marks(
    x0: float, x1: float, plot: tuple[float, float], top: float, bottom: float
) -> tuple[Mark, ...]:
    """The part of a range between two x that lies in the plot; an edge outside of it is not drawn."""
    x0, x1 = min(x0, x1), max(x0, x1)
    left, right = max(x0, plot[0]), min(x1, plot[1])
    if right < left:
        return ()
    edges = tuple(
        Line(((x + 0.5, top), (x + 0.5, bottom)), "text.2") for x in (x0, x1) if plot[0] <= x <= plot[1]
    )
    return (Box(left, top, right - left, bottom - top, fill="bg.selected", opacity=_WASH), *edges)
