"""The page of the model: known counterexamples, and a search within bounds, in the real window."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.model.stories import STORIES
from gui.window.main_window import MainWindow

pytestmark = pytest.mark.broad(9)

Opened = Callable[[Callable[[], object]], MainWindow]


@pytest.mark.parametrize("place", [0, 2])
def test_a_known_counterexample_opens_in_lanes_at_its_last_state(
    window: MainWindow, opened: Opened, place: int
) -> None:
    """S1 in 9 steps, S3 in 11: a step is a second, and the last one is the cut that breaks the invariant."""
    window.actions_["counterexamples"].trigger()
    rows = window.pages.counterexamples.stories.rows
    assert len(rows) == len(STORIES) == 7
    opened(rows[place].click)

    (trace,) = window.session.traces
    assert trace.facts["model"] == STORIES[place].variant.name
    last = trace.event(len(trace) - 1)
    assert last.at == {0: 9, 2: 11}[place] * 1_000_000_000
    assert window.session.content is not None
    assert window.session.position == window.session.content.last
    assert window.viewing.lanes_shown()


def test_all_fields_have_room(window: MainWindow) -> None:
    window.resize(960, 540)
    window.actions_["counterexamples"].trigger()
    page = window.pages.counterexamples
    fields = (page.variant, page.invariant, *page.spins)

    assert all(one.visibleRegion().boundingRect().height() >= one.sizeHint().height() - 2 for one in fields)
    assert len({one.accessibleName() for one in fields}) == len(fields)


def test_the_keyboard_goes_through_the_stories(window: MainWindow) -> None:
    window.actions_["counterexamples"].trigger()
    rows = window.pages.counterexamples.stories.rows
    assert rows[0].hasFocus()
    QTest.keyClick(rows[0], Qt.Key.Key_Down)
    assert rows[1].hasFocus()


def test_what_holds_is_said_with_its_bounds_and_nothing_can_be_played(
    window: MainWindow, qtbot: QtBot
) -> None:
    """The badge has TLC's number of states of kip-320 with 2 replicas, 2 slots, 2 records, epochs to 2."""
    window.actions_["counterexamples"].trigger()
    page = window.pages.counterexamples
    page.spins[3].setValue(2)
    page.explore.click()

    qtbot.waitUntil(lambda: "5,973" in page.badge.text())
    assert "StrongIsr" in page.badge.text()
    assert "kip-320, replicas 2, log 2, records 2, largest epoch 2" in page.badge.text()
    assert not page.play.isEnabled()


def test_what_is_broken_can_be_played_until_the_fields_ask_something_else(
    window: MainWindow, opened: Opened, qtbot: QtBot
) -> None:
    window.actions_["counterexamples"].trigger()
    page = window.pages.counterexamples
    page.variant.setCurrentText("truncate-to-hw")
    page.spins[3].setValue(1)
    page.explore.click()
    qtbot.waitUntil(page.play.isEnabled)
    assert "after 10 states" in page.badge.text()

    opened(page.play.click)
    assert window.session.traces[0].name == "truncate-to-hw StrongIsr"
    window.actions_["counterexamples"].trigger()
    page.spins[0].setValue(3)
    assert not page.play.isEnabled()
    assert "10 states" not in page.badge.text()


def test_an_answer_to_what_the_fields_no_longer_ask_is_not_shown(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["counterexamples"].trigger()
    page = window.pages.counterexamples
    page.spins[3].setValue(2)
    page.explore.click()
    page.spins[3].setValue(1)
    page.explore.click()

    qtbot.waitUntil(lambda: "957" in page.badge.text())
    assert "5,973" not in page.badge.text()
