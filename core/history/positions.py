"""From rows to places to instants, and back: the one module that knows how instants are numbered.

A partition with rows 0, 1 and 2 has the places 0 (before row 0) to 3 (after row 2). Each place has two
instants: at it, right after its row, and after it, right before the next row
(docs/adr/0006-two-instants-of-a-cursor.md). Columns of bounds have one element an instant.

    row          0        1        2
    place    0        1        2        3
    instant  0   1    2   3    4   5    6   7
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.history.running_bounds import Instants, Places
from core.trace.ids import Instant, Place

AT_PLACES: Final = slice(None, None, 2)
"""The elements of a column by instant that are at places."""
AFTER_PLACES: Final = slice(1, None, 2)
"""Those that are after places."""


def place_after(row: int) -> Place:
    """The place right after a row, by its number."""
    return Place(row + 1)


def place_before(row: int) -> Place:
    """The place right before a row, by its number."""
    return Place(row)


def places_between(row: int, later: int) -> tuple[Place, Place]:
    """The places first..last after a row and before a later one; that after the last row is len(rows)."""
    return place_after(row), place_before(later)


def row_before(place: Place) -> int:
    """The number of the row right before a place; -1 at place 0."""
    return place - 1


def instant_at(place: Place) -> Instant:
    """The instant at a place: right after its row."""
    return Instant(2 * place)


def instant_after(place: Place) -> Instant:
    """The instant after a place: right before the next row."""
    return Instant(2 * place + 1)


def instant_before(place: Place) -> Instant:
    """The instant right before the row of a place; -1 at place 0."""
    return Instant(2 * place - 1)


def end_after(place: Place) -> Instant:
    """The end, exclusive, of the instants up to a place, both of its own included."""
    return Instant(2 * place + 2)


def previous(instant: Instant) -> Instant:
    """The instant right before another."""
    return Instant(instant - 1)


def following(instant: Instant) -> Instant:
    """The instant right after another; as the end of a span, exclusive, it takes that one in."""
    return Instant(instant + 1)


def next_place(place: Place) -> Place:
    """The place after a place; as the end of a span, exclusive, it takes that one in."""
    return Place(place + 1)


def previous_place(place: Place) -> Place:
    """The place before a place."""
    return Place(place - 1)


def place_of(instant: Instant) -> Place:
    """The place that an instant belongs to."""
    return Place(instant // 2)


def is_at_row(instant: Instant) -> bool:
    """Whether an instant is right after the row of its place, not right before the next row."""
    return instant % 2 == 0


def next_row_place(instant: Instant) -> Place:
    """The first place whose row is not before an instant: its own if it is at the row, else the next one."""
    return Place((instant + 1) // 2)


def instants_of(places: int) -> int:
    """How many instants so many places have."""
    return 2 * places


def instants_at(places: Places) -> Instants:
    """By place of a column, the instant at it."""
    return 2 * places


def instants_after(places: Places) -> Instants:
    """By place of a column, the instant after it."""
    return 2 * places + 1


def places_of(instants: Instants) -> Places:
    """By instant of a column, the place that it belongs to."""
    return instants // 2


def twice(by_place: NDArray[Any]) -> NDArray[Any]:
    """A column by place as one by instant: both instants of a place get its value."""
    return by_place.repeat(2)


def woven(at: NDArray[Any], after: NDArray[Any]) -> NDArray[Any]:
    """One column by instant, from one by place at the places and one after them."""
    column = np.empty(2 * len(at), at.dtype)
    column[::2], column[1::2] = at, after
    return column


def at_places(by_instant: NDArray[Any]) -> NDArray[Any]:
    """The elements at all places, as a view: by place."""
    return by_instant[AT_PLACES]


def at_places_from(by_instant: NDArray[Any], first: Place, end: Place) -> NDArray[Any]:
    """The elements at places first..end-1, as a view."""
    return by_instant[2 * first : 2 * end : 2]


def after_places(by_instant: NDArray[Any]) -> NDArray[Any]:
    """The elements after all places, as a view: by place."""
    return by_instant[1::2]


def before_rows(by_instant: NDArray[Any]) -> NDArray[Any]:
    """The elements right before each row, as a view: by row."""
    return by_instant[1:-1:2]


def after_rows(by_instant: NDArray[Any]) -> NDArray[Any]:
    """The elements right after each row, as a view: by row."""
    return by_instant[2::2]
