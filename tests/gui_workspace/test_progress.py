"""What was reached in the lessons, between two starts."""

from core.teaching.library import lesson
from gui.workspace.lesson_player import Player, answered, at_step
from gui.workspace.progress import Progress, as_words, of_words, with_player

LOSS = lesson("loss-by-truncation")
CUT = 4


def test_the_lesson_that_was_on_last_is_first_and_the_best_stays() -> None:
    right = answered(at_step(Player(LOSS), CUT), 1)
    known = with_player({"other": Progress("other", 2, 1, 1)}, right)
    again = with_player(known, Player(LOSS))

    assert list(again) == [LOSS.id, "other"]
    assert again[LOSS.id] == Progress(LOSS.id, 0, 1, 1)


def test_what_is_kept_is_read_again_and_what_is_no_line_is_left_out() -> None:
    known = {"a-b": Progress("a-b", 3, 1, 2)}

    assert of_words(as_words(known)) == known
    assert of_words(("a-b 3 x 2", "", "alone", "a 1 2", "c 1 -2 3")) == {}
