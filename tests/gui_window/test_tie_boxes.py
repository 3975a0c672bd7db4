"""Ties in the transport: events of one millisecond, stops of one step."""

from itertools import groupby

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.work import QUIET
from gui.panels.explain import place_label
from gui.panels.tie_boxes import MOST, TieBoxes
from gui.theme import load_theme
from gui.welcome.offers import sample_offers
from gui.window.main_window import MainWindow
from gui.workspace.content import Content, Tied
from gui.workspace.loading import content_of
from tests.gui_window.conftest import on_lanes
from tests.recordings.whole import sampled

pytestmark = pytest.mark.broad(6)


@pytest.fixture(scope="module", name="content")
def _content() -> Content:
    return content_of((sampled("k0102-hw-loss"),), "loss", "orders-0", QUIET)


def test_a_tie_is_the_events_of_one_time(content: Content) -> None:
    history = content.runs[0].history
    times = [int(history.trace.columns["at"][seq]) for seq in history.seqs]
    counted = [Tied(0, 1)]
    for _, group in groupby(times):
        size = len(list(group))
        counted.extend(Tied(passed, size) for passed in range(1, size + 1))
    assert [content.tied_at(position) for position in range(content.last + 1)] == counted
    assert content.largest_tie == max(tied.size for tied in counted) > 1


def test_the_place_says_which_of_a_tie_it_is(content: Content) -> None:
    tied = next(p for p in range(content.last) if content.tied_at(p).size == 2)
    alone = next(p for p in range(1, content.last) if content.tied_at(p).size == 1)
    assert place_label(content, tied)[1].endswith(", 1 of 2")
    assert place_label(content, tied + 1)[1].endswith(", 2 of 2")
    assert place_label(content, tied)[1].split(", ")[0] == place_label(content, tied + 1)[1].split(", ")[0]
    assert " of " not in place_label(content, alone)[1]


def test_a_tie_of_a_comparison_is_a_step(demo: MainWindow) -> None:
    content = demo.session.content
    assert content is not None
    assert content.comparison is not None
    position = 0
    for anchored, group in groupby(content.comparison.stops, key=lambda stop: bool(stop.anchor)):
        stops = list(group)
        if anchored and position:
            assert all(content.tied_at(position + place).passed == 1 for place in range(len(stops)))
        elif not anchored and position:
            # One step with all that followed from it, itself the first.
            size = len(stops) + 1
            told = [content.tied_at(position + place) for place in range(len(stops))]
            assert told == [Tied(place + 2, size) for place in range(len(stops))]
        position += len(stops)


def test_steps_have_the_room_before_a_tie_has_it(demo: MainWindow) -> None:
    shown: dict[int, bool] = {}
    for width in (2400, 1920, 1600, 1440, 1280, 1152):
        demo.resize(width, 800)
        QApplication.processEvents()
        shown[width] = not demo.transport.ties.isHidden()
        assert not shown[width] or demo.transport.track.width() >= 240, width
    assert shown[2400]
    demo.transport.setFixedWidth(640)
    QApplication.processEvents()
    assert demo.transport.ties.isHidden()


def test_boxes_fill_while_the_place_on_the_ruler_stays(qtbot: QtBot, content: Content) -> None:
    boxes = TieBoxes()
    qtbot.addWidget(boxes)
    theme = load_theme("light")
    boxes.set_theme(theme)
    boxes.show_content(content)
    width = boxes.width()

    def filled() -> list[bool]:
        image = boxes.grab().toImage()
        middle = boxes.height() // 2
        return [
            image.pixelColor(QPoint(round(x) + 5, middle)) == theme.colour("text") for x, _ in boxes.boxes()
        ]

    boxes.show_tie(Tied(1, 2))
    assert (filled(), boxes.accessibleName()) == ([True, False], "same ms: 1 of 2")
    boxes.show_tie(Tied(2, 2))
    assert filled() == [True, True]
    boxes.show_tie(Tied(1, 1))
    assert (boxes.boxes(), boxes.accessibleName()) == ((), "")
    assert boxes.width() == width


def test_a_long_tie_is_one_bar(qtbot: QtBot, content: Content) -> None:
    boxes = TieBoxes()
    qtbot.addWidget(boxes)
    theme = load_theme("light")
    boxes.set_theme(theme)
    boxes.show_content(content)
    boxes.show_tie(Tied(23, 46))
    image, middle = boxes.grab().toImage(), boxes.height() // 2
    ink = [x for x in range(boxes.width()) if image.pixelColor(x, middle) == theme.colour("text")]
    bar = [x for x in range(boxes.width()) if image.pixelColor(x, middle - 6) == theme.colour("text.2")]
    assert boxes.boxes() == ()
    assert len(ink) / len(bar) == pytest.approx(0.5, abs=0.03)


@pytest.mark.slow
def test_the_transport_has_the_boxes_of_what_is_open(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        window.opening.open_offer(sample_offers()[1])
    on_lanes(window)
    content = window.session.content
    assert content is not None
    place = next(p for p in range(1, content.last) if 2 <= content.tied_at(p).size <= MOST)
    window.session.set_position(place)
    ties = window.transport.ties
    assert not ties.isHidden()
    assert len(ties.boxes()) == content.tied_at(place).size
    window.resize(1280, 800)
    window.session.close()
