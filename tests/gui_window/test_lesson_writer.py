"""Recording a lesson while a scenario plays, and writing on it with its preview beside it."""

from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from core.compare.script import step_cursors
from core.kafka.eras import era
from core.sim.library import scenario
from core.sim.scenario import parse_scenario
from core.sim.translations import LESSONS
from core.teaching.reading import parse_lesson
from gui.lessons.writer import LessonWriter
from gui.window.main_window import MainWindow
from gui.workspace.simulating import Asked
from tests.gui_window.conftest import Answers

pytestmark = pytest.mark.broad(6)


@pytest.fixture
def writer(window: MainWindow) -> LessonWriter:
    window.actions_["write-lesson"].trigger()
    return window.pages.course.writer


def _after(window: MainWindow, step: int) -> None:
    """The cursor just before the step that follows."""
    content = window.session.content
    assert content is not None
    begun = step_cursors(content.runs[0].history.trace)
    window.session.set_position(content.position_of(0, begun[step + 1] - 1))


@pytest.mark.slow
def test_a_scenario_is_played_a_key_at_each_stop_gives_the_skeleton(window: MainWindow, qtbot: QtBot) -> None:
    window.store.simulate(Asked(scenario("hw-loss"), (era("0.10.2"),)))
    qtbot.waitUntil(lambda: window.session.content is not None)
    _after(window, 3)
    window.actions_["lesson-stop"].trigger()
    _after(window, 7)
    for _ in range(2):
        window.actions_["lesson-stop"].trigger()
    _after(window, 9)
    for _ in range(3):
        window.actions_["lesson-stop"].trigger()
    window.actions_["write-lesson"].trigger()

    writer = window.pages.course.writer
    told = parse_lesson(writer.field.toPlainText(), "mine", "lesson.md")
    # Twice asks, three times takes the stop away. After step 7 B comes back and cuts.
    assert [one.scene.spot.step for one in told.steps] == [3, 7]
    assert [one.kind for one in told.questions] == ["cut"]
    assert writer.told.text().replace("\u200b", "") == "All that it says holds in its runs"
    assert window.answers.stops == ()


def test_the_preview_shows_the_step_where_one_writes_and_the_keyboard_stays(
    window: MainWindow, writer: LessonWriter, qtbot: QtBot
) -> None:
    assert writer.preview.player is not None
    assert writer.preview.player.step == 0
    qtbot.waitUntil(writer.field.hasFocus)
    cursor = writer.field.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    writer.field.setTextCursor(cursor)

    assert writer.preview.player.step == 1
    assert writer.field.hasFocus()


def test_what_does_not_hold_and_what_is_no_lesson_is_said_below_the_text(writer: LessonWriter) -> None:
    text = writer.field.toPlainText()
    # A's high watermark is 2 there.
    writer.field.setPlainText(text.replace("high watermark 2>", "high watermark 1>"))
    writer.look()
    assert writer.told.text().startswith("Step 1: ")
    assert writer.export.isEnabled()

    writer.field.setPlainText(text.replace('kind = "cut"', 'kind = "cutting"'))
    writer.look()
    assert writer.told.text().startswith("Line ")
    assert not writer.export.isEnabled()


def test_a_lesson_is_saved_and_exported(writer: LessonWriter, answers: Answers, tmp_path: Path) -> None:
    answers.lesson = str(tmp_path / "lesson.md")
    writer.save.click()
    assert (tmp_path / "lesson.md").read_text(encoding="utf-8") == writer.field.toPlainText()

    answers.lesson = str(tmp_path / "mine.pdf")
    writer.export.click()
    words = "".join(page.extract_text() for page in PdfReader(tmp_path / "mine.pdf").pages)
    assert "Where does its log end then?" in " ".join(words.split())


def test_a_script_of_ones_own_is_no_scenario_of_a_lesson(window: MainWindow, qtbot: QtBot) -> None:
    text = (LESSONS / "scenarios" / "hw-loss.toml").read_text(encoding="utf-8").replace("m1", "x9")
    window.store.simulate(Asked(parse_scenario(text, "mine.toml"), (era("2.8"),)))
    qtbot.waitUntil(lambda: window.session.content is not None)
    window.actions_["lesson-stop"].trigger()
    window.actions_["write-lesson"].trigger()

    assert window.notices.isVisible()
