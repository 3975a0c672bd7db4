"""`tidegauge export`: a picture or a text of one partition, or of a comparison."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from core.errors import QuestionError
from gui.commands import options
from gui.commands.terminal import print_line, working

if TYPE_CHECKING:
    from core.trace.redact import What
    from core.trace.trace import Trace
    from db.notes import Note

_USUAL: Final = "hosts,clients,keys,paths"


class _WithRedact(click.Command):
    """`--redact` may stand alone: what follows it then is a document, not its value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give `--redact` alone its usual value, up to a "--"."""
        end = args.index("--") if "--" in args else len(args)
        told = [f"--redact={_USUAL}" if word == "--redact" else word for word in args[:end]]
        return super().parse_args(ctx, [*told, *args[end:]])


TABLES: Final = (".csv", ".json", ".parquet")
FORMATS: Final = (".png", ".svg", ".pdf", ".html", ".txt", *TABLES)


@click.command(
    "export",
    cls=_WithRedact,
    help="Write a picture (.png, .svg, .pdf), a page that scrubs by itself (.html) or a text (.txt) of one "
    "partition; of two documents or of several traces it is their comparison. Or the events as a table "
    "(.csv, .json, .parquet).",
)
@click.argument("paths", nargs=-1, required=True, metavar="SOURCE|DOC...")
@click.option("-o", "--output", required=True, metavar="FILE", help="Its ending is its format.")
@click.option("--trace", "trace_names", multiple=True, metavar="NAME", help="Only these traces (repeatable).")
@options.partition_name
@click.option("--theme", type=click.Choice(("light", "dark")), default="light", show_default=True)
@click.option("--width", type=click.IntRange(640, 7680), default=1600, show_default=True)
@click.option(
    "--redact",
    metavar="[WHAT,...]",
    help=f"Hide names behind stable ones: {_USUAL} (if it stands alone), topics.",
)
@options.replace_existing
@options.reading
def command(
    paths: tuple[str, ...],
    output: str,
    trace_names: tuple[str, ...],
    partition: str | None,
    theme: str,
    width: int,
    redact: str | None,
    *,
    replace_existing: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Read, lay out, write. `--from` and `--to` also set the stretch of time that is drawn."""
    from core.trace.redact import parse_what
    from db.document import refuse_existing

    target = Path(output)
    if target.suffix.lower() not in FORMATS:
        raise QuestionError(
            f"{target.name} has no format that can be written", advice=f"End it in {', '.join(FORMATS)}"
        )
    refuse_existing(target, replace=replace_existing)
    window = (told.pop("start"), told.pop("end"))
    hidden = None if redact is None else parse_what(redact)
    traces, notes = _read(paths, trace_names, told)
    if hidden is not None:
        traces, notes, partition = _redacted(traces, notes, partition, hidden)
    if target.suffix.lower() == ".txt":
        from gui.commands.files import write_text

        write_text(target, _text(traces, partition))
    elif target.suffix.lower() in TABLES:
        from gui.commands.event_tables import event_table, write_events

        write_events(event_table(traces, partition, window), target)
    elif target.suffix.lower() == ".html":
        from gui.commands.pictures import write_page

        write_page(traces, notes, target, partition=partition, window=window, width=width)
    else:
        from gui.commands.pictures import write_picture

        write_picture(
            traces,
            notes,
            target,
            partition=partition,
            window=window,
            theme=theme,
            width=width,
            replace=replace_existing,
        )
    print_line(str(target))
    return 0


def _read(
    paths: tuple[str, ...], trace_names: tuple[str, ...], told: dict[str, Any]
) -> "tuple[list[Trace], list[Note]]":
    from gui.commands.questions import opened

    traces: list[Trace] = []
    notes: list[Note] = []
    known: list[str] = []
    with working("reading") as work:
        for path in paths:
            with opened((path,), told, work) as thing:
                known += thing.names
                traces += [
                    thing.trace(name) for name in thing.names if not trace_names or name in trace_names
                ]
                notes += thing.document.notes() if thing.document else ()
    missing = [name for name in trace_names if name not in known]
    if missing:
        raise QuestionError(f"There is no trace {missing[0]!r}", advice=f"Choose from {', '.join(known)}")
    return traces, notes


def _redacted(
    traces: "list[Trace]", notes: "list[Note]", partition: str | None, what: "Sequence[What]"
) -> "tuple[list[Trace], list[Note], str | None]":
    """Everything that is drawn or written with its names replaced; `partition` by its new name."""
    from core.trace.redact import redaction_of

    redaction = redaction_of(traces, what, (text for note in notes for text in (note.text, note.author)))
    hidden = [redaction.trace(trace) for trace in traces]
    told = [
        replace(
            note,
            trace_name=redaction.text(note.trace_name),
            text=redaction.text(note.text),
            author=redaction.text(note.author),
            anchor=replace(note.anchor, partition=redaction.text(note.anchor.partition)),
        )
        for note in notes
    ]
    places = (
        {trace.partition_index(partition): new for trace, new in zip(traces, hidden, strict=True)}
        if partition is not None
        else {}
    )
    name = next(
        (str(new.partitions[place].tp) for place, new in places.items() if place is not None), partition
    )
    return hidden, told, name


def _text(traces: "list[Trace]", partition: str | None) -> str:
    from core.compare.align import compare, make_run, make_runs
    from core.picture.words import comparison_text, timeline_text

    if len(traces) == 1:
        run = make_run(traces[0], partition)
        return timeline_text(run.history, run.verdict)
    return comparison_text(compare(make_runs(traces, partition)))
