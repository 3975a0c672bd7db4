"""Results of a lesson as values, and as files that other programs read: CSV, JSON, xAPI statements."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from core.teaching.answers import Mark
from core.trace.times import rfc3339

COLUMNS: Final = (
    *("learner", "lesson", "title", "language", "digest", "finished", "step", "kind", "question"),
    *("try", "given", "mark", "points", "hints", "seconds"),
)
"""Of the CSV, a row a try, those of a question by number."""
VERBS: Final = "http://adlnet.gov/expapi/verbs/"
"""What the verbs of xAPI begin with."""
ACTIVITY: Final = "urn:tidegauge:lesson:"
"""What the name of a lesson begins with in xAPI."""


@dataclass(frozen=True, slots=True)
class Try:
    """An answer that was given before the one that stands; `given` is in words, "" for none."""

    given: str
    mark: Mark
    points: float
    hints: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Answered:
    """One question of a lesson and what was answered last; `given` is in words, "" for none."""

    step: int
    kind: str
    question: str
    given: str
    mark: Mark
    points: float
    """Those of this try."""
    hints: int
    seconds: float
    earlier: tuple[Try, ...] = ()
    """The tries before, in their order."""

    @property
    def tries(self) -> tuple[Try, ...]:
        """All of them, the one that stands last."""
        return (*self.earlier, Try(self.given, self.mark, self.points, self.hints, self.seconds))

    @property
    def best(self) -> float:
        """The most points of all tries: practising costs none."""
        return max(one.points for one in self.tries)


@dataclass(frozen=True, slots=True)
class Result:
    """What somebody made of a lesson. `learner` is what they call themselves, "" for nobody."""

    lesson: str
    title: str
    language: str
    digest: str
    finished_ns: int
    answered: tuple[Answered, ...]
    learner: str = ""

    @property
    def points(self) -> float:
        """Of one a question."""
        return sum(one.best for one in self.answered)

    @property
    def right(self) -> int:
        """How many questions were answered right."""
        return sum(one.mark is Mark.RIGHT for one in self.answered)


def as_csv(results: Sequence[Result]) -> str:
    """A row a try, with the columns of COLUMNS."""
    rows: list[Sequence[object]] = []
    for one in results:
        head = (one.learner, one.lesson, one.title, one.language, one.digest, rfc3339(one.finished_ns))
        for row in one.answered:
            for number, tried in enumerate(row.tries, start=1):
                told = (number, tried.given, str(tried.mark), f"{tried.points:g}", tried.hints)
                rows.append((*head, row.step, row.kind, row.question, *told, f"{tried.seconds:.1f}"))
    return csv_text(COLUMNS, rows)


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV. A cell that begins like a formula is told as text: a spreadsheet would run it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_as_text(str(cell)) for cell in row] for row in rows)
    return out.getvalue()


def _as_text(cell: str) -> str:
    return f"'{cell}" if cell[:1] in {"=", "+", "-", "@", "\t", "\r"} else cell


def as_json(result: Result) -> dict[str, Any]:
    """The result as a JSON value; `result_of` reads it."""
    return {"schema": 1, **asdict(result), "points": result.points}


def result_of(raw: Any) -> Result:  # noqa: ANN401 - a JSON value
    """The result of a JSON value. Raises ValueError for anything that `as_json` does not make."""
    try:
        if raw["schema"] != 1:
            raise ValueError(raw["schema"])
        rows = tuple(_answered_of(row) for row in raw["answered"])
        names = ("lesson", "title", "language", "digest", "finished_ns", "learner")
        tries = [one for row in rows for one in row.tries]
        if any(type(row.step) is not int or _texts_wrong(row.kind, row.question) for row in rows):
            raise ValueError(raw["answered"])
        if any(_numbers_wrong(one) or _texts_wrong(one.given) for one in tries):
            raise ValueError(raw["answered"])
        if _texts_wrong(*(raw[name] for name in names if name != "finished_ns")):
            raise ValueError(names)
        return Result(answered=rows, **{name: raw[name] for name in names})
    except (TypeError, KeyError) as error:
        raise ValueError(str(error)) from error


def _answered_of(raw: Any) -> Answered:  # noqa: ANN401 - a JSON value
    """A row; results that were saved before there were tries have no earlier ones."""
    earlier = tuple(replace(Try(**one), mark=Mark(one["mark"])) for one in raw.get("earlier", ()))
    return replace(Answered(**raw), mark=Mark(raw["mark"]), earlier=earlier)


def _numbers_wrong(row: Try) -> bool:
    """Whether a try that was read has something else where numbers stand."""
    return type(row.hints) is not int or not all(
        type(one) in {int, float} for one in (row.points, row.seconds)
    )


def _texts_wrong(*texts: object) -> bool:
    return not all(isinstance(one, str) for one in texts)


def as_xapi(results: Iterable[Result]) -> str:
    """XAPI statements, one a try and one for each lesson, as a JSON list. No account, no address."""
    statements = [statement for one in results for statement in _statements(one)]
    return json.dumps(statements, ensure_ascii=False, indent=1)


def _statements(result: Result) -> list[dict[str, Any]]:
    actor = {
        "objectType": "Agent",
        "account": {"homePage": "urn:tidegauge", "name": result.learner or "anonymous"},
    }
    most = len(result.answered)
    scaled = result.points / most if most else 1.0
    whole = {
        "actor": actor,
        "verb": {"id": f"{VERBS}completed", "display": {"en": "completed"}},
        "object": _activity(result, ""),
        "result": {"completion": True, "score": {"raw": result.points, "max": most, "scaled": scaled}},
        "timestamp": rfc3339(result.finished_ns),
    }
    tries = [(row, one) for row in result.answered for one in row.tries]
    return [*(_answered(result, row, one, actor) for row, one in tries), whole]


def _answered(result: Result, row: Answered, one: Try, actor: dict[str, Any]) -> dict[str, Any]:
    return {
        "actor": actor,
        "verb": {"id": f"{VERBS}answered", "display": {"en": "answered"}},
        "object": _activity(result, f":{row.step}", row.question),
        "result": {
            "response": one.given,
            "success": one.mark is Mark.RIGHT,
            "score": {"raw": one.points, "max": 1, "scaled": one.points},
            "duration": f"PT{one.seconds:.1f}S",
        },
        "timestamp": rfc3339(result.finished_ns),
    }


def _activity(result: Result, behind: str, name: str = "") -> dict[str, Any]:
    title = name or result.title
    return {
        "id": f"{ACTIVITY}{result.lesson}{behind}",
        "definition": {"name": {result.language: title}},
    }
