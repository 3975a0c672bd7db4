"""How large letters must be for the last row of a room."""

import pytest

from core.picture.viewing import USUAL, Room, letters_of, minutes_of_arc

SCREEN = Room(width_cm=143)
"""65 inches of 16:9, seen at eight metres."""


@pytest.mark.parametrize(
    ("size", "projected", "on_screen"), [(60, 23, 14), (56, 22, 13), (48, 19, 11), (44, 17, 10), (40, 16, 9)]
)
def test_the_table_of_the_design(size: int, projected: int, on_screen: int) -> None:
    # Design of lessons, 3: the height of a capital, in minutes of arc.
    assert round(minutes_of_arc(size, USUAL)) == projected
    assert round(minutes_of_arc(size, SCREEN)) == on_screen


def test_the_formula_of_nureg_0700() -> None:
    # Height = 6.283 D (MA) / 21600. A capital of Inter is 0.727 of its size.
    angle = minutes_of_arc(100, Room(300, 1000))

    assert 6.283 * 1000 * angle / 21600 == pytest.approx(100 * 0.727 / 1920 * 300, rel=1e-3)


def test_letters_are_seen_under_the_same_angle_from_every_last_row() -> None:
    usual = minutes_of_arc(letters_of(USUAL), USUAL)

    assert letters_of(USUAL) == 40
    for room in (Room(480, 1600), Room(240, 1200), Room(300, 700), SCREEN):
        assert minutes_of_arc(letters_of(room), room) == pytest.approx(usual, rel=1e-3)
    assert letters_of(Room(240, 1200)) == 60


def test_there_is_an_end_to_large_and_small() -> None:
    assert letters_of(Room(50, 6000)) == 80
    assert letters_of(Room(2000, 100)) == 24
