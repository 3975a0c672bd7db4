"""The import report for a person: counts, brokers, what is missing, what would settle more."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Final, LiteralString

from core.message import Count, Listing, Message, Value, message
from core.message_json import stored
from gui.commands.terminal import moment, print_line, print_table
from gui.text.clock_words import to_be_added
from gui.text.spoken import tr

_COUNTS: Final[Mapping[str, LiteralString]] = {
    "recognised": "command.report.recognised",
    "noise": "command.report.noise",
    "unrecognised": "command.report.unrecognised",
    "malformed": "command.report.malformed",
}
_HEADS: Final = (
    "command.head.broker",
    "command.head.version",
    "command.head.files",
    "command.head.recognised",
    "command.head.noise",
    "command.head.unrecognised",
    "command.head.malformed",
    "command.head.from",
    "command.head.to",
    "command.head.zone",
    "command.head.add-to-its-clock",
)
_MOST: Final = 12
"""Lines of one kind in a terminal; `--json` has all."""


def print_report(report: Mapping[str, Any]) -> None:
    """All parts that say something. A report of an older document has fewer parts."""
    if "files" not in report:
        return
    print_line(
        tr(
            "command.report.read",
            files=message("command.report.files", count=Count(report["files"])),
            lines=message("command.report.lines", count=Count(report["lines"])),
            told=Listing(
                tuple(message(id_, number=report[name]) for name, id_ in _COUNTS.items() if name in report)
            ),
        )
    )
    rows = report.get("by_broker", ())
    if rows:
        print_line()
        print_table(
            _HEADS,
            [_broker_row(row, report.get("clocks", ())) for row in rows],
            right=range(2, 3 + len(_COUNTS)),
        )
    _print_some(message("command.report.a-tool-said"), [_told(row) for row in report.get("tools", ())])
    _print_some(message("command.report.missing"), [stored(gap) for gap in report.get("gaps", ())])
    _print_some(
        message("command.report.would-settle-more"), [_further(row) for row in report.get("further", ())]
    )
    _print_some(
        message("command.report.not-understood"),
        [
            f"{one['file']}:{one['line']} ({one['fate']}) {one['text'][:160]}"
            for one in report.get("examples", ())
        ],
    )


def _broker_row(row: Mapping[str, Any], clocks: Iterable[Mapping[str, Any]]) -> tuple[Any, ...]:
    own = (to_be_added(one) for one in clocks if one["clock"] == f"broker {row['broker']}")
    return (
        "?" if row["broker"] is None else row["broker"],
        _versions(row.get("versions") or ([row["version"]] if row["version"] else [])),
        row["files"],
        *(row[name] for name in _COUNTS),
        moment(row["from"]),
        moment(row["to"]),
        tr("command.listed", items=Listing(tuple(stored(zone) for zone in row["zones"]))),
        tr("command.listed", items=Listing(tuple(dict.fromkeys(one for one in own if one is not None)))),
    )


def _versions(names: Sequence[str]) -> str:
    """The versions that a broker had, one after the other."""
    return reduce(lambda head, last: tr("command.report.then", head=head, last=last), names) if names else ""


def _told(row: Mapping[str, Any]) -> Message:
    """The words of a tool; when that was so is not known but for the time of the file."""
    file, line, tool, last = row["file"], row["line"], row["tool"], row["not_after"]
    said = " ".join(row["text"].split())[:160]
    if last is None:
        return message("command.report.tool", file=file, line=line, tool=tool, text=said)
    return message(
        "command.report.tool.not-after", file=file, line=line, tool=tool, last=moment(last), text=said
    )


def _further(row: Mapping[str, Any]) -> Message:
    source, settles, broker = stored(row["evidence"]), stored(row["settles"]), row["broker"]
    if broker is None:
        return message("command.report.settles", source=source, settles=settles)
    return message("command.report.settles.broker", broker=broker, source=source, settles=settles)


def _print_some(head: Message, lines: Sequence[Value]) -> None:
    if not lines:
        return
    print_line()
    for line in lines[:_MOST]:
        print_line(tr("command.report.line", head=head, line=line))
    if len(lines) > _MOST:
        print_line(tr("command.report.more", head=head, number=len(lines) - _MOST))
