"""The text of a step lights what it speaks of; a question, what stands before that which is hidden."""

import pytest
from pytestqt.qtbot import QtBot

from core.picture.lane import Lane
from core.picture.marks import Box, Line, Picture
from core.teaching.library import lesson
from gui.lessons.player import LessonPlayer
from gui.window.main_window import MainWindow

TEXT, CUT, LEADER = 3, 4, 5


@pytest.fixture
def player(window: MainWindow, qtbot: QtBot) -> LessonPlayer:
    window.actions_["course"].trigger()
    window.pages.course.begin(lesson("loss-by-truncation"), TEXT)
    player = window.pages.course.player
    qtbot.waitUntil(lambda: _is_drawn(player))
    return player


def _is_drawn(player: LessonPlayer) -> bool:
    """Whether there are corners, in a picture that is as wide as the stage is now."""
    picture = player.stage.canvas.picture
    wide = player.stage.look().width + player.stage.kept_right
    return picture is not None and picture.width == wide and bool(_corners(player))


def _picture(player: LessonPlayer) -> Picture:
    picture = player.stage.canvas.picture
    assert picture is not None
    return picture


def _corners(player: LessonPlayer) -> list[tuple[float, float]]:
    picture = player.stage.canvas.picture
    marks = () if picture is None else picture.marks()
    lines = (one for one in marks if isinstance(one, Line) and one.role == "text" and one.width == 3.0)
    return sorted(one.points[1] for one in lines if len(one.points) == 3)


def _lanes(player: LessonPlayer) -> tuple[Lane, ...]:
    scene = player.stage.scene
    assert scene is not None
    return scene.lanes(player.stage.look())


def _dark(player: LessonPlayer, broker: int) -> bool:
    """Whether the ground of a lane begins as another one."""
    (box,) = (one.box for one in _lanes(player) if one.broker == broker)
    grounds = [one for one in _picture(player).marks() if isinstance(one, Box) and one.fill == "bg.window"]
    return any((one.x, one.y) == (player.stage.look().gutter, box.top) for one in grounds)


def test_a_step_lights_its_events_and_a_question_what_is_before_the_veil(
    player: LessonPlayer, qtbot: QtBot
) -> None:
    def is_within_the_lanes() -> bool:
        look, corners = player.stage.look(), _corners(player)
        return _is_drawn(player) and look.gutter <= corners[0][0] < corners[-1][0] <= look.width

    qtbot.waitUntil(is_within_the_lanes)

    # No offset is asked for: nothing is placed, and the lanes of both brokers are meant.
    player.go(LEADER - TEXT)
    qtbot.waitUntil(lambda: _is_drawn(player) and _corners(player)[-1][0] > player.stage.look().width)
    # The lanes of the step before are painted until those of this one are laid out.
    qtbot.waitUntil(lambda: _corners(player)[0][1] - _lanes(player)[0].box.top < 4)
    corners, look = _corners(player), player.stage.look()
    assert not player.handle.isVisible()
    assert len(corners) == 4
    lanes = _lanes(player)
    assert corners[0][1] - lanes[0].box.top < 4
    assert lanes[-1].box.end - corners[-1][1] < 4
    assert corners[0][0] < look.width
    assert _dark(player, 1)
    assert _dark(player, 2)


def test_of_a_question_about_one_broker_its_lane_alone_is_lit(player: LessonPlayer, qtbot: QtBot) -> None:
    player.go(CUT - TEXT)
    qtbot.waitUntil(player.handle.isVisible)

    ladder = player.handle.ladder
    assert ladder is not None
    _, top, _, high = ladder.lane
    assert {y for _, y in _corners(player)} == {top, top + high}
