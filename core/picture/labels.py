"""Where labels go when they would cover one another: by rank, to a second place, then dropped."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from core.picture.hatch import Rect
from core.picture.hit import PLATE_X, PLATE_Y, bounds
from core.picture.marks import Mark, Text

_NEVER_DROPPED = 8
_CROSSING = 60.0
"""Square pixels that a label of rank 1 to 8 may cover: it may cross an election's pole, but hide no sign."""
_LABEL = 15.0
"""How much more it counts to cover a label: of one it may take no more than the corner of its plate."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A label with its places in order of preference. Each place is the marks drawn if it is taken.

    One of rank 1 to 8 that would cover more than `most` in each place is dropped.
    """

    rank: int
    places: tuple[tuple[Mark, ...], ...]
    most: float = inf


def union(rects: Iterable[Rect]) -> Rect:
    """The smallest box around boxes."""
    many = list(rects)
    left, top = min(r[0] for r in many), min(r[1] for r in many)
    return (left, top, max(r[0] + r[2] for r in many) - left, max(r[1] + r[3] for r in many) - top)


def _with_plate(mark: Mark) -> Rect:
    """The box that a label covers with its plate, which hides what is below."""
    x, y, w, h = bounds(mark)
    if not isinstance(mark, Text) or not mark.plate:
        return (x, y, w, h)
    return (x - PLATE_X, y - PLATE_Y, w + 2 * PLATE_X, h + 2 * PLATE_Y)


def overlap(a: Rect, b: Rect) -> float:
    """The area that two boxes share."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return w * h if w > 0 and h > 0 else 0.0


def _covered(rect: Rect, others: Sequence[Rect]) -> float:
    """The sum of the areas that a box shares with others, most of which lie elsewhere."""
    left, top, right, bottom = rect[0], rect[1], rect[0] + rect[2], rect[1] + rect[3]
    return sum(
        overlap(rect, other)
        for other in others
        if other[0] < right and other[1] < bottom and other[0] + other[2] > left and other[1] + other[3] > top
    )


def place(wishes: Sequence[Wish], frame: Rect, taken: Sequence[Rect] = ()) -> tuple[Mark, ...]:
    """The marks of all labels that found room inside `frame`, clear of `taken` and of better labels.

    Rank 1 to 8 is dropped by its own bound alone: without a free place it takes the one that covers least.
    """
    labels: list[Rect] = []
    placed: list[Mark] = []
    for wish in sorted(wishes, key=lambda w: w.rank):
        free = _CROSSING if wish.rank <= _NEVER_DROPPED else 0.0
        best: tuple[float, tuple[Mark, ...], Rect] | None = None
        for marks in wish.places:
            rect = union(bounds(mark) for mark in marks)
            hidden = rect if wish.rank <= _NEVER_DROPPED else union(_with_plate(mark) for mark in marks)
            outside = rect[2] * rect[3] - overlap(rect, frame)
            cost = _covered(rect, taken) + 4 * max(outside, 0.0)
            cost += _LABEL * _covered(hidden, labels)
            if best is None or cost < best[0] or cost <= free:
                best = (cost, marks, rect)
            if cost <= free:
                break
        if best is not None and (best[0] <= 0 or (wish.rank <= _NEVER_DROPPED and best[0] <= wish.most)):
            placed.extend(best[1])
            labels.append(best[2])
    return tuple(placed)
