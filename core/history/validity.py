"""Whether a stated value is known to be still valid: by place, and as steps over the cursors."""

from collections.abc import Iterator
from enum import IntEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.assumptions import JUST_SAID_SHOWN_FOR
from core.history.state import Steps
from core.history.steps import StepWriter, end_of_run, numbered
from core.history.view import View

_T = TypeVar("_T")


class Validity(IntEnum):
    """Whether the value that was stated last is known to be valid at a place."""

    NO = 0
    JUST_STATED = 1
    """At the moment of the place, and no longer."""
    YES = 2


def valid_until_change(known: list[Validity], first: int, end: int, told: list[bool]) -> None:
    """Mark places first..end-1 as valid from a statement on, as long as a witness would show a change."""
    known[first] = max(known[first], Validity.JUST_STATED)
    until = end_of_run(told, first, end) if first < end and told[first] else first
    known[first:until] = [Validity.YES] * (until - first)


def validity_column(known: list[Validity]) -> NDArray[np.int8]:
    """The same as a column of numbers."""
    which, named = numbered(known)
    return np.array(named, np.int8)[which]


def _changes(known: list[Validity], first: int, end: int) -> Iterator[tuple[int, Validity]]:
    """The places of a span at which validity changes, and those at which the value was just stated again."""
    place = first
    while place < end:
        sure = known[place]
        yield place, sure
        place = place + 1 if sure is Validity.JUST_STATED else end_of_run(known, place, end)


def valid_steps(view: View, values: StepWriter[_T | None], known: list[Validity]) -> Steps[_T | None]:
    """The value over the cursors of the whole trace, None where it is not known.

    A cursor covers the time until the next event: a value that is valid at its own moment alone is kept where
    that time is short.
    """
    at = view.trace.columns["at"]
    cursors: list[int] = [0]
    steps: list[_T | None] = [None]

    def put(cursor: int, value: _T | None) -> None:
        if cursor == cursors[-1]:
            steps[-1] = value
        elif value != steps[-1]:
            cursors.append(cursor)
            steps.append(value)

    for first, end, value in values.spans(len(known)):
        for place, sure in _changes(known, first, end):
            cursor = view.cursors[place]
            if sure is Validity.JUST_STATED:
                last = cursor >= len(at) or cursor == 0
                near = last or int(at[cursor]) - int(at[cursor - 1]) <= JUST_SAID_SHOWN_FOR.ns
                put(cursor, value if near else None)
                put(cursor + 1, None)
            else:
                put(cursor, value if sure else None)
    return Steps(tuple(cursors), tuple(steps))
