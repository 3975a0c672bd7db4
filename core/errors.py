"""The one family of errors that a person may see.

Core and the layers above it raise `TidegaugeError` for bad input and for a world that does not play along
(no rights, a full disk). The facts are fields; the surface makes the message. Anything else that is raised
is a defect of the program.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """What an error knows, in the order in which it is told. Empty parts are left out."""

    what: str
    why: str = ""
    where: str = ""
    background: str = ""
    advice: str = ""

    def sentences(self) -> str:
        """The parts that apply, one sentence each, as one line."""
        parts = (self.what, self.why, self.where and f"Where: {self.where}", self.background, self.advice)
        return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part)


class TidegaugeError(Exception):
    """Root of every error that ends in one clear message and exit code 2."""

    def __init__(
        self, what: str, *, why: str = "", where: str = "", background: str = "", advice: str = ""
    ) -> None:
        """Keep the facts; `str()` is the one-line message."""
        self.facts = Facts(what, why, where, background, advice)
        super().__init__(self.facts.sentences())


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
