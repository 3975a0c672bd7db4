"""`tidegauge simulate`: one scenario, in one or more eras."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from core.errors import QuestionError, ScenarioError
from core.message import message
from core.system_errors import reason
from core.work import Work
from gui.commands import options, texts
from gui.commands.terminal import print_line, working
from gui.text.spoken import tr

if TYPE_CHECKING:
    from core.kafka.eras import Era
    from core.sim.scenario import Scenario
    from core.trace.trace import Trace


@texts.command(
    "simulate",
    "command.simulate.help",
)
@click.argument("scenario", metavar="SCENARIO", required=False)
@texts.option("--era", "eras", multiple=True, metavar="E[,E...]", help="command.option.era")
@texts.option("--seed", type=int, default=1, show_default=True, help="command.option.seed")
@texts.option("--set", "switches", multiple=True, metavar="SWITCH=VALUE", help="command.option.set")
@texts.option(
    "-o",
    "--output",
    metavar="DOC",
    help="command.option.output-run",
)
@texts.option(
    "--logs",
    metavar="DIR",
    help="command.option.logs",
)
@texts.option(
    "--search",
    "runs",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="command.option.search",
)
@options.replace_existing
def command(
    scenario: str | None,
    eras: tuple[str, ...],
    seed: int,
    switches: tuple[str, ...],
    output: str | None,
    logs: str | None,
    runs: int | None,
    *,
    replace_existing: bool,
) -> int:
    """Run them one after the other."""
    if runs is not None:
        from gui.commands.search import print_search

        if scenario is not None or logs is not None:
            what = "--logs" if scenario is None else scenario
            raise QuestionError(
                message("error.command.search-scenarios"),
                advice=message("error.command.leave-out", what=what),
            )
        return print_search(_eras(eras, switches), runs, seed, output, replace=replace_existing)
    if scenario is None:
        raise QuestionError(
            message("error.command.no-scenario"), advice=message("error.command.no-scenario.form")
        )
    script = read_scenario(scenario)
    chosen = _eras(eras, switches)
    if output is None and logs is None:
        from gui.commands.timelines import print_timelines

        print_timelines(_run(script, chosen, seed))
        return 0
    if output is not None:
        from db.making import refuse_existing

        refuse_existing(Path(output), replace=replace_existing)
    if logs is not None:
        from gui.commands.folders import refuse_folder

        refuse_folder(Path(logs), replace=replace_existing)
    with working("command.working.simulating") as work:
        traces = _run(script, chosen, seed, work)
        if logs is not None:
            _write_logs(Path(logs), traces, replace=replace_existing)
        if output is not None:
            from core.diagnose.verdict.check import triaged
            from db.document import create

            found = [triaged(trace, work) for trace in traces]
            create(output, traces, found=found, replace=replace_existing, work=work)
    for trace in traces:
        print_line(tr("command.simulate.done", path=output or logs or "", name=trace.name, number=len(trace)))
    if output is not None and len(traces) > 1:
        from core.compare.align import is_too_many

        first, last = (quote(one.name) for one in (traces[0], traces[-1]))
        some = f" --trace {first} --trace {last}" if is_too_many(len(traces)) else ""
        print_line(tr("command.simulate.compare", command=f"tidegauge compare {quote(output)}{some}"))
    return 0


def _write_logs(target: Path, traces: "list[Trace]", *, replace: bool) -> None:
    """What brokers would have left; each era has a folder of its own where there are several."""
    from core.sim.logs.broker_logs import broker_logs, ended_at
    from gui.commands.folders import write_folder

    files: dict[str, bytes] = {}
    modified_ns: dict[str, int] = {}
    for trace in traces:
        above = f"{trace.name}/" if len(traces) > 1 else ""
        written = {f"{above}{path}": content for path, content in broker_logs(trace).items()}
        files |= written
        modified_ns |= dict.fromkeys(written, ended_at(trace))
    write_folder(target, files, modified_ns, replace=replace)


def read_scenario(name: str) -> "Scenario":
    """A scenario of the library, or of a TOML file. Raises QuestionError, ScenarioError."""
    from core.sim.library import scenario
    from core.sim.scenario import parse_scenario
    from core.sim.translations import translated

    if not name.endswith(".toml"):
        return scenario(name)
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else message("error.scenario.no-text")
        raise ScenarioError(message("error.scenario.cannot-read"), why=why, where=name) from error
    return translated(parse_scenario(text, name))


def _run(script: "Scenario", eras: "list[Era]", seed: int, work: Work | None = None) -> "list[Trace]":
    from core.sim.run import simulate
    from core.work import QUIET

    return [simulate(script, era, seed=seed, work=work or QUIET) for era in eras]


def _eras(names: tuple[str, ...], switches: tuple[str, ...]) -> "list[Era]":
    """The eras that were named, else all."""
    from core.kafka.eras import ERAS, era, with_switches

    values = options.switch_values(switches)
    ids = [name.strip() for text in names for name in text.split(",") if name.strip()]
    bases = [era(name) for name in dict.fromkeys(ids)] if ids else list(ERAS)
    return [with_switches(base, values) for base in bases]
