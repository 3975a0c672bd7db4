"""What the evidence leaves open, and which value was taken: once the worst for the records, once the best."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.message import Message


class Stance(StrEnum):
    """Which end of the bounds is taken wherever the evidence leaves a value open."""

    WORST = "worst"
    """More is committed or acknowledged, and the other copies hold less of it."""
    BEST = "best"


STANCES: Final = (Stance.WORST, Stance.BEST)


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that the evidence does not settle: its bounds, None where there is none, and what was taken.

    Times are ns since 1970. What is no number has no bounds, and `what` says what was taken.
    """

    what: Message
    lo: int | None
    hi: int | None
    taken: int | None
    is_time: bool = False


def within(value: int, lo: int | None, hi: int | None) -> int:
    """The value in lo..hi that is nearest; where the two cross, `lo`."""
    below = value if hi is None else min(value, hi)
    return below if lo is None else max(below, lo)
