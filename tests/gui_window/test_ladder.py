"""A cut or a high watermark is dragged along the ladder beside its lane."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.picture.ladder import Ladder, Lens
from core.picture.marks import Text
from core.teaching.library import lesson
from gui.lessons.answering import NumberField
from gui.lessons.player import LessonPlayer
from gui.window.main_window import MainWindow

pytestmark = pytest.mark.broad(3)

WATERMARK, CUT, LEADER = 2, 4, 5


@pytest.fixture
def player(window: MainWindow, qtbot: QtBot) -> LessonPlayer:
    window.actions_["course"].trigger()
    window.pages.course.begin(lesson("loss-by-truncation"))
    qtbot.waitUntil(window.pages.course.player.isVisible)
    return window.pages.course.player


def _at(player: LessonPlayer, step: int, qtbot: QtBot) -> tuple[NumberField, Ladder]:
    player.go(step)
    qtbot.waitUntil(player.handle.isVisible)
    field, ladder = player.field, player.handle.ladder
    assert isinstance(field, NumberField)
    assert ladder is not None
    return field, ladder


def _words(player: LessonPlayer) -> set[str]:
    picture = player.stage.canvas.picture
    assert picture is not None
    return {one.text for one in picture.marks() if isinstance(one, Text)}


def _point(player: LessonPlayer, ladder: Ladder, offset: int | None) -> QPoint:
    x, y, _, tall = ladder.grip(offset)
    return QPoint(round(x) + 20, round(y + tall / 2)) - player.handle.pos()


def test_the_handle_is_dragged_to_the_rung_where_the_log_is_cut(player: LessonPlayer, qtbot: QtBot) -> None:
    field, ladder = _at(player, CUT, qtbot)
    # B holds m0 and m1: its log ends at 2.
    assert (ladder.low, ladder.high) == (0, 2)

    QTest.mousePress(player.handle, Qt.MouseButton.LeftButton, pos=_point(player, ladder, None))
    assert field.given() is None
    QTest.mouseMove(player.handle, _point(player, ladder, 2))
    assert (field.given(), "cut to 2" in _words(player)) == (2, True)
    QTest.mouseMove(player.handle, _point(player, ladder, 1))
    QTest.mouseRelease(player.handle, Qt.MouseButton.LeftButton, pos=_point(player, ladder, 1))
    assert {"cut to 1", "keeps offset 0"} <= _words(player)
    assert field.told.text() == "keeps offset 0"

    # Nothing counts before it is placed. 0.10.2 cuts to the own high watermark, 1.
    assert player.player is not None
    assert player.player.attempts == {}
    player.answer()
    assert player.player.attempts[CUT].points == 1
    assert not player.handle.isVisible()


def test_the_ladder_lies_over_the_veil_and_its_words_beside_it(player: LessonPlayer, qtbot: QtBot) -> None:
    _, ladder = _at(player, CUT, qtbot)

    picture = player.stage.canvas.picture
    assert picture is not None
    texts = [one for one in picture.marks() if isinstance(one, Text)]
    veil, grip = (
        next(place for place, one in enumerate(texts) if one.text == words)
        for words in ("shown after the reveal", "drag to place")
    )
    # What comes later is painted over what comes before.
    assert veil < grip
    assert texts[veil].y < ladder.grip(None)[1] or texts[veil].y > ladder.bottom


def test_what_is_typed_moves_the_handle(player: LessonPlayer, qtbot: QtBot) -> None:
    field, _ = _at(player, CUT, qtbot)

    field.spin.setValue(0)
    assert {"cut to 0", "keeps nothing"} & _words(player) == {"cut to 0"}
    assert field.told.text() == "keeps nothing"


def test_a_high_watermark_is_put_in_its_own_words(player: LessonPlayer, qtbot: QtBot) -> None:
    field, ladder = _at(player, WATERMARK, qtbot)

    QTest.mousePress(player.handle, Qt.MouseButton.LeftButton, pos=_point(player, ladder, 2))
    assert field.given() == 2
    assert {"HW 2", "commits offsets 0 and 1"} <= _words(player)


def test_where_no_offset_is_asked_for_there_is_no_ladder(player: LessonPlayer, qtbot: QtBot) -> None:
    _at(player, CUT, qtbot)

    player.go(LEADER - CUT)
    assert not player.handle.isVisible()
    assert player.stage.kept_right > 0


def test_in_the_lens_the_mouse_meets_each_offset_of_a_recording(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["course"].trigger()
    window.pages.course.begin(lesson("case-orders"), 1)
    player = window.pages.course.player
    field, ladder = _at(player, 0, qtbot)
    assert ladder.crowded
    assert ladder.lens is None, "before something is chosen nothing is looked at"

    # 0.10.2 cuts broker 2 to its own high watermark, 206. On the ladder a pixel is more than one offset.
    field.spin.setValue(200)
    lens = _lens(player)
    assert lens.around == 200
    near = [_in_lens(player, lens, offset) for offset in (203, 204)]
    QTest.mousePress(player.handle, Qt.MouseButton.LeftButton, pos=near[0])
    assert field.given() == 203
    # It stays where it is while it is dragged in, and stands around the answer after that.
    QTest.mouseMove(player.handle, near[1])
    assert (field.given(), _lens(player)) == (204, lens)
    QTest.mouseRelease(player.handle, Qt.MouseButton.LeftButton, pos=near[1])
    lens = _lens(player)
    assert lens.around == 204
    QTest.mousePress(player.handle, Qt.MouseButton.LeftButton, pos=_in_lens(player, lens, 206))
    QTest.mouseRelease(player.handle, Qt.MouseButton.LeftButton, pos=_in_lens(player, lens, 206))

    player.answer()
    assert player.player is not None
    assert player.player.attempts[1].points == 1


def _lens(player: LessonPlayer) -> Lens:
    ladder = player.handle.ladder
    assert ladder is not None
    assert ladder.lens is not None
    return ladder.lens


def _in_lens(player: LessonPlayer, lens: Lens, offset: int) -> QPoint:
    return QPoint(round(lens.left + lens.width / 2), round(lens.y(offset))) - player.handle.pos()
