"""`tidegauge lift`: a moment of a real incident as a scenario, with what happened from there on."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from core.errors import QuestionError
from core.message import message
from gui.commands import options, texts
from gui.commands.lifting import TAKEN, moment_meant, partition_meant
from gui.commands.terminal import moment, print_line, print_text, working
from gui.text.spoken import tr

if TYPE_CHECKING:
    from core.lab.lift import Lifted


@texts.command("lift", "command.lift.help")
@options.sources
@texts.option("--at", "at", metavar="CURSOR|TIME", help="command.option.lift-at")
@options.trace_name
@texts.option("--partition", metavar="T-P", help="command.option.lost-partition")
@texts.option(
    "--take",
    type=click.Choice(("worst", "best")),
    default="worst",
    show_default=True,
    help="command.option.take",
)
@texts.option("--redact", is_flag=True, help="command.option.lift-redact")
@texts.option("-o", "--output", metavar="FILE.toml", help="command.option.output-scenario")
@options.replace_existing
@options.reading
def command(
    paths: tuple[str, ...],
    at: str | None,
    trace_name: str | None,
    partition: str | None,
    take: str,
    output: str | None,
    *,
    redact: bool,
    replace_existing: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Write the scenario, and say how it is run, what was taken and what is left out."""
    from core.lab.choices import Stance
    from core.lab.lift import lift
    from core.lab.material import material_of
    from core.lab.prevent import before, incident_of
    from gui.commands.questions import opened

    if output is not None:
        from db.making import refuse_existing

        refuse_existing(Path(output), replace=replace_existing)
    with working("command.working.reading") as work, opened(paths, told, work) as thing:
        trace = thing.trace(trace_name)
        index = partition_meant(trace, partition, work)
    if index is None:
        raise QuestionError(message("error.lab.nothing-lost"), advice=message("error.lab.nothing-lost.do"))
    material = material_of(trace, index)
    where = moment_meant(trace, at)
    if where is None:
        incident = incident_of(material)
        if incident is None:
            raise QuestionError(
                message("error.lab.nothing-lost"), advice=message("error.lab.nothing-lost.do")
            )
        where = before(material, incident)
    lifted = lift(material, where[0], Stance(take), at=where[1], redacted=redact)
    if output is None:
        print_text(lifted.scenario.text, end=False)
        return 0
    from gui.workspace.files import write_text

    write_text(Path(output), lifted.scenario.text)
    _print(lifted, output)
    return 0


def _print(lifted: "Lifted", path: str) -> None:
    """What was written, and what it rests on."""
    from core.lab.lift import choice_message
    from core.trace.times import rfc3339
    from core.words import text

    when = moment(rfc3339(lifted.at))
    print_line(tr("command.lift.done", partition=lifted.partition, at=when, path=path))
    again = "".join(f" --set {switch}={value}" for switch, value in lifted.era.overrides)
    command = f"tidegauge simulate {quote(path)} --era {lifted.era.id}{again}"
    print_line(tr("command.lift.run", command=command))
    if lifted.choices:
        print_line()
        print_line(tr(TAKEN[lifted.stance]), style="bold")
        for one in lifted.choices:
            print_line(f"  {text(choice_message(one))}")
    for one in lifted.left_out:
        print_line(text(one))
