"""Questions to begin with: those of docs/query.md."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

_FILE: Final = "examples.toml"
_TITLES: Final = {
    "leaderless": "query.example.leaderless",
    "out-of-sync": "query.example.out-of-sync",
    "cuts": "query.example.cuts",
    "elections": "query.example.elections",
    "lost": "query.example.lost",
    "led": "query.example.led",
    "lines": "query.example.lines",
    "held": "query.example.held",
    "in-sync-changes": "query.example.in-sync-changes",
    "silence": "query.example.silence",
}
"""What each question asks, in words."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question: the id of what it asks in words, and its SQL."""

    title: str
    sql: str


@cache
def examples() -> tuple[Example, ...]:
    """All of them, in their order."""
    text = (resources.files("gui.query") / _FILE).read_text(encoding="utf-8")
    return tuple(Example(_TITLES[one["id"]], one["sql"].strip()) for one in tomllib.loads(text)["example"])
