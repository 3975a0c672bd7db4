"""What became of every line, and what evidence is missing: the import report as plain JSON values."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, LiteralString

from core.errors import Facts
from core.message import Count, Message, message
from core.message_json import plain
from core.trace.times import rfc3339, utc_clock
from importers.kafka.drafts import Fate
from importers.lines.dropped import DROPPED
from importers.lines.items import Items, distinct
from importers.lines.layout import told_layout
from importers.lines.statements import NONE
from importers.merge.clock import Clocks
from importers.merge.coarse import in_whole_seconds
from importers.merge.files import ReadFile, Role
from importers.merge.further import further_evidence
from importers.merge.gathered import Gathered
from importers.merge.left_out import left_out
from importers.merge.order import Ordered
from importers.merge.over_time import releases_in_order
from importers.merge.zones import Zone, to_utc

_MOST_EXAMPLES: Final = 50
_NUMBERED: Final = re.compile(r"(?<!\S)(?>[^\s\d]*)\d\S*")
"""What differs between lines of one wording: offsets, names with a number."""
_MOST_TOLD: Final = 10_000
"""Statements of tools that a report keeps."""
_SILENT: Final[Mapping[bool, LiteralString]] = {
    True: "report.silent.not-stopped",
    False: "report.silent.stop-missing",
}
"""Why nothing comes from a broker: it was not stopped cleanly, or it was, and the lines are missing."""
_ZONES: Final[Mapping[str, LiteralString]] = {
    "assumed": "report.zone.assumed",
    "inferred": "report.zone.inferred",
    "printed": "report.zone.printed",
    "stated": "report.zone.stated",
}
_STOCK_LOGS: Final = (
    "server.log", "state-change.log", "controller.log", "log-cleaner.log", "kafka-request.log",
    "kafka-authorizer.log", "stage-change.log", "kafkaServer.out", "nohup.out",
)  # fmt: skip
"""4.0.0 rotates state-change.log to stage-change.log (KAFKA-19576)."""


def import_report(
    gathered: Gathered, ordered: Ordered, repeated: Mapping[int, int], clocks: Clocks
) -> dict[str, Any]:
    """Counts by fate, gaps as messages, clocks, files, brokers, examples, and what would settle more.

    Lines of a log of another program (ZooKeeper's own beside the brokers') are counted as noise. Times are
    RFC 3339, UTC, as the log has them: before clocks are corrected.
    """
    releases = releases_in_order(gathered)
    versions = {broker: mine[-1] for broker, mine in releases.items()}
    by_file = [_file_row(gathered, number, repeated) for number in range(len(gathered.files))]
    total = {fate.value: sum(row.get(fate.value, 0) for row in by_file) for fate in Fate}
    gaps = [gap for file in gathered.files for gap in _gaps_in(file)]
    gaps += [*_missing(gathered), *_cut_to_seconds(gathered)]
    ends = ordered.items.of_kinds(("broker_crashed", "evidence_gap")).kept()
    crashed = {(item.broker, item.at) for item in ends.of_kinds(("broker_crashed",))}
    gaps += [
        message(
            _SILENT[(item.broker, item.at) in crashed],
            broker="?" if item.broker is None else item.broker,
            first=utc_clock(item.at),
            last=utc_clock(item.at + (item.said.aux or 0)),
        )
        for item in ends.of_kinds(("evidence_gap",))
    ]
    contradictions = _contradictions(gathered, ordered)
    gaps += [message("report.contradiction", file=one["file"], line=one["line"]) for one in contradictions]
    return {
        "files": len(gathered.files),
        "lines": sum(total.values()),
        **total,
        "left_out": left_out(gathered, ordered.items),
        "gaps": [plain(gap) for gap in gaps],
        "contradictions": contradictions,
        "by_broker": _by_broker(by_file, versions, releases, clocks),
        "clocks": clock_rows(clocks),
        "further": further_evidence(gathered, _of_each_sort(ordered.items), versions, clocks),
        "tools": _told_by_tools(gathered),
        "by_file": by_file,
        "examples": _examples(gathered),
    }


def _contradictions(gathered: Gathered, ordered: Ordered) -> list[dict[str, Any]]:
    """The lines that come after what they say comes later."""
    after = [after for _, after in ordered.broken]
    sources, lines = ordered.items.source[after], ordered.items.said.columns["line"][after]
    return [
        {"file": gathered.files[source].path, "line": line}
        for source, line in zip(sources.tolist(), lines.tolist(), strict=True)
    ]


def _of_each_sort(items: Items) -> Items:
    """One item of each broker, kind, rule and lists of brokers: what is asked of all is asked of these."""
    said = items.said.columns
    about_partition = said["topic"] != NONE
    named = (said[name] for name in ("kind", "replica", "rule", "isr", "assigned"))
    return items.taken(distinct(items.broker, about_partition, *named)).kept()


def _file_row(gathered: Gathered, number: int, repeated: Mapping[int, int]) -> dict[str, Any]:
    file, owner, zone = gathered.files[number], gathered.owners[number], gathered.zones[number]
    row: dict[str, Any] = {
        "file": file.path,
        "is": file.role.value,
        "broker": owner.broker,
        "found_by": owner.how,
        "bytes": file.size,
    }
    if file.label:
        row["part"] = file.label
    if file.place is not None:
        row |= {"directory": file.place.directory, "copied_earlier": file.place.snapshot}
        row |= {"set_aside": file.place.state} if file.place.state else {}
    if file.drafts is not None:
        counts = {fate.value: count for fate, count in file.drafts.counts.items()}
        if file.drafts.kafka:
            row |= {"zone": zone.name, "zone_basis": zone.basis, "repeated": repeated.get(number, 0)}
            row |= {} if file.layout is None else {"layout": plain(told_layout(file.layout))}
            row |= _times(file, zone)
        else:
            counts = {fate.value: 0 for fate in Fate} | {Fate.NOISE.value: sum(counts.values())}
            row["is"] = "log of another program"
        row |= counts
    if file.fault is not None:
        row["fault"] = plain(file.fault.why or file.fault.what)
    return row


def _times(file: ReadFile, zone: Zone) -> dict[str, str | None]:
    """From when to when a log speaks."""
    if file.drafts is None or not len(file.drafts.stamps):
        return {"from": None, "to": None}
    utc = to_utc(zone.name)
    first, last = (int(found) for found in (file.drafts.stamps.min(), file.drafts.stamps.max()))
    return {"from": rfc3339(utc(first)), "to": rfc3339(utc(last))}


def _gaps_in(file: ReadFile) -> Iterator[Message]:
    """What is missing in one file."""
    if file.fault is not None:
        yield _unread(file.path, file.fault, whole=file.role is Role.IGNORED)
    yield from file.clock_notes
    yield from (
        message("report.lines-left-out", file=file.path, count=Count(n), why=why) for n, why in file.unused
    )
    facts = file.drafts.facts if file.drafts is not None else ()
    missing = [fact.line for fact in facts if fact.name == DROPPED]
    if missing:
        yield message("report.dropped", file=file.path, line=min(missing), count=Count(len(missing)))
    if file.checkpoint is not None and file.checkpoint.doubt is not None:
        yield message("report.file-is", file=file.path, what=file.checkpoint.doubt)
    if file.segment is not None and file.segment.torn is not None and file.metadata is None:
        yield message("report.torn", file=file.path, byte=file.segment.torn)
    if file.tool is not None:
        yield from (message("report.in-file", file=file.path, what=doubt) for doubt in file.tool.doubts)
    if file.metadata is not None:
        if file.metadata.torn is not None:
            yield message("report.torn", file=file.path, byte=file.metadata.torn)
        yield from (message("report.in-file", file=file.path, what=doubt) for doubt in file.metadata.doubts)


def _unread(path: str, fault: Facts, *, whole: bool) -> Message:
    """That a file was left out, or not read to its end, and why."""
    if fault.why is None:
        return message("report.left-out" if whole else "report.cut-short", file=path, what=fault.what)
    return message(
        "report.left-out.why" if whole else "report.cut-short.why", file=path, what=fault.what, why=fault.why
    )


def _cut_to_seconds(gathered: Gathered) -> Iterator[Message]:
    """How many logs have no fractions of a second, if there are any."""
    count = sum(map(in_whole_seconds, gathered.files))
    if count:
        yield message("report.whole-seconds", count=Count(count))


def _told_by_tools(gathered: Gathered) -> list[dict[str, Any]]:
    """What Kafka's own tools printed. No line of theirs has a time: it was so at the latest at `not_after`.

    That is when the file was written, as far as its copy has kept it; `not_before` is a time that it names.
    """
    rows = [
        {
            "tool": line.tool,
            "file": file.path,
            "line": line.line,
            "text": line.text,
            "not_before": None if tool.not_before_ns is None else rfc3339(tool.not_before_ns),
            "not_after": None if file.mtime_ns is None else rfc3339(file.mtime_ns),
            **line.values,
        }
        for file in gathered.files
        if (tool := file.tool) is not None
        for line in tool.lines
    ]
    return rows[:_MOST_TOLD]


def _examples(gathered: Gathered) -> list[dict[str, Any]]:
    """Lines that were not understood, the first of each wording, with file and line."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for file in gathered.files:
        if file.drafts is None or not file.drafts.kafka:
            continue
        for one in file.drafts.examples:
            wording = one.fate.value, _NUMBERED.sub("", one.text)
            row = {"file": file.path, "line": one.line, "fate": one.fate.value, "text": one.text}
            found.setdefault(wording, row)
    return list(found.values())[:_MOST_EXAMPLES]


