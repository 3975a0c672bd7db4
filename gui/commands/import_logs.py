"""`tidegauge import`: logs into a document."""

from typing import TYPE_CHECKING, Any

import click

from core.errors import QuestionError
from core.message import Listing, message
from gui.commands import options, texts
from gui.commands.report_text import print_report
from gui.commands.terminal import print_json, print_line, working
from gui.text.spoken import tr

if TYPE_CHECKING:
    from core.trace.trace import Trace
    from db.notes import Note


@texts.command("import", "command.import.help")
@click.argument("paths", nargs=-1, metavar="SOURCE...")
@texts.option("-o", "--output", metavar="DOC", help="command.option.output-document")
@texts.option(
    "--into",
    metavar="DOC",
    help="command.option.into",
)
@options.trace_name
@options.replace_existing
@options.reading
@options.jobs
@options.as_json
def command(
    paths: tuple[str, ...],
    output: str | None,
    into: str | None,
    trace_name: str | None,
    *,
    replace_existing: bool,
    jobs: int | None,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Import, write, and say what was read."""
    from gui.commands.describe import described

    _refuse_unclear(paths, output, into, trace_name)
    unresolved: tuple[Note, ...] = ()
    if into is None:
        document = output or ""
        traces = _written(paths, document, told, jobs, replace=replace_existing)
    else:
        document = into
        trace, unresolved = _added(paths, into, trace_name, told, jobs)
        traces = (trace,)
    if as_json:
        said: dict[str, Any] = {"document": document, "traces": [described(trace) for trace in traces]}
        if into is not None:
            said["unresolved_notes"] = [note.text for note in unresolved]
        print_json(said)
        return 0
    for trace in traces:
        brokers = Listing(tuple(broker.broker_id for broker in trace.brokers))
        print_line(
            tr(
                "command.import.done",
                document=document,
                events=len(trace),
                partitions=len(trace.partitions),
                brokers=brokers,
            )
        )
        print_report(trace.report)
    for note in unresolved:
        print_line(tr("command.import.note-kept", text=note.text))
    return 0


def _refuse_unclear(
    paths: tuple[str, ...], output: str | None, into: str | None, trace_name: str | None
) -> None:
    if (output is None) == (into is None):
        raise QuestionError(
            message("error.command.logs-go-where"),
            advice=message("error.command.logs-go-where.form"),
        )
    if output is not None and not paths:
        raise QuestionError(
            message("error.command.no-source"), advice=message("error.command.no-source.way-out")
        )
    if output is not None and trace_name is not None:
        raise QuestionError(
            message("error.command.new-has-no-trace"),
            advice=message("error.command.new-has-no-trace.way-out"),
        )


def _written(
    paths: tuple[str, ...], output: str, told: dict[str, Any], jobs: int | None, *, replace: bool
) -> "tuple[Trace, ...]":
    from pathlib import Path

    from core.diagnose.verdict.check import jobs_for, triaged
    from db.document import create
    from db.making import refuse_existing
    from gui.commands.questions import opened

    # Before an hour of reading, not after it.
    refuse_existing(Path(output), replace=replace)
    with working("command.working.reading") as work, opened(paths, told, work, jobs) as thing:
        traces = thing.traces
        found = [triaged(trace, work, jobs or jobs_for(trace)) for trace in traces]
        create(output, traces, found=found, replace=replace, work=work)
    return traces


def _added(
    paths: tuple[str, ...], into: str, trace_name: str | None, told: dict[str, Any], jobs: int | None
) -> "tuple[Trace, tuple[Note, ...]]":
    from core.diagnose.verdict.check import jobs_for, triaged
    from db.document import open_document
    from db.rebuild import rebuild
    from gui.workspace.sources import read_again

    with working("command.working.reading") as work:
        with open_document(into) as document:
            trace = read_again(document, trace_name, paths, options.import_options(**told), work, jobs)
        found = triaged(trace, work, jobs or jobs_for(trace))
        return trace, rebuild(into, trace, work, found=found)
