"""The page of conformance: columns, what is said of one, and the way to its event, in the real window."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from core.kafka.eras import era
from db.document import create
from gui.panels.parts import BREAK
from gui.window.main_window import MainWindow
from gui.workspace.conforming import CONFORM
from tests.gui_window.conftest import triaged_once
from tests.recordings.whole import sampled
from tests.runs import simulated

pytestmark = pytest.mark.broad(12)

Opened = Callable[[Callable[[], None]], MainWindow]
CUT = "Broker 2 cut its log to 206. In 2.8 the answer to a fetch says where the logs part"
"""How `tidegauge conform` says it."""


@pytest.fixture(scope="module")
def losses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("conformance") / "loss.tide"
    trace = sampled("k0102-hw-loss")
    create(path, [trace], found=[triaged_once(trace)])
    return path


@pytest.fixture
def judged(window: MainWindow, opened: Opened, losses: Path) -> MainWindow:
    """The recorded loss is open, and was held against the rules."""
    opened(lambda: window.store.open_groups(((str(losses),),)))
    window.actions_["conformance"].trigger()
    window.jobs.wait_for(CONFORM)
    return window


def said(window: MainWindow) -> str:
    """All that is said of the selected column."""
    QApplication.processEvents()
    labels = [one for one in window.pages.conformance.details.findChildren(QLabel) if not one.isHidden()]
    return " ".join(one.text().replace(BREAK, "") for one in labels)


def place_of(window: MainWindow, era: str) -> int:
    parts = window.pages.conformance.columns.accessible_parts()
    return next(part.ref.key for part in parts if part.name.startswith(f"{era}:"))


@pytest.mark.slow
def test_the_era_after_its_own_is_seen_first_with_rule_line_and_evidence(judged: MainWindow) -> None:
    page = judged.pages.conformance

    assert page.columns.place == place_of(judged, "0.11")
    assert "0.10.2" in page.summary.text()
    assert all(
        one in said(judged)
        for one in ("truncation.cut", "server.log:394", "Truncating log orders-0 to offset 206")
    )
    page.columns.select(place_of(judged, "2.8"))
    assert CUT in said(judged)
    page.columns.select(place_of(judged, "0.10.2"))
    assert page.details.go.isHidden()


def test_a_click_on_the_diamond_puts_cursor_and_evidence_at_the_event(judged: MainWindow) -> None:
    columns = judged.pages.conformance.columns
    place = place_of(judged, "2.8")
    (event,) = columns.accessible_parts()[place].parts
    x, y, w, h = event.box
    QTest.mouseClick(columns, Qt.MouseButton.LeftButton, pos=QPoint(round(x + w / 2), round(y + h / 2)))
    judged.desk.wait()

    assert judged.viewing.lanes_shown()
    assert judged.session.cursors[0] == event.ref.key + 1
    assert judged.docks.drawer.isVisible()
    assert any(row.seq == event.ref.key for row in judged.evidence.rows)


def test_an_event_of_another_partition_opens_that_one(judged: MainWindow, losses: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(judged.store.partition_shown, timeout=60_000):
        judged.opening.open_partition("clicks-0")
    judged.actions_["conformance"].trigger()
    judged.jobs.wait_for(CONFORM)
    page = judged.pages.conformance
    page.columns.select(place_of(judged, "2.8"))
    with qtbot.waitSignal(judged.store.partition_shown, timeout=60_000):
        page.details.go.click()

    content = judged.session.content
    assert content is not None
    assert content.partition == "orders-0"
    assert judged.docks.drawer.isVisible()
    history = content.runs[0].history
    assert int(history.trace.columns["line"][judged.session.cursors[0] - 1]) == 394


def test_keys_select_a_column_and_lead_to_its_event(judged: MainWindow) -> None:
    columns, cursor = judged.pages.conformance.columns, judged.session.position
    assert columns.hasFocus()
    first = columns.place
    for key, place in (
        (Qt.Key.Key_Right, first + 1),
        (Qt.Key.Key_Left, first),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_End, len(columns.accessible_parts()) - 1),
    ):
        QTest.keyClick(columns, key)
        assert columns.place == place
        # The same keys move the cursor elsewhere.
        assert judged.session.position == cursor
    QTest.keyClick(columns, Qt.Key.Key_Return)
    judged.desk.wait()
    assert judged.viewing.lanes_shown()


@pytest.mark.slow
def test_what_was_answered_is_shown_again_without_work(judged: MainWindow) -> None:
    begun: list[str] = []
    judged.jobs.started.connect(begun.append)
    judged.actions_["timeline"].trigger()
    judged.actions_["conformance"].trigger()
    page = judged.pages.conformance

    assert page.states.currentIndex() == 1
    page.subject.setCurrentIndex(1)
    page.subject.activated.emit(1)
    judged.jobs.wait_for(CONFORM)
    assert page.states.currentIndex() == 1
    page.subject.setCurrentIndex(0)
    page.subject.activated.emit(0)
    assert begun.count(CONFORM) == 1


def test_work_that_is_stopped_is_offered_again(window: MainWindow, opened: Opened, losses: Path) -> None:
    opened(lambda: window.store.open_groups(((str(losses),),)))
    window.actions_["conformance"].trigger()
    window.jobs.cancel(CONFORM)
    window.jobs.wait_for(CONFORM)
    page = window.pages.conformance
    assert page.again.isVisible()

    page.again.click()
    window.jobs.wait_for(CONFORM)
    assert page.states.currentIndex() == 1
    assert CUT[:28] in said(window)


def test_each_run_of_a_comparison_can_be_held_against_the_rules(demo: MainWindow) -> None:
    demo.actions_["conformance"].trigger()
    demo.jobs.wait_for(CONFORM)
    page = demo.pages.conformance
    assert page.subject.count() == len(demo.session.traces)
    last = page.subject.count() - 1
    page.subject.setCurrentIndex(last)
    page.subject.activated.emit(last)
    demo.jobs.wait_for(CONFORM)

    assert demo.session.traces[last].facts["era"] in page.summary.text()
    page.details.go.click()
    assert demo.viewing.lanes_shown()
    (event,) = page.columns.accessible_parts()[page.columns.place].parts
    assert demo.session.cursors[last] >= event.ref.key + 1


def test_what_is_closed_is_let_go_of(judged: MainWindow) -> None:
    judged.actions_["timeline"].trigger()
    judged.actions_["close"].trigger()

    assert judged.pages.conformance.columns.accessible_parts() == ()
    assert not judged.actions_["conformance"].isEnabled()


@pytest.mark.slow
def test_another_language_says_the_same_answer(judged: MainWindow) -> None:
    begun: list[str] = []
    judged.jobs.started.connect(begun.append)
    judged.settings.put("language", "zh")
    judged.speak_anew("language")
    try:
        assert "规则：truncation.cut" in said(judged)
        assert "接受" in judged.pages.conformance.columns.accessible_parts()[0].name
    finally:
        judged.settings.put("language", "en")
        judged.speak_anew("language")
    assert CONFORM not in begun


def test_a_simulated_run_is_searched_on_demand_and_logs_are_not(
    window: MainWindow, opened: Opened, tmp_path: Path
) -> None:
    """3.3 names the epoch of the last record in each fetch (KIP-595), which no rule asks of a run of 2.1."""
    path = tmp_path / "run.tide"
    trace = simulated("one-fetch", era("2.1"))
    create(path, [trace], found=[triaged_once(trace)])
    opened(lambda: window.store.open_groups(((str(path),),)))
    window.actions_["conformance"].trigger()
    window.jobs.wait_for(CONFORM)
    page = window.pages.conformance
    page.columns.select(place_of(window, "3.3"))
    assert "fetch_sent" not in said(window)
    assert not page.search.isHidden()

    page.search.click()
    window.jobs.wait_for(CONFORM)

    page.columns.select(place_of(window, "3.3"))
    assert "Next came fetch_sent. In 3.3 fetch_sent comes with another aux." in said(window)
    assert "Logs without messages cannot tell." in said(window)
    page.columns.select(place_of(window, "2.8"))
    assert "one of 2.8+truncation=epoch-request." in said(window)


def test_logs_cannot_be_searched(judged: MainWindow) -> None:
    assert judged.pages.conformance.search.isHidden()
