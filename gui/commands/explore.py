"""`tidegauge explore`: all states of the abstract model within bounds, and the shortest way to a bad one."""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import click

from core.errors import QuestionError
from core.message import message
from gui.commands import options, texts
from gui.commands.terminal import working

if TYPE_CHECKING:
    from core.model.async_isr import AsyncState
    from core.model.exploration import Exploration, Limits
    from core.model.invariants import Invariant
    from core.model.state import Bounds, State
    from core.model.variants import Variant
    from core.work import Work
    from gui.commands.explore_files import Kind, Targets

_MOST_STATES: Final = 20_000_000
"""Where nobody says how many: they take less than a gigabyte."""
_MEGABYTE: Final = 1 << 20


@texts.command("explore", "command.explore.help")
@click.argument("name", metavar="[VARIANT]", default="kip-320")
@texts.option("--replicas", type=int, default=2, show_default=True, help="command.option.model.replicas")
@texts.option("--log-size", type=int, default=2, show_default=True, help="command.option.model.log-size")
@texts.option("--records", type=int, default=2, show_default=True, help="command.option.model.records")
@texts.option("--epochs", type=int, default=2, show_default=True, help="command.option.model.epochs")
@texts.option("--symmetry", is_flag=True, help="command.option.model.symmetry")
@texts.option("--ablate", metavar="ACTION", help="command.option.model.ablate")
@texts.option(
    "--invariant", "asked", multiple=True, metavar="NAME|FILE", help="command.option.model.invariant"
)
@texts.option(
    "--max-states",
    type=click.IntRange(min=1),
    default=_MOST_STATES,
    metavar="N",
    help="command.option.model.states",
)
@texts.option("--memory", type=click.IntRange(min=1), metavar="MB", help="command.option.model.memory")
@texts.option(
    "--time", "seconds", type=click.FloatRange(min=0), metavar="SECONDS", help="command.option.model.time"
)
@texts.option("--replay", metavar="FILE", help="command.option.model.replay")
@texts.option("-o", "--output", metavar="DOC", help="command.option.model.output")
@texts.option("--itf", metavar="FILE", help="command.option.model.itf")
@options.replace_existing
@options.as_json
def command(
    *,
    name: str,
    replicas: int,
    log_size: int,
    records: int,
    epochs: int,
    symmetry: bool,
    ablate: str | None,
    asked: tuple[str, ...],
    max_states: int,
    memory: int | None,
    seconds: float | None,
    replay: str | None,
    output: str | None,
    itf: str | None,
    replace_existing: bool,
    as_json: bool,
) -> int:
    """Explore, and print figures and the shortest counterexamples; 1 where there is one."""
    from core.model.exploration import Limits
    from core.model.state import Bounds
    from core.model.variants import ASYNC_ISR
    from gui.commands.explore_answers import Asked, tell
    from gui.commands.explore_files import Targets, async_kind, kind_of

    targets = Targets(output, itf, replace=replace_existing)
    if name == ASYNC_ISR and ablate is not None:
        raise QuestionError(message("error.model.not-for-async", option="--ablate"))
    if replay is not None:
        if name == ASYNC_ISR:
            return _replayed_async(replay, asked, targets, as_json=as_json)
        return _replayed(replay, _variant(name, ablate), asked, targets, as_json=as_json)
    begun = monotonic()
    bounds = Bounds(replicas, log_size, records, epochs)
    limits = Limits(
        states=max_states,
        memory_bytes=None if memory is None else memory * _MEGABYTE,
        out_of_time=lambda: seconds is not None and monotonic() - begun >= seconds,
    )
    kind: Kind[Any]
    found: Exploration[Any]
    with working("command.working.exploring") as work:
        if name == ASYNC_ISR:
            kind = async_kind()
            found = _async_explored(bounds, asked, limits, symmetry=symmetry, work=work)
        else:
            variant = _variant(name, ablate)
            kind = kind_of(variant, bounds)
            found = _explored(bounds, variant, _invariants(asked), limits, symmetry=symmetry, work=work)
    question = Asked(kind.name, bounds, symmetry=symmetry)
    code = tell(question, found, monotonic() - begun, as_json=as_json)
    targets.write(kind, found)
    return code