def _by_broker(
    rows: Sequence[Mapping[str, Any]],
    versions: Mapping[int, str],
    ever: Mapping[int, Sequence[str]],
    clocks: Clocks,
) -> list[dict[str, Any]]:
    """The same per broker; None is who is not known. `version` is the last of all `versions` in time."""
    found: list[dict[str, Any]] = []
    for broker in sorted({row["broker"] for row in rows}, key=lambda one: (one is None, one or 0)):
        mine = [row for row in rows if row["broker"] == broker]
        times = [row[end] for row in mine for end in ("from", "to") if row.get(end)]
        skews = None if broker is None else clocks.of_broker(broker)
        found.append(
            {
                "broker": broker,
                "version": versions.get(broker) if broker is not None else None,
                "versions": [] if broker is None else list(dict.fromkeys(ever.get(broker, ()))),
                "files": len(mine),
                **{fate.value: sum(row.get(fate.value, 0) for row in mine) for fate in Fate},
                "from": min(times, default=None),
                "to": max(times, default=None),
                "zones": [
                    plain(message(_ZONES[basis], zone=zone))
                    for zone, basis in sorted(
                        {(row["zone"], row["zone_basis"]) for row in mine if "zone" in row}
                    )
                ],
                "clock": None if skews is None else str(skews),
            }
        )
    return found


