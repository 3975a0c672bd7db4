"""What an error or an import report says, as text in English."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from core.errors import Facts
from core.message_json import stored
from core.words import text


class _HasFacts(Protocol):
    @property
    def facts(self) -> Facts: ...


@dataclass(frozen=True)
class Told:
    """The parts of an error; "" for one that does not apply."""

    what: str
    why: str
    where: str
    background: str
    advice: str


def in_words(error: _HasFacts) -> Told:
    """The parts of an error, or of the failure of a job."""
    return Told(*(text(part) if (part := getattr(error.facts, one.name)) else "" for one in fields(Told)))


def gaps_of(report: Mapping[str, Any]) -> list[str]:
    """What the report of an import says is missing."""
    return [text(stored(gap)) for gap in report["gaps"]]
