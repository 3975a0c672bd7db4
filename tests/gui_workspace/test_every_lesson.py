"""Every lesson, in both languages: every step, every question with a right and each wrong answer.

Right is what the run answers; wrong is each other answer that the learner can give there.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.teaching.answers import NOBODY, Answer, Given, Mark
from core.teaching.lesson import Ask, AskKind, Step, lines_of, pointers_of
from core.teaching.library import lesson, lesson_ids
from core.words import speaking
from gui.handouts.prose import labels_of
from gui.workspace.lesson_player import (
    Player,
    answered,
    highest_end,
    other_eras,
    pointed_at,
    right_answer,
    shown,
)
from gui.workspace.lesson_runs import runs_of
from gui.workspace.lesson_words import answer_words, given_words, result_of, rule_words

_NEAR = 3
"""Offsets on both sides of the right one."""


def right_of(answer: Answer) -> Given:
    """What the run answers, as a learner gives it."""
    found = answer.members if answer.members is not None else answer.order
    value = found if found is not None else answer.lo if answer.lo is not None else answer.hi
    assert value is not None
    return value


def wrong_of(ask: Ask, answer: Answer, step: Step, most: int) -> Iterator[Given]:
    """Every other answer that the controls of the step take, of offsets those near the right one."""
    replicas = runs_of(step.scene)[0].history.replicas
    match ask.kind:
        case AskKind.CUT | AskKind.WATERMARK:
            low, high = (one if one is not None else 0 for one in (answer.lo, answer.hi))
            near = range(max(low - _NEAR, 0), min(max(high, low) + _NEAR, most) + 1)
            yield from (one for one in near if not (low <= one and (answer.hi is None or one <= answer.hi)))
        case AskKind.LEADER:
            yield from (one for one in (*replicas, NOBODY) if one != answer.exact)
        case AskKind.CHOICE:
            yield from (place for place in range(len(ask.options)) if place != answer.exact)
        case AskKind.IN_SYNC:
            members = answer.members or frozenset()
            yield from (members ^ {one} for one in replicas)
        case AskKind.LOST:
            members = answer.members or frozenset()
            yield from (members ^ {one} for one in range(min(most, 8)))
        case AskKind.ORDER:
            order = answer.order or ()
            cause, effect = next(iter(sorted(answer.before)))
            swapped = {cause: effect, effect: cause}
            yield tuple(swapped.get(one, one) for one in order)


@pytest.mark.slow
@pytest.mark.parametrize("name", lesson_ids())
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_question_is_judged_by_the_run_and_what_is_said_of_it_has_words(
    name: str, language: str
) -> None:
    told = lesson(name, language)
    assert told.language == language
    with speaking(language):
        player = Player(told)
        for place, step in enumerate(told.steps):
            player = replace(player, step=place)
            player = _played(player, step)
            _has_words(step)
        result = result_of(player, 0)
    assert (result.right, result.points) == (len(told.questions), len(told.questions))
    assert [one.given for one in result.answered] == [one.given for one in result.answered if one.given]


def _played(player: Player, step: Step) -> Player:
    """The step with its question answered: wrong in every way, then right, which stands."""
    seen = shown(player)
    for pointer in pointers_of(step.blocks):
        assert pointed_at(pointer, step.scene, shown(answered(player, None)).content) is not None
    if step.ask is None:
        return player
    answer, most = right_answer(step), highest_end(seen.content.runs[0])
    run = runs_of(step.scene)[0]
    assert answer_words(step.ask, answer, run)
    # What is asked for cannot be read off the controls: they stand for every answer.
    labels = labels_of(step.ask, run, most)
    wrong = list(wrong_of(step.ask, answer, step, most))
    assert wrong
    for given in wrong:
        judged = answered(player, given).attempts[player.step].judged
        assert judged.mark in (Mark.WRONG, Mark.PARTLY), (step.title, given)
        assert given_words(step.ask, given, run)
        if isinstance(given, int) and labels:
            assert given in labels
    right = answered(player, right_of(answer), 1.0)
    assert right.attempts[player.step].judged.mark is Mark.RIGHT
    assert shown(right).position >= seen.position
    return right


def _has_words(step: Step) -> None:
    assert step.title.strip()
    assert step.blocks
    assert all(line for line in lines_of(step.blocks))
    if step.ask is not None:
        assert step.ask.question.strip()
        assert step.revealed
        # What happened is told with the rule that made it so, and its releases.
        assert step.rule is not None, step.title
    if step.rule is not None:
        assert step.rule.text in rule_words(step)


def test_both_languages_have_the_same_steps_questions_and_places() -> None:
    for name in lesson_ids():
        english, chinese = (lesson(name, language) for language in ("en", "zh"))
        assert [_bones(one) for one in english.steps] == [_bones(one) for one in chinese.steps], name
        assert any(one.notes for one in english.steps), name


def _bones(step: Step) -> tuple[object, ...]:
    ask = step.ask
    asked = None if ask is None else (ask.kind, ask.judged, ask.broker, len(ask.options), len(ask.hints))
    rule = None if step.rule is None else (step.rule.switch, step.rule.era)
    facts = () if ask is None else tuple(one.fact for one in ask.options)
    return step.scene, asked, facts, rule, bool(step.notes)


@pytest.mark.slow
@pytest.mark.parametrize("name", lesson_ids())
def test_every_question_has_an_answer_of_the_other_eras_too(name: str) -> None:
    """An era whose run has no such moment, or in which no option is so, answers otherwise; nothing fails."""
    for step in lesson(name, "en").steps:
        eras = other_eras(step)
        assert bool(eras) is (step.ask is not None and bool(step.scene.scenario))
        assert not eras or any(one.answer.known for one in eras)
