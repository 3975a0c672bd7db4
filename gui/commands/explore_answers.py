"""What `tidegauge explore` answers: figures, a verdict for each invariant, and steps that a person reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, LiteralString

import click

from gui.commands.terminal import print_json, print_line
from gui.text.spoken import tr, worded

if TYPE_CHECKING:
    from core.model.actions import Step
    from core.model.exploration import EndedBy, Exploration, Verdict
    from core.model.replay import Replay
    from core.model.state import Bounds

_DONE: Final = 0
_FOUND: Final = 1
_NOT_EXHAUSTED: Final = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked: the variant by its name, and the bounds."""

    variant: str
    bounds: "Bounds"
    symmetry: bool

    def as_json(self) -> dict[str, Any]:
        """The head of every answer."""
        return {
            "variant": self.variant,
            "replicas": self.bounds.replicas,
            "log_size": self.bounds.log_size,
            "records": self.bounds.records,
            "epochs": self.bounds.epochs,
            "symmetry": self.symmetry,
        }

    def line(self) -> str:
        """The same for a person."""
        one = self.bounds
        return tr(
            "command.explore.bounds",
            variant=self.variant,
            replicas=one.replicas,
            size=one.log_size,
            records=one.records,
            epochs=one.epochs,
        )


def tell(asked: Asked, found: "Exploration[Any]", seconds: float, *, as_json: bool) -> int:
    """Print an exploration; gives the exit code."""
    if as_json:
        print_json(
            {
                **asked.as_json(),
                "exhausted": found.exhausted,
                "distinct": found.distinct,
                "depth": found.depth,
                "seconds": round(seconds, 3),
                "invariants": [_verdict_json(one) for one in found.verdicts],
            }
        )
    else:
        print_line(asked.line())
        told = "command.explore.all" if found.exhausted else "command.explore.part"
        print_line(tr(told, states=f"{found.distinct:,}", depth=found.depth))
        for one in found.verdicts:
            print_line()
            _print_verdict(one)
    if not found.exhausted:
        click.echo(tr(_ENDED[found.ended_by]), err=True)
    if any(one.holds is False for one in found.verdicts):
        return _FOUND
    return _DONE if found.exhausted else _NOT_EXHAUSTED


def _verdict_json(one: "Verdict[Any]") -> dict[str, Any]:
    found = one.counterexample
    return {
        "name": one.invariant.name,
        "holds": one.holds,
        "counterexample_states": None if found is None else len(found),
        "steps": [] if found is None else [*map(_step_json, found.steps)],
    }


def _step_json(step: "Step") -> dict[str, Any]:
    from core.model.state import NO_EPOCH, NO_LEADER
    from core.model.step_words import step_message

    return {
        "action": step.action,
        "broker": step.broker,
        "other": None if step.other == NO_LEADER else step.other,
        "epoch": None if step.epoch == NO_EPOCH else step.epoch,
        "text": worded(step_message(step)),
    }


def _print_verdict(one: "Verdict[Any]") -> None:
    name = one.invariant.name
    if one.counterexample is None:
        print_line(tr("command.explore.holds" if one.holds else "command.explore.open", name=name))
        print_line(worded(one.invariant.sentence))
        return
    print_line(tr("command.explore.broken", name=name, states=len(one.counterexample)))
    print_line(worded(one.invariant.sentence))
    _print_steps(one.counterexample.steps)


def _print_steps(steps: "Sequence[Step]") -> None:
    from core.model.step_words import step_message

    for number, step in enumerate(steps, start=1):
        print_line(tr("command.explore.step", number=number, step=worded(step_message(step))))


def tell_replay(asked: Asked, found: "Replay[Any]", *, as_json: bool) -> int:
    """Print what a behaviour that was brought is; gives the exit code. `asked` has the least bounds."""
    if as_json:
        print_json(
            {
                **asked.as_json(),
                "states": len(found.states),
                "refused_state": found.refused,
                "invariants": [
                    {"name": one.name, "holds": at is None, "broken_state": at} for one, at in found.broken
                ],
                "steps": [*map(_step_json, found.steps)],
            }
        )
    else:
        print_line(asked.line())
        _print_steps(found.steps)
        if found.refused is not None:
            print_line(tr("command.explore.refused", number=found.refused, variant=asked.variant))
        for one, at in found.broken:
            told = tr("command.explore.kept", name=one.name)
            print_line(told if at is None else tr("command.explore.broken-at", name=one.name, number=at))
    wrong = found.refused is not None or any(at is not None for _one, at in found.broken)
    return _FOUND if wrong else _DONE


_ENDED: "Final[Mapping[EndedBy, LiteralString]]" = MappingProxyType(
    {
        "states": "command.explore.ended.states",
        "memory": "command.explore.ended.memory",
        "time": "command.explore.ended.time",
    }
)
