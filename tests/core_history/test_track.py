"""Bounds at instants: read one by one or together they are the same."""

from core.history.track import Track


def test_an_upper_bound_that_can_fail_is_in_force_only_between_the_sure_ones() -> None:
    track = Track(3)
    track.at_most(1, 10, "sure")
    track.softly_at_most(1, 7, "can fail")
    track.at_most(2, 10, "sure")
    track.softly_at_most(2, 12, "can fail")
    track.at_least(3, 9, "sure")
    track.softly_at_most(3, 8, "can fail")
    track.softly_at_most(4, 8, "can fail")
    expected = [(None, False), (7, True), (10, False), (None, False), (8, True), (None, False)]
    assert track.uppers(0, 6) == expected
    assert [track.upper(instant) for instant in range(6)] == expected
    assert track.uppers(1, 3) == expected[1:3]


def test_places_of_which_the_same_is_known_are_equal() -> None:
    track = Track(3)
    track.at_least(2, 5, "a row says so")
    track.settle()
    first, second, third = track.known_over()
    assert first != second == third


def test_an_instant_belongs_to_the_era_that_started_last() -> None:
    track = Track(4)
    assert track.era_of(7) == 0
    track.cut(2)
    track.cut(6)
    assert [track.era_of(instant) for instant in range(8)] == [0, 0, 2, 2, 2, 2, 6, 6]
    track.cut(4)
    assert track.era_of(5) == 4


def test_a_stretch_that_stands_still_has_one_value() -> None:
    track = Track(3)
    track.still.append((1, 4))
    track.at_least(2, 5, "a row says so")
    track.at_most(3, 8, "a row says so")
    track.settle()
    assert [(track.lo[instant], track.hi[instant]) for instant in range(1, 5)] == [(5, 8)] * 4
