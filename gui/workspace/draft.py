"""The scenario that is being edited, as a value."""

from dataclasses import dataclass, field, replace
from typing import Final

from core.kafka.eras import Era, era, era_named, with_switches
from core.shown import shown_in_json
from core.sim.translations import LESSONS, NEW
from core.trace.trace import Trace

MOST_RUNS: Final = 4
"""What a comparison has room for."""
NEW_TEXT: Final = (LESSONS / NEW).read_text(encoding="utf-8")
"""A small scenario to begin with."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A text and how it is to be run. It need not be a valid scenario."""

    text: str = NEW_TEXT
    path: str = ""
    """The file that it was read from or written to; "" where there is none."""
    eras: tuple[str, ...] = ("0.10.2", "2.8")
    seed: int = 1
    switches: tuple[tuple[str, str], ...] = ()
    """(switch, value), set in each era."""
    origin: Trace | None = field(default=None, compare=False)
    """The run that it was forked from."""
    beside: bool = True
    """Whether the run that it was forked from is shown beside the new ones."""
    kept: str | None = None
    """The text as it was before somebody typed in it; None where nobody did since it was read or written."""

    def typed(self, text: str) -> "Draft":
        """The same with another text, which no file has."""
        before = self.text if self.kept is None else self.kept
        return replace(self, text=text, kept=None if text == before else before)

    def with_path(self, path: str) -> "Draft":
        """The same, kept in a file."""
        return replace(self, path=path, kept=None)

    @property
    def unsaved(self) -> bool:
        """Whether somebody typed what would be lost with this draft."""
        return self.kept is not None

    @property
    def compared(self) -> Trace | None:
        """The run that is shown beside the new ones."""
        return self.origin if self.beside else None

    @property
    def room(self) -> int:
        """How many eras it may be run in."""
        return MOST_RUNS - (self.compared is not None)


def eras_of(draft: Draft) -> tuple[Era, ...]:
    """The eras to run in, with the switches of the draft."""
    return tuple(with_switches(era(name), dict(draft.switches)) for name in draft.eras)


def written_out(text: str) -> str:
    """A script as it is shown: what would steer its lines stands there as TOML escapes it."""
    return shown_in_json(text.replace("\r\n", "\n"))


def draft_of_run(trace: Trace, text: str) -> Draft:
    """A draft of `text` to be run as a simulated trace was, and compared with it."""
    chosen = era_named("+".join(part for part in (trace.facts["era"], *_switches(trace)) if part))
    return Draft(
        written_out(text),
        eras=(chosen.id,),
        seed=int(trace.facts["seed"]),
        switches=chosen.overrides,
        origin=trace,
    )


def _switches(trace: Trace) -> tuple[str, ...]:
    return tuple(trace.facts.get("switches", "").split(","))
