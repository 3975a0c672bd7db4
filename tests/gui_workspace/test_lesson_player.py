"""Going through a lesson, without a window: what may be seen when, and what an answer counts."""

from dataclasses import replace

from core.teaching.answers import Mark
from core.teaching.library import lesson
from core.trace.vocabulary import NUMBER
from gui.workspace.lesson_player import (
    OfEras,
    Player,
    answered,
    at_step,
    other_eras,
    rule_eras,
    shown,
    with_hint,
)

LOSS = lesson("loss-by-truncation")
KILLED, CUT, LEADER, LOST, FIX = 3, 4, 5, 6, 7
"""Places of steps of that lesson."""


def _kinds(player: Player) -> set[int]:
    return set(shown(player).content.runs[0].history.trace.columns["kind"].tolist())


def test_what_a_question_asks_for_is_not_loaded_before_it_is_answered() -> None:
    waiting = at_step(Player(LOSS), CUT)

    assert NUMBER["truncated"] not in _kinds(waiting)
    assert NUMBER["truncated"] in _kinds(answered(waiting, 1))


def test_a_step_before_the_question_does_not_give_it_away() -> None:
    assert NUMBER["truncated"] not in _kinds(at_step(Player(LOSS), KILLED))


def test_a_step_stands_where_it_says_and_after_the_reveal_where_the_run_answers() -> None:
    waiting = at_step(Player(LOSS), CUT)
    seen = shown(waiting)
    state = seen.content.runs[0].history.at(seen.content.cursors(seen.position)[0])
    assert state.replica(2).leo.exact == 2

    seen = shown(answered(waiting, 1))
    state = seen.content.runs[0].history.at(seen.content.cursors(seen.position)[0])
    assert state.replica(2).leo.exact == 1


def test_points_of_a_right_answer_with_and_without_a_hint() -> None:
    waiting = at_step(Player(LOSS), CUT)

    right, helped = answered(waiting, 1), answered(with_hint(waiting), 1)
    wrong, skipped = answered(waiting, 2), answered(waiting, None)
    assert [one.points for one in (right, helped, wrong, skipped)] == [1.0, 0.5, 0.0, 0.0]
    assert [one.attempts[CUT].judged.mark for one in (right, wrong, skipped)] == [
        Mark.RIGHT,
        Mark.WRONG,
        Mark.SKIPPED,
    ]
    assert answered(right, 2) is right, "what is revealed is not answered again"
    assert with_hint(with_hint(with_hint(waiting))).hints == 2


def test_what_other_eras_answer_and_which_have_the_rule() -> None:
    step = LOSS.steps[CUT]

    # KIP-101: from 0.11 on a returning follower asks where its epoch ends, and keeps m1.
    assert [(one.first, one.last, one.answer.exact) for one in other_eras(step)] == [
        ("0.10.2", "0.10.2", 1),
        ("0.11", "4.1", 2),
    ]
    assert isinstance(other_eras(step)[0], OfEras)
    assert rule_eras(step.scene, "truncation") == ("0.10.2", "0.10.2")
    assert rule_eras(step.scene, "") is None


def test_a_rule_that_was_left_and_taken_up_again_names_the_eras_around_the_run() -> None:
    scene = LOSS.steps[FIX].scene

    # KIP-392 in 2.4 and 2.5, taken back by KAFKA-9731 and KAFKA-9952 in 2.6.
    named = {era: rule_eras(replace(scene, runs=(era,)), "hw-sending") for era in ("2.1", "2.4", "4.0")}
    assert named == {"2.1": ("0.10.2", "2.1"), "2.4": ("2.4", "2.4"), "4.0": ("2.8", "4.1")}


def test_several_eras_stand_beside_each_other() -> None:
    content = shown(at_step(Player(LOSS), FIX)).content

    assert [run.title for run in content.runs] == ["Kafka 0.10.2", "Kafka 0.11"]
    assert content.comparison is not None
