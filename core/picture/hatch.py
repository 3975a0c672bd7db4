"""Hatches as line segments, clipped by layout: brush textures differ between screen, SVG and PDF."""

import math

from core.picture.marks import Box, Hatch, Line, Mark, Segments

Rect = tuple[float, float, float, float]
"""x, y, width, height."""
Segment = tuple[float, float, float, float]


def hatch_segments(
    rect: Rect, pattern: Hatch, step: float, origin: tuple[float, float]
) -> tuple[Segment, ...]:
    """Lines of slope 1, upright or level, `step` apart, clipped to the box, in phase with the origin.

    A fixed phase lets neighbouring boxes join, and nothing crawls while panning within one lane.
    """
    x, y, w, h = rect
    if w <= 0 or h <= 0:
        return ()
    if pattern is Hatch.CROSSED:
        rising = hatch_segments(rect, Hatch.RISING, step, origin)
        return rising + hatch_segments(rect, Hatch.FALLING, step, origin)
    ox, oy = origin
    if pattern is Hatch.UPRIGHT:
        first = math.ceil((x - ox) / step)
        last = math.floor((x + w - ox) / step)
        return tuple((ox + k * step, y, ox + k * step, y + h) for k in range(first, last + 1))
    if pattern is Hatch.LEVEL:
        first = math.ceil((y - oy) / step)
        last = math.floor((y + h - oy) / step)
        return tuple((x, oy + k * step, x + w, oy + k * step) for k in range(first, last + 1))
    sign = 1.0 if pattern is Hatch.RISING else -1.0
    # A rising line has (x - ox) + (y - oy) = k * step, a falling one a difference.
    corners = [(px - ox) + sign * (py - oy) for px in (x, x + w) for py in (y, y + h)]
    lines: list[Segment] = []
    for k in range(math.ceil(min(corners) / step), math.floor(max(corners) / step) + 1):
        total = k * step
        x1 = max(x, min(x + w, ox + total - sign * (y - oy)))
        x2 = max(x, min(x + w, ox + total - sign * (y + h - oy)))
        y1 = oy + sign * (total - (x1 - ox))
        y2 = oy + sign * (total - (x2 - ox))
        if abs(x1 - x2) > 0.2:
            lines.append((x1, y1, x2, y2))
    return tuple(lines)


def hatched(
    rect: Rect,
    pattern: Hatch,
    step: float,
    origin: tuple[float, float],
    role: str,
    *,
    opacity: float = 1.0,
    width: float = 1.0,
) -> tuple[Mark, ...]:
    """A hatch as a mark; in a box under 12x6 a tint of 40 % stands in, as lines there would be noise."""
    x, y, w, h = rect
    if w <= 0 or h <= 0:
        return ()
    if w < 12 or h < 6:
        return (Box(x, y, w, h, fill=role, opacity=0.4 * opacity),)
    return (Segments(hatch_segments(rect, pattern, step, origin), role, width=width, opacity=opacity),)


def dots(
    rect: Rect, step: float, origin: tuple[float, float], role: str, opacity: float = 0.5
) -> tuple[Mark, ...]:
    """A grid of dots of one pixel: values between bounds. Every other row is shifted by half a step."""
    x, y, w, h = rect
    if w < 2 or h < 2:
        return ()
    ox, oy = origin
    points: list[Segment] = []
    for row in range(math.ceil((y + 1 - oy) / step), math.floor((y + h - 1 - oy) / step) + 1):
        shift = step / 2 if row % 2 else 0.0
        py = oy + row * step
        first = math.ceil((x + 1 - ox - shift) / step)
        last = math.floor((x + w - 1 - ox - shift) / step)
        points.extend(
            (ox + shift + k * step - 0.5, py, ox + shift + k * step + 0.5, py) for k in range(first, last + 1)
        )
    return (Segments(tuple(points), role, width=1.0, opacity=opacity),)


def edge(points: tuple[tuple[float, float], ...], role: str, dash: tuple[float, ...] = (2.0, 3.0)) -> Line:
    """The dotted edge of a bound."""
    return Line(points, role, width=1.0, dash=dash)
