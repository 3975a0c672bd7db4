"""Logs that arrive later: the trace of a document, read again from its own sources and from new ones."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from core.errors import QuestionError, SourceError
from core.message import message
from core.trace.trace import Origin, Source, Trace
from importers.options import ImportOptions

READ_FROM: Final = "read_from"
"""The key of the report under which the paths and options of an import are kept."""


def remembered(trace: Trace, paths: Sequence[str | Path], options: ImportOptions) -> Trace:
    """The trace with a word in its report on where it was read from, and how."""
    told = {
        "paths": [str(Path(path).resolve()) for path in paths],
        "zones": [[broker, zone] for broker, zone in options.zones.items()],
        "year": options.year,
        "day": None if options.day is None else options.day.isoformat(),
        "topic": options.topic,
        "start": options.start,
        "end": options.end,
        "broker": options.broker,
        "brokers": dict(options.brokers),
        "left_out": sorted(options.left_out),
    }
    return replace(trace, report=MappingProxyType({**trace.report, READ_FROM: told}))


def told_by(
    trace: Trace, options: ImportOptions | None = None, where: str = ""
) -> tuple[tuple[str, ...], ImportOptions]:
    """From where a trace was read, as far as it is still there, and with which options.

    `options` are what is said otherwise now. Raises QuestionError for a trace that was not made from logs;
    `where` is the document that holds it.
    """
    if trace.origin != Origin.IMPORTED:
        raise QuestionError(message("error.add.not-from-logs", name=trace.name), where=where)
    told = trace.report.get(READ_FROM) or {}
    there = tuple(path for path in told.get("paths", ()) if Path(path).exists())
    return there, _merged(told, options or ImportOptions(), trace.name)


def among_others(options: ImportOptions, old: Sequence[str], new: Sequence[str | Path]) -> ImportOptions:
    """What was said of single files of `old`, as those are called when `new` is read with them.

    Where one source is read alone its files are called by their paths in it, among others by its name too.
    """
    if len(old) != 1 or not new:
        return options
    path = Path(old[0])
    inside = f"{path.name}/" if path.is_dir() else f"{path.name}!/"

    def called(name: str) -> str:
        return name if name == path.name else inside + name

    return replace(
        options,
        brokers={called(name): broker for name, broker in options.brokers.items()},
        left_out=frozenset(map(called, options.left_out)),
    )


def _merged(told: dict[str, Any], options: ImportOptions, name: str) -> ImportOptions:
    def chosen(key: str) -> Any:  # noqa: ANN401 - a value of the report
        new = getattr(options, key)
        return told.get(key) if new is None else new

    return ImportOptions(
        zones={**dict(map(tuple, told.get("zones", ()))), **options.zones},
        year=chosen("year"),
        day=options.day or _day_in(told),
        topic=chosen("topic"),
        start=chosen("start"),
        end=chosen("end"),
        broker=chosen("broker"),
        name=name,
        brokers={**told.get("brokers", {}), **options.brokers},
        left_out=frozenset(told.get("left_out", ())) | options.left_out,
    )


def _day_in(told: dict[str, Any]) -> date | None:
    day = told.get("day")
    return None if day is None else date.fromisoformat(day)


def refuse_missing(before: Trace, after: Trace, where: str | Path) -> None:
    """Raise SourceError where a file that `before` was made from is neither in `after`, nor grown there.

    A file that has grown has another digest, and the same name with no fewer bytes. `where` is the document.
    """
    digests = {source.sha256 for source in after.sources}
    for source in before.sources:
        if source.sha256 not in digests and not any(_grown(source, other) for other in after.sources):
            raise SourceError(
                message("error.add.file-gone"),
                why=message("error.add.file-gone.why", name=source.path),
                where=str(where),
                background=message("error.add.file-gone.background"),
                advice=message("error.add.file-gone.way-out"),
            )


def _grown(old: Source, new: Source) -> bool:
    return new.size >= old.size and (new.path == old.path or new.path.endswith(f"/{old.path}"))
