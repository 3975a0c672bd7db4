"""The course in the window: by keys alone from the first page to an answer, and what is open stays open."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from core.compare.script import step_cursors
from core.picture.marks import Text
from core.teaching.answers import NOBODY, Answer, Given, Mark
from core.teaching.grades import result_of
from core.teaching.lesson import AskKind, Pointer, Step, pointers_of
from core.teaching.library import lesson, lesson_ids
from gui.lessons.answering import AnswerField, ButtonsField, NumberField, OffsetsField, OrderField
from gui.lessons.course import LessonCard
from gui.lessons.player import LessonPlayer
from gui.lessons.steps import Square, StepRow
from gui.panels.parts import tip
from gui.panels.previews import CaseView
from gui.theme import load_theme
from gui.window.main_window import MainWindow
from gui.window.reflow import LEAST
from gui.window.settings import Settings
from gui.workspace.lesson_final import final_test
from gui.workspace.lesson_player import Player, at_step, highest_end, right_answer, shown
from tests.gui_window.conftest import Answers
from tests.gui_workspace.test_every_lesson import right_of, wrong_of

pytestmark = pytest.mark.broad(20)

CUT, LEADER, LOST = 4, 5, 6


@pytest.fixture
def first_view() -> str:
    """The first page leads here, in a test of its own; no other has to make it."""
    return "timeline"


@pytest.fixture
def player(window: MainWindow, qtbot: QtBot) -> LessonPlayer:
    window.actions_["course"].trigger()
    window.pages.course.begin(lesson("loss-by-truncation"))
    qtbot.waitUntil(window.pages.course.player.isVisible)
    return window.pages.course.player


def _words(player: LessonPlayer) -> str:
    return "\n".join(one.text() for one in player.area.findChildren(QLabel))


@pytest.mark.slow
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
    rows = [one for one in player.area.findChildren(QFrame) if one.objectName() in ("eraHere", "eraRow")]
    # KIP-101: from 0.11 on nothing is cut here. The answer is theirs.
    assert [[one.text() for one in row.findChildren(QLabel)] for row in rows] == [
        ["0.10.2", "this run", "1"],
        ["0.11 to 4.1", "your answer", "2"],
    ]
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


def test_the_course_asks_for_no_more_width_than_a_small_display_has(
    window: MainWindow, player: LessonPlayer
) -> None:
    assert player.isVisible()
    assert window.minimumSizeHint().width() <= 1280


def test_statements_to_choose_from_have_as_many_lines_as_they_need(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["course"].trigger()
    page = window.pages.course
    final = final_test(1, "en")
    # It asks for a rule, in sentences that are longer than the column is wide.
    asks = [step.ask is not None and step.ask.kind is AskKind.CHOICE for step in final.steps]
    page.begin(final, asks.index(True))
    qtbot.waitUntil(page.player.isVisible)
    field = page.player.field
    assert isinstance(field, ButtonsField)
    buttons = list(field.buttons.values())
    qtbot.waitUntil(lambda: all(one.width() > 100 for one in buttons))

    for one in buttons:
        (told,) = one.findChildren(QLabel)
        assert one.accessibleName() == told.text()
        assert one.width() <= page.player.area.viewport().width()
        assert told.height() >= told.heightForWidth(told.width())
    qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert field.given() == 1


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
    return pointers_of(player.player.now.blocks)[0]


def test_what_is_open_in_the_window_stays_as_it_is(window: MainWindow, player: LessonPlayer) -> None:
    assert player.session.content is not None
    assert window.session.content is None


def test_one_may_wander_and_comes_back(player: LessonPlayer, qtbot: QtBot) -> None:
    player.go(3)
    stands = player.session.position
    player.session.set_position(1)

    qtbot.keyClick(player, Qt.Key.Key_Backspace)
    assert player.session.position == stands


def test_the_picture_shows_the_steps_that_the_text_speaks_of_and_its_letters(
    player: LessonPlayer, qtbot: QtBot
) -> None:
    player.go(3)
    content, window = player.session.content, player.session.window
    assert content is not None
    assert window is not None
    trace = content.runs[0].history.trace
    begun = step_cursors(trace)
    times = trace.columns["at"]
    # Steps 6 and 7, of which it speaks; step 3 is out of sight.
    assert times[begun[3]] < window[0] <= times[begun[6]]
    assert times[begun[7]] <= window[1]

    def letters() -> set[str]:
        picture = player.stage.canvas.picture
        return {one.text for one in picture.marks() if isinstance(one, Text)} if picture else set()

    qtbot.waitUntil(lambda: {"A", "B"} <= letters())


def test_other_steps_are_rows_and_a_click_goes_there(player: LessonPlayer, qtbot: QtBot) -> None:
    player.go(3)
    assert player.player is not None
    rows = player.area.findChildren(StepRow)
    assert len(rows) == len(player.player.lesson.steps) - 1

    qtbot.mouseClick(rows[-1], Qt.MouseButton.LeftButton)
    assert player.player.step == len(player.player.lesson.steps) - 1


def test_the_veil_has_room_only_while_a_question_waits(player: LessonPlayer) -> None:
    player.go(CUT)
    assert player.stage.kept_right > 0

    player.answer(skip=True)
    assert player.stage.kept_right == 0


def test_the_square_of_a_wrong_answer_is_not_red(player: LessonPlayer, qtbot: QtBot) -> None:
    for theme in map(load_theme, ("light", "dark", "contrast")):
        square = Square(Mark.WRONG, theme)
        qtbot.addWidget(square)
        image = square.grab().toImage()
        colours = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        assert all(one.red() - max(one.green(), one.blue()) < 40 for one in colours)


@pytest.mark.slow
def test_what_was_reached_is_there_after_another_start(
    player: LessonPlayer, settings: Settings, answers: Answers, qtbot: QtBot
) -> None:
    player.go(LEADER)
    assert isinstance(player.field, ButtonsField)
    player.field.buttons[2].click()
    player.answer()

    other = MainWindow(settings, answers.dialogs())
    qtbot.addWidget(other)
    other.show()
    other.actions_["course"].trigger()
    page = other.pages.course
    qtbot.waitUntil(lambda: bool(page.rows))
    card = next(one for one in page.rows if one.lesson.id == "loss-by-truncation")
    assert card.reached.text() == "1 of 4 right"
    page.go_on.click()
    assert page.on is not None
    assert (page.on.lesson.id, page.on.step) == ("loss-by-truncation", LEADER)


def test_the_first_page_leads_to_the_course_with_one_click(window: MainWindow) -> None:
    window.show_view("welcome")
    window.pages.welcome.course.click()

    assert window.viewing.name == "course"


def test_the_last_step_leads_back_to_the_course(window: MainWindow, player: LessonPlayer) -> None:
    player.go(100)
    player.go(1)

    assert window.pages.course.on is None


def test_a_recording_that_stops_at_a_question_takes_every_offset_of_its_logs(
    window: MainWindow, qtbot: QtBot
) -> None:
    # Up to the question nothing bounds the log end offset of a broker from above.
    window.actions_["course"].trigger()
    page = window.pages.course
    page.begin(lesson("case-orders"), 1)
    qtbot.waitUntil(page.player.isVisible)

    assert isinstance(page.player.field, NumberField)
    assert page.player.field.spin.maximum() >= 254

    page.begin(lesson("case-orders"), 3)
    assert isinstance(page.player.field, OffsetsField)
    assert page.player.field.last.maximum() >= 253


@pytest.mark.slow
def test_after_the_last_step_stands_the_result_and_is_saved(
    window: MainWindow, player: LessonPlayer, answers: Answers, tmp_path: Path
) -> None:
    player.go(CUT)
    assert isinstance(player.field, NumberField)
    player.hint()
    player.field.spin.setValue(1)
    player.answer()
    player.go(1)
    player.answer(skip=True)
    player.go(100)
    player.go(1)

    page = window.pages.course.results
    assert window.pages.course.currentWidget() is page
    rows = [
        [page.table.model().index(row, place).data() for place in range(page.table.columnCount())]
        for row in range(page.table.rowCount())
    ]
    # B cuts to 1, its own high watermark; a hint costs half. Two of four questions were not reached.
    assert [row[0] for row in rows] == ["5", "6"]
    assert [row[2] for row in rows] == ["1", "1"]
    assert [row[3:7] for row in rows] == [["1", "Right", "0.5", "1"], ["no answer", "Skipped", "0", "0"]]
    assert page.score.text() == "0.5 points, 1 of 2 right"
    assert page.waiting.text() == "2 questions are not answered yet"

    # A question has no room in a small window.
    question = page.table.item(0, 1)
    assert question is not None
    assert question.toolTip() == tip(question.text())
    assert page.told.isHidden()

    page.learner.setText("Ada")
    for ending in (".csv", ".md", ".xapi.json", ".json"):
        answers.lesson = str(tmp_path / f"mine{ending}")
        page.saves[ending].click()
        assert page.told.isVisible()
        assert page.told.width() > page.width() // 2
        assert (tmp_path / f"mine{ending}").stat().st_size
    assert result_of(json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))).learner == "Ada"
    statements = json.loads((tmp_path / "mine.xapi.json").read_text(encoding="utf-8"))
    assert [one["result"].get("success") for one in statements] == [True, False, None]
    assert "| 5 |" in (tmp_path / "mine.md").read_text(encoding="utf-8")

    answers.lesson = str(tmp_path / "no" / "such" / "folder.csv")
    page.saves[".csv"].click()
    assert window.notices.isVisible()
    page.back.click()
    assert window.pages.course.on is player.player


def test_a_result_asks_for_no_room_of_the_lesson_that_nobody_sees(
    window: MainWindow, player: LessonPlayer
) -> None:
    """What a lesson of a wide window keeps beside its lanes would not fit into the least one."""
    window.resize(1920, 1080)
    player.go(CUT)
    assert player.minimumSizeHint().width() > LEAST[0]

    player.ended.emit(_player(player))
    page = window.pages.course
    assert page.currentWidget() is page.results
    assert page.minimumSizeHint().width() == page.results.minimumSizeHint().width() < LEAST[0]


def test_what_was_missed_comes_again_and_the_result_keeps_each_try(
    window: MainWindow, player: LessonPlayer
) -> None:
    page = window.pages.course
    for place, value in ((CUT, 2), (LEADER, 2)):
        player.go_on_with(at_step(_player(player), place))
        if isinstance(player.field, NumberField):
            player.field.spin.setValue(value)
        elif isinstance(player.field, ButtonsField):
            player.field.buttons[value].click()
        player.answer()
    player.go(100)
    player.go(1)
    assert page.results.practise.text() == "Practise the 1 question that you missed"

    page.results.practise.click()
    assert page.currentWidget() is player
    # The question waits again, and what happened is hidden again.
    assert (_player(player).step, player.veil.isVisible()) == (CUT, True)
    assert "Try 2: a right answer counts half. The tries before are kept." in _words(player)
    assert isinstance(player.field, NumberField)
    player.field.spin.setValue(1)
    player.answer()
    player.go(1)

    assert page.currentWidget() is page.results
    assert not page.results.practise.isVisible()
    table = page.results.table.model()
    rows = [[table.index(row, place).data() for place in (0, 2, 3, 4, 5)] for row in range(table.rowCount())]
    # In 0.10.2 B cuts to its own high watermark, 1; B leads next.
    assert rows == [
        ["5", "1", "2", "Not what happened", "0"],
        ["5", "2", "1", "Right", "0.5"],
        ["6", "1", "B", "Right", "1"],
    ]
    assert page.results.score.text() == "1.5 points, 2 of 2 right"


def _player(player: LessonPlayer) -> Player:
    assert player.player is not None
    return player.player


def test_cards_have_a_lane_and_the_eras_of_their_runs(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["course"].trigger()
    page = window.pages.course
    qtbot.waitUntil(lambda: bool(page.rows) and all(one.lane.run for one in page.rows), timeout=60_000)

    card = next(one for one in page.rows if one.lesson.id == "loss-by-truncation")
    assert "Kafka 0.10.2, 0.11" in [one.text() for one in card.findChildren(QLabel)]


def test_the_card_of_a_case_shows_who_was_up_and_the_loss_once_it_is_solved(
    window: MainWindow, settings: Settings, answers: Answers, qtbot: QtBot
) -> None:
    def cards(of: MainWindow) -> list[LessonCard]:
        of.actions_["course"].trigger()
        page = of.pages.course
        qtbot.waitUntil(lambda: bool(page.rows) and all(one.lane.run for one in page.rows), timeout=60_000)
        return [one for one in page.rows if isinstance(one.lane, CaseView)]

    theme = load_theme("light")
    red = theme.colour("loss").rgb()

    def reds(card: LessonCard) -> int:
        card.show_theme(theme)
        image = card.lane.grab().toImage()
        return sum(
            image.pixelColor(x, y).rgb() == red for x in range(image.width()) for y in range(image.height())
        )

    cases = cards(window)
    assert [one.lesson.id for one in cases] == [one for one in lesson_ids() if one.startswith("case-")]
    # What was lost in a case is not given away by its card.
    assert [reds(one) for one in cases] == [0, 0, 0]

    questions = len(cases[0].lesson.questions)
    settings.put("course", (f"{cases[0].lesson.id} 3 1 {questions}", f"{cases[1].lesson.id} 3 1 1"))
    other = MainWindow(settings, answers.dialogs())
    qtbot.addWidget(other)
    other.show()
    solved, begun, _ = cards(other)
    # 48 records of orders-0 went by the cut of broker 2.
    assert reds(solved) > 0
    assert reds(begun) == 0


@pytest.mark.slow
@pytest.mark.thinned(13)
@pytest.mark.parametrize("kind", ["right", "wrong"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", lesson_ids())
def test_a_whole_lesson_is_played(
    window: MainWindow, qtbot: QtBot, name: str, language: str, kind: str
) -> None:
    """Every step, with each question answered as the run does, or otherwise, by the controls."""
    window.actions_["course"].trigger()
    page, told = window.pages.course, lesson(name, language)
    page.begin(told)
    qtbot.waitUntil(page.player.isVisible)
    marks = (Mark.RIGHT,) if kind == "right" else (Mark.WRONG, Mark.PARTLY)
    for place, step in enumerate(told.steps):
        player = page.player.player
        assert player is not None
        assert player.step == place
        if step.ask is not None:
            assert page.player.field is not None
            right = right_answer(step)
            _give(page.player.field, right_of(right) if kind == "right" else _wrong(player, step, right))
            page.player.answer()
            assert player.lesson is told
            assert page.player.player is not None
            assert page.player.player.attempts[place].judged.mark in marks, step.title
        assert step.title in _words(page.player)
        page.player.go(1)
    assert page.currentWidget() is page.results
    assert page.results.table.rowCount() == len(told.questions)
    assert page.results.practise.isVisible() is (kind == "wrong" and len(told.questions) > 0)


def _wrong(player: Player, step: Step, right: Answer) -> Given:
    """Another answer than the right one, that the controls can take."""
    assert step.ask is not None
    if step.ask.kind is AskKind.LOST:
        return frozenset() if right.members else frozenset({0})
    return next(wrong_of(step.ask, right, step, highest_end(shown(player).content.runs[0])))


def _give(field: AnswerField, given: Given) -> None:
    """Put an answer into the controls."""
    if isinstance(field, NumberField):
        assert isinstance(given, int)
        field.spin.setValue(given)
    elif isinstance(field, OffsetsField):
        assert isinstance(given, frozenset)
        field.first.setValue(min(given or {-1}))
        field.last.setValue(max(given or {-1}))
    elif isinstance(field, ButtonsField):
        chosen = given if isinstance(given, frozenset) else {1_000_000 if given == NOBODY else given}
        for one, button in field.buttons.items():
            if one in chosen:
                button.click()
    elif isinstance(field, OrderField):
        assert isinstance(given, tuple)
        for row, wanted in enumerate(given):
            at = field.given().index(wanted)
            field.rows.setCurrentRow(at)
            for _ in range(at - row):
                field.move_row(-1)


def test_a_question_is_read_beside_the_lanes_where_the_window_is_low(
    window: MainWindow, player: LessonPlayer, qtbot: QtBot
) -> None:
    """At 960x540 text and lanes under one another left a line of it to read."""
    window.resize(960, 540)
    window.pages.course.begin(lesson("loss-by-truncation"), 4)
    qtbot.waitUntil(lambda: player.height() < 540)

    assert player.player is not None
    assert player.player.asks is not None
    qtbot.waitUntil(lambda: player.area.viewport().height() > 240)
    assert player.stage.canvas.height() > 160
    window.resize(1280, 900)
    qtbot.waitUntil(player.stage.legend.isVisible)
