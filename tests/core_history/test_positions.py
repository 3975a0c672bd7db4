"""Rows, places and instants as docs/adr/0006 counts them: two instants for the place after each row."""

import numpy as np

from core.history import positions
from core.trace.ids import Instant, Place

# Of a partition with rows 0, 1 and 2: by place the instant at it and the one after it.
INSTANTS = {0: (0, 1), 1: (2, 3), 2: (4, 5), 3: (6, 7)}
AT = [at for at, _ in INSTANTS.values()]
AFTER = [after for _, after in INSTANTS.values()]


def test_a_row_is_between_two_places() -> None:
    assert [(positions.place_before(row), positions.place_after(row)) for row in range(3)] == [
        (0, 1),
        (1, 2),
        (2, 3),
    ]
    assert positions.places_between(0, 2) == (1, 2)
    assert positions.row_before(Place(3)) == 2
    assert positions.next_place(Place(1)) == 2
    assert positions.previous_place(Place(2)) == 1


def test_each_place_has_two_instants() -> None:
    for place, (at, after) in ((Place(place), both) for place, both in INSTANTS.items()):
        assert (positions.instant_at(place), positions.instant_after(place)) == (at, after)
        assert positions.previous(positions.instant_after(place)) == at
        assert positions.following(positions.instant_at(place)) == after
        assert list(range(at, positions.end_after(place))) == [at, after]
        assert [positions.place_of(Instant(one)) for one in (at, after)] == [place, place]
        assert [positions.is_at_row(Instant(one)) for one in (at, after)] == [True, False]
    assert positions.instants_of(len(INSTANTS)) == 8


def test_a_row_stands_between_the_instant_before_it_and_the_one_at_its_place() -> None:
    assert positions.instant_before(positions.place_after(1)) == AFTER[1]
    assert positions.instant_at(positions.place_after(1)) == AT[2]
    # From after place 1 on, the next row is row 1, whose place is 2.
    assert positions.next_row_place(Instant(AFTER[1])) == 2
    assert positions.next_row_place(Instant(AT[2])) == 2


def test_columns_are_read_as_single_instants_are() -> None:
    places, instants = np.arange(4), np.arange(8)
    assert positions.instants_at(places).tolist() == AT
    assert positions.instants_after(places).tolist() == AFTER
    assert positions.places_of(instants).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert positions.twice(places).tolist() == positions.places_of(instants).tolist()
    assert positions.woven(np.array(AT), np.array(AFTER)).tolist() == instants.tolist()
    assert positions.at_places(instants).tolist() == AT
    assert positions.after_places(instants).tolist() == AFTER
    assert positions.at_places_from(instants, Place(1), Place(3)).tolist() == AT[1:3]
    # Rows 0, 1 and 2: what is right before each, and right after it.
    assert positions.before_rows(instants).tolist() == AFTER[:3]
    assert positions.after_rows(instants).tolist() == AT[1:]


def test_parts_of_a_column_are_written_through() -> None:
    column = np.zeros(4, np.int64)
    positions.after_places(column)[:] = 5
    positions.after_rows(column)[:] = 7
    assert column.tolist() == [0, 5, 7, 5]
