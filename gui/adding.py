"""Logs that arrive later: the trace of a document, read again from its own sources and from new ones."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from core.errors import QuestionError, SourceError
from core.trace.trace import Origin, Source, Trace
from core.work import QUIET, Work
from importers.options import ImportOptions

if TYPE_CHECKING:
    from db.document import Document

_READ_FROM: Final = "read_from"
"""The key of the report under which the paths and options of an import are kept."""


def remembered(trace: Trace, paths: Sequence[str | Path], options: ImportOptions) -> Trace:
    """The trace with a word in its report on where it was read from, and how."""
    told = {
        "paths": [str(Path(path).resolve()) for path in paths],
        "zones": [[broker, zone] for broker, zone in options.zones.items()],
        "year": options.year,
        "topic": options.topic,
        "start": options.start,
        "end": options.end,
        "broker": options.broker,
        "brokers": dict(options.brokers),
        "left_out": sorted(options.left_out),
    }
    return replace(trace, report=MappingProxyType({**trace.report, _READ_FROM: told}))


def told_by(
    trace: Trace, options: ImportOptions | None = None, where: str = ""
) -> tuple[tuple[str, ...], ImportOptions]:
    """From where a trace was read, as far as it is still there, and with which options.

    `options` are what is said otherwise now. Raises QuestionError for a trace that was not made from logs;
    `where` is the document that holds it.
    """
    if trace.origin != Origin.IMPORTED:
        raise QuestionError(
            f"The trace {trace.name} was not made from logs, so none can be added to it", where=where
        )
    told = trace.report.get(_READ_FROM) or {}
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


def read_again(
    document: "Document",
    name: str | None,
    paths: Sequence[str | Path],
    options: ImportOptions | None = None,
    work: Work = QUIET,
) -> Trace:
    """The trace of that name, read from where it was read before and from `paths`. Nothing is written.

    What was said before about zones, years and filters holds, unless `options` say otherwise. Raises
    QuestionError for a trace that was not imported, SourceError where a file that the document was made from
    is in none of the places (then a trace of the new logs alone would lose what the document shows), and
    what an import raises.
    """
    from gui.sources import open_any

    before = document.trace(name)
    now = options or ImportOptions()
    # What is said now names files as they are called now, old ones beside new ones.
    old, merged = told_by(before, replace(now, brokers={}, left_out=frozenset()), str(document.path))
    new = [path for path in paths if str(Path(path).resolve()) not in old]
    if not (old or new):
        raise SourceError(
            "The logs that the document was made from are not there any more",
            where=", ".join((before.report.get(_READ_FROM) or {}).get("paths", ())) or str(document.path),
            advice="Name them again beside the new ones",
        )
    known = among_others(merged, old, new)
    chosen = replace(known, brokers={**known.brokers, **now.brokers}, left_out=known.left_out | now.left_out)
    after = open_any([*old, *new], chosen, work).trace()
    refuse_missing(before, after, document.path)
    return after


def _merged(told: dict[str, Any], options: ImportOptions, name: str) -> ImportOptions:
    def chosen(key: str) -> Any:  # noqa: ANN401 - a value of the report
        new = getattr(options, key)
        return told.get(key) if new is None else new

    return ImportOptions(
        zones={**dict(map(tuple, told.get("zones", ()))), **options.zones},
        year=chosen("year"),
        topic=chosen("topic"),
        start=chosen("start"),
        end=chosen("end"),
        broker=chosen("broker"),
        name=name,
        brokers={**told.get("brokers", {}), **options.brokers},
        left_out=frozenset(told.get("left_out", ())) | options.left_out,
    )


def refuse_missing(before: Trace, after: Trace, where: str | Path) -> None:
    """Raise SourceError where a file that `before` was made from is neither in `after`, nor grown there.

    A file that has grown has another digest, and the same name with no fewer bytes. `where` is the document.
    """
    digests = {source.sha256 for source in after.sources}
    for source in before.sources:
        if source.sha256 not in digests and not any(_grown(source, other) for other in after.sources):
            raise SourceError(
                "A file that the document was made from is not there any more",
                why=f"{source.path} is in none of the sources",
                where=str(where),
                background="The trace is made anew from all logs together; what people added stays",
                advice="Name that file again beside the new logs",
            )


def _grown(old: Source, new: Source) -> bool:
    return new.size >= old.size and (new.path == old.path or new.path.endswith(f"/{old.path}"))
