"""What time stamps of records allow a log at any moment: rows of a partition may be far apart."""

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caps:
    """Upper bounds of one replica's log end between the rows of its view. They can fail, as stamps can.

    For each batch of its segments `stamps` has the earliest moment at which it may hold it, in ns, never
    falling, `cursors` the first cursor of the whole trace, and `firsts` its first offset. By place of the
    view `starts` has the cursor, `keeps` the offset below which nothing of the log went later (0: not known),
    and `above` whether the high watermark may stand above the log end there.
    """

    stamps: list[int]
    cursors: list[int]
    firsts: list[int]
    starts: tuple[int, ...]
    keeps: list[int]
    above: list[bool]

    def within(self, place: int, cursor: int, following: int) -> list[tuple[int, int | None]]:
        """(cursor, offset that nothing passes from there on) for the cursors of a place.

        A cursor stands for the time until the next event of the whole trace.
        """
        found: list[tuple[int, int | None]] = []
        while cursor < following:
            batch = bisect_right(self.cursors, cursor)
            found.append((cursor, self._limit(batch, place)))
            cursor = self.cursors[batch] if batch < len(self.cursors) else following
        return found

    def at(self, cursor: int, moment: int, *, watermark: bool) -> int | None:
        """The offset that nothing passes at a moment, which lies before the next event; None: no bound."""
        place = bisect_right(self.starts, cursor) - 1
        if place < 0 or (watermark and self.above[place]):
            return None
        return self._limit(bisect_right(self.stamps, moment), place)

    def _limit(self, batch: int, place: int) -> int | None:
        if batch >= len(self.firsts) or self.firsts[batch] >= self.keeps[place]:
            return None
        return self.firsts[batch]
