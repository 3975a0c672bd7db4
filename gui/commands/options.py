"""Options that several commands share, and what they mean."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, TypeVar

import click

from core.errors import QuestionError
from core.message import Count, Listing, message
from core.trace.times import parse_time
from gui.commands import texts
from importers.options import ImportOptions

F = TypeVar("F", bound=Callable[..., Any])

as_json = texts.option("--json", "as_json", is_flag=True, help="command.option.json")
trace_name = texts.option("--trace", "trace_name", metavar="NAME", help="command.option.trace")
partition_name = texts.option("--partition", metavar="T-P", help="command.option.partition")
jobs = texts.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="command.option.jobs")
replace_existing = texts.option("--replace", "replace_existing", is_flag=True, help="command.option.replace")


def sources(command: F) -> F:
    """One or more sources, or one document."""
    return click.argument("paths", nargs=-1, required=True, metavar="SOURCE...|DOC")(command)


def reading(command: F) -> F:
    """The options of every command that reads logs: keyword arguments for `import_options`."""
    for option in reversed(
        (
            texts.option(
                "--zone", "zones", multiple=True, metavar="[BROKER=]ZONE", help="command.option.zone"
            ),
            texts.option("--year", type=int, help="command.option.year"),
            texts.option("--date", "day", metavar="YYYY-MM-DD", help="command.option.date"),
            texts.option(
                "--broker",
                "brokers",
                multiple=True,
                metavar="[FILE|FOLDER=]ID",
                help="command.option.broker",
            ),
            texts.option(
                "--leave-out",
                "left_out",
                multiple=True,
                metavar="PATTERN",
                help="command.option.leave-out",
            ),
            texts.option("--from", "start", metavar="TIME", help="command.option.from"),
            texts.option("--to", "end", metavar="TIME", help="command.option.to"),
            texts.option("--topic", metavar="GLOB", help="command.option.topic"),
        ),
    ):
        command = option(command)
    return command


def import_options(
    *,
    zones: Sequence[str] = (),
    year: int | None = None,
    day: str | None = None,
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
        day=None if day is None else _date(day),
        topic=topic,
        start=None if start is None else parse_time(start),
        end=None if end is None else parse_time(end),
        broker=broker,
        brokers=named,
        left_out=frozenset(one.rstrip("/") for one in left_out),
    )


def switch_values(told: Sequence[str]) -> dict[str, str]:
    """What `--set SWITCH=VALUE` named, by switch. Raises QuestionError."""
    values: dict[str, str] = {}
    for text in told:
        name, equals, value = text.partition("=")
        if not equals:
            raise QuestionError(
                message("error.command.sets-nothing", text=text), advice=message("error.command.set-form")
            )
        values[name.strip()] = value.strip()
    return values


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise QuestionError(
            message("error.command.no-date", text=text), advice=message("error.command.no-date.form")
        ) from error


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
