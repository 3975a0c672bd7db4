"""Files of `tidegauge explore`: counterexamples as documents and as ITF; behaviours that are brought."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from core.errors import QuestionError, because
from core.message import message
from core.system_errors import reason
from db.making import refuse_existing
from gui.commands.terminal import working
from gui.text.spoken import tr

if TYPE_CHECKING:
    from core.model.async_isr import AsyncBounds, AsyncState
    from core.model.exploration import Counterexample, Exploration
    from core.model.replay import Replay
    from core.model.state import Bounds, State
    from core.model.variants import Variant
    from core.trace.trace import Trace

_MOST_BYTES = 64 << 20
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Kind(Generic[S]):
    """What a model is called, and how its behaviours are written."""

    name: str
    itf: "Callable[[Counterexample[S], str], dict[str, Any]]"
    """The ITF of a behaviour with this description."""
    trace: "Callable[[str, Counterexample[S]], Trace]"


def kind_of(variant: "Variant", bounds: "Bounds") -> "Kind[State]":
    """A variant within bounds."""
    from core.model.exchange import itf_of
    from gui.workspace.exploring import behaviour_trace

    return Kind(
        variant.name,
        lambda one, told: itf_of(one.states, one.steps, bounds, told),
        lambda name, one: behaviour_trace(name, variant, one),
    )


def async_kind() -> "Kind[AsyncState]":
    """The model of AlterPartition."""
    from core.model.async_exchange import async_itf_of
    from core.model.variants import ASYNC_ISR
    from gui.workspace.exploring import async_behaviour_trace

    return Kind(ASYNC_ISR, lambda one, told: async_itf_of(one.states, one.steps, told), async_behaviour_trace)


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

    def write(self, kind: Kind[S], found: "Exploration[S]") -> None:
        """The counterexamples of an exploration. Says where there is none."""
        broken = [
            (Path(one.invariant.name).name, one.counterexample)
            for one in found.verdicts
            if one.counterexample is not None
        ]
        self._write(kind, broken)

    def write_replay(self, kind: Kind[S], told: "Replay[S]") -> None:
        """What of a behaviour that was brought the model allows."""
        from core.model.exploration import Counterexample

        allowed = [(tr("command.explore.replayed"), Counterexample(told.states, told.steps))]
        self._write(kind, allowed if told.steps else [])

    def _write(self, kind: Kind[S], named: "Sequence[tuple[str, Counterexample[S]]]") -> None:
        if self.document is None and self.itf is None:
            return
        if not named:
            click.echo(tr("command.explore.nothing-written"), err=True)
            return
        if self.itf is not None:
            self._write_itf(Path(self.itf), kind, min(named, key=lambda one: len(one[1])))
        if self.document is not None:
            self._write_document(Path(self.document), kind, named)

    def _write_itf(self, target: Path, kind: Kind[S], named: "tuple[str, Counterexample[S]]") -> None:
        from gui.workspace.files import write_text

        name, one = named
        write_text(target, json.dumps(kind.itf(one, f"{kind.name}: {name}"), indent=1))

    def _write_document(
        self, target: Path, kind: Kind[S], named: "Sequence[tuple[str, Counterexample[S]]]"
    ) -> None:
        from core.diagnose.verdict.check import triaged
        from db.document import create

        traces = [kind.trace(f"{kind.name} {name}", one) for name, one in named]
        with working("command.working.exploring") as work:
            found = [triaged(trace, work) for trace in traces]
            create(target, traces, found=found, replace=self.replace, work=work)


def read_behaviour(file: str) -> "tuple[tuple[State, ...], Bounds]":
    """The states of a file of ITF or of TLC, and the bounds that they fit into. Raises QuestionError."""
    from core.model.exchange import behaviour_of

    return behaviour_of(_json(file), file)


def read_async_behaviour(file: str) -> "tuple[tuple[AsyncState, ...], AsyncBounds]":
    """The same of the model of AlterPartition. Raises QuestionError."""
    from core.model.async_exchange import async_behaviour_of

    return async_behaviour_of(_json(file), file)


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
