"""What readers asked (core/lessons/questions.toml): the sentence that answers it, and where it is shown."""

import tomllib
from dataclasses import dataclass
from functools import cache

from core.sim.script import Texts
from core.sim.translations import LESSONS, QUESTIONS, texts_of_page


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the runs of a scenario: a step, and the first event of a kind about a broker in it.

    Without `event` it is the end of the step.
    """

    step: int
    event: str = ""
    """A kind of core/trace/vocabulary.py."""
    broker: str = ""
    """The name of the broker in the scenario."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What runs were opened to show: it stays beside them."""

    ask: Texts
    answer: Texts
    article: Texts | None = None
    """What the articles say instead; None where they are not asked."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `number` counts from 1, in the order of the domain."""

    number: int
    ask: Texts
    answer: Texts
    scenario: str
    """An id of the library."""
    runs: tuple[str, ...]
    """Names of eras as `core.kafka.eras.era_named` reads them: "0.11+truncation=leader-end"."""
    place: Place
    switch: str
    """The switch that makes the difference; "" where none does."""


@cache
def questions() -> tuple[Question, ...]:
    """All questions, in the order of the domain."""
    raw = tomllib.loads((LESSONS / QUESTIONS).read_text(encoding="utf-8"))["question"]
    others = texts_of_page(QUESTIONS)
    return tuple(
        Question(
            number,
            {"en": one["ask"], **others.get(one["ask"], {})},
            {"en": one["answer"], **others.get(one["answer"], {})},
            one["scenario"],
            tuple(one["runs"]),
            Place(one["step"], **one.get("mark", {})),
            one["switch"],
        )
        for number, one in enumerate(raw, start=1)
    )
