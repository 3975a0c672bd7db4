"""`tidegauge model`: every state of the abstract model within bounds, and the shortest way to a wrong one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from core.errors import QuestionError
from core.message import message
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_line, working
from gui.text.spoken import tr, worded

if TYPE_CHECKING:
    from core.model.actions import Action, Step
    from core.model.async_isr import AsyncState
    from core.model.exploration import Exploration, Limits, Verdict
    from core.model.invariants import Invariant
    from core.model.state import Bounds, State
    from core.model.variants import Variant

_FOUND: Final = 1
_MOST_STATES: Final = 20_000_000
"""Where nobody says how many: they take less than a gigabyte."""


@texts.command("model", "command.model.help")
@click.argument("variant", metavar="[VARIANT]", default="kip-320")
@texts.option("--replicas", type=int, default=2, show_default=True, help="command.option.model.replicas")
@texts.option("--log-size", type=int, default=2, show_default=True, help="command.option.model.log-size")
@texts.option("--records", type=int, default=2, show_default=True, help="command.option.model.records")
@texts.option("--epochs", type=int, default=2, show_default=True, help="command.option.model.epochs")
@texts.option("--without", default=None, metavar="GUARD", help="command.option.model.without")
@texts.option("--invariant", "names", multiple=True, metavar="NAME", help="command.option.model.invariant")
@texts.option(
    "--invariant-file",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="command.option.model.file",
)
@texts.option("--symmetry", is_flag=True, help="command.option.model.symmetry")
@texts.option("--states", "most_states", type=int, default=_MOST_STATES, help="command.option.model.states")
@options.as_json
def command(
    *,
    variant: str,
    replicas: int,
    log_size: int,
    records: int,
    epochs: int,
    without: str | None,
    names: tuple[str, ...],
    files: tuple[str, ...],
    symmetry: bool,
    most_states: int,
    as_json: bool,
) -> int:
    """Explore, and print figures and the shortest counterexamples; 1 where there is one."""
    from core.model.exploration import Limits
    from core.model.state import Bounds
    from core.model.variants import ASYNC_ISR

    bounds, limits = Bounds(replicas, log_size, records, epochs), Limits(states=most_states)
    with working("command.working.exploring") as work:
        if variant == ASYNC_ISR and without is None and not files:
            name, found = variant, _async_explored(bounds, names, limits, symmetry=symmetry, work=work)
        else:
            chosen, asked = _variant(variant, without), _invariants(names, files)
            name, found = chosen.name, _explored(bounds, chosen, asked, limits, symmetry=symmetry, work=work)
    if as_json:
        print_json(_json(name, bounds, found, symmetry=symmetry))
    else:
        _print(name, bounds, found)
    return _FOUND if any(one.holds is False for one in found.verdicts) else 0


def _variant(name: str, without: str | None) -> "Variant":
    from core.model.variants import KIP_320, ablated, variant

    if without is None:
        return variant(name)
    if name != KIP_320.name:
        raise QuestionError(message("error.model.without", name=name))
    return ablated(without)


def _invariants(names: Sequence[str], files: Sequence[str]) -> "tuple[Invariant[State], ...]":
    from core.model.expression import invariant_of
    from core.model.invariants import INVARIANTS, USUAL, named

    own = tuple(invariant_of(_text(file), file) for file in files)
    chosen = tuple(named(INVARIANTS, name) for name in names)
    return chosen + own if chosen or own else USUAL


def _text(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionError(message("error.model.expression.unreadable"), where=file) from error


def _explored(
    bounds: "Bounds",
    chosen: "Variant",
    asked: "tuple[Invariant[State], ...]",
    limits: "Limits",
    *,
    symmetry: bool,
    work: Any,  # noqa: ANN401 - core.work.Work, which help does not load
) -> "Exploration[State]":
    """By the fast engine where the bounds fit into its numbers, else state by state."""
    from core.model.fast_engine import FastEngine, fits, world_of
    from core.model.plain_engine import explore

    if fits(bounds, chosen):
        return FastEngine(bounds, chosen, symmetry=symmetry).explore(asked, limits, work)
    return explore(world_of(bounds, chosen, symmetry=symmetry), asked, limits, work)


def _async_explored(
    bounds: "Bounds",
    names: Sequence[str],
    limits: "Limits",
    *,
    symmetry: bool,
    work: Any,  # noqa: ANN401 - core.work.Work, which help does not load
) -> "Exploration[AsyncState]":
    """The model of AlterPartition: its log size is the largest offset, its epochs are versions of the set."""
    from core.model.async_isr import ASYNC_INVARIANTS, AsyncBounds, world_of
    from core.model.invariants import named
    from core.model.plain_engine import explore

    world = world_of(AsyncBounds(bounds.replicas, bounds.log_size, bounds.epochs), symmetry=symmetry)
    asked = tuple(named(ASYNC_INVARIANTS, name) for name in names) or ASYNC_INVARIANTS
    return explore(world, asked, limits, work)


def _json(name: str, bounds: "Bounds", found: "Exploration[Any]", *, symmetry: bool) -> dict[str, Any]:
    return {
        "schema": 1,
        "variant": name,
        "replicas": bounds.replicas,
        "log_size": bounds.log_size,
        "records": bounds.records,
        "epochs": bounds.epochs,
        "symmetry": symmetry,
        "distinct_states": found.distinct,
        "depth": found.depth,
        "ended_by": found.ended_by or None,
        "invariants": [
            {
                "name": one.invariant.name,
                "holds": one.holds,
                "counterexample": None if one.counterexample is None else _steps_json(one),
            }
            for one in found.verdicts
        ],
    }


def _steps_json(verdict: "Verdict[Any]") -> list[dict[str, Any]]:
    """What happened from the first state on: one step less than there are states."""
    from core.model.state import NO_EPOCH, NO_LEADER

    steps = () if verdict.counterexample is None else verdict.counterexample.steps
    return [
        {
            "action": one.action,
            "broker": one.broker,
            "other": None if one.other == NO_LEADER else one.other,
            "epoch": None if one.epoch == NO_EPOCH else one.epoch,
        }
        for one in steps
    ]


def _print(name: str, bounds: "Bounds", found: "Exploration[Any]") -> None:
    print_line(
        tr(
            "command.model.bounds",
            variant=name,
            replicas=bounds.replicas,
            size=bounds.log_size,
            records=bounds.records,
            epochs=bounds.epochs,
        )
    )
    told = "command.model.all" if found.exhausted else "command.model.part"
    print_line(tr(told, states=f"{found.distinct:,}", depth=found.depth))
    for one in found.verdicts:
        print_line()
        _print_verdict(one)


def _print_verdict(one: "Verdict[Any]") -> None:
    name = one.invariant.name
    if one.counterexample is None:
        print_line(tr("command.model.holds", name=name) if one.holds else tr("command.model.open", name=name))
        print_line(worded(one.invariant.sentence))
        return
    print_line(tr("command.model.broken", name=name, states=len(one.counterexample)))
    print_line(worded(one.invariant.sentence))
    for number, step in enumerate(one.counterexample.steps, start=1):
        print_line(tr("command.model.step", number=number, step=_step_words(step)))


def _step_words(step: "Step") -> str:
    return tr(_STEPS[step.action], broker=step.broker, other=step.other, epoch=step.epoch)


_STEPS: Final[dict["Action", Any]] = {
    "controller-removes": "model.step.controller-removes",
    "controller-elects": "model.step.controller-elects",
    "becomes-leader": "model.step.becomes-leader",
    "becomes-follower": "model.step.becomes-follower",
    "writes": "model.step.writes",
    "leader-removes": "model.step.leader-removes",
    "leader-adds": "model.step.leader-adds",
    "raises-high-watermark": "model.step.raises-high-watermark",
    "copies": "model.step.copies",
    "cuts-later": "model.step.cuts-later",
    "controller-accepts": "model.step.controller-accepts",
    "leader-asks-to-remove": "model.step.leader-asks-to-remove",
    "leader-asks-to-add": "model.step.leader-asks-to-add",
    "leader-learns": "model.step.leader-learns",
}