def _replayed(
    file: str, variant: "Variant", asked: Sequence[str], targets: "Targets", *, as_json: bool
) -> int:
    """A behaviour of a file, held against a variant."""
    from core.model.replay import replay
    from gui.commands.explore_answers import Asked, tell_replay
    from gui.commands.explore_files import kind_of, read_behaviour

    given, least = read_behaviour(file)
    told = replay(given, least, variant, _invariants(asked))
    code = tell_replay(Asked(variant.name, least, symmetry=False), told, as_json=as_json)
    targets.write_replay(kind_of(variant, least), told)
    return code


def _replayed_async(file: str, asked: Sequence[str], targets: "Targets", *, as_json: bool) -> int:
    """The same, held against the model of AlterPartition."""
    from core.model.async_isr import world_of
    from core.model.replay import replay_in
    from core.model.state import Bounds
    from gui.commands.explore_answers import Asked, tell_replay
    from gui.commands.explore_files import async_kind, read_async_behaviour

    given, least = read_async_behaviour(file)
    told = replay_in(world_of(least), given, _async_invariants(asked))
    kind, bounds = async_kind(), Bounds(least.replicas, max(1, least.offsets), 0, least.versions)
    code = tell_replay(Asked(kind.name, bounds, symmetry=False), told, as_json=as_json)
    targets.write_replay(kind, told)
    return code


def _variant(name: str, without: str | None) -> "Variant":
    from core.model.variants import KIP_320, ablated, variant

    if without is None:
        return variant(name)
    if name != KIP_320.name:
        raise QuestionError(message("error.model.without", name=name))
    return ablated(without)


def _invariants(asked: Sequence[str]) -> "tuple[Invariant[State], ...]":
    """Those that are named; what is no name is a file with one of the user's own."""
    from core.model.expression import invariant_of
    from core.model.invariants import INVARIANTS, USUAL, named

    known = {one.name for one in INVARIANTS}
    chosen = tuple(
        invariant_of(_text(one), one) if one not in known and Path(one).exists() else named(INVARIANTS, one)
        for one in asked
    )
    return chosen or USUAL


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
    work: "Work",
) -> "Exploration[State]":
    """By the fast engine where the bounds fit into its numbers, else state by state."""
    from core.model.fast_engine import FastEngine, fits, world_of
    from core.model.plain_engine import explore

    if fits(bounds, chosen):
        return FastEngine(bounds, chosen, symmetry=symmetry).explore(asked, limits, work)
    return explore(world_of(bounds, chosen, symmetry=symmetry), asked, limits, work)


def _async_explored(
    bounds: "Bounds", names: Sequence[str], limits: "Limits", *, symmetry: bool, work: "Work"
) -> "Exploration[AsyncState]":
    """The model of AlterPartition: its log size is the largest offset, its epochs are versions of the set."""
    from core.model.async_isr import AsyncBounds, world_of
    from core.model.plain_engine import explore

    world = world_of(AsyncBounds(bounds.replicas, bounds.log_size, bounds.epochs), symmetry=symmetry)
    return explore(world, _async_invariants(names), limits, work)


def _async_invariants(asked: Sequence[str]) -> "tuple[Invariant[AsyncState], ...]":
    """Those that are named; what is no name is a file with one of the user's own."""
    from core.model.async_exchange import ASYNC_VOCABULARY
    from core.model.async_isr import ASYNC_INVARIANTS
    from core.model.expression import own_invariant
    from core.model.invariants import named

    known = {one.name for one in ASYNC_INVARIANTS}
    chosen = tuple(
        own_invariant(_text(one), one, ASYNC_VOCABULARY)
        if one not in known and Path(one).exists()
        else named(ASYNC_INVARIANTS, one)
        for one in asked
    )
    return chosen or ASYNC_INVARIANTS
