"""Files of `tidegauge explore`: counterexamples as documents and as ITF; behaviours that are brought."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.errors import QuestionError, because
from core.message import message
from core.system_errors import reason
from db.making import refuse_existing
from gui.commands.terminal import working
from gui.text.spoken import tr

if TYPE_CHECKING:
    from core.model.exploration import Counterexample, Exploration
    from core.model.replay import Replay
    from core.model.state import Bounds, State
    from core.model.variants import Variant

_MOST_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Targets:
    """What is written besides the answer: a document with each counterexample, the shortest one as ITF."""

    document: str | None
    itf: str | None
    replace: bool

    def __post_init__(self) -> None:
        """Refuse, before anything is explored, what may not be replaced. Raises DocumentError."""
        for target in (self.document, self.itf):
            if target is not None:
                refuse_existing(Path(target), replace=self.replace)

    def write(self, variant: "Variant", bounds: "Bounds", found: "Exploration[State]") -> None:
        """The counterexamples of an exploration. Says where there is none."""
        broken = [
            (Path(one.invariant.name).name, one.counterexample)
            for one in found.verdicts
            if one.counterexample is not None
        ]
        self._write(variant, bounds, broken)

    def write_replay(self, variant: "Variant", bounds: "Bounds", told: "Replay") -> None:
        """What of a behaviour that was brought the variant allows."""
        from core.model.exploration import Counterexample

        allowed = [(tr("command.explore.replayed"), Counterexample(told.states, told.steps))]
        self._write(variant, bounds, allowed if told.steps else [])

    def _write(
        self, variant: "Variant", bounds: "Bounds", named: "Sequence[tuple[str, Counterexample[State]]]"
    ) -> None:
        if self.document is None and self.itf is None:
            return
        if not named:
            click.echo(tr("command.explore.nothing-written"), err=True)
            return
        if self.itf is not None:
            self._write_itf(Path(self.itf), variant, bounds, min(named, key=lambda one: len(one[1])))
        if self.document is not None:
            self._write_document(Path(self.document), variant, named)

    def _write_itf(
        self, target: Path, variant: "Variant", bounds: "Bounds", named: "tuple[str, Counterexample[State]]"
    ) -> None:
        from core.model.exchange import itf_of
        from gui.workspace.files import write_text

        name, one = named
        content = itf_of(one.states, one.steps, bounds, f"{variant.name}: {name}")
        write_text(target, json.dumps(content, indent=1))

    def _write_document(
        self, target: Path, variant: "Variant", named: "Sequence[tuple[str, Counterexample[State]]]"
    ) -> None:
        from core.diagnose.verdict.check import triaged
        from db.document import create
        from gui.workspace.exploring import behaviour_trace

        traces = [behaviour_trace(f"{variant.name} {name}", variant, one) for name, one in named]
        with working("command.working.exploring") as work:
            found = [triaged(trace, work) for trace in traces]
            create(target, traces, found=found, replace=self.replace, work=work)


def read_behaviour(file: str) -> "tuple[tuple[State, ...], Bounds]":
    """The states of a file of ITF or of TLC, and the bounds that they fit into. Raises QuestionError."""
    from core.model.exchange import behaviour_of

    return behaviour_of(_json(file), file)


def _json(file: str) -> Any:  # noqa: ANN401 - JSON
    path = Path(file)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise QuestionError(message("error.model.trace.large", most=_MOST_BYTES >> 20), where=file)
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise QuestionError(
            message("error.model.trace.cannot-read"), why=reason(error), where=file
        ) from error
    except (ValueError, RecursionError) as error:
        raise QuestionError(message("error.model.trace.no-json"), why=because(error), where=file) from error
