"""Where the parts of a picture put their marks, so that they come out in one order from back to front."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import inf
from operator import itemgetter

from core.picture.hatch import Rect
from core.picture.hit import reaches
from core.picture.labels import Wish, overlap, place
from core.picture.marks import Mark


class Depth(IntEnum):
    """The layers of a lane from the back (visual design, section 18)."""

    GRID = 0
    AREA = 1
    HATCH = 2
    BOUND = 3
    CASING = 4
    HW = 5
    LEO = 6
    SAMPLE = 7
    CUT = 8
    POLE = 9
    BAND = 10
    STRIP = 11
    FLAG = 12
    MESSAGE = 13
    CAUSE = 14
    NOTE = 15
    LABEL = 16


@dataclass(slots=True)
class Sheet:
    """Collects marks with their depth, labels that want a place, and boxes where no label may go."""

    _marks: list[tuple[Depth, Mark]] = field(default_factory=list[tuple[Depth, Mark]])
    _wishes: list[Wish] = field(default_factory=list[Wish])
    _taken: list[Rect] = field(default_factory=list[Rect])

    def add(self, depth: Depth, *marks: Mark) -> None:
        """Put marks at a depth; marks of one depth keep the order in which they came."""
        self._marks.extend([(depth, mark) for mark in marks])

    def add_near(self, other: "Sheet", top: float, bottom: float) -> None:
        """Put those marks of another sheet that reach into these heights."""
        self._marks.extend(pair for pair in other.placed() if reaches(pair[1], top, bottom))

    def placed(self) -> Sequence[tuple[Depth, Mark]]:
        """The marks as they came, with their depths."""
        return self._marks

    def wish(self, rank: int, *places: Iterable[Mark], most: float = inf) -> None:
        """Ask for a label: the marks of the first place with room are drawn. `most` as in `Wish`."""
        self._wishes.append(Wish(rank, tuple(tuple(marks) for marks in places), most))

    def keep_clear(self, *rects: Rect, weight: int = 1) -> None:
        """No label may cover these boxes. One that must cover something spares those of more weight."""
        self._taken.extend(rects * weight)

    def is_clear(self, rect: Rect) -> bool:
        """True where nothing has asked to keep clear of this box yet."""
        return all(overlap(rect, other) <= 0 for other in self._taken)

    def settle(self, frame: Rect) -> None:
        """Place the labels asked for so far inside `frame`, as marks on top."""
        self.add(Depth.LABEL, *place(self._wishes, frame, self._taken))
        self._wishes.clear()
        self._taken.clear()

    def marks(self) -> tuple[Mark, ...]:
        """All marks from back to front."""
        return tuple([mark for _, mark in sorted(self._marks, key=itemgetter(0))])
