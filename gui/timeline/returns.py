"""Parts that are laid out come to rest, though what they show changes the room that they have."""

from collections import Counter
from collections.abc import Hashable
from typing import Final

_MOST: Final = 4


class Returns:
    """Counts how often a room comes back while nothing else changes.

    With a scroll bar or one row of a legend more a picture may need neither, and without it again: each
    layout asks for the other one, without end.
    """

    def __init__(self) -> None:
        """Nothing came back yet."""
        self._beside: Hashable = None
        self._counts: Counter[Hashable] = Counter()

    def begin_anew(self) -> None:
        """Something else changed."""
        self._counts.clear()

    def allows(self, room: Hashable, beside: Hashable) -> bool:
        """Whether a room asks for a layout; not when it came back too often. `beside` is what else counts."""
        if beside != self._beside:
            self._beside = beside
            self.begin_anew()
        self._counts[room] += 1
        return self._counts[room] <= _MOST
