"""The final test: drawn by a seed from runs that no lesson shows, and judged by them."""

from dataclasses import replace

import pytest

from core.teaching.answers import Mark
from core.teaching.generated import questions_of
from core.teaching.lesson import AskKind, Scene, Spot, Step
from core.teaching.library import lesson, lesson_ids
from core.words import said, speaking
from gui.workspace.lesson_final import FINAL, QUESTIONS, final_test, seed_of
from gui.workspace.lesson_player import Player, answered, other_eras, right_answer, shown
from gui.workspace.lesson_runs import runs_of
from gui.workspace.lesson_words import result_of, rule_words


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


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_rule_is_asked_for_and_told_with_its_release(lang: str) -> None:
    test = final_test(1, lang)

    with speaking(lang):
        ruled = {step.ask.kind: rule_words(step) for step in test.steps if step.ask and step.rule}
        asked = [step for step in test.steps if step.ask is not None and step.ask.kind is AskKind.CHOICE]
        assert asked
        for step in asked:
            assert step.ask is not None
            right = step.ask.options[right_answer(step).exact or 0].text
            # What is revealed is the rule that was to be chosen, with the releases that have it.
            assert step.rule is not None
            assert right == step.rule.text
            assert rule_words(step) == said("why.rule-since", rule=right, since=step.rule.since)
    assert {AskKind.CHOICE, AskKind.LEADER} <= set(ruled)


def test_other_eras_are_compared_from_the_same_state_or_not_at_all() -> None:
    scene = Scene("hw-loss", "", "", ("0.10.2",), Spot())
    made = {one.ask.kind: one for one in reversed(questions_of(runs_of(scene)[0]))}

    def eras(kind: AskKind) -> list[tuple[str, str, int | None]]:
        one = made[kind]
        step = Step("", (), replace(scene, spot=one.stop), 1, ask=one.ask)
        return [(group.first, group.last, group.answer.exact) for group in other_eras(step)]

    # KIP-101: 0.10.2 cuts B to its own high watermark, 1; from 0.11 on it keeps what the leader holds, 2.
    assert eras(AskKind.CUT) == [("0.10.2", "0.10.2", 1), ("0.11", "4.1", 2)]
    # Of an event of this run alone nothing can be said in another one.
    assert eras(AskKind.LEADER) == []
    assert eras(AskKind.WATERMARK) == []
