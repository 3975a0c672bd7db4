"""`tidegauge simulate --search`: random scenarios, and the shortest script that breaks a promise."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.errors import QuestionError
from core.message import Count, Listing, message
from gui.commands.terminal import print_line, working
from gui.text.spoken import tr

if TYPE_CHECKING:
    from core.kafka.eras import Era
    from core.sim.search import Found

_SEEDS_SHOWN = 5


def print_search(eras: "list[Era]", runs: int, seed: int, output: str | None, *, replace: bool) -> int:
    """Search era by era and print what was found. Gives 1 where a promise was broken."""
    from core.sim.search import search

    target = None if output is None else _target(output, eras, replace=replace)
    broken = False
    for era in eras:
        with working("command.working.searching") as work:
            found = search(era, runs, seed=seed, work=work)
        broken = broken or bool(found.broken)
        _print_found(found)
        if found.broken and target is None:
            print_line()
            click.echo(found.text)
        elif found.broken and target is not None:
            _write(target, found)
    return int(broken)


def _target(output: str, eras: "list[Era]", *, replace: bool) -> Path:
    """The file to write. Raises QuestionError, DocumentError before anything is searched."""
    from db.making import refuse_existing

    target = Path(output)
    if target.suffix != ".toml":
        raise QuestionError(
            message("error.command.search-file", name=target.name),
            advice=message("error.command.search-file.form"),
        )
    if len(eras) != 1:
        raise QuestionError(
            message("error.command.search-eras", count=Count(len(eras))),
            advice=message("error.command.search-eras.form"),
        )
    refuse_existing(target, replace=replace)
    return target


def _write(target: Path, found: "Found") -> None:
    from gui.workspace.files import write_text

    write_text(target, found.text)
    again = " ".join(f"--set {switch}={value}" for switch, value in found.era.overrides)
    command = f"tidegauge simulate {target} --era {found.era.id} {again}".rstrip()
    print_line(tr("command.search.replay", path=str(target), command=command))


def _print_found(found: "Found") -> None:
    from core.kafka.promises import INVARIANTS

    last = found.first_seed + found.runs - 1
    told = tr("command.search.runs", era=found.era.name, number=found.runs, first=found.first_seed, last=last)
    print_line(told, style="bold")
    if not found.broken:
        print_line("  " + tr("command.search.none-broken"))
    for invariant, seeds in found.broken.items():
        more = ("…",) if len(seeds) > _SEEDS_SHOWN else ()
        told = tr(
            "command.search.broken",
            number=len(seeds),
            promise=INVARIANTS[invariant],
            seeds=Listing((*seeds[:_SEEDS_SHOWN], *more)),
        )
        print_line(f"  {told}")
    if found.violation is not None:
        print_line("  " + tr("command.search.shortest", text=found.violation.sentence))
