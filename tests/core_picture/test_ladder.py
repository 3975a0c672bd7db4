"""The ladder beside a lane: which offset is meant at which height, and what is drawn of a choice."""

from itertools import pairwise

import pytest

from core.picture.ladder import Ladder, Placed, moved_aside, with_ladder, with_lens
from core.picture.marks import Layer, Line, Picture, Text
from core.picture.scale import OffsetScale

EMPTY = Picture(600, 400, (Layer("static", ()),))
TEN = OffsetScale(0, 10, 300.0, 100.0)
BROKEN = OffsetScale(990, 1000, 300.0, 100.0, foot=0)
"""The offsets to 990 stand in a sill below a gap."""


def _ladder(scale: OffsetScale, low: int, high: int) -> Ladder:
    return Ladder(340.0, 590.0, scale, low, high, (240.0, 60.0, 350.0, 260.0))


@pytest.mark.parametrize(
    ("scale", "low", "high"), [(TEN, 0, 8), (BROKEN, 990, 1000), (OffsetScale(0, 628, 300.0, 100.0), 0, 190)]
)
def test_the_height_of_a_rung_means_its_offset(scale: OffsetScale, low: int, high: int) -> None:
    ladder = _ladder(scale, low, high)

    for offset in range(low, high + 1):
        # Heights are whole pixels: of offsets that share one any may be meant.
        assert scale.y(ladder.offset_at(scale.y(offset))) == scale.y(offset)
    assert ladder.offset_at(-1000) == high
    assert ladder.offset_at(1000) == low


def test_between_two_rungs_the_nearer_one_is_meant() -> None:
    # A record is 20 pixels high: 5 is at 200, 6 at 180.
    ladder = _ladder(TEN, 0, 8)

    assert [ladder.offset_at(y) for y in (200, 193, 188, 180)] == [5, 5, 6, 6]


def test_before_something_is_chosen_the_grip_is_on_no_offset() -> None:
    ladder = _ladder(TEN, 0, 8)
    _, y, _, tall = ladder.grip(None)

    assert y + tall < TEN.y(8)
    _, y, _, tall = ladder.grip(3)
    assert y + tall / 2 == TEN.y(3)


def _texts(placed: Placed, ladder: Ladder) -> list[str]:
    return [one.text for one in with_ladder(EMPTY, ladder, placed).marks() if isinstance(one, Text)]


def test_every_offset_has_a_rung_until_they_are_too_near() -> None:
    assert _texts(Placed(None, "drag"), _ladder(TEN, 0, 8)) == [*map(str, range(9)), "drag"]
    many = _texts(Placed(None, "drag"), _ladder(OffsetScale(0, 628, 300.0, 100.0), 0, 628))
    assert many[0] == "0"
    assert len(many) < 20


def test_what_is_chosen_is_seen_in_the_lane() -> None:
    ladder = _ladder(TEN, 0, 8)
    picture = with_ladder(EMPTY, ladder, Placed(6, "cut to 6", "keeps 0–5", 8))

    dashed = [one for one in picture.marks() if isinstance(one, Line) and one.dash]
    assert {y for one in dashed for _, y in one.points} == {TEN.y(6)}
    assert "keeps 0–5" in _texts(Placed(6, "cut to 6", "keeps 0–5", 8), ladder)


MANY = OffsetScale(0, 628, 300.0, 100.0)
"""Less than a third of a pixel an offset."""


@pytest.mark.parametrize("around", [0, 1, 206, 427, 628])
def test_the_lens_has_a_rung_of_its_own_for_each_offset_near_what_is_chosen(around: int) -> None:
    ladder = with_lens(_ladder(MANY, 0, 628), around, 20, 400)
    assert ladder.lens is not None

    near = range(max(around - 4, 0), min(around + 4, 628) + 1)
    heights = [ladder.lens.y(offset) for offset in near]
    assert all(above - below >= 8 for above, below in pairwise(heights))
    assert [ladder.offset_in_lens(y) for y in heights] == [*near]
    _, top, _, tall = ladder.lens.box
    assert top >= 20
    assert top + tall <= 400
    # The grip points at its rung, and lies on none of them.
    x, y, _, high = ladder.grip(around)
    assert y + high / 2 == ladder.lens.y(around)
    assert x > ladder.lens.left + ladder.lens.width
    assert [str(offset) for offset in near if offset != around] == [
        one for one in _texts(Placed(around, "cut"), ladder)[-len(near) - 1 : -1] if one != str(around)
    ]


def test_dragged_beyond_the_lens_no_offset_is_meant_that_the_ladder_has_not() -> None:
    ladder = with_lens(_ladder(MANY, 3, 628), 5, 20, 400)

    assert (ladder.offset_in_lens(1000), ladder.offset_in_lens(-100_000)) == (3, 628)


def test_where_each_offset_has_a_rung_there_is_no_lens() -> None:
    assert with_lens(_ladder(TEN, 0, 8), 4, 20, 400).lens is None


def test_words_of_the_veil_stand_on_no_part_of_the_ladder() -> None:
    # The ladder is from 140 to 300, its grip begins above it.
    middle = moved_aside(_ladder(TEN, 0, 8), 20, 400)
    assert middle is not None
    assert middle < 100 or middle > 312
    assert moved_aside(_ladder(TEN, 0, 8), 70, 330) is None
