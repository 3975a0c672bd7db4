"""What a click finds."""

import pytest

from core.picture.hit import mark_at
from core.picture.marks import Box, Glyph, Layer, Mark, Picture, Ref, Segments, Sign, Text


def ref(kind: str, key: int) -> Ref:
    return Ref(kind, 0, key, 1, f"{kind} {key}")


def hit(x: float, y: float, *marks: Mark) -> Ref | None:
    return mark_at(Picture(100, 100, (Layer("static", marks),)), x, y)


LANE = Box(0, 0, 100, 100, ref=ref("lane", 1))
LOSS = Sign(50, 50, Glyph.LOSS, 16, "loss", rank=2, ref=ref("loss", 5))
CUT = Sign(54, 50, Glyph.TRUNCATION, 17, "text", rank=6, ref=ref("truncation", 6))
SAMPLE = Sign(20, 20, Glyph.OBSERVED, 6.4, "leo", rank=15, ref=ref("event", 7))


@pytest.mark.parametrize("order", [(LANE, LOSS, CUT), (CUT, LANE, LOSS), (LOSS, CUT, LANE)])
def test_the_highest_rank_wins_whatever_lies_on_top(order: tuple[Mark, ...]) -> None:
    assert hit(53, 50, *order) == LOSS.ref


def test_marks_of_rank_1_to_8_reach_over_24_pixels() -> None:
    assert hit(61.9, 50, LOSS) == LOSS.ref
    assert hit(62.1, 50, LOSS) is None


def test_samples_reach_over_16_pixels() -> None:
    assert hit(27.9, 20, SAMPLE) == SAMPLE.ref
    assert hit(28.1, 20, SAMPLE) is None


def test_of_two_equal_marks_the_upper_one_is_meant() -> None:
    lower, upper = (Box(10, 10, 30, 30, ref=ref("event", key)) for key in (1, 2))

    assert hit(20, 20, lower, upper) == upper.ref


def test_an_area_is_found_where_nothing_stands_on_it() -> None:
    assert hit(90, 90, LANE, LOSS) == LANE.ref


def test_what_stands_for_nothing_is_not_found() -> None:
    assert hit(5, 5, Box(0, 0, 10, 10), Segments(((0, 0, 9, 9),), "text"), Text(2, 8, "e0")) is None
