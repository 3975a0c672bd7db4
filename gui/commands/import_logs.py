"""`tidegauge import`: logs into a document."""

from typing import Any

import click

from gui.commands import options
from gui.commands.terminal import print_json, print_line, working


@click.command("import", help="Read logs, data directories and archives of one incident into a document.")
@click.argument("paths", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--output", required=True, metavar="DOC", help="The document to write, NAME.tide.")
@options.replace_existing
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    output: str,
    *,
    replace_existing: bool,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Import, write, and say what was read."""
    from pathlib import Path

    from db.document import create, refuse_existing
    from gui.commands.describe import described
    from gui.commands.questions import opened

    # Before an hour of reading, not after it.
    refuse_existing(Path(output), replace=replace_existing)
    with working("reading") as work, opened(paths, told, work) as thing:
        traces = thing.traces
        create(output, traces, replace=replace_existing, work=work)
    if as_json:
        print_json({"document": output, "traces": [described(trace) for trace in traces]})
        return 0
    for trace in traces:
        brokers = ", ".join(str(broker.broker_id) for broker in trace.brokers)
        print_line(
            f"{output}: {len(trace)} events of {len(trace.partitions)} partitions on brokers {brokers}"
        )
    return 0
