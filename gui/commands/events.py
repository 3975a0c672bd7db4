"""`tidegauge events`: the rows of a trace, one a line."""

from typing import Any

from core.message import Listing, message
from core.shown import shown_in_line
from gui.commands import options, texts
from gui.commands.terminal import print_json, print_text, working


@texts.command("events", "command.events.help")
@options.sources
@options.trace_name
@options.partition_name
@texts.option("--kind", "kinds", multiple=True, metavar="KIND", help="command.option.kind")
@options.reading
@options.as_json
def command(
    paths: tuple[str, ...],
    trace_name: str | None,
    partition: str | None,
    kinds: tuple[str, ...],
    *,
    as_json: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Print them."""
    from core.errors import QuestionError
    from core.trace.vocabulary import KIND
    from gui.commands.questions import opened
    from gui.workspace.event_rows import event_json, event_line
    from gui.workspace.named import partitions_of

    unknown = sorted(set(kinds) - set(KIND))
    if unknown:
        raise QuestionError(
            message("error.command.no-kind", name=unknown[0]),
            advice=message("error.command.kinds", names=Listing(tuple(KIND))),
        )
    with working("command.working.reading") as work, opened(paths, told, work) as thing:
        trace = thing.trace(trace_name)
    seqs = (
        range(len(trace)) if partition is None else trace.seqs_of(*partitions_of(trace, partition)).tolist()
    )
    for seq in seqs:
        event = trace.event(seq)
        if kinds and event.kind not in kinds:
            continue
        if as_json:
            print_json(event_json(trace, event))
        else:
            print_text(shown_in_line(event_line(trace, event)))
    return 0
