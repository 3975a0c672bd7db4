"""The spotlight: another ground outside of it, the data as it was, corners around it."""

from core.picture.marks import Box, Layer, Line, Picture
from core.picture.spotlight import Spot, with_spotlight

PAPER = Box(0, 0, 400, 300, fill="bg.lane")
DATA = Box(60, 40, 300, 50, fill="e0.committed")
ROWS = ((0, 20.0, 100.0), (0, 100.0, 180.0), (1, 200.0, 280.0))
GUTTER = 50.0


def _lit(*places: int) -> Picture:
    picture = Picture(400, 300, (Layer("static", (PAPER, DATA)), Layer("cursor", ())))
    return with_spotlight(picture, Spot(120.0, 220.0, ROWS, frozenset(places)), GUTTER)


def _ground(picture: Picture, x: float, y: float) -> str:
    """Of what the paper is made at a point."""
    under = [one for one in picture.layers[0].marks if isinstance(one, Box) and one != DATA]
    return [one for one in under if one.x <= x < one.x + one.w and one.y <= y < one.y + one.h][-1].fill


def _corners(picture: Picture) -> list[tuple[float, float]]:
    return sorted(one.points[1] for one in picture.layers[-1].marks if isinstance(one, Line))


def test_the_ground_is_another_one_outside_of_what_is_spoken_of() -> None:
    picture = _lit(0)

    assert [_ground(picture, x, 60) for x in (60, 119, 121, 219, 221, 399)] == [
        *("bg.window", "bg.window", "bg.lane", "bg.lane", "bg.window", "bg.window")
    ]
    assert _ground(picture, 150, 140) == "bg.window", "of this lane the text does not speak"
    assert {_ground(picture, 10, y) for y in (60, 140, 240)} == {"bg.lane"}, "names stay as they are"


def test_the_data_lies_over_the_ground_as_it_was() -> None:
    marks = _lit(0).layers[0].marks

    assert marks[0] == PAPER
    assert marks[-1] == DATA
    assert all(isinstance(one, Box) and one.fill == "bg.window" for one in marks[1:-1])


def test_lanes_of_a_run_have_corners_together_and_each_run_its_own() -> None:
    # 2 inside of the lanes.
    assert _corners(_lit(0, 1)) == [(120, 22), (120, 178), (220, 22), (220, 178)]
    assert _corners(_lit(1, 2)) == [
        *((120, 102), (120, 178), (120, 202), (120, 278)),
        *((220, 102), (220, 178), (220, 202), (220, 278)),
    ]
