"""What the window shows in the room that it has: one function of width and height, without Qt.

Both are in logical pixels after the scale of the screen and the text size: Qt counts both in.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

LEAST: Final = (960, 540)
"""Width and height from which on all parts have their room; a smaller window scrolls over so much."""
_ALL_OPEN: Final = 1600
_CROWDED: Final = 1152
_CELLS: Final = 800
_DRAWER: Final = 860
_HEAD: Final = 640
_BOTH: Final = 980
_BOTH_HIGH: Final = 480
"""Of the lanes, from which on those of two tabs have room beside each other, or one below the other."""


class Side(StrEnum):
    """How a panel at the side of the lanes is shown."""

    BESIDE = "beside"
    """A dock that takes room of its own."""
    OVER = "over"
    """A strip, from which it is opened over a part of the lanes."""
    WHOLE = "whole"
    """The same, over all of them."""


class Split(StrEnum):
    """How two tabs are seen at once."""

    BESIDE = "beside"
    STACKED = "stacked"
    ONE = "one"
    """There is room for one alone."""


def split(width: int, height: int) -> Split:
    """How the lanes of two tabs share a room of this size."""
    if width >= _BOTH:
        return Split.BESIDE
    return Split.STACKED if height >= _BOTH_HIGH else Split.ONE


@dataclass(frozen=True, slots=True)
class Room:
    """How the parts of the window are shown."""

    side: Side
    """The inspector, and the findings with notes and ledger."""
    drawer: Side
    """The evidence."""
    drawer_opens: bool
    """Whether the drawer is open before anybody asked for it."""
    cells_open: bool
    """The same of the logs at the cursor."""
    rail: bool
    """Whether the views have a rail, else a button with a menu."""
    crumbs: bool
    """Whether all of where one is is said, else its last part."""
    head: bool
    """Whether the partition has a head of its own, else it stands in the title bar."""
    overview: bool
    """Whether the overview has its whole height, else half of it."""
    gutter: bool
    """Whether the gutter of the lanes says all that it has, else name and log end offset alone."""
    jumps: bool
    """Whether each jump of the transport has a button, else all have one with a menu."""
    status: bool
    """Whether the status line says all that it has, else two entries."""


def reflow(width: int, height: int) -> Room:
    """The layout of a window of this size."""
    roomy, crowded, low = width >= _ALL_OPEN, width < _CROWDED, height < _HEAD
    return Room(
        side=Side.BESIDE if roomy else Side.WHOLE if crowded else Side.OVER,
        drawer=Side.WHOLE if crowded else Side.BESIDE,
        drawer_opens=height >= _DRAWER and not crowded,
        cells_open=roomy or height >= _CELLS,
        rail=not crowded,
        crumbs=roomy,
        head=not low,
        overview=not low,
        gutter=not crowded,
        jumps=not crowded,
        status=not crowded,
    )
