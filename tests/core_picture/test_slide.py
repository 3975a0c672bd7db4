"""Figures for a slide: 16:9, and text as large as fits."""

from dataclasses import replace

import pytest

from core.compare.align import compare, make_run, make_runs
from core.document.lane_order import LaneOrder
from core.errors import QuestionError
from core.kafka.eras import era
from core.picture.comparison import ComparisonView
from core.picture.figure import FigureText, Part
from core.picture.hit import bounds
from core.picture.labels import overlap
from core.picture.marks import Picture, Text
from core.picture.notes import PlacedNote
from core.picture.slide import PIXELS, slide
from core.picture.timeline import TimelineView
from core.picture.whole import history_window
from core.sim.library import scenario
from core.sim.run import simulate


@pytest.fixture(name="view", scope="module")
def _view() -> TimelineView:
    run = make_run(simulate(scenario("hw-loss"), era("0.10.2")))
    return TimelineView(run.history, run.verdict, None, history_window(run.history), 1600, 400)


def beside(*eras: str) -> ComparisonView:
    runs = make_runs([simulate(scenario("hw-loss"), era(name)) for name in eras])
    return ComparisonView(compare(runs), None, 1600, 900)


def texts(picture: Picture) -> list[Text]:
    return [mark for mark in picture.marks() if isinstance(mark, Text)]


def smallest(picture: Picture) -> float:
    """In pixels of the slide."""
    return min(text.size for text in texts(picture)) * PIXELS[0] / picture.width


def test_two_lanes_have_no_text_below_thirty_pixels(view: TimelineView) -> None:
    made = slide(view)
    assert made.width / made.height == pytest.approx(16 / 9)
    assert smallest(made) >= 30


@pytest.mark.parametrize(("eras", "least"), [(("0.10.2", "2.8"), 16), (("0.10.2", "0.11", "2.8"), 12)])
def test_a_comparison_is_smaller_and_whole(eras: tuple[str, ...], least: float) -> None:
    made = slide(beside(*eras))
    assert made.width / made.height == pytest.approx(16 / 9)
    assert smallest(made) >= least
    for text in texts(made):
        x, y, w, h = bounds(text)
        assert x >= 0, text
        assert y >= 0, text
        assert x + w <= made.width + 1, text
        assert y + h <= made.height + 1, text


@pytest.mark.parametrize("eras", [("0.10.2", "2.8"), ("0.10.2", "0.11", "2.8")])
def test_no_text_of_a_slide_covers_another(eras: tuple[str, ...]) -> None:
    shown = texts(slide(beside(*eras)))
    boxes = [(text.text, bounds(text)) for text in shown]
    for place, (words, box) in enumerate(boxes):
        for other, beyond in boxes[place + 1 :]:
            assert overlap(box, beyond) < 12, (words, other)


def test_it_says_less_than_a_figure_but_what_was_redacted(view: TimelineView) -> None:
    words = FigureText("Title", "when", "A caption.", ("a source",), "host names (2)", "Tidegauge 1")
    said = [text.text for text in texts(slide(view, words))]
    assert {"Title", "host names (2)", "Tidegauge 1"} <= set(said)
    assert not {"when", "A caption.", "a source", "Sources"} & set(said)
    assert "Title" not in [text.text for text in texts(slide(view, words, {Part.TITLE}))]


def test_a_lane_that_is_hidden_is_said(view: TimelineView) -> None:
    shown = replace(view, lanes=LaneOrder().hide((1, 2), 2))
    said = [text.text for text in texts(slide(shown))]
    assert "Not shown: broker B." in said
    assert not any(text.startswith("broker B") for text in said)


def test_notes_stand_below_the_lanes(view: TimelineView) -> None:
    note = PlacedNote(1, 60, "Here it is cut.", where="12.0 s")
    made = slide(replace(view, notes=(note,)))
    (told,) = (text for text in texts(made) if text.text == "Here it is cut.")
    assert told.y > max(text.y for text in texts(made) if text.text.startswith("broker"))
    assert "Here it is cut." not in [
        text.text for text in texts(slide(replace(view, notes=(note,)), None, {Part.NOTES}))
    ]


def test_what_has_no_room_at_all_is_refused(view: TimelineView) -> None:
    notes = tuple(PlacedNote(n, 5, "A long note. " * 20, where="12 s") for n in range(1, 60))
    with pytest.raises(QuestionError, match="more lanes and notes than a slide has room for"):
        slide(replace(view, notes=notes))
