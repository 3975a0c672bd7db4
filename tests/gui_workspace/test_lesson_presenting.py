"""What a room sees of a lesson that is presented, and when."""

from dataclasses import replace

from core.teaching.library import lesson
from gui.workspace.lesson_presenting import (
    Display,
    begun,
    displays_of,
    enlarged,
    frozen,
    is_room_known,
    onward,
    revealed,
    to_step,
    with_room,
)

LOSS = lesson("loss-by-truncation")
CUT = 4
"""The place of a step that asks."""


def test_at_a_question_the_first_press_only_asks_the_speaker() -> None:
    waiting = begun(LOSS, CUT)

    once = onward(waiting)
    assert once.asked
    assert once.now.player.asks is not None
    assert CUT not in once.now.player.attempts
    twice = onward(once)
    assert CUT in twice.now.player.attempts
    assert onward(twice).now.player.step == CUT + 1


def test_a_step_of_several_pictures_is_gone_through_before_the_next_one() -> None:
    first = replace(begun(LOSS, CUT), strokes=(((0.1, 0.1), (0.2, 0.2)),))

    second = onward(first, pages=2)
    assert (second.now.player.step, second.now.page, second.asked, second.strokes) == (CUT, 1, False, ())
    asked = onward(second, pages=2)
    assert (asked.now.page, asked.asked) == (1, True)
    told = onward(asked, pages=2)
    assert (told.now.player.asks, told.now.page) == (None, 0)
    assert onward(onward(told, pages=2), pages=2).now.player.step == CUT + 1
    assert to_step(second, 0).now.page == 0


def test_a_revealed_answer_stays_revealed_when_one_goes_back() -> None:
    after = to_step(revealed(begun(LOSS, CUT)), CUT + 1)

    assert to_step(after, CUT).now.player.asks is None


def test_going_on_takes_back_what_was_asked_before_a_reveal() -> None:
    asked = onward(begun(LOSS, CUT))

    assert not to_step(to_step(asked, CUT - 1), CUT).asked


def test_a_frozen_picture_stays_while_the_speaker_goes_on() -> None:
    kept = frozen(begun(LOSS))
    ahead = onward(onward(kept))

    assert (ahead.seen.player.step, ahead.now.player.step, ahead.ahead) == (0, 2, 2)
    assert frozen(ahead).seen.player.step == 2


def test_the_first_press_on_a_blank_screen_only_shows_it_again() -> None:
    blank = replace(begun(LOSS), blank=True)
    shown = onward(blank)
    assert (shown.blank, shown.now.player.step) == (False, 0)


def test_what_the_pen_drew_is_gone_with_the_step_and_with_the_reveal() -> None:
    drawn = replace(begun(LOSS, CUT), strokes=(((0.1, 0.1), (0.2, 0.2)),))
    assert onward(drawn).strokes == drawn.strokes
    assert revealed(drawn).strokes == ()
    assert to_step(drawn, 0).strokes == ()


def test_lanes_are_enlarged_one_after_the_other_and_then_all_are_back() -> None:
    state = begun(LOSS)

    alone = []
    for _ in range(3):
        state = enlarged(state, (1, 2))
        alone.append(state.now.alone)
    assert alone == [1, 2, None]


LAPTOP = Display("eDP-1", (0, 0, 1920, 1080))
BEAMER, SECOND = Display("HDMI-1", (1920, 0, 1280, 720)), Display("DP-2", (3200, 0, 1920, 1080))


def test_the_room_has_the_display_that_is_not_built_in_whichever_is_the_first() -> None:
    assert displays_of((LAPTOP, BEAMER), ()) == (LAPTOP, BEAMER)
    assert displays_of((BEAMER, LAPTOP), ()) == (LAPTOP, BEAMER)
    # Two that are not built in: the primary one is the speaker's.
    assert displays_of((BEAMER, SECOND), ()) == (BEAMER, SECOND)
    assert displays_of((LAPTOP,), ("HDMI-1",)) == (LAPTOP, None)
    mirrored = Display("HDMI-1", LAPTOP.box)
    assert displays_of((LAPTOP, mirrored), ("HDMI-1",)) == (LAPTOP, None)


def test_a_display_on_which_a_room_saw_a_lesson_is_known_by_its_name() -> None:
    rooms = with_room(with_room((), "HDMI-1"), "eDP-1")

    assert rooms == ("eDP-1", "HDMI-1")
    assert displays_of((LAPTOP, BEAMER), rooms) == (BEAMER, LAPTOP)
    assert displays_of((LAPTOP, BEAMER), with_room(rooms, "HDMI-1")) == (LAPTOP, BEAMER)
    assert displays_of((LAPTOP, SECOND), ("HDMI-1",)) == (LAPTOP, SECOND)
    # Asked only of displays that no room was on; a single one, or two that show the same, need no question.
    assert [is_room_known((LAPTOP, one), ("HDMI-1",)) for one in (BEAMER, SECOND)] == [True, False]
    assert is_room_known((LAPTOP,), ())
    assert is_room_known((LAPTOP, Display("HDMI-1", LAPTOP.box)), ())
