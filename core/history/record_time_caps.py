"""From time stamps of records to upper bounds of a log end at any moment between two rows of a partition.

A record with the stamp 12:00:05 is in no log at 12:00:03, so no log has reached its offset then.
"""

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caps:
    """Upper bounds of one replica's log end between the rows of its view. They can fail, as stamps can.

    By batch of its segments, in order: `stamps` has the earliest time at which the log may hold it, in ns,
    `cursors` the first such cursor of the whole trace, and `firsts` its first offset. By place of the view:
    `starts` has the cursor, `kept_below` the offset below which no record was removed later (0 where it is
    not known), and `above_log` whether the high watermark may be above the log end.
    """

    stamps: list[int]
    cursors: list[int]
    firsts: list[int]
    starts: tuple[int, ...]
    kept_below: list[int]
    above_log: list[bool]

    def within(self, place: int, cursor: int, following: int) -> list[tuple[int, int | None]]:
        """(cursor, offset that the log does not pass from it on; None for none) for the cursors of a place.

        The cursors are cursor..following-1. A cursor covers the time until the next event of the whole trace.
        """
        found: list[tuple[int, int | None]] = []
        while cursor < following:
            batch = bisect_right(self.cursors, cursor)
            found.append((cursor, self._bound(batch, place)))
            cursor = self.cursors[batch] if batch < len(self.cursors) else following
        return found

    def at(self, cursor: int, moment: int, *, watermark: bool) -> int | None:
        """The offset that the log does not pass at a moment, in ns, before the next event; None for no bound.

        With `watermark`, the bound of the high watermark.
        """
        place = bisect_right(self.starts, cursor) - 1
        if place < 0 or (watermark and self.above_log[place]):
            return None
        return self._bound(bisect_right(self.stamps, moment), place)

    def _bound(self, batch: int, place: int) -> int | None:
        """The first offset of a batch, if no record up to it was removed later; else None."""
        if batch >= len(self.firsts) or self.firsts[batch] >= self.kept_below[place]:
            return None
        return self.firsts[batch]
