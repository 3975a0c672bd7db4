"""Questions to begin with: those of docs/query.md."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

_FILE: Final = "examples.toml"


@dataclass(frozen=True, slots=True)
class Example:
    """A question: the id of what it asks in words, and its SQL."""

    title: str
    sql: str


@cache
def examples() -> tuple[Example, ...]:
    """All of them, in their order."""
    text = (resources.files("gui.query") / _FILE).read_text(encoding="utf-8")
    return tuple(Example(one["title"], one["sql"].strip()) for one in tomllib.loads(text)["example"])
