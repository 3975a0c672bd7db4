"""Bounds at instants: read one by one or together they are the same."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.history import carrying
from core.history.carrying import Pool
from core.history.running_bounds import NO_HIGH, NO_LOW, from_before, from_behind, peaks, valleys
from core.history.state import UNKNOWN_BAND, Band
from core.history.track import Track
from core.history.visible_bands import band_at
from core.trace.ids import Instant
from core.trace.vocabulary import Basis


def _track(places: int) -> Track:
    return Pool([((1,), places)]).partitions[0][1]


def _pool(*brokers: int, places: int) -> tuple[Pool, list[Track]]:
    pool = Pool([(brokers, places)])
    return pool, list(pool.partitions[0].values())


def test_an_upper_bound_that_can_fail_is_in_force_only_between_the_sure_ones() -> None:
    track = _track(3)
    track.at_most(Instant(1), 10, "sure")
    track.softly_at_most(Instant(1), 7, "can fail")
    track.at_most(Instant(2), 10, "sure")
    track.softly_at_most(Instant(2), 12, "can fail")
    track.at_least(Instant(3), 9, "sure")
    track.softly_at_most(Instant(3), 8, "can fail")
    track.softly_at_most(Instant(4), 8, "can fail")
    expected = [(None, False), (7, True), (10, False), (None, False), (8, True), (None, False)]
    assert [track.upper(Instant(instant)) for instant in range(6)] == expected
    highs, can_fail = track.uppers(Instant(0), Instant(6))
    assert highs.tolist() == [NO_HIGH if high is None else high for high, _ in expected]
    assert can_fail.tolist() == [fails for _, fails in expected]
    assert track.uppers(Instant(1), Instant(3))[0].tolist() == [7, 10]


def test_bounds_that_tell_nothing_new_change_nothing() -> None:
    track = _track(2)
    track.all_at_least(Instant(1), np.array([4, NO_LOW]), "first")
    highs, fails = np.array([9, 9, NO_HIGH]), np.array([False, True, False])
    hard = np.array([9, 12, NO_HIGH])
    track.all_below(Instant(0), highs, fails, hard, "first")
    narrowed = track.times_narrowed
    track.all_at_least(Instant(0), np.array([NO_LOW, 4, NO_LOW]), "second")
    track.all_below(Instant(0), highs, fails, hard, "second")
    assert track.times_narrowed == narrowed
    assert [track.low(Instant(instant)) for instant in range(4)] == [None, 4, None, None]
    assert [track.upper(Instant(instant)) for instant in range(4)] == [
        (9, False),
        (9, True),
        (None, False),
        (None, False),
    ]
    assert track.high(Instant(1)) == 12


def test_where_a_bound_that_can_fail_is_contradicted_the_sure_one_beside_it_stands() -> None:
    track = _track(1)
    track.all_below(Instant(0), np.array([9, 9]), np.array([True, True]), np.array([12, NO_HIGH]), "log")
    track.at_least(Instant(0), 10, "seen")
    track.at_least(Instant(1), 10, "seen")
    assert [track.upper(Instant(instant)) for instant in range(2)] == [(12, False), (None, False)]


def test_a_lower_bound_holds_on_and_an_upper_one_back_within_an_era() -> None:
    pool, (track,) = _pool(1, places=4)
    track.at_least(Instant(1), 5, "seen")
    track.at_most(Instant(3), 7, "seen")
    track.start_section(Instant(4))
    track.at_least(Instant(6), 2, "seen later")
    pool.settle()
    assert [track.low(Instant(instant)) for instant in range(8)] == [None, 5, 5, 5, None, 2, 2, 2]
    assert [track.high(Instant(instant)) for instant in range(8)] == [7, 7, 7, 7, None, None, None, None]


def test_over_a_cut_so_much_holds_as_it_keeps() -> None:
    pool, (track,) = _pool(1, places=4)
    track.at_least(Instant(1), 5, "seen")
    track.start_section(Instant(4), keep=3)
    track.at_least(Instant(6), 4, "seen later")
    pool.settle()
    assert [track.low(Instant(instant)) for instant in range(8)] == [None, 5, 5, 5, 3, 4, 4, 4]


def test_a_value_that_may_fall_is_not_bounded_below_what_it_began_with() -> None:
    pool, (track,) = _pool(1, places=4)
    track.at_most(Instant(1), 10, "seen")
    track.start_section(Instant(2))
    track.may_fall_from.add(Instant(2))
    track.at_most(Instant(6), 4, "seen later")
    track.at_most(Instant(7), 3, "seen later")
    pool.settle()
    assert [track.high(Instant(instant)) for instant in range(8)] == [10, 10, 10, 10, 10, 10, 4, 3]


def test_tracks_that_are_settled_together_do_not_touch_each_other() -> None:
    pool = Pool([((1, 2), 2), ((1,), 3)])
    (first, second), third = pool.partitions[0].values(), pool.partitions[1][1]
    first.at_least(Instant(3), 8, "seen")
    second.at_most(Instant(0), 1, "seen")
    second.at_least(Instant(3), 0, "seen")
    third.at_most(Instant(0), 5, "seen")
    pool.settle()
    assert [(second.low(Instant(instant)), second.high(Instant(instant))) for instant in range(4)] == [
        (None, 1),
        (None, None),
        (None, None),
        (0, None),
    ]
    assert [first.high(Instant(instant)) for instant in range(4)] == [None] * 4
    assert [third.low(Instant(instant)) for instant in range(6)] == [None] * 6


def test_eras_start_at_the_cuts_and_at_the_beginning() -> None:
    track = _track(4)
    assert track.sections().tolist() == [0]
    track.start_section(Instant(2))
    track.start_section(Instant(6))
    assert track.sections().tolist() == [0, 2, 6]
    track.start_sections(Instant(4), Instant(6))
    assert track.sections().tolist() == [0, 2, 4, 5, 6]
    assert track.starts_section(Instant(3), Instant(5))
    assert not track.starts_section(Instant(7), Instant(8))


def test_a_stretch_that_stands_still_has_one_value() -> None:
    pool, (track,) = _pool(1, places=3)
    track.still_spans.append((Instant(1), Instant(4)))
    track.at_least(Instant(2), 5, "a row says so")
    track.at_most(Instant(3), 8, "a row says so")
    pool.settle()
    assert [(track.low(Instant(instant)), track.high(Instant(instant))) for instant in range(1, 5)] == [
        (5, 8)
    ] * 4


def test_numbers_as_far_apart_as_they_can_be_are_ordered() -> None:
    far = 2**63 - 2
    values = np.array([-far, NO_LOW, far, 0, NO_LOW, 3, NO_LOW])
    starts = np.array([True, False, False, False, True, False, False])
    places = np.arange(7)
    assert from_before(places, peaks(values, starts)).tolist() == [0, 0, 2, 2, 4, 5, 5]
    lows = np.array([far, NO_HIGH, 0, -far, NO_HIGH, 3, NO_HIGH])
    assert from_behind(places, valleys(lows, starts)).tolist() == [3, 3, 3, 3, 5, 5, 6]


def test_long_sections_are_ordered_as_short_ones() -> None:
    chance = np.random.default_rng(5)
    values = chance.integers(-9, 40, 2_000).cumsum()
    values[chance.random(2_000) < 0.2] = NO_LOW
    sections = (np.arange(2_000) >= 700).astype(np.int64)
    highs = np.where(values == NO_LOW, NO_HIGH, values)

    before = [values[700 * section : one + 1] for one, section in enumerate(sections.tolist())]
    after = [highs[one : 2_000 if section else 700] for one, section in enumerate(sections.tolist())]
    starts = np.diff(sections, prepend=-1) != 0
    assert peaks(values, starts).tolist() == [part.max() == part[-1] for part in before]
    assert valleys(highs, starts).tolist() == [part.min() == part[0] for part in after]


def test_numbers_below_zero_and_close_to_the_highest_are_ordered() -> None:
    starts, places = np.array([True, False, False, True, False]), np.arange(5)
    below = np.array([NO_LOW, -3, -7, -1, NO_LOW])
    assert from_before(places, peaks(below, starts)).tolist() == [0, 1, 1, 3, 3]
    high = 2**63 - 9
    assert from_before(places, peaks(below + high, starts)).tolist() == [0, 1, 1, 3, 3]
    assert from_behind(places, valleys(np.array([high, NO_HIGH, high - 1, 4, 3]), starts)).tolist() == [
        2,
        2,
        2,
        4,
        4,
    ]


def test_the_band_at_an_instant_says_what_bounds_it() -> None:
    track = _track(4)
    track.at_most(Instant(1), 10, "one")
    track.exactly(Instant(2), 5, Basis.REPORTED)
    track.at_least(Instant(3), 6, "two")
    track.softly_at_most(Instant(3), 8, "can fail")
    track.at_least(Instant(4), 9, "two")
    track.at_most(Instant(4), 7, "one")
    track.at_least(Instant(5), 4, "two")
    assert [band_at(track, Instant(instant)) for instant in range(7)] == [
        UNKNOWN_BAND,
        Band(0, 10, Basis.BOUNDED, "one; log-start"),
        Band(5, 5, Basis.REPORTED, "stated"),
        Band(6, 8, Basis.INFERRED, "can fail; two"),
        Band(7, 9, Basis.BOUNDED, "contradiction"),
        Band(4, None, Basis.BOUNDED, "two"),
        UNKNOWN_BAND,
    ]


def test_many_tracks_are_settled_as_each_alone() -> None:
    long = [((1,), 100_000), ((1, 2), 40_000), ((3,), 5)]
    together = Pool(long)
    alone = [Pool([one]) for one in long]
    for pools in ([together], alone):
        for tracks in (tracks for pool in pools for tracks in pool.partitions):
            for broker, track in tracks.items():
                track.at_least(Instant(3), 10 * broker, "a row says so")
                track.start_section(Instant(7))
                track.at_most(Instant(len(track) - 1), 10 * broker + 5, "a row says so")
        for pool in pools:
            pool.settle()
    bounds = [
        [
            (track.low(Instant(5)), track.low(Instant(7)), track.high(Instant(6)), track.high(Instant(8)))
            for track in tracks.values()
        ]
        for pools in ([together], alone)
        for pool in pools
        for tracks in pool.partitions
    ]
    one, two, three = ((low, None, None, low + 5) for low in (10, 20, 30))
    assert bounds[:3] == bounds[3:] == [[one], [one, two], [three]]


def test_small_tracks_are_settled_together_and_a_long_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "_INSTANTS_AT_ONCE", 12)
    sizes = [((1, 2), 2), ((3,), 5), ((4,), 10), ((5,), 1)]

    parts = [part for part, _ in Pool(sizes).parts]

    # Instants: 4, 4, 10, 20 and 2. The third would be 18 with those before it.
    assert parts == [slice(0, 2), slice(2, 3), slice(3, 4), slice(4, 5)]


def test_what_stands_still_over_a_row_was_so_before_the_row_too() -> None:
    """Instants 1 and 2 are before and after row 0, which starts no section: one settling tells of both."""
    pool, (track,) = _pool(1, places=4)
    track.still_spans.append((Instant(2), Instant(5)))
    track.at_least(Instant(5), 7, "a row says so")
    pool.settle()
    assert [track.low(Instant(instant)) for instant in range(6)] == [None, 7, 7, 7, 7, 7]


def test_an_upper_bound_that_can_fail_says_nothing_of_the_value_before_it_may_have_fallen() -> None:
    pool, (track,) = _pool(1, places=4)
    track.at_most(Instant(1), 10, "seen")
    track.start_section(Instant(2))
    track.may_fall_from.add(Instant(2))
    track.softly_at_most(Instant(6), 4, "can fail")
    pool.settle()
    assert [track.upper(Instant(instant)) for instant in (1, 5, 6)] == [(10, False), (None, False), (4, True)]


_PLACES = 5
_BOUND = st.tuples(st.integers(0, 2 * _PLACES - 1), st.integers(0, 9))
_SPAN = st.tuples(st.integers(0, 2 * _PLACES - 1), st.integers(0, 2 * _PLACES - 1)).map(sorted)


@pytest.mark.slow
@given(
    st.lists(_BOUND, max_size=4),
    st.lists(_BOUND, max_size=4),
    st.sets(st.integers(1, 2 * _PLACES - 1), max_size=3),
    st.lists(_SPAN, max_size=2),
)
def test_bounds_are_as_tight_as_values_that_grow_in_sections_make_them(
    lows: list[tuple[int, int]], highs: list[tuple[int, int]], starts: set[int], still: list[list[int]]
) -> None:
    """Beside a slow twin: what holds between two neighbours is applied to them until nothing changes.

    Within a section a value never falls; over a row that starts none it stays; in a still span it stays.
    """
    pool, (track,) = _pool(1, places=_PLACES)
    instants = range(2 * _PLACES)
    low, high = [NO_LOW for _ in instants], [NO_HIGH for _ in instants]
    for instant in starts:
        track.start_section(Instant(instant))
    for first, last in still:
        track.still_spans.append((Instant(first), Instant(last)))
    for instant, value in lows:
        track.at_least(Instant(instant), value, "seen")
        low[instant] = max(low[instant], value)
    for instant, value in highs:
        track.at_most(Instant(instant), value, "seen")
        high[instant] = min(high[instant], value)
    for _ in range(2 * _PLACES):
        pool.settle()

    grows = [(one, other) for one, other in pairwise(instants) if other not in starts]
    stays = [(one, other) for one, other in grows if other % 2 == 0]
    stays += [pair for first, last in still for pair in grows if first <= pair[0] and pair[1] <= last]
    for _ in instants:
        for one, other in grows:
            low[other], high[one] = max(low[one], low[other]), min(high[one], high[other])
        for one, other in stays:
            low[one] = low[other] = max(low[one], low[other])
            high[one] = high[other] = min(high[one], high[other])
    assert track.columns.lo.tolist() == low
    assert track.columns.hi.tolist() == high


def test_each_bound_that_narrows_is_counted_and_no_other() -> None:
    """Rules are applied until the count stays: one that took back a count would end that early."""
    track = _track(3)
    track.all_at_least(Instant(0), np.array([1, 2]), "one")
    track.all_at_most(Instant(0), np.array([9, 9]), "one")
    track.all_softly_at_most(Instant(0), np.array([8, 8]), "one")
    track.some_at_least(np.array([3, 3]), np.array([4, 5]), "one")
    assert (track.times_narrowed, track.low(Instant(3))) == (4, 5)
    track.all_at_least(Instant(0), np.array([1, 1]), "two")
    track.some_at_least(np.array([3]), np.array([5]), "two")
    assert track.times_narrowed == 4