def clock_rows(clocks: Clocks) -> list[dict[str, Any]]:
    """For each clock and span of time what must be added to its stamps; null: not bounded."""
    return [
        {
            "clock": f"{what} {number}",
            "reference": clocks.reference == (what, number),
            "from": None if skew.start == skews.pieces[0].start else rfc3339(skew.start),
            "to": None if skew.end == skews.pieces[-1].end else rfc3339(skew.end),
            "add_ns": {"lo": skew.lo, "hi": skew.hi},
            "added_ns": skew.correction,
        }
        for (what, number), skews in sorted(clocks.skews.items())
        for skew in skews.pieces
    ]


def _missing(gathered: Gathered) -> list[Message]:
    """Logs that a broker of this cluster should have and that are not here. A console has them all in one."""
    names: dict[int, set[str]] = {}
    folders: dict[str, int] = {}
    for file, owner in zip(gathered.files, gathered.owners, strict=True):
        if owner.broker is not None and file.drafts is not None and file.drafts.kafka:
            folder, _, name = file.path.rpartition("/")
            folders[folder] = owner.broker
            names.setdefault(owner.broker, set()).add(name)
    for file in gathered.files:
        # A controller of KRaft leads nothing: its state change log is there, and empty.
        folder, _, name = file.path.rpartition("/")
        if file.size == 0 and folder in folders:
            names[folders[folder]].add(name)
    return [
        message("report.no-log", name=wanted, broker=broker)
        for broker, found in sorted(names.items())
        for wanted in ("server.log", "state-change.log")
        if all(name.startswith(_STOCK_LOGS) for name in found)
        and not any(name.startswith((wanted, wanted.replace("state", "stage"))) for name in found)
    ]
