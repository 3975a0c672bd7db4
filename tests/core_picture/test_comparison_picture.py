"""The first picture: the loss beside the fix, under one ruler."""

from pathlib import Path

import pytest

from core.compare.comparison import Comparison
from core.message import message
from core.picture.axis import columns_of
from core.picture.cells import CellsView, lay_out_cells
from core.picture.comparison import ComparisonView, geometry, lay_out_comparison, verdict_words
from core.picture.hit import bounds, mark_at
from core.picture.marks import Box, Glyph, Line, Mark, Picture, Sign, Text
from core.picture.ruler import column_texts, stop_words
from core.picture.text import to_text
from core.words import text
from tests.goldens import updating

GOLDEN = Path(__file__).parent.parent / "golden" / "picture"
SIZES = ((1184, 748), (1232, 600), (860, 560), (1500, 900), (1920, 1080))


def texts(picture: Picture) -> list[str]:
    return [mark.text for mark in picture.marks() if isinstance(mark, Text)]


def signs(picture: Picture, glyph: Glyph) -> list[Sign]:
    return [mark for mark in picture.marks() if isinstance(mark, Sign) and mark.glyph is glyph]


@pytest.fixture(name="picture")
def _picture(loss_and_fix: Comparison) -> Picture:
    return lay_out_comparison(ComparisonView(loss_and_fix, 8, 1184, 748))


def test_m1_is_lost_above_and_stands_below(loss_and_fix: Comparison, picture: Picture) -> None:
    assert verdict_words(loss_and_fix.runs[0]) == ("m1 lost", "loss")
    assert verdict_words(loss_and_fix.runs[1]) == ("nothing lost", "ok")
    assert "m1 gone from every replica" in texts(picture)
    assert [sign.label for sign in signs(picture, Glyph.LOSS)] == ["", "−1"]


def test_the_first_difference_is_named_where_it_is(loss_and_fix: Comparison, picture: Picture) -> None:
    columns = columns_of(loss_and_fix, 158, 1168)
    (diamond,) = signs(picture, Glyph.DIFFERENCE)
    x = columns.slot(8)[0]
    joins = [m for m in picture.marks() if isinstance(m, Line) and m.ref and m.ref.kind == "difference"]

    assert "First difference: broker B · cut 2 → 1 | kept 2" in texts(picture)
    assert diamond.ref is not None
    assert diamond.ref.key == 8
    assert joins
    assert {px for join in joins for px, _ in join.points} == {x}


@pytest.mark.parametrize("width", [860, 911, 1184])
def test_no_word_of_the_script_is_cut(loss_and_fix: Comparison, width: int) -> None:
    columns = columns_of(loss_and_fix, 158, width - 16)
    words = {word for stop in loss_and_fix.stops if stop.label for word in text(stop.label).split()}
    shown = [
        mark
        for place in range(len(columns.heads))
        for mark in column_texts(loss_and_fix, columns, place, 0.0, strong=False)[1:]
        if isinstance(mark, Text)
    ]
    assert not [mark.text for mark in shown if "…" in mark.text]
    assert words <= {word for mark in shown for word in mark.text.split()}


def test_a_landmark_says_that_it_is_about_a_broker() -> None:
    starts = message("compare.landmark.starts", who=message("broker.number", number=2))
    assert stop_words(starts) == "broker 2 starts"
    assert stop_words(starts, short=True) == "b2 starts"
    leads = message("compare.landmark.leads", who=message("controller.number", number=100))
    assert stop_words(leads) == "controller 100 leads"
    assert stop_words(leads, short=True) == "c100 leads"
    assert stop_words(message("compare.landmark.isr", members="1, 2"), short=True) == "ISR 1, 2"
    assert stop_words(message("compare.landmark.starts", who="B"), short=True) == "B starts"


def test_the_gutter_has_the_values_after_step_8(picture: Picture) -> None:
    cursor = next(layer for layer in picture.layers if layer.name == "cursor")
    values = [mark for mark in cursor.marks if isinstance(mark, Text) and mark.mono and mark.x == 50]

    assert [mark.text for mark in values] == [
        "2",
        "2",
        "A, B",
        "1",
        "1",
        "in",
        "2",
        "2",
        "A, B",
        "2",
        "1",
        "in",
    ]


def test_agreement_ends_at_step_8(picture: Picture) -> None:
    words = texts(picture)

    assert words.count("B differs") + words.count("broker B differs") == 3
    assert words.count("both differ") == 3


