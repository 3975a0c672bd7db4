"""Which mark is under the pointer."""

from core.picture.hatch import Rect
from core.picture.marks import Align, Box, Fill, Line, Mark, Picture, Ref, Segments, Sign, Text
from core.picture.metrics import width_of

_LABELLED = 18.0
"""Height of signs whose width follows their label: pills, flags, tags."""
_BEYOND = 12.0
_SMALL = 16.0
_LARGE = 24.0
_LARGE_RANK = 8
_AREA = {"lane": 900, "cell": 60, "stop": 800, "era": 800}
"""Ranks of marks that are areas: whatever lies on them wins."""
_RANKS = {"loss": 2, "difference": 5, "truncation": 6, "note": 7, "group": 8}
PLATE_X, PLATE_Y = 3.0, 2.0
"""So much further than its text a plate reaches, beside it, and above and below."""


def bounds(mark: Mark) -> Rect:
    """The box that a mark covers, as x, y, width, height."""
    match mark:
        case Box():
            return (mark.x, mark.y, mark.w, mark.h)
        case Sign():
            high = _LABELLED if mark.label else mark.size
            return (mark.x - mark.size / 2, mark.y - high / 2, mark.size, high)
        case Text():
            width = width_of(mark)
            left = mark.x - (
                width / 2 if mark.align is Align.CENTRE else width if mark.align is Align.RIGHT else 0
            )
            return (left, mark.y - mark.size * 0.8, width, mark.size * 1.05)
        case Line():
            xs, ys = [p[0] for p in mark.points], [p[1] for p in mark.points]
            return (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        case Fill():
            drawn = mark.tops < mark.bottoms
            if not drawn.any():
                return (0.0, 0.0, 0.0, 0.0)
            top, bottom = float(mark.tops[drawn].min()), float(mark.bottoms[drawn].max())
            return (mark.x, top, float(len(mark.tops)), bottom - top)
        case Segments():
            if not mark.lines:
                return (0.0, 0.0, 0.0, 0.0)
            xs = [x for line in mark.lines for x in line[::2]]
            ys = [y for line in mark.lines for y in line[1::2]]
            return (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def reaches(mark: Mark, top: float, bottom: float) -> bool:
    """Whether a mark is painted between two heights, or nearly: the head of an arrow is not in its bounds."""
    _, y, _, h = bounds(mark)
    return y - _BEYOND < bottom and y + h + _BEYOND > top


def rank_of(mark: Mark) -> int:
    """Priority of a mark with a ref, 1 is highest (visual design 3.6)."""
    ref = getattr(mark, "ref", None)
    if isinstance(mark, Sign):
        return mark.rank
    return _AREA.get(ref.kind, _RANKS.get(ref.kind, 14)) if ref else 999


def _hit_box(mark: Mark, rank: int) -> Rect:
    x, y, w, h = bounds(mark)
    least = _LARGE if rank <= _LARGE_RANK else _SMALL if isinstance(mark, Sign) else 8.0
    wide, high = max(w, least), max(h, least)
    if isinstance(mark, Box) and rank > _LARGE_RANK:
        wide, high = w, h
    return (x - (wide - w) / 2, y - (high - h) / 2, wide, high)


def mark_at(picture: Picture, x: float, y: float) -> Ref | None:
    """What stands at a point: the highest rank wins, then the topmost mark. Rank 1 to 8 reach over 24x24."""
    best: tuple[int, int, Ref] | None = None
    for place, mark in enumerate(picture.marks()):
        ref = None if isinstance(mark, Segments) else mark.ref
        if ref is None:
            continue
        rank = rank_of(mark)
        left, top, w, h = _hit_box(mark, rank)
        if left <= x <= left + w and top <= y <= top + h and (best is None or (rank, -place) < best[:2]):
            best = (rank, -place, ref)
    return best[2] if best else None
