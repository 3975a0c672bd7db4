"""Where the articles and Kafka differ, with numbers, and their table of risks: core/lessons/articles.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from core.sim.questions import Place
from core.sim.script import Texts
from core.sim.translations import ARTICLES, LESSONS, texts_of_page

Measure: TypeAlias = Literal["hw", "leo", "last-visible", "lost", "diverged"]
"""Of a replica at the end of a step: high watermark, log end offset, last offset that consumers read; of a
whole run: committed records lost, offsets that differ at the end."""

Degree: TypeAlias = Literal["high", "low"]


@dataclass(frozen=True, slots=True)
class Value:
    """What tells the two rules apart. `broker` is "" for what is of the whole run."""

    of: Measure
    kafka: int
    article: int | None = None
    """None where the articles give no number."""
    broker: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """One rule as the articles tell it and as Kafka has it, and the runs that show it."""

    title: Texts
    article: Texts
    kafka: Texts
    scenario: str
    """An id of the library."""
    runs: tuple[str, ...]
    """Names of eras with switches, as those of a question."""
    place: Place
    value: Value


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scenario costs in one era."""

    scenario: str
    lost: int
    """Committed records that the last leader does not hold."""
    diverged: int
    """Offsets at which two running replicas differ at the end."""


@dataclass(frozen=True, slots=True)
class Risk:
    """A row of the table that the articles close with, and what runs give beside it."""

    era: str
    rule: Texts
    """By what a replica that becomes a follower cuts its log."""
    loss: Degree | None
    """The risk of a loss, as the articles call it; None where they do not tell of the rule."""
    consistency: Degree | None
    outcomes: tuple[Outcome, ...]


@cache
def claims() -> tuple[Claim, ...]:
    """All of them, in the order of the page."""
    return tuple(
        Claim(
            _texts(one["title"]),
            _texts(one["article"]),
            _texts(one["kafka"]),
            one["scenario"],
            tuple(one["runs"]),
            Place(one["step"]),
            Value(**one["value"]),
        )
        for one in _read()["claim"]
    )


@cache
def risks() -> tuple[Risk, ...]:
    """The rows, the oldest rule first. All have outcomes of the same scenarios, in the same order."""
    return tuple(
        Risk(
            one["era"],
            _texts(one["rule"]),
            one.get("loss"),
            one.get("consistency"),
            tuple(Outcome(name, *cost) for name, cost in one["outcomes"].items()),
        )
        for one in _read()["risk"]
    )


def _texts(english: str) -> Texts:
    return {"en": english, **texts_of_page(ARTICLES).get(english, {})}


@cache
def _read() -> Mapping[str, Any]:
    return tomllib.loads((LESSONS / ARTICLES).read_text(encoding="utf-8"))
