"""Results of lessons as files that a learner takes home, and many of them as a trainer's sheet."""

from collections.abc import Iterable, Sequence
from json import dumps
from typing import Final

from core.shown import shown_in_line
from core.teaching.grades import Result, as_csv, as_json, as_xapi
from core.teaching.sheet import Line, lines_of, questions_of
from core.trace.times import rfc3339
from core.words import said, text
from gui.workspace.lesson_words import MARK_WORDS

ENDINGS: Final = (".csv", ".md", ".xapi.json", ".json")
"""What a result is saved as; the last one is what a trainer's sheet reads."""


def ending_of(name: str) -> str:
    """The ending of a file's name that says what is in it; "" for another one."""
    return next((one for one in ENDINGS if name.lower().endswith(one)), "")


def file_text(result: Result, ending: str) -> str:
    """A result as the text of a file of that ending."""
    match ending:
        case ".csv":
            return as_csv([result])
        case ".md":
            return result_markdown(result)
        case ".xapi.json":
            return as_xapi([result])
        case _:
            return dumps(as_json(result), ensure_ascii=False, indent=1)


def score_words(result: Result) -> str:
    """Points, right answers and questions."""
    points, count = f"{result.points:g}", len(result.answered)
    return said("lesson.score", points=points, right=result.right, count=count)


def result_markdown(result: Result) -> str:
    """A result to be read: who, when, the score, a row a try."""
    rows = [
        (
            one.step,
            one.question,
            number,
            tried.given or said("lesson.none"),
            text(MARK_WORDS[tried.mark]),
            f"{tried.points:g}",
            tried.hints,
            f"{tried.seconds:.0f}",
        )
        for one in result.answered
        for number, tried in enumerate(one.tries, start=1)
    ]
    who = (f"{_cell(result.learner)}  ",) if result.learner else ()
    lines = (
        f"# {_cell(result.title)}",
        "",
        *who,
        f"{score_words(result)}  ",
        f"{rfc3339(result.finished_ns)[:19]}Z  ",
        f"`{result.lesson}`, SHA-256 `{result.digest}`",
        "",
        *_table(row_heads(), rows),
    )
    return "\n".join(lines) + "\n"


def row_heads() -> tuple[str, ...]:
    """What the columns of a row a try are called."""
    return (
        said("command.head.step"),
        said("command.head.question"),
        said("lesson.head.try"),
        said("lesson.head.answer"),
        said("lesson.head.verdict"),
        said("command.head.points"),
        said("command.head.hints"),
        said("command.head.seconds"),
    )


def figures_of(line: Line) -> tuple[str, int, int, int, str]:
    """Points, right answers, questions, hints and seconds of a row of a sheet, as they are printed."""
    return f"{line.points:g}", line.right, line.questions, line.hints, f"{line.seconds:.0f}"


def sheet_markdown(results: Sequence[Result]) -> str:
    """A trainer's sheet to be read: a row a learner and lesson, and how each question was answered."""
    lesson, right = said("command.head.lesson"), said("command.head.right")
    learners = (
        *(said("command.head.learner"), lesson, said("command.head.points"), right),
        *(said("command.head.questions"), said("command.head.hints"), said("command.head.seconds")),
    )
    questions = (
        *(lesson, said("command.head.step"), right),
        *(said("command.head.answers"), said("command.head.question")),
    )
    rows = [(one.learner or "–", one.title, *figures_of(one)) for one in lines_of(results)]
    asked = [(one.lesson, one.step, one.right, one.answers, one.question) for one in questions_of(results)]
    tables = (_table(learners, rows), _table(questions, asked))
    return "\n\n".join("\n".join(one) for one in tables) + "\n"


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return [f"| {' | '.join(_cell(str(cell)) for cell in line)} |" for line in lines]


def _cell(words: str) -> str:
    """Words in one cell: what would end it, or be read as a tag, a link or a list, is shown."""
    told = shown_in_line(words)
    for sign in ("\\", "|", "<", "`", "*", "_", "[", "#"):
        told = told.replace(sign, f"\\{sign}")
    return told
