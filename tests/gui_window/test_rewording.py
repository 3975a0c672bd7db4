"""Another language, or another zone, while the window is open: all else is as it was."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from core.picture.marks import Text
from core.trace.times import show_in
from db.document import open_document
from gui.i18n import use_language
from gui.window.main_window import MainWindow
from gui.window.settings import zone_of
from gui.window.settings_dialog import SettingsDialog
from tests.gui_window.conftest import Answers, on_lanes
from tests.gui_window.test_comparison import press

pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")
Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    use_language("en")
    show_in(zone_of("UTC"))


def choose(window: MainWindow, qtbot: QtBot, key: str, value: str) -> None:
    """In the settings, as a person does, until the window tells what is open in it."""
    window.actions_["settings"].trigger()
    (dialog,) = window.findChildren(SettingsDialog)
    before = window.inspector
    dialog.boxes[key].setCurrentIndex(dialog.boxes[key].findData(value))
    qtbot.waitUntil(lambda: window.inspector is not before, timeout=20_000)
    qtbot.waitUntil(lambda: not window.jobs.asked(), timeout=20_000)
    settle()
    (dialog,) = window.findChildren(SettingsDialog)
    assert dialog.isVisible()
    assert dialog.boxes[key].currentData() == value
    dialog.accept()
    # There is no window manager to give the focus back.
    window.activateWindow()
    settle()


def settle() -> None:
    """Until the timeline was laid out anew, in a turn of the loop that follows."""
    for _ in range(8):
        QApplication.processEvents()


def said(window: MainWindow) -> list[str]:
    """What stands on the screen: labels, actions, findings, the words of the picture."""
    picture = window.stage.canvas.picture
    assert picture is not None
    findings = window.findings.list
    return [
        *(label.text() for label in window.shown.findChildren(QLabel)),
        *(action.text() for action in window.actions_.values()),
        *(findings.item(row).text() for row in range(findings.count())),
        *(mark.text for mark in picture.marks() if isinstance(mark, Text)),
        window.inspector.text(),
    ]


@pytest.mark.slow
def test_all_is_said_in_the_other_language_and_all_else_stays(demo: MainWindow, qtbot: QtBot) -> None:
    session = demo.session
    press(demo, Qt.Key.Key_B)
    session.set_position(100)
    press(demo, Qt.Key.Key_B)
    demo.actions_["undo"].trigger()
    demo.visits.settle()
    demo.docks.drawer.show()
    session.set_range((90, 100))
    picture = demo.stage.canvas.picture
    demo.resizeDocks([demo.docks.right], [400], Qt.Orientation.Horizontal)
    settle()
    before, traces, docks = said(demo), session.traces, demo.docks.right.width()
    notes, held = session.notes, (session.position, session.range)
    old: list[QWidget] = [demo.stage, demo.inspector, demo.rail, demo.docks.drawer]
    assert len(notes) == 1

    choose(demo, qtbot, "language", "zh")

    assert demo.actions_["export"].text() == "导出…"
    assert "首个差异" in " ".join(said(demo))
    assert not set(said(demo)) & {text for text in before if len(text) > 12 and " " in text} - proper(before)
    assert session.traces is traces
    assert session.notes == notes
    assert (session.position, session.range) == held
    assert (demo.docks.right.width(), demo.docks.drawer.isVisible()) == (docks, True)
    assert demo.stage.canvas.picture is not picture
    assert not any(shiboken6.isValid(part) for part in old)

    # Once each: nothing of the old parts listens any more.
    demo.actions_["redo"].trigger()
    assert len(session.notes) == 2
    demo.actions_["undo"].trigger()
    demo.actions_["undo"].trigger()
    assert session.notes == ()
    press(demo, Qt.Key.Key_Right)
    assert session.position == held[0] + 1
    demo.actions_["redo"].trigger()
    session.set_position(held[0])

    choose(demo, qtbot, "language", "en")
    assert said(demo) == before


def proper(texts: list[str]) -> set[str]:
    """What has no language: names of versions and brokers, and a note that a person named."""
    return {text for text in texts if text.startswith(("Kafka ", "step 8"))}


@pytest.mark.slow
def test_the_window_on_time_and_the_document_go_on(
    opened: Opened, window: MainWindow, qtbot: QtBot, answers: Answers, tmp_path: Path
) -> None:
    opened(lambda: window.store.open_simulated("hw-loss", ("0.10.2",)))
    answers.save = str(tmp_path / "kept.tide")
    with qtbot.waitSignal(window.store.saved, timeout=20_000):
        window.actions_["save"].trigger()
    window.actions_["zoom-in"].trigger()
    shown = window.session.window
    assert shown is not None
    choose(window, qtbot, "language", "zh")
    assert window.session.window == shown
    assert window.session.path == answers.save
    window.actions_["bookmark"].trigger()
    qtbot.waitUntil(lambda: not window.jobs.asked(), timeout=20_000)
    with open_document(answers.save) as document:
        assert len(document.notes()) == 1
    window.actions_["pan-left"].trigger()
    assert window.session.window is not None
    assert window.session.window[0] < shown[0]


@pytest.mark.slow
def test_a_note_that_is_being_written_is_not_lost(demo: MainWindow, qtbot: QtBot) -> None:
    demo.actions_["note"].trigger()
    QTest.keyClicks(demo.note_editor.field, "half a thought")
    choose(demo, qtbot, "language", "zh")
    assert demo.note_editor.isVisible()
    assert demo.note_editor.field.toPlainText() == "half a thought"
    demo.note_editor.cancel()


@pytest.mark.slow
def test_a_language_for_this_time_only_outlives_another_zone(window: MainWindow, qtbot: QtBot) -> None:
    """As `tidegauge open --lang zh` has it, where the settings say otherwise."""
    use_language("zh")
    window.settings.put("language", "en")
    choose(window, qtbot, "zone", "Asia/Tokyo")
    assert window.actions_["export"].text() == "导出…"


@pytest.mark.slow
def test_another_page_stays_and_with_nothing_open_there_is_nothing(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["lessons"].trigger()
    choose(window, qtbot, "language", "zh")
    assert window.views.currentWidget() is window.pages.lessons
    assert window.session.content is None
    assert any("问题" in label.text() for label in window.pages.lessons.findChildren(QLabel))


@pytest.mark.slow
def test_times_are_shown_in_the_other_zone_at_once(opened: Opened, window: MainWindow, qtbot: QtBot) -> None:
    """Of the shipped recording, whose first cut is at 03:29 UTC."""
    from gui.welcome.offers import sample_offers

    on_lanes(opened(lambda: window.opening.open_offer(sample_offers()[1])))
    hours = {text[:2] for text in ruler(window)}
    assert hours == {"03"}
    choose(window, qtbot, "zone", "Asia/Tokyo")
    assert {text[:2] for text in ruler(window)} == {"12"}


def ruler(window: MainWindow) -> list[str]:
    """The times over the lanes."""
    picture = window.stage.canvas.picture
    assert picture is not None
    texts = [mark.text for mark in picture.marks() if isinstance(mark, Text) and mark.y < 90]
    return [text for text in texts if text[:2].isdigit() and text[2:3] == ":"]
