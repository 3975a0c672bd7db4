"""Many results as a trainer's sheet: a row a learner and lesson, and how each question was answered."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from core.teaching.answers import Mark
from core.teaching.grades import Result, csv_text

COLUMNS: Final = ("learner", "lesson", "title", "points", "right", "questions", "hints", "seconds")
"""Of the CSV, a row a learner and lesson."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one learner made of one lesson."""

    learner: str
    lesson: str
    title: str
    points: float
    right: int
    questions: int
    hints: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Question:
    """How one question of a lesson was answered at first. Texts with another digest count apart."""

    lesson: str
    digest: str
    step: int
    kind: str
    question: str
    right: int
    partly: int
    wrong: int
    skipped: int

    @property
    def answers(self) -> int:
        """How many results have it, skipped or not."""
        return self.right + self.partly + self.wrong + self.skipped


def lines_of(results: Sequence[Result]) -> tuple[Line, ...]:
    """A row a result, by lesson and then by learner."""
    lines = [
        Line(
            one.learner,
            one.lesson,
            one.title,
            one.points,
            one.right,
            len(one.answered),
            sum(tried.hints for row in one.answered for tried in row.tries),
            sum(tried.seconds for row in one.answered for tried in row.tries),
        )
        for one in results
    ]
    return tuple(sorted(lines, key=lambda one: (one.lesson, one.learner)))


def questions_of(results: Sequence[Result]) -> tuple[Question, ...]:
    """A row a question, in the order of the lessons' steps."""
    marks: dict[tuple[str, str, int, str, str], Counter[Mark]] = {}
    for one in results:
        for row in one.answered:
            key = (one.lesson, one.digest, row.step, row.kind, row.question)
            marks.setdefault(key, Counter())[row.tries[0].mark] += 1
    return tuple(
        Question(*key, told[Mark.RIGHT], told[Mark.PARTLY], told[Mark.WRONG], told[Mark.SKIPPED])
        for key, told in sorted(marks.items(), key=lambda one: one[0])
    )


def sheet_csv(results: Sequence[Result]) -> str:
    """A row a learner and lesson, with the columns of COLUMNS."""
    rows = (
        (
            one.learner,
            one.lesson,
            one.title,
            f"{one.points:g}",
            one.right,
            one.questions,
            one.hints,
            f"{one.seconds:.1f}",
        )
        for one in lines_of(results)
    )
    return csv_text(COLUMNS, rows)


def sheet_json(results: Sequence[Result]) -> Mapping[str, Any]:
    """Learners and questions as a JSON value."""
    return {
        "schema": 1,
        "learners": [asdict(one) for one in lines_of(results)],
        "questions": [{**asdict(one), "answers": one.answers} for one in questions_of(results)],
    }
