"""Options that several commands share, and what they mean."""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from core.errors import QuestionError
from core.trace.times import parse_time
from importers.options import ImportOptions

F = TypeVar("F", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
trace_name = click.option("--trace", "trace_name", metavar="NAME", help="Which trace of the document.")
partition_name = click.option("--partition", metavar="T-P", help="Only this partition, as topic-number.")
replace_existing = click.option("--replace", "replace_existing", is_flag=True, help="Replace what is there.")


def sources(command: F) -> F:
    """One or more sources, or one document."""
    return click.argument("paths", nargs=-1, required=True, metavar="SOURCE...|DOC")(command)


def reading(command: F) -> F:
    """The options of every command that reads logs: keyword arguments for `import_options`."""
    for option in reversed(
        (
            click.option("--zone", "zones", multiple=True, metavar="[BROKER=]ZONE", help="Zone of the logs."),
            click.option("--year", type=int, help="Year, for logs that print none."),
            click.option(
                "--broker", type=int, metavar="ID", help="Broker of files that do not say whose they are."
            ),
            click.option("--from", "start", metavar="TIME", help="Nothing before this time."),
            click.option("--to", "end", metavar="TIME", help="Nothing after this time."),
            click.option("--topic", metavar="GLOB", help="Only topics that match."),
        ),
    ):
        command = option(command)
    return command


def import_options(
    zones: Sequence[str] = (),
    year: int | None = None,
    broker: int | None = None,
    start: str | None = None,
    end: str | None = None,
    topic: str | None = None,
) -> ImportOptions:
    """What `reading` collected, for the importers. Raises QuestionError."""
    by_broker: dict[str | None, str] = {}
    for text in zones:
        match = re.fullmatch(r"(?:(\d+)=)?(.+)", text)
        if match is None:
            raise QuestionError(
                f"{text!r} is not a zone", advice="Write --zone Europe/Berlin or --zone 2=+01:00"
            )
        by_broker[match[1]] = match[2]
    return ImportOptions(
        zones=by_broker,
        year=year,
        topic=topic,
        start=None if start is None else parse_time(start),
        end=None if end is None else parse_time(end),
        broker=broker,
    )
