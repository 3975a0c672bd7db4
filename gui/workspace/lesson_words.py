"""What is said of answers, brokers and rules of a lesson, in the language spoken now."""

from typing import Final

from core.compare.comparison import Run
from core.kafka.eras import ERAS
from core.message import Between, Listing, Message, message
from core.teaching.answers import NOBODY, Answer, Given, Mark
from core.teaching.grades import Answered, Result, Try
from core.teaching.lesson import Ask, AskKind, Step
from core.trace.broker_names import broker_text
from core.words import text
from gui.text.spoken import tr
from gui.workspace.lesson_player import Attempt, Player, rule_eras
from gui.workspace.lesson_runs import runs_of

MARK_WORDS: Final = {
    Mark.RIGHT: message("lesson.mark.right"),
    Mark.PARTLY: message("lesson.mark.partly"),
    Mark.WRONG: message("lesson.mark.wrong"),
    Mark.SKIPPED: message("lesson.mark.skipped"),
}


def rule_words(step: Step) -> str:
    """The rule of a step, with the releases that have it."""
    rule = step.rule
    if rule is None:
        return ""
    if rule.since:
        return text(message("why.rule-since", rule=rule.text, since=rule.since))
    eras = rule_eras(step.scene, rule)
    if eras is None:
        return text(message("lesson.rule.every", rule=rule.text))
    if eras[1] == ERAS[-1].id:
        return text(message("lesson.rule.from", first=eras[0], rule=rule.text))
    if eras[0] == ERAS[0].id:
        return text(message("lesson.rule.to", last=eras[1], rule=rule.text))
    if eras[0] == eras[1]:
        return text(message("lesson.rule.one", era=eras[0], rule=rule.text))
    return text(message("lesson.rule.eras", first=eras[0], last=eras[1], rule=rule.text))


def given_words(ask: Ask, given: Given, run: Run) -> str:
    """An answer in words."""
    return text(_words(ask, given, run))


def answer_words(ask: Ask, answer: Answer, run: Run) -> str:
    """What the run answers, in words; bounds as bounds."""
    if answer.members is not None:
        return given_words(ask, answer.members, run)
    if answer.order is not None:
        return given_words(ask, answer.order, run)
    if answer.exact is not None:
        return given_words(ask, answer.exact, run)
    if not answer.known:
        return tr("lesson.unknown")
    return text(message("lesson.between", value=Between(answer.lo, answer.hi)))


def _words(ask: Ask, given: Given, run: Run) -> Message:
    if isinstance(given, tuple):
        return message("lesson.words", words=Listing(tuple(ask.events[place].text for place in given)))
    if isinstance(given, frozenset):
        if not given:
            return message("lesson.nothing")
        if ask.kind is AskKind.IN_SYNC:
            return message(
                "lesson.words",
                words=Listing(tuple(broker_text(run.history.trace, one) for one in sorted(given))),
            )
        return message("lesson.words", words=_ranges(given))
    match ask.kind:
        case AskKind.LEADER if given == NOBODY:
            return message("lesson.answer.nobody")
        case AskKind.LEADER:
            return message("lesson.words", words=broker_text(run.history.trace, given))
        case AskKind.CHOICE:
            return message("lesson.words", words=ask.options[given].text)
        case _:
            return message("lesson.words", words=str(given))


def _ranges(offsets: frozenset[int]) -> Listing:
    """Offsets as ranges: 7–9, 12."""
    found: list[list[int]] = []
    for offset in sorted(offsets):
        if found and found[-1][1] == offset - 1:
            found[-1][1] = offset
        else:
            found.append([offset, offset])
    return Listing(tuple(str(first) if first == last else f"{first}–{last}" for first, last in found))


def _try(ask: Ask, attempt: Attempt, run: Run) -> Try:
    given = "" if attempt.given is None else given_words(ask, attempt.given, run)
    return Try(given, attempt.judged.mark, attempt.points, attempt.hints, attempt.seconds)


def result_of(player: Player, finished_ns: int, learner: str = "") -> Result:
    """What somebody made of a lesson, as it can be written down."""
    lesson = player.lesson
    rows: list[Answered] = []
    for place, step in enumerate(lesson.steps):
        if step.ask is None or not player.tries(place):
            continue
        *earlier, last = (_try(step.ask, one, runs_of(step.scene)[0]) for one in player.tries(place))
        told = (last.given, last.mark, last.points, last.hints, last.seconds)
        rows.append(Answered(place + 1, step.ask.kind, step.ask.question, *told, tuple(earlier)))
    return Result(lesson.id, lesson.title, lesson.language, lesson.digest, finished_ns, tuple(rows), learner)
