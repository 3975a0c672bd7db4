"""The course in the window: by keys alone from the first page to an answer, and what is open stays open."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.teaching.lesson import Pointer
from core.teaching.library import lesson, lesson_ids
from gui.lessons.answering import ButtonsField, NumberField
from gui.lessons.player import LessonPlayer
from gui.lessons.prose import pointers_of
from gui.window.main_window import MainWindow

CUT, LEADER, LOST = 4, 5, 6


@pytest.fixture
def player(window: MainWindow, qtbot: QtBot) -> LessonPlayer:
    window.actions_["course"].trigger()
    window.pages.course.begin(lesson("loss-by-truncation"))
    qtbot.waitUntil(window.pages.course.player.isVisible)
    return window.pages.course.player


def _words(player: LessonPlayer) -> str:
    return "\n".join(one.text() for one in player.area.findChildren(QLabel))


def test_every_lesson_of_the_course_is_listed_and_enter_begins_one(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["course"].trigger()
    page = window.pages.course
    qtbot.waitUntil(lambda: bool(page.rows))

    assert len(page.rows) == len(lesson_ids())
    qtbot.keyClick(page.rows[0], Qt.Key.Key_Return)
    assert page.on is not None
    assert page.on.lesson.id == lesson_ids()[0]


def test_an_answer_by_keys_alone_reveals_what_happened(player: LessonPlayer, qtbot: QtBot) -> None:
    for _ in range(CUT):
        qtbot.keyClick(player, Qt.Key.Key_PageDown)
    assert isinstance(player.field, NumberField)
    assert player.veil.isVisible()

    qtbot.keyClicks(player.field.spin, "2")
    qtbot.keyClick(player, Qt.Key.Key_Return)

    assert player.player is not None
    assert player.player.attempts[CUT].points == 0
    assert not player.veil.isVisible()
    words = _words(player)
    assert "0.11 to 4.1: 2" in words
    assert "A replica that becomes a follower cuts its log to its own high watermark." in words


def test_nothing_of_the_rule_or_the_reveal_is_there_before_the_answer(player: LessonPlayer) -> None:
    player.go(CUT)

    words = _words(player)
    assert "own high watermark." not in words
    assert "m1 is gone" not in words


def test_no_answer_counts_before_it_is_placed(player: LessonPlayer) -> None:
    player.go(CUT)

    player.answer()
    assert player.player is not None
    assert player.player.attempts == {}
    place = next(one for one in player.area.findChildren(QPushButton) if one.objectName() == "primary")
    assert not place.isEnabled()
    assert isinstance(player.field, NumberField)
    player.field.spin.setValue(1)
    assert place.isEnabled()


def test_a_leader_and_lost_records_are_chosen_by_buttons(player: LessonPlayer) -> None:
    player.go(LEADER)
    assert isinstance(player.field, ButtonsField)
    assert [one.text() for one in player.field.buttons.values()] == ["A", "B", "nobody"]
    player.field.buttons[2].click()
    player.answer()
    assert player.player is not None
    assert player.player.attempts[LEADER].points == 1

    player.go(1)
    assert isinstance(player.field, ButtonsField)
    player.field.buttons[1].click()
    player.answer()
    assert player.player.attempts[LOST].points == 1


def test_a_letter_points_at_its_mark(player: LessonPlayer) -> None:
    player.go(3)
    player._follow({"A": _pointer(player)}, "letter:A")

    selected = player.session.selection
    assert selected is not None
    trace = player.session.content.runs[0].history.trace if player.session.content else None
    assert trace is not None
    assert trace.event(selected.key).kind == "fetch_parked"


def _pointer(player: LessonPlayer) -> Pointer:
    assert player.player is not None
    return pointers_of(player.player.now.blocks)["A"]


def test_what_is_open_in_the_window_stays_as_it_is(window: MainWindow, player: LessonPlayer) -> None:
    assert player.session.content is not None
    assert window.session.content is None


def test_one_may_wander_and_comes_back(player: LessonPlayer, qtbot: QtBot) -> None:
    player.go(3)
    stands = player.session.position
    player.session.set_position(1)

    qtbot.keyClick(player, Qt.Key.Key_Backspace)
    assert player.session.position == stands


def test_the_last_step_leads_back_to_the_course(window: MainWindow, player: LessonPlayer) -> None:
    player.go(100)
    player.go(1)

    assert window.pages.course.on is None
