"""What is wrong with a lesson: places that a run lacks, false words, questions without one answer."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from core.compare.comparison import Run
from core.errors import QuestionError
from core.message import Message, message
from core.teaching.answers import answer_of
from core.teaching.facts import holds
from core.teaching.lesson import Block, Claim, Fact, Lesson, Pointer, Scene, Span, Spot, Step, lines_of
from core.teaching.markdown import plain_text
from core.teaching.places import cursor_of

WORDS_MOST: Final = 120
"""Of the text of one step: more does not fit beside the lanes (design of lessons, 1)."""
SIGNS_MOST: Final = 220
"""The same in Chinese, in signs."""
POINTERS_MOST: Final = 4

RunsOf: TypeAlias = Callable[[Scene], Sequence[Run]]
"""The runs that a scene shows, opened. Raises a TidegaugeError where there are none."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong with a step, and the line at which the step begins."""

    step: int
    line: int
    what: Message


def problems(lesson: Lesson, runs_of: RunsOf) -> tuple[Problem, ...]:
    """All that is wrong with a lesson, in the order of its steps."""
    return tuple(
        Problem(number, step.line, what)
        for number, step in enumerate(lesson.steps, start=1)
        for what in _of_step(step, lesson.language, runs_of)
    )


def _of_step(step: Step, language: str, runs_of: RunsOf) -> Iterator[Message]:
    yield from _of_length(step, language)
    runs = runs_of(step.scene)
    yield from _of_places(step, runs)
    yield from _of_claims(step.blocks, step.scene.spot, runs)
    if step.ask is None:
        return
    yield from _of_claims(step.revealed, step.ask.judged, runs)
    for run in runs:
        try:
            if not answer_of(step.ask, step.scene.spot, run).known:
                yield message("lesson.problem.no-answer", run=run.title)
        except QuestionError as error:
            yield error.facts.what


def _of_length(step: Step, language: str) -> Iterator[Message]:
    words = plain_text(step.blocks)
    count, most = (len(words), SIGNS_MOST) if language == "zh" else (len(words.split()), WORDS_MOST)
    if count > most:
        yield message("lesson.problem.too-long", words=count, most=most)
    letters = [span.letter for span in _spans(step.blocks) if isinstance(span, Pointer)]
    if len(letters) > POINTERS_MOST or len(set(letters)) != len(letters):
        yield message("lesson.problem.letters", most=POINTERS_MOST)


def _of_places(step: Step, runs: Sequence[Run]) -> Iterator[Message]:
    pointed = [span.spot for span in _spans(step.blocks) if isinstance(span, Pointer)]
    for run in runs:
        yield from _missing(step.scene.spot, run)
    for spot in pointed:
        # A mark may stand in one of the runs alone: that is what they are compared for.
        lacking = [tuple(_missing(spot, run)) for run in runs]
        if all(lacking):
            yield lacking[0][0]


def _missing(spot: Spot, run: Run) -> Iterator[Message]:
    try:
        cursor_of(spot, run)
    except QuestionError as error:
        yield error.facts.what


def _of_claims(blocks: Sequence[Block], spot: Spot, runs: Sequence[Run]) -> Iterator[Message]:
    for span in _spans(blocks):
        if isinstance(span, Claim):
            for number, run in enumerate(runs, start=1):
                if span.fact.run in {None, number} and not _holds(span.fact, spot, run):
                    yield message("lesson.problem.false", text=span.text, fact=span.fact.text, run=run.title)


def _holds(fact: Fact, spot: Spot, run: Run) -> bool | None:
    try:
        return holds(fact, run, cursor_of(spot, run))
    except (KeyError, QuestionError):
        return False


def _spans(blocks: Sequence[Block]) -> Iterator[Span]:
    for line in lines_of(blocks):
        yield from line
