"""The final test: drawn by a seed from runs that no lesson shows, and judged by them."""

from dataclasses import replace

import pytest

from core.teaching.answers import Mark
from core.teaching.library import lesson, lesson_ids
from gui.workspace.lesson_final import FINAL, QUESTIONS, final_test, seed_of
from gui.workspace.lesson_player import Player, answered, right_answer, shown
from gui.workspace.lesson_words import result_of


@pytest.mark.slow
def test_the_same_seed_gives_the_same_test_and_its_name_says_which() -> None:
    one, again, other = final_test(7, "en"), final_test(7, "en"), final_test(8, "en")

    assert one == again
    assert [step.scene for step in one.steps] != [step.scene for step in other.steps]
    assert (seed_of(f"{FINAL}:7"), seed_of("7"), seed_of(f"{FINAL}:x")) == (7, None, None)
    assert "7" in result_of(Player(one), 0).title


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_question_is_of_a_run_that_a_lesson_shows_and_each_is_judged_by_its_run(seed: int) -> None:
    test = final_test(seed, "en")
    taught = {step.scene.scenario for one in lesson_ids() for step in lesson(one).steps}

    assert len(test.questions) == QUESTIONS
    assert len({step.scene.scenario for step in test.steps}) == QUESTIONS
    assert not taught & {step.scene.scenario for step in test.steps}
    assert len({one.kind for one in test.questions}) >= 3
    player = Player(test)
    for place, step in enumerate(test.steps):
        player = replace(player, step=place)
        answer = right_answer(step)
        # What is asked is not loaded before it is answered.
        assert step.scene.spot.cursor is not None
        assert len(shown(player).content.runs[0].history.trace) == step.scene.spot.cursor
        value = answer.members if answer.members is not None else answer.lo
        player = answered(player, value if value is not None else answer.hi)
        assert player.attempts[place].judged.mark is Mark.RIGHT
    assert player.points == QUESTIONS
