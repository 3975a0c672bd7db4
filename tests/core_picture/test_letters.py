"""The letters of a lesson in the lanes: beside their marks, on no label; and the veil."""

from core.picture.hit import bounds
from core.picture.letters import Letter, with_letters, with_veil
from core.picture.marks import Box, Glyph, Layer, Mark, Picture, Ref, Sign, Text

LANE = Box(0, 20, 400, 80, ref=Ref("lane", 0, 2, 2))
CRASH = Sign(200, 40, Glyph.CRASH, 12, "text", ref=Ref("event", 0, 7))


def _picture(*marks: Mark) -> Picture:
    return Picture(400, 120, (Layer("static", (LANE, *marks)), Layer("cursor", ())))


def _box(picture: Picture, letter: str) -> tuple[float, float, float, float]:
    marks = picture.layers[-1].marks
    place = next(at for at, one in enumerate(marks) if isinstance(one, Text) and one.text == letter)
    return bounds(marks[place - 1])


def test_a_letter_stands_right_of_its_mark_and_where_a_label_is_left_of_it() -> None:
    x, y, w, h = _box(with_letters(_picture(CRASH), [Letter("A", 0, 7, 2, 200.0)], 50), "A")
    assert x > 206
    assert y + h / 2 == 40

    labelled = _picture(CRASH, Text(208, 44, "killed"))
    x, _, w, _ = _box(with_letters(labelled, [Letter("A", 0, 7, 2, 200.0)], 50), "A")
    assert x + w < 194


def test_an_event_without_a_mark_is_pointed_at_in_its_lane() -> None:
    x, y, _, h = _box(with_letters(_picture(), [Letter("B", 0, 9, 2, 300.0)], 50), "B")

    assert x > 300
    assert 20 < y + h / 2 < 100


def test_a_letter_out_of_the_picture_is_not_drawn() -> None:
    picture = _picture(CRASH)

    assert with_letters(picture, [Letter("A", 0, 7, 2, 10.0)], 50) == picture
    assert with_letters(picture, [Letter("A", 1, 7, 2, 200.0)], 50) == picture


def test_the_veil_covers_all_that_is_right_of_the_stop() -> None:
    veiled = with_veil(_picture(CRASH), 250, 20, "later")

    assert bounds(veiled.layers[-1].marks[0]) == (250, 20, 150, 100)
    assert any(isinstance(one, Text) and one.text == "later" for one in veiled.layers[-1].marks)
