"""The import report for a person: counts, brokers, what is missing, what would settle more."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from core.message_json import stored
from core.words import text
from gui.commands.terminal import moment, print_line, print_table

_COUNTS: Final = ("recognised", "noise", "unrecognised", "malformed")
_MOST: Final = 12
"""Lines of one kind in a terminal; `--json` has all."""


def print_report(report: Mapping[str, Any]) -> None:
    """All parts that say something. A report of an older document has fewer parts."""
    if "files" not in report:
        return
    told = ", ".join(f"{report[name]:,} {name}" for name in _COUNTS if name in report)
    print_line(f"{report['files']:,} files, {report['lines']:,} lines: {told}")
    rows = report.get("by_broker", ())
    if rows:
        print_line()
        print_table(
            ("broker", "version", "files", *_COUNTS, "from", "to", "zone", "add to its clock"),
            [_broker_row(row) for row in rows],
            right=range(2, 3 + len(_COUNTS)),
        )
    _print_some("a tool said", [_told(row) for row in report.get("tools", ())])
    _print_some("missing", [text(stored(gap)) for gap in report.get("gaps", ())])
    _print_some("would settle more", [_further(row) for row in report.get("further", ())])
    _print_some(
        "not understood",
        [
            f"{one['file']}:{one['line']} ({one['fate']}) {one['text'][:160]}"
            for one in report.get("examples", ())
        ],
    )


def _broker_row(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        "?" if row["broker"] is None else row["broker"],
        ", then ".join(row.get("versions") or ([row["version"]] if row["version"] else [])),
        row["files"],
        *(row[name] for name in _COUNTS),
        moment(row["from"]),
        moment(row["to"]),
        ", ".join(text(stored(zone)) for zone in row["zones"]),
        row["clock"] or "",
    )


def _told(row: Mapping[str, Any]) -> str:
    """The words of a tool; when that was so is not known but for the time of the file."""
    when = (
        "at a time that is not known"
        if row["not_after"] is None
        else f"at the latest {moment(row['not_after'])}"
    )
    return f"{row['file']}:{row['line']} ({row['tool']}, {when}) {' '.join(row['text'].split())[:160]}"


def _further(row: Mapping[str, Any]) -> str:
    whose = "" if row["broker"] is None else f"broker {row['broker']}: "
    return f"{whose}{text(stored(row['evidence']))}: {text(stored(row['settles']))}"


def _print_some(head: str, lines: Sequence[str]) -> None:
    if not lines:
        return
    print_line()
    for line in lines[:_MOST]:
        print_line(f"{head}: {line}")
    if len(lines) > _MOST:
        print_line(f"{head}: {len(lines) - _MOST} more, which --json has")
