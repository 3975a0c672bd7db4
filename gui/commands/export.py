"""`tidegauge export`: a picture, a page or a text of one partition or of a comparison, or the events."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import click

from gui.commands import options, texts
from gui.commands.terminal import print_line, working
from gui.text.spoken import language, tr

_USUAL: Final = "hosts,clients,keys,paths"


class _WithRedact(texts.Told):
    """`--redact` may stand alone: what follows it then is a document, not its value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give `--redact` alone its usual value, up to a "--"."""
        end = args.index("--") if "--" in args else len(args)
        told = [f"--redact={_USUAL}" if word == "--redact" else word for word in args[:end]]
        return super().parse_args(ctx, [*told, *args[end:]])


@texts.command("export", "command.export.help", cls=_WithRedact)
@click.argument("paths", nargs=-1, required=True, metavar="SOURCE|DOC...")
@texts.option("-o", "--output", metavar="FILE", help="command.option.output-figure")
@texts.option("--trace", "trace_names", multiple=True, metavar="NAME", help="command.option.traces")
@options.partition_name
@texts.option("--stops", metavar="FIRST-LAST", help="command.option.stops")
@texts.option("--at", metavar="CURSOR|TIME|STOP", help="command.option.at-cursor")
@texts.option(
    "--theme",
    type=click.Choice(("light", "dark", "contrast")),
    default="light",
    show_default=True,
    help="command.option.theme",
)
@texts.option(
    "--width",
    type=click.IntRange(640, 7680),
    default=1600,
    show_default=True,
    help="command.option.width",
)
@texts.option("--slide", is_flag=True, help="command.option.slide")
@texts.option("--patterns", is_flag=True, help="command.option.patterns")
@texts.option("--outlines", is_flag=True, help="command.option.outlines")
@texts.option(
    "--scale",
    type=click.IntRange(1, 3),
    default=2,
    show_default=True,
    help="command.option.scale",
)
@texts.option(
    "--speed",
    type=click.FloatRange(0.25, 64),
    default=1.0,
    show_default=True,
    help="command.option.speed",
)
@texts.option("--title", default="", metavar="TEXT", help="command.option.title")
@texts.option("--caption", default="", metavar="TEXT", help="command.option.caption")
@texts.option("--without", metavar="PART,...", help="command.option.without")
@texts.option(
    "--lanes",
    metavar="LANE,...",
    help="command.option.lanes",
)
@texts.option(
    "--vertical",
    type=click.Choice(("auto", "offset", "lag")),
    default="auto",
    show_default=True,
    help="command.option.vertical",
)
@texts.option("--no-messages", is_flag=True, help="command.option.no-messages")
@texts.option(
    "--bounds",
    type=click.Choice(("boxes", "edges")),
    default="boxes",
    show_default=True,
    help="command.option.bounds",
)
@texts.option(
    "--redact",
    metavar="[WHAT,...]",
    help="command.option.redact",
)
@texts.option(
    "--review",
    is_flag=True,
    help="command.option.review",
)
@options.replace_existing
@options.reading
def command(
    paths: tuple[str, ...],
    output: str | None,
    *,
    trace_names: tuple[str, ...],
    partition: str | None,
    stops: str | None,
    at: str | None,
    theme: str,
    width: int,
    slide: bool,
    patterns: bool,
    outlines: bool,
    scale: int,
    speed: float,
    title: str,
    caption: str,
    without: str | None,
    lanes: str | None,
    vertical: str,
    no_messages: bool,
    bounds: str,
    redact: str | None,
    review: bool,
    replace_existing: bool,
    **told: Any,  # noqa: ANN401 - the options of reading
) -> int:
    """Read, lay out, write. `--from` and `--to` also set the stretch of time that is drawn."""
    from core.document.lane_order import USUAL
    from core.picture.drawing import Drawing, Vertical
    from core.trace.redact import parse_what
    from db.making import refuse_existing
    from gui.commands.questions import opened
    from gui.exports.material import of_opened, review_of_plan
    from gui.exports.plan import Plan, parse_lanes, parse_parts, parse_stops, refuse_senseless
    from gui.exports.write import write

    target = _target(output, reviewed=review, redacted=redact is not None)
    plan = Plan(
        partition=partition,
        window=(told.pop("start"), told.pop("end")),
        stops=None if stops is None else parse_stops(stops),
        theme=theme,
        width=width,
        slide=slide,
        patterns=patterns,
        outlines=outlines,
        scale=scale,
        redact=() if redact is None else parse_what(redact),
        left_out=frozenset() if without is None else parse_parts(without),
        title=title,
        caption=caption,
        at=at,
        speed=speed,
        lang=language(),
        lanes=USUAL if lanes is None else parse_lanes(lanes),
        drawing=Drawing(Vertical(vertical), not no_messages, bounds == "boxes"),
    )
    if target is not None:
        # Before anything is read, which may take long.
        refuse_senseless(target.suffix.lower(), plan)
        refuse_existing(target, replace=replace_existing)
    with working("command.working.exporting") as work, ExitStack() as stack:
        things = [stack.enter_context(opened((path,), told, work)) for path in paths]
        material = of_opened(things, trace_names)
        if target is not None:
            write(material, plan, target, work, replace=replace_existing)
        print_line(review_of_plan(material, plan, work) if target is None else str(target))
    return 0


def _target(output: str | None, *, reviewed: bool, redacted: bool) -> Path | None:
    """Where to write; None for a review, which writes nothing. Raises click.UsageError."""
    if reviewed and not redacted:
        raise click.UsageError(tr("command.export.review-without-redact"))
    if reviewed:
        return None
    if output is None:
        raise click.UsageError(tr("command.export.no-output"))
    return Path(output)
