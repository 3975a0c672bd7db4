"""How large letters must be for the last row: by the width of the picture and the distance to it.

What counts is the angle under which the height of a capital is seen. ISO 9241-3 wants 16 minutes of arc at
least, and 20 to 22 for long reading; smaller ones may be used where little is read. NUREG-0700 (1.3.1-4) has
the same numbers, and the formula: height = angle x distance.
"""

import math
from dataclasses import dataclass
from typing import Final

WIDE: Final = 1920
"""Pixels of a screen, of which sizes of letters are told."""
CAPITAL: Final = 0.727
"""The height of a capital of Inter, in parts of its size."""
FLOOR: Final = 12
"""Minutes of arc under which the last row does not read (design of lessons, 3)."""
_USUAL_LETTERS: Final = 40
_MOST, _LEAST = 80, 24
"""Pixels: larger ones leave no room for a step, smaller ones are not needed."""


@dataclass(frozen=True, slots=True)
class Room:
    """How wide the picture on the wall is, and how far from it the last row sits.

    As it is, 40 pixels of 1920 are seen under 16 minutes of arc.
    """

    width_cm: int = 240
    distance_cm: int = 800


USUAL: Final = Room()


def minutes_of_arc(size: float, room: Room) -> float:
    """The angle under which the last row sees a capital of letters of so many pixels of a screen of 1920."""
    height_cm = size * CAPITAL / WIDE * room.width_cm
    return math.degrees(math.atan2(height_cm, room.distance_cm)) * 60


def letters_of(room: Room) -> float:
    """How many pixels of a screen of 1920 the smallest letters have, to be seen as in the usual room."""
    wanted = _USUAL_LETTERS * (room.distance_cm / USUAL.distance_cm) * (USUAL.width_cm / room.width_cm)
    return min(max(wanted, _LEAST), _MOST)