def test_a_step_changes_only_the_cursor_layer(loss_and_fix: Comparison) -> None:
    before = lay_out_comparison(ComparisonView(loss_and_fix, 8, 1184, 748))
    after = lay_out_comparison(ComparisonView(loss_and_fix, 9, 1184, 748))

    assert after.layers[0] is before.layers[0]
    assert after.layers[1] != before.layers[1]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_text_is_cut_off_or_covers_another(loss_and_fix: Comparison, width: float, height: float) -> None:
    picture = lay_out_comparison(ComparisonView(loss_and_fix, None, width, height))
    boxes = [(mark, bounds(mark)) for mark in picture.marks() if isinstance(mark, Text)]

    assert [
        m.text for m, (x, y, w, h) in boxes if x < 0 or y < 0 or x + w > width or y + h > picture.height
    ] == []
    assert [
        (a.text, b.text) for i, (a, one) in enumerate(boxes) for b, two in boxes[:i] if covers(one, two)
    ] == []


def covers(one: tuple[float, float, float, float], two: tuple[float, float, float, float]) -> bool:
    wide = min(one[0] + one[2], two[0] + two[2]) - max(one[0], two[0])
    high = min(one[1] + one[3], two[1] + two[3]) - max(one[1], two[1])
    return wide > 1 and high > 2


def test_no_cell_at_or_above_the_high_watermark_looks_visible(loss_and_fix: Comparison) -> None:
    for place, stop in enumerate(loss_and_fix.stops):
        picture = lay_out_cells(CellsView(loss_and_fix.runs, stop.cursors, 1184))
        bars = [m for m in picture.marks() if isinstance(m, Box) and m.fill == "hw" and m.h == 3]
        shown = sum(
            state.hw.exact or 0
            for run, cursor in zip(loss_and_fix.runs, stop.cursors, strict=True)
            for state in run.history.at(cursor).replicas
            if state.role == "leader"
        )

        assert len(bars) == shown, f"step {place}"


def test_the_cells_tell_what_became_of_m1(loss_and_fix: Comparison) -> None:
    def cells(step: int) -> list[str]:
        picture = lay_out_cells(CellsView(loss_and_fix.runs, loss_and_fix.stops[step].cursors, 1184))
        boxes: list[Mark] = [
            m for m in picture.marks() if isinstance(m, Box) and m.ref and m.ref.kind == "cell"
        ]
        return [m.ref.text for m in boxes if isinstance(m, Box) and m.ref and "m1" in m.ref.text]

    assert cells(8) == [
        "offset 1 m1, committed",
        "offset 1 m1, removed, as designed",
        "offset 1 m1, committed",
        "offset 1 m1, not yet committed",
    ]
    assert cells(11)[:2] == ["offset 1 m1, lost", "offset 1 m1, lost"]


def test_a_click_finds_the_loss_and_not_the_lane_under_it(picture: Picture) -> None:
    pill = signs(picture, Glyph.LOSS)[1]

    hit = mark_at(picture, pill.x, pill.y)

    assert hit is not None
    assert (hit.kind, hit.text) == ("loss", "broker A cut its log from 2 to 1")


def test_an_empty_place_of_a_lane_is_the_lane(loss_and_fix: Comparison, picture: Picture) -> None:
    lane = geometry(ComparisonView(loss_and_fix, 8, 1184, 748)).lanes[1][1]

    hit = mark_at(picture, 20, lane.box.bottom - 2)

    assert hit is not None
    assert (hit.kind, hit.run, hit.key) == ("lane", 1, 2)


@pytest.mark.parametrize(("stop", "x"), [(0, 160), (8, 760), (13, 1167)])
def test_a_place_on_the_ruler_is_a_stop(loss_and_fix: Comparison, stop: int, x: float) -> None:
    columns = geometry(ComparisonView(loss_and_fix, None, 1184, 748)).columns

    assert columns.stop_at(x) == stop
    assert columns.slot(stop)[0] < columns.cursor_x(stop) <= columns.slot(stop)[1]


@pytest.mark.parametrize("name", ["loss-beside-fix", "loss-beside-fix-cells"])
def test_the_picture_looks_as_it_did(loss_and_fix: Comparison, picture: Picture, name: str) -> None:
    if name.endswith("cells"):
        picture = lay_out_cells(CellsView(loss_and_fix.runs, loss_and_fix.stops[8].cursors, 1184))
    file = GOLDEN / f"{name}.txt"
    if updating():
        file.write_text(to_text(picture), encoding="utf-8")

    assert to_text(picture) == file.read_text(encoding="utf-8")
