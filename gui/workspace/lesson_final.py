"""The final test: questions that are drawn by a seed from runs, of which none was a lesson's. No Qt.

The same seed gives the same test, so that a class can be given one; it stands in the title and in results.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from core.compare.comparison import Run
from core.diagnose.narrate.why import why
from core.kafka.eras import ERAS
from core.message import Message, message
from core.sim.chance import Chance
from core.sim.library import scenario, scenario_ids
from core.sim.script import in_language
from core.teaching.generated import Generated, drawn, elected_at, questions_of
from core.teaching.lesson import Ask, AskKind, Lesson, Rule, Scene, Spot, Step
from core.teaching.library import lesson, lesson_ids
from core.words import Language, said, speaking, text
from gui.workspace.lesson_runs import runs_of

FINAL: Final = "final-test"
"""The id of every final test; "final-test:4711" is the one of that seed."""
QUESTIONS: Final = 12
SEEDS: Final = 10_000
_MINUTES: Final = 15
_DECIDES: Final = {
    AskKind.CUT: "why.rule.cut.",
    AskKind.WATERMARK: "why.rule.watermark.",
    AskKind.IN_SYNC: "why.rule.isr.",
}
"""With which words the messages begin of the rules that decide a question; the others are of elections."""
_NAMED: Final = re.compile(rf"{FINAL}:(\d{{1,9}})")


def seed_of(name: str) -> int | None:
    """The seed in "final-test:4711"; None for another name."""
    found = _NAMED.fullmatch(name)
    return int(found[1]) if found else None


def final_test(seed: int, lang: Language) -> Lesson:
    """The test of a seed: one question each of so many scenarios, under an era each."""
    with speaking(lang):
        steps = tuple(_steps(seed, lang))
        return Lesson(
            id=FINAL,
            title=said("lesson.final.title", seed=seed),
            line=said("lesson.final.line"),
            minutes=_MINUTES,
            language=lang,
            steps=steps,
            digest=f"seed {seed}",
        )


def _steps(seed: int, lang: Language) -> Iterator[Step]:
    chance = Chance(seed)
    taught = {step.scene.scenario for one in lesson_ids() for step in lesson(one).steps}
    names = sorted(set(scenario_ids()) - taught, key=lambda name: chance.below(1 << 60, "scenario", name))
    count = 0
    for name in names:
        era = ERAS[chance.below(len(ERAS), "era", name)].id
        scene = Scene(name, "", "", (era,), Spot())
        asked = _drawn(questions_of(runs_of(scene)[0]), chance, name)
        if asked is None:
            continue
        count += 1
        title = in_language(scenario(name).title, lang)
        ask = replace(asked.ask, question=text(question_words(asked.ask)))
        rule = _rule(runs_of(scene)[0], ask)
        yield Step(title, (), replace(scene, spot=asked.stop), count, ask=ask, rule=rule)
        if count == QUESTIONS:
            return


def _drawn(found: tuple[Generated, ...], chance: Chance, name: str) -> Generated | None:
    """One question of a run: each kind that it has is as likely, however many of that kind there are."""
    kinds = sorted({one.ask.kind for one in found})
    if not kinds:
        return None
    kind = kinds[chance.below(len(kinds), "kind", name)]
    same = [one for one in found if one.ask.kind is kind]
    return drawn(same, 1, chance.below(1 << 31, "question", name))[0]


def _rule(run: Run, ask: Ask) -> Rule | None:
    """The rule by which what is asked was decided; None where no rule of that kind did, or none alone."""
    cursor, wanted = ask.judged.cursor, _DECIDES.get(ask.kind, "why.rule.election.")
    if cursor is None:
        return None
    if ask.kind is AskKind.CHOICE and ask.broker:
        wanted = _DECIDES[AskKind.CUT]
    elif ask.kind not in _DECIDES:
        cursor = elected_at(run, run.history.leader_epoch.at(cursor)) or cursor
    told = why(run.history, run.verdict, cursor)
    if told.rule is None or not told.rule.id.startswith(wanted):
        return None
    return Rule(text(told.rule), since="" if told.since is None else text(told.since))


def question_words(ask: Ask) -> Message:
    """What a question asks, in words."""
    match ask.kind:
        case AskKind.CUT:
            return message("lesson.final.cut", broker=ask.broker)
        case AskKind.LEADER:
            return message("lesson.final.leader")
        case AskKind.WATERMARK:
            return message("lesson.final.watermark", broker=ask.broker)
        case AskKind.IN_SYNC:
            return message("lesson.final.in-sync")
        case AskKind.CHOICE if ask.broker:
            return message("lesson.final.cut-rule", broker=ask.broker)
        case AskKind.CHOICE:
            return message("lesson.final.election-rule")
        case _:
            return message("lesson.final.lost")
