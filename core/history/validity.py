"""From stated values to how long each is known to hold: by place, and as steps over the cursors."""

from collections.abc import Iterator
from enum import IntEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.assumptions import JUST_SAID_SHOWN_FOR
from core.history.state import Steps
from core.history.steps import StepWriter, end_of_run
from core.history.view import View

_T = TypeVar("_T")


class Validity(IntEnum):
    """Whether the value that was stated last is known to hold at a place."""

    NO = 0
    JUST_STATED = 1
    """It holds at the time of the place itself, and is not known to hold later."""
    YES = 2


def valid_until_change(known: list[Validity], first: int, end: int, change_shown: list[bool]) -> None:
    """Mark the value stated at `first` as valid up to `end` - 1, but no further than a change would be shown.

    `change_shown` has by place whether some log would show another value. Changes `known` in place.
    """
    known[first] = max(known[first], Validity.JUST_STATED)
    until = end_of_run(change_shown, first, end) if first < end and change_shown[first] else first
    known[first:until] = [Validity.YES] * (until - first)


def validity_column(known: list[Validity]) -> NDArray[np.int8]:
    """The validity at each place as a column of numbers."""
    return np.frombuffer(bytes(known), np.int8)


def _runs(known: list[Validity]) -> Iterator[tuple[int, int, Validity]]:
    """(first place, place after the last, validity) of each run; a place of JUST_STATED is one of its own."""
    place = 0
    while place < len(known):
        validity = known[place]
        end = place + 1 if validity is Validity.JUST_STATED else end_of_run(known, place, len(known))
        yield place, end, validity
        place = end


def valid_steps(view: View, values: StepWriter[_T | None], known: list[Validity]) -> Steps[_T | None]:
    """A value over the cursors of the whole trace, None where it is not known to hold.

    A cursor covers the time until the next event: a value known at its own time alone holds over a cursor
    only if that time is short (JUST_SAID_SHOWN_FOR).
    """
    at = view.trace.columns["at"]
    cursors: list[int] = [0]
    steps: list[_T | None] = [None]

    def put(cursor: int, value: _T | None) -> None:
        """From `cursor` on the value is `value`; a second value at a cursor replaces the first."""
        if cursor == cursors[-1]:
            steps[-1] = value
        elif value != steps[-1]:
            cursors.append(cursor)
            steps.append(value)

    runs = list(_runs(known))
    number = 0
    for first, end, value in values.spans(len(known)):
        while number < len(runs) and runs[number][0] < end:
            begun, until, validity = runs[number]
            cursor = view.cursors[max(begun, first)]
            if validity is Validity.JUST_STATED:
                last = cursor >= len(at) or cursor == 0
                near = last or int(at[cursor]) - int(at[cursor - 1]) <= JUST_SAID_SHOWN_FOR.ns
                put(cursor, value if near else None)
                put(cursor + 1, None)
            else:
                put(cursor, value if validity else None)
            if until > end:
                break
            number += 1
    return Steps(tuple(cursors), tuple(steps))
