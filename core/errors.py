"""The one family of errors that a person may see.

Core and the layers above it raise `TidegaugeError` for bad input and for a world that does not play along
(no rights, a full disk). The facts are messages; the surface makes text of them. Anything else that is raised
is a defect of the program.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from core.message import Message, Sentences, Value, changed, message
from core.words import text


@dataclass(frozen=True, slots=True)
class Facts:
    """What an error knows, in the order in which it is told. A part that does not apply is None."""

    what: Message
    why: Message | None = None
    where: Message | None = None
    background: Message | None = None
    advice: Message | None = None

    def told(self) -> Message:
        """All parts that apply, one sentence each, one behind the other."""
        where = None if self.where is None else message("error.where", where=self.where)
        parts = (self.what, self.why, where, self.background, self.advice)
        told = tuple(message("error.told.one", part=part) for part in parts if part is not None)
        return message("error.told", parts=Sentences(told))

    def changed(self, change: Callable[[str], Value]) -> "Facts":
        """The same with every text from the evidence changed, such as a path that nobody knows."""

        def one(part: Message | None) -> Message | None:
            return None if part is None else changed(part, change)

        return Facts(
            changed(self.what, change), one(self.why), one(self.where), one(self.background), one(self.advice)
        )


class TidegaugeError(Exception):
    """Root of every error that ends in one clear message and exit code 2."""

    def __init__(
        self,
        what: Message,
        *,
        why: Message | None = None,
        where: Message | str | None = None,
        background: Message | None = None,
        advice: Message | None = None,
    ) -> None:
        """Keep the facts; `where` may be the path or address alone. `str()` is the one-line message."""
        super().__init__(what)
        self.facts = Facts(what, why, at(where), background, advice)

    @classmethod
    def of(cls, facts: Facts) -> Self:
        """An error with these facts."""
        return cls(
            facts.what,
            why=facts.why,
            where=facts.where,
            background=facts.background,
            advice=facts.advice,
        )

    def __str__(self) -> str:
        """All facts as one line, for logs and tracebacks."""
        return text(self.facts.told())


def at(where: Message | str | None) -> Message | None:
    """Where something is wrong: a path or an address, or a place in it; None for "" and None."""
    if isinstance(where, str):
        return message("error.place", name=where) if where else None
    return where


def because(error: BaseException | str) -> Message:
    """The words of another program or library, as they are: nobody here knows what it may say."""
    return message("error.words", words=str(error))


class SourceError(TidegaugeError):
    """A source cannot be opened, is damaged, or holds nothing that the program reads."""


class ScenarioError(TidegaugeError):
    """A scenario text is wrong: `where` is file, line and key; `advice` is what is allowed."""

    line: int | None = None
    """The line of the text, from 1, where it is one line that is wrong."""


class DocumentError(TidegaugeError):
    """A document cannot be opened or written: locked, damaged, newer, read-only, in the way."""


class MissingDocumentError(DocumentError):
    """The file that was opened is not in its place any more: deleted, moved, or replaced by another one."""


class QuestionError(TidegaugeError):
    """A question names something that is not there: a partition, a trace, a time, a switch."""


class CancelledError(TidegaugeError):
    """The person stopped the work. Nothing half-made is left behind."""


class EndedError(TidegaugeError):
    """A process that did a part of the work ended before that was done: killed, or without memory."""
