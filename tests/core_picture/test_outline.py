"""The named parts of a picture, as those who do not see it find them."""

from core.picture.marks import Box, Glyph, Layer, Picture, Ref, Sign, Text
from core.picture.outline import outline_of_cells, outline_of_lanes

LANE = Ref("lane", 0, 1, 1, "broker 1")
CUT = Ref("loss", 0, 7, 1, "broker 1 cut its log from 45 to 30")
START = Ref("event", 0, 3, 1, "broker 1 started")


def picture(*marks: Box | Sign | Text) -> Picture:
    return Picture(400, 200, (Layer("static", marks),))


def sign(x: float, ref: Ref) -> Sign:
    return Sign(x, 60, Glyph.LOSS, 12, "loss", ref=ref)


def test_a_lane_has_its_marks_in_the_order_of_their_events_and_each_once() -> None:
    shown = picture(
        Box(0, 40, 400, 80, ref=LANE),
        sign(200, CUT),
        Text(210, 60, "−15", ref=CUT),
        sign(90, START),
        Text(4, 52, "broker 1"),
    )
    (lane,) = outline_of_lanes(shown)
    assert lane.name == "broker 1"
    assert [part.name for part in lane.parts] == ["broker 1 started", "broker 1 cut its log from 45 to 30"]


def test_what_belongs_to_no_lane_comes_first_and_what_the_overview_repeats_is_told_once() -> None:
    step = Ref("stop", 0, 4, text="kill A")
    shown = picture(
        Box(0, 40, 400, 80, ref=LANE),
        sign(200, CUT),
        Sign(200, 8, Glyph.LOSS, 8, "loss", ref=Ref("loss", 0, 7, -1, "loss")),
        Text(150, 20, "4", ref=step),
    )
    assert [part.name for part in outline_of_lanes(shown)] == ["kill A", "broker 1"]


def test_a_mark_without_a_name_is_no_part() -> None:
    assert outline_of_lanes(picture(sign(9, Ref("event", 0, 3, -1)), Text(9, 9, "plain"))) == ()


def test_a_row_of_cells_is_called_as_the_picture_calls_it() -> None:
    first, second = Ref("cell", 0, 0, text="offset 0 m0"), Ref("cell", 0, 1, text="offset 1 m1")
    shown = picture(
        Text(16, 64, "broker 1"),
        Box(124, 50, 22, 22, ref=second),
        Box(100, 50, 22, 22, ref=first),
        Text(160, 62, "next is 2"),
        Text(16, 94, "broker 2"),
        Box(100, 80, 22, 22, ref=first),
    )
    rows = outline_of_cells(shown)
    assert [(row.name, row.about) for row in rows] == [("broker 1", "next is 2"), ("broker 2", "")]
    assert [part.name for part in rows[0].parts] == ["offset 0 m0", "offset 1 m1"]
