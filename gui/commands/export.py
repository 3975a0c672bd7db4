"""`tidegauge export`: a picture, a page or a text of one partition or of a comparison, or the events."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Literal

import click

from gui.commands import options
from gui.commands.terminal import print_line, working

_USUAL: Final = "hosts,clients,keys,paths"


class _WithRedact(click.Command):
    """`--redact` may stand alone: what follows it then is a document, not its value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give `--redact` alone its usual value, up to a "--"."""
        end = args.index("--") if "--" in args else len(args)
        told = [f"--redact={_USUAL}" if word == "--redact" else word for word in args[:end]]
        return super().parse_args(ctx, [*told, *args[end:]])


@click.command(
    "export",
    cls=_WithRedact,
    help="Write a picture (.png, .svg, .pdf), a page that scrubs by itself (.html), a moving picture (.gif) "
    "or a text (.txt) of one partition; of two documents or of several traces it is their comparison. Or "
    "the events as a table (.csv, .json, .parquet).",
)
@click.argument("paths", nargs=-1, required=True, metavar="SOURCE|DOC...")
@click.option("-o", "--output", metavar="FILE", help="Its ending is its format.")
@click.option("--trace", "trace_names", multiple=True, metavar="NAME", help="Only these traces (repeatable).")
@options.partition_name
@click.option("--stops", metavar="FIRST-LAST", help="Of a comparison: only these stops (.html, .gif).")
@click.option("--at", metavar="CURSOR|TIME|STOP", help="Draw the cursor there (.png, .svg, .pdf).")
@click.option("--theme", type=click.Choice(("light", "dark", "contrast")), default="light", show_default=True)
@click.option("--width", type=click.IntRange(640, 7680), default=1600, show_default=True)
@click.option("--slide", is_flag=True, help="16:9, 1920 x 1080, text as large as fits, instead of a width.")
@click.option("--patterns", is_flag=True, help="Epochs have patterns, too: for print in grey.")
@click.option("--outlines", is_flag=True, help="Letters of .svg and .pdf are shapes: no font is needed.")
@click.option(
    "--scale",
    type=click.IntRange(1, 3),
    default=2,
    show_default=True,
    help="Pixels of a .png per pixel of its width.",
)
@click.option(
    "--speed",
    type=click.FloatRange(0.25, 64),
    default=1.0,
    show_default=True,
    help="Of a .gif; 1 is 600 ms a position.",
)
@click.option("--title", default="", metavar="TEXT", help="Instead of the title that is proposed.")
@click.option("--caption", default="", metavar="TEXT", help="Instead of the caption that is proposed.")
@click.option(
    "--without", metavar="PART,...", help="Leave out: title, notes, legend, caption, sources of the picture."
)
@click.option(
    "--lanes",
    metavar="LANE,...",
    help="Brokers from top to bottom, each with :folded, :hidden or the height of its log area (3,1:folded,"
    "2:80); or kept, as the document has them.",
)
@click.option(
    "--vertical",
    type=click.Choice(("auto", "offset", "lag")),
    default="auto",
    show_default=True,
    help="The vertical scale: chosen, offsets from the log start on, or records from the leader's log end.",
)
@click.option("--no-messages", is_flag=True, help="Leave out the messages between lanes.")
@click.option(
    "--bounds",
    type=click.Choice(("boxes", "edges")),
    default="boxes",
    show_default=True,
    help="Bounds as boxes, or only their edges.",
)
@click.option(
    "--lang",
    type=click.Choice(("en", "zh")),
    default="en",
    show_default=True,
    help="English or Simplified Chinese, in pictures, pages and texts.",
)
@click.option(
    "--redact",
    metavar="[WHAT,...]",
    help=f"Hide names behind stable ones: {_USUAL} (if it stands alone), topics. With all of the first four, "
    "only what is allowed stays: words of Kafka, numbers, and topics unless they are named.",
)
@click.option(
    "--review",
    is_flag=True,
    help="Write nothing; list what --redact leaves in clear, and what it replaces by what.",
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
    lang: Literal["en", "zh"],
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
        lang=lang,
        lanes=USUAL if lanes is None else parse_lanes(lanes),
        drawing=Drawing(Vertical(vertical), not no_messages, bounds == "boxes"),
    )
    if target is not None:
        # Before anything is read, which may take long.
        refuse_senseless(target.suffix.lower(), plan)
        refuse_existing(target, replace=replace_existing)
    with working("exporting") as work, ExitStack() as stack:
        things = [stack.enter_context(opened((path,), told, work)) for path in paths]
        material = of_opened(things, trace_names)
        if target is not None:
            write(material, plan, target, work, replace=replace_existing)
        print_line(review_of_plan(material, plan, work) if target is None else str(target))
    return 0


def _target(output: str | None, *, reviewed: bool, redacted: bool) -> Path | None:
    """Where to write; None for a review, which writes nothing. Raises click.UsageError."""
    if reviewed and not redacted:
        raise click.UsageError("--review lists what --redact leaves in clear: add --redact.")
    if reviewed:
        return None
    if output is None:
        raise click.UsageError("Missing option '-o' / '--output'.")
    return Path(output)
