"""Options that several commands share, and what they mean."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from core.errors import QuestionError
from core.message import Count, Listing, message
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
                "--broker",
                "brokers",
                multiple=True,
                metavar="[FILE|FOLDER=]ID",
                help="Broker of files that do not say whose they are; or of those named, whatever they say.",
            ),
            click.option(
                "--leave-out",
                "left_out",
                multiple=True,
                metavar="PATTERN",
                help="Files that are not read: a path in the source, a folder or a glob.",
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
    brokers: Sequence[str] = (),
    left_out: Sequence[str] = (),
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
                message("error.command.no-zone", text=text), advice=message("error.command.no-zone.form")
            )
        by_broker[match[1]] = match[2]
    broker, named = _brokers(brokers)
    return ImportOptions(
        zones=by_broker,
        year=year,
        topic=topic,
        start=None if start is None else parse_time(start),
        end=None if end is None else parse_time(end),
        broker=broker,
        brokers=named,
        left_out=frozenset(one.rstrip("/") for one in left_out),
    )


def _brokers(told: Sequence[str]) -> tuple[int | None, dict[str, int]]:
    """The broker of files that say nothing, and those of named files."""
    plain: set[int] = set()
    named: dict[str, int] = {}
    for text in told:
        match = re.fullmatch(r"(?:(.+)=)?([0-9]{1,9})", text)
        if match is None:
            raise QuestionError(
                message("error.command.no-broker", text=text),
                advice=message("error.command.no-broker.form"),
            )
        if match[1] is None:
            plain.add(int(match[2]))
        else:
            named[match[1].rstrip("/")] = int(match[2])
    if len(plain) > 1:
        raise QuestionError(
            message("error.command.many-brokers", count=Count(len(plain))),
            advice=message("error.command.many-brokers.form"),
        )
    return next(iter(plain), None), named


def refuse_unused(options: ImportOptions, report: Mapping[str, Any]) -> None:
    """Raise QuestionError where --leave-out or --broker names no file of the import that `report` is of."""
    rows = report.get("by_file", ())
    names = {row["file"] for row in rows} | {
        f"{row['file']} ({row['part']})" for row in rows if "part" in row
    }
    unused = options.unused(names)
    if unused:
        some = sorted(names)[:5]
        raise QuestionError(
            message("error.command.names-no-file", name=unused[0]),
            why=message("error.command.names-no-file.why", number=len(names), names=Listing(tuple(some))),
            advice=message("error.command.names-no-file.form"),
        )
