"""`tidegauge simulate`: one scenario, in one or more eras."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.errors import QuestionError, ScenarioError
from core.work import Work
from gui.commands import options
from gui.commands.terminal import print_line, working

if TYPE_CHECKING:
    from core.kafka.eras import Era
    from core.sim.scenario import Scenario
    from core.trace.trace import Trace


@click.command(
    "simulate",
    help="Replay a scenario (an id of `tidegauge scenarios`, or a TOML file) in one or more eras of Kafka. "
    "With -o into a document, one trace an era; else as text, one event a line.",
)
@click.argument("scenario", metavar="SCENARIO")
@click.option("--era", "eras", multiple=True, metavar="E[,E...]", help="Eras; all of them if none is named.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chance of the run.")
@click.option("--set", "switches", multiple=True, metavar="SWITCH=VALUE", help="Set one switch (repeatable).")
@click.option("-o", "--output", metavar="DOC", help="The document to write, NAME.tide.")
@options.replace_existing
def command(
    scenario: str,
    eras: tuple[str, ...],
    seed: int,
    switches: tuple[str, ...],
    output: str | None,
    *,
    replace_existing: bool,
) -> int:
    """Run them one after the other."""
    script = read_scenario(scenario)
    chosen = _eras(eras, switches)
    if output is None:
        from gui.commands.timelines import print_timelines

        print_timelines(_run(script, chosen, seed))
        return 0
    from db.document import create, refuse_existing

    refuse_existing(Path(output), replace=replace_existing)
    with working("simulating") as work:
        traces = _run(script, chosen, seed, work)
        create(output, traces, replace=replace_existing, work=work)
    for trace in traces:
        print_line(f"{output}: {trace.name}, {len(trace)} events")
    return 0


def read_scenario(name: str) -> "Scenario":
    """A scenario of the library, or of a TOML file. Raises QuestionError, ScenarioError."""
    from core.sim.library import scenario
    from core.sim.scenario import parse_scenario

    if not name.endswith(".toml"):
        return scenario(name)
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror or "" if isinstance(error, OSError) else "It is not text in UTF-8"
        raise ScenarioError("The scenario cannot be read", why=why, where=name) from error
    return parse_scenario(text, name)


def _run(script: "Scenario", eras: "list[Era]", seed: int, work: Work | None = None) -> "list[Trace]":
    from core.sim.run import simulate
    from core.work import QUIET

    return [simulate(script, era, seed=seed, work=work or QUIET) for era in eras]


def _eras(names: tuple[str, ...], switches: tuple[str, ...]) -> "list[Era]":
    from core.kafka.eras import ERAS, era, with_switches

    values: dict[str, str] = {}
    for text in switches:
        name, equals, value = text.partition("=")
        if not equals:
            raise QuestionError(
                f"{text!r} sets nothing", advice="Write --set SWITCH=VALUE; see `tidegauge eras`"
            )
        values[name.strip()] = value.strip()
    ids = [name.strip() for text in names for name in text.split(",") if name.strip()]
    bases = [era(name) for name in dict.fromkeys(ids)] if ids else list(ERAS)
    return [with_switches(base, values) for base in bases]
