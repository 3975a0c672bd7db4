"""How lanes are drawn, whatever they show: what a person switches with a key."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Vertical(StrEnum):
    """What the vertical scale of a lane counts (visual design, section 3.4)."""

    AUTO = "auto"
    """Offsets, from the log start on, or from a little below what is shown where that would hide it."""
    OFFSET = "offset"
    """Offsets, always from the log start on."""
    LAG = "lag"
    """Offsets less the leader's log end of that moment: 0 is the leader's, what is behind it is below."""

    def following(self) -> "Vertical":
        """The one that comes after it, the first after the last."""
        every = list(Vertical)
        return every[(every.index(self) + 1) % len(every)]


@dataclass(frozen=True, slots=True)
class Drawing:
    """The usual one where nothing is said."""

    vertical: Vertical = Vertical.AUTO
    messages: bool = True
    """Whether messages are drawn between the lanes."""
    boxes: bool = True
    """Whether a bound is a box; else only its edges are drawn."""
    callouts: bool = True
    """Whether the steps of what went wrong stand over the lanes, and the lane of a loss is raised."""
    folds: bool = True
    """Whether quiet time around what went wrong is drawn narrow."""
    opened: frozenset[int] = frozenset()
    """Where folds begin that a person opened: in ns, in a comparison by the stop."""
    folded: frozenset[tuple[int, int]] = frozenset()
    """What a person folded, [first, end): in ns, in a comparison in stops."""
    tight: bool = False
    """Whether lanes stand closer, and lower: for a room, where letters are large (`projector.py`)."""


PLAIN: Final = Drawing()
"""As all is drawn until a person wants it otherwise."""
