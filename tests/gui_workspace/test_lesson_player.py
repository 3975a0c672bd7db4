"""Going through a lesson, without a window: what may be seen when, and what an answer counts."""

from dataclasses import replace

from core.teaching.answers import Given, Mark
from core.teaching.lesson import Rule
from core.teaching.library import lesson
from core.trace.vocabulary import NUMBER
from core.words import speaking
from gui.workspace.lesson_player import (
    OfEras,
    Player,
    answered,
    at_step,
    following,
    missed_in,
    other_eras,
    practised,
    rule_eras,
    shown,
    with_hint,
)
from gui.workspace.lesson_words import result_of, rule_words

LOSS = lesson("loss-by-truncation")
KILLED, CUT, LEADER, LOST, FIX = 3, 4, 5, 6, 7
"""Places of steps of that lesson."""


def _kinds(player: Player) -> set[int]:
    return set(shown(player).content.runs[0].history.trace.columns["kind"].tolist())


def test_what_a_question_asks_for_is_not_loaded_before_it_is_answered() -> None:
    waiting = at_step(Player(LOSS), CUT)

    assert NUMBER["truncated"] not in _kinds(waiting)
    assert NUMBER["truncated"] in _kinds(answered(waiting, 1))


def test_a_run_up_to_a_question_is_opened_and_judged_once() -> None:
    waiting = at_step(Player(LOSS), CUT)
    (first,), (again,) = shown(waiting).content.runs, shown(with_hint(waiting)).content.runs

    assert again.history is first.history


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


def _given(answers: dict[int, Given | None]) -> Player:
    """The lesson with these answers, by the place of the step."""
    player = Player(LOSS)
    for place, given in answers.items():
        player = answered(at_step(player, place), given)
    return player


def test_what_was_missed_is_asked_again_and_nothing_else() -> None:
    # Right: B cuts to 1, and B (2) leads next.
    first = _given({CUT: 2, LEADER: 2, LOST: None})
    again = practised(first)

    assert missed_in(first) == (CUT, LOST)
    assert (again.step, again.asks) == (CUT, LOSS.steps[CUT].ask)
    assert NUMBER["truncated"] not in _kinds(again)
    assert list(again.attempts) == [LEADER]
    second = following(answered(again, 1), 1)
    assert (second.step, second.hints) == (LOST, 0)
    assert following(second, 1) is second
    assert following(second, -1).step == CUT
    assert practised(_given({CUT: 1})).missed == ()


def test_a_right_answer_at_a_later_try_counts_half_and_no_try_costs_what_was_reached() -> None:
    again = practised(_given({CUT: 2, LOST: frozenset({0, 1})}))
    assert again.points == 0

    right = answered(again, 1)
    assert [one.points for one in right.tries(CUT)] == [0.0, 0.5]
    assert right.points == 0.5
    third = answered(at_step(practised(answered(following(right, 1), None)), LOST), frozenset({1}))
    assert [one.judged.mark for one in third.tries(LOST)] == [Mark.WRONG, Mark.SKIPPED, Mark.RIGHT]
    assert third.points == 1.0


def test_a_question_that_was_left_while_practising_keeps_its_tries_in_the_result() -> None:
    again = practised(_given({CUT: 2, LEADER: 2}))

    (row, other) = result_of(again, 0).answered
    assert (row.step, row.given, row.mark, row.earlier) == (CUT + 1, "2", Mark.WRONG, ())
    assert other.mark is Mark.RIGHT


def test_a_lesson_for_practice_takes_one_more_answer_before_the_reveal() -> None:
    waiting = at_step(Player(replace(LOSS, practice=True)), CUT)

    once = answered(waiting, 2)
    assert (once.asks, len(once.tries(CUT))) == (waiting.asks, 1)
    assert NUMBER["truncated"] not in _kinds(once)
    twice = answered(once, 0)
    assert (twice.asks, twice.points) == (None, 0.0)
    assert answered(once, 1).points == 0.5
    # Right at once, or skipped: there is nothing to try again.
    assert answered(waiting, 1).points == 1.0
    assert answered(waiting, None).asks is None


def test_what_other_eras_answer_and_which_have_the_rule() -> None:
    step = LOSS.steps[CUT]

    # KIP-101: from 0.11 on a returning follower asks where its epoch ends, and keeps m1.
    assert [(one.first, one.last, one.answer.exact) for one in other_eras(step)] == [
        ("0.10.2", "0.10.2", 1),
        ("0.11", "4.1", 2),
    ]
    assert isinstance(other_eras(step)[0], OfEras)
    assert rule_eras(step.scene, Rule("", "truncation")) == ("0.10.2", "0.10.2")
    assert rule_eras(step.scene, Rule("")) is None


def test_a_rule_that_was_left_and_taken_up_again_names_the_eras_around_the_run() -> None:
    scene = LOSS.steps[FIX].scene

    # KIP-392 in 2.4 and 2.5, taken back by KAFKA-9731 and KAFKA-9952 in 2.6.
    eras = ("2.1", "2.4", "4.0")
    named = {era: rule_eras(replace(scene, runs=(era,)), Rule("", "hw-sending")) for era in eras}
    assert named == {"2.1": ("0.10.2", "2.1"), "2.4": ("2.4", "2.4"), "4.0": ("2.8", "4.1")}


def test_a_rule_is_told_with_its_releases_beside_a_recording_too() -> None:
    step = LOSS.steps[CUT]
    recorded = replace(step, scene=replace(step.scene, scenario="", recording="k0102-hw-loss", runs=()))
    told = {
        # KIP-101 in 0.11; KIP-320 in 2.1; no switch: every release.
        ("truncation", "0.10.2"): "To 0.10.2: R.",
        ("fencing", "2.0"): "To 2.0: R.",
        ("truncation", "0.11"): "0.11 to 2.4: R.",
        ("fencing", "2.4"): "From 2.1 on: R.",
        ("hw-sending", "2.4"): "In 2.4: R.",
        ("", ""): "In every release: R.",
    }
    with speaking("en"):
        for (switch, era), words in told.items():
            assert rule_words(replace(recorded, rule=Rule("R.", switch, era))) == words


def test_several_eras_stand_beside_each_other() -> None:
    content = shown(at_step(Player(LOSS), FIX)).content

    assert [run.title for run in content.runs] == ["Kafka 0.10.2", "Kafka 0.11"]
    assert content.comparison is not None
