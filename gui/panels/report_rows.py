"""What the import report shows, as values, from the report of a trace: no Qt."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, Final, LiteralString

import numpy as np

from core.compare.script import rule_of, script_title
from core.message import Message, message
from core.message_json import stored
from core.trace.times import parse_time
from core.trace.trace import Trace
from core.trace.units import MINUTE_NS
from core.trace.vocabulary import NUMBER
from gui.terms import term
from gui.text.clock_words import duration, to_be_added
from gui.text.spoken import tr, worded

_ROTATED: Final = re.compile(r"(?:[.-]\d{4}-\d\d-\d\d(?:-\d\d)?|\.\d{1,4})?(?:\.(?:gz|xz|zst|bz2))?$")
"""What rotation puts behind the name of a log."""
_FATES: Final = ("recognised", "noise", "unrecognised", "malformed")
_DATA: Final = frozenset(
    ("segment", "offset checkpoint", "leader epoch checkpoint", "metadata log", "partition metadata",
     "clean shutdown marker")
)  # fmt: skip
_KINDS: Final[Mapping[str, str]] = {
    "unrecognised": "report-rows.not-understood",
    "malformed": "report-rows.damaged-line",
}
_ZONES: Final[Mapping[str, LiteralString]] = {
    "assumed": "report.zone.assumed",
    "inferred": "report.zone.inferred",
    "printed": "report.zone.printed",
    "stated": "report.zone.stated",
}
"""By how the zone of a log is known."""


@dataclass(frozen=True, slots=True)
class FileLine:
    """One log with what rotation made of it, one data directory, or all that was not read.

    `spans` are the times of its files, ns UTC, corrected by the clock, in order; `gaps` those in which its
    broker was silent, or in which no file of it speaks. `counts` are lines by fate: recognised, noise,
    unrecognised, malformed.
    `sources` are the places of its files in the trace.
    """

    name: str
    broker: int | None
    read_as: str
    counts: tuple[int, int, int, int]
    spans: tuple[tuple[int, int], ...]
    gaps: tuple[tuple[int, int], ...]
    told: str
    faults: tuple[str, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that was not understood or is not there: what kind, where, what."""

    kind: str
    where: str
    what: str


@dataclass(frozen=True, slots=True)
class BrokerLine:
    """What was found out about one broker: its version, zones with their basis, its clock."""

    name: str
    version: str
    zones: tuple[str, ...]
    clocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportView:
    """All that is shown of one trace. `span` is from the first to the last time of any log, ns UTC."""

    name: str
    headline: str
    files: tuple[FileLine, ...]
    missing: tuple[Missing, ...]
    brokers: tuple[BrokerLine, ...]
    further: tuple[tuple[str, str], ...]
    span: tuple[int, int] | None


def report_view(trace: Trace) -> ReportView:
    """The report of a trace that was imported or prepared."""
    report = trace.report
    files = _files(trace)
    spans = [span for file in files for span in file.spans]
    whole = (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None
    further = tuple(
        (
            _whose(row.get("broker"), worded(stored(row.get("evidence", ""), row.get("evidence_zh")))),
            worded(stored(row.get("settles", ""), row.get("settles_zh"))),
        )
        for row in report.get("further", ())
    )
    return ReportView(trace.name, _headline(trace), files, _missing(report), _brokers(report), further, whole)


def simulation_rows(trace: Trace) -> tuple[tuple[str, str], ...]:
    """What a simulation was made from."""
    title, rule = script_title(trace), rule_of(trace)
    rows = (
        (tr("report-rows.title"), title),
        (tr("report-rows.era"), trace.facts.get("era", "")),
        (tr("report-rows.release"), trace.facts.get("release", "")),
        (tr("report-rows.rule"), "" if rule is None else worded(rule)),
        (tr("report-rows.seed"), trace.facts.get("seed", "")),
        (tr("report-rows.switches"), trace.facts.get("switches", "")),
    )
    return tuple((name, value) for name, value in rows if value)


def first_event(trace: Trace, sources: Sequence[int], among: Iterable[int]) -> int | None:
    """The first of the events `among` that a line of one of the sources gave; None where there is none."""
    seqs = np.fromiter(among, dtype=np.int64)
    found = seqs[np.isin(trace.columns["source"][seqs], np.asarray(sources, dtype=np.int32))]
    return int(found[0]) if len(found) else None


def as_text(view: ReportView) -> str:
    """The report as plain text, for a mail or a ticket."""
    lines = [tr("report-rows.import-report-of", name=view.name), view.headline, ""]
    lines += [tr("report-rows.files-lines-read-noise-not-understood")]
    for file in view.files:
        counts = ", ".join(f"{count:,}" for count in file.counts)
        whose = "" if file.broker is None else tr("report-rows.broker-2", broker=file.broker)
        lines.append(f"  {file.name}{whose}  {file.read_as}  {counts}  {file.told}".rstrip())
    for title, rows in (
        (
            tr("report-rows.brokers"),
            [" ".join((row.name, row.version, *row.zones, *row.clocks)) for row in view.brokers],
        ),
        (
            tr("report-rows.missing-or-not-understood"),
            [f"{row.kind}: {row.where} {row.what}" for row in view.missing],
        ),
        (
            tr("report.what-would-settle-more"),
            [f"{evidence}: {settles}" for evidence, settles in view.further],
        ),
    ):
        lines += ["", title, *(f"  {row}" for row in rows or [tr("report-rows.none")])]
    return "\n".join(lines)


def _corrected(report: Mapping[str, Any], broker: object, at: int) -> int:
    """A time as a log has it, with what was added to the clock of its broker there."""
    for row in report.get("clocks", ()):
        first, last = row.get("from"), row.get("to")
        inside = (first is None or parse_time(first) <= at) and (last is None or at <= parse_time(last))
        if row["clock"] == f"broker {broker}" and inside:
            return at + int(row["added_ns"])
    return at


def _on_time(row: Mapping[str, Any], report: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of the report with the times of its file as numbers."""
    if not (row.get("from") and row.get("to")):
        return row
    span = tuple(_corrected(report, row.get("broker"), parse_time(row[end])) for end in ("from", "to"))
    return {**row, "span": span}


def _headline(trace: Trace) -> str:
    report = trace.report
    lines = int(report.get("lines", 0))
    parts = [
        _file_words(int(report.get("files", 0)), len(trace.sources)),
        tr("report-rows.events", count=len(trace)),
    ]
    if lines:
        parts.insert(1, tr("evidence.lines", count=lines))
        unknown = int(report.get("unrecognised", 0)) + int(report.get("malformed", 0))
        parts.append(
            tr("report-rows.lines-not-understood", count=unknown)
            if unknown
            else tr("report-rows.every-line-understood")
        )
    gaps = len(report.get("gaps", ()))
    parts.append(
        tr("report-rows.no-gaps")
        if not gaps
        else tr("report-rows.1-gap")
        if gaps == 1
        else tr("report-rows.gaps", count=gaps)
    )
    return "  ·  ".join(parts)


def _file_words(found: int, read: int) -> str:
    """How many files were read, as the status bar has it, and of how many where others had no use."""
    if found <= read:
        return tr("report-rows.1-file-read") if read == 1 else tr("report-rows.files-read", count=read)
    return tr("report-rows.of-files-read", read=read, found=found)


def _files(trace: Trace) -> tuple[FileLine, ...]:
    rows = [_on_time(row, trace.report) for row in trace.report.get("by_file", ())]
    sources: dict[str, list[int]] = {}
    for number, source in enumerate(trace.sources):
        sources.setdefault(source.path, []).append(number)
    logs: dict[tuple[str, object, str], list[Mapping[str, Any]]] = {}
    data: dict[tuple[str, object, str], list[Mapping[str, Any]]] = {}
    others: list[Mapping[str, Any]] = []
    faulty: list[Mapping[str, Any]] = []
    for row in rows:
        path = str(row["file"])
        if "recognised" in row and row["is"] == "log":
            logs.setdefault((_ROTATED.sub("", path), row["broker"], row.get("part", "")), []).append(row)
        elif row["is"] in _DATA:
            data.setdefault((_directory(path, str(row["is"])), row["broker"], ""), []).append(row)
        elif row.get("fault"):
            faulty.append(row)
        else:
            others.append(row)
    silent = _silences(trace)
    made = [
        _line(key[0], found, sources, silent, f" ({key[2]})" if key[2] else "") for key, found in logs.items()
    ]
    made.sort(key=lambda line: (line.broker is None, line.broker or 0, line.name))
    held = [
        _line(key[0], found, sources, {}, "")
        for key, found in sorted(data.items(), key=lambda pair: pair[0][0])
    ]
    bad = [_line(str(row["file"]), [row], sources, {}, "") for row in faulty]
    used = _used([row for row in others if str(row["file"]) in sources], sources)
    rest = _rest([row for row in others if str(row["file"]) not in sources])
    return (*made, *bad, *held, *used, *rest)


def _line(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    sources: Mapping[str, Sequence[int]],
    silent: Mapping[int, Sequence[tuple[int, int]]],
    part: str,
) -> FileLine:
    first = rows[0]
    broker = first.get("broker")
    spans = sorted(row["span"] for row in rows if "span" in row)
    between = [(one[1], two[0]) for one, two in pairwise(spans) if two[0] - one[1] > MINUTE_NS]
    faults = tuple(worded(stored(row["fault"])) for row in rows if row.get("fault"))
    role = str(first["is"])
    counts = [sum(int(row.get(fate, 0)) for row in rows) for fate in _FATES]
    if role in _DATA:
        role = tr("report-rows.data-directory")
        told = tr("report-rows.1-file") if len(rows) == 1 else tr("report-rows.files", count=len(rows))
    else:
        told = "  ".join(filter(None, (worded(stored(first.get("layout", ""))), _zone(first), _rolled(rows))))
    return FileLine(
        name=name + part,
        broker=broker,
        read_as=term(role),
        counts=(counts[0], counts[1], counts[2], counts[3]),
        spans=tuple(spans),
        gaps=(*between, *silent.get(-1 if broker is None else int(broker), ())) if spans else (),
        told="; ".join(faults) or told,
        faults=faults,
        sources=tuple(number for row in rows for number in sources.get(str(row["file"]), ())),
    )


def _rolled(rows: Sequence[Mapping[str, Any]]) -> str:
    return tr("report-rows.files-rotated", count=len(rows)) if len(rows) > 1 else ""


def _zone(row: Mapping[str, Any]) -> str:
    zone, basis = str(row.get("zone", "")), str(row.get("zone_basis", ""))
    id_ = _ZONES.get(basis)
    if id_ is not None:
        return worded(message(id_, zone=zone))
    return f"{zone} ({basis})" if zone and basis else zone


def _directory(path: str, role: str) -> str:
    """The data directory of a file: the folder that holds its partition, or the file itself."""
    parent = PurePosixPath(path).parent
    in_partition = role in ("segment", "leader epoch checkpoint", "metadata log", "partition metadata")
    return str(parent.parent if in_partition else parent)


def _used(rows: Sequence[Mapping[str, Any]], sources: Mapping[str, Sequence[int]]) -> list[FileLine]:
    """What else was read, as one line a sort of file: settings that name brokers, outputs of tools."""
    sorts: dict[str, list[str]] = {}
    for row in rows:
        sorts.setdefault(str(row["is"]), []).append(str(row["file"]))
    return [
        FileLine(
            name=paths[0] if len(paths) == 1 else tr("report-rows.files", count=len(paths)),
            broker=None,
            read_as=term(sort),
            counts=(0, 0, 0, 0),
            spans=(),
            gaps=(),
            told="",
            faults=(),
            sources=tuple(number for path in paths for number in sources[path]),
        )
        for sort, paths in sorts.items()
    ]


def _rest(rows: Sequence[Mapping[str, Any]]) -> list[FileLine]:
    """What an import has no use for, as one line."""
    if not rows:
        return []
    name = str(rows[0]["file"]) if len(rows) == 1 else tr("report-rows.other-files", count=len(rows))
    told = ", ".join(sorted({term(str(row["is"])) for row in rows}))
    noise = sum(int(row.get("noise", 0)) for row in rows)
    return [FileLine(name, None, tr("report-rows.not-read"), (0, noise, 0, 0), (), (), told, (), ())]


def _silences(trace: Trace) -> Mapping[int, list[tuple[int, int]]]:
    """When nothing is known of each broker: the gaps before starts that followed no stop."""
    found: dict[int, list[tuple[int, int]]] = {}
    for seq in np.flatnonzero(trace.columns["kind"] == NUMBER["evidence_gap"]).tolist():
        event = trace.event(seq)
        length = event.get("aux")
        broker = event.get("broker")
        if length is not None and broker is not None:
            found.setdefault(broker, []).append((event.at, event.at + length))
    return found


def _missing(report: Mapping[str, Any]) -> tuple[Missing, ...]:
    """What may hide most comes first: lines that speak of replication, then what is not there."""
    examples = [
        Missing(
            tr(_KINDS.get(str(one["fate"]), str(one["fate"]))),
            f"{one['file']}:{one['line']}",
            str(one["text"]),
        )
        for one in sorted(report.get("examples", ()), key=lambda one: str(one["fate"]), reverse=True)
    ]
    gaps = [Missing(tr("report-rows.gap"), "", worded(stored(gap))) for gap in report.get("gaps", ())]
    return (*examples, *gaps)


def _brokers(report: Mapping[str, Any]) -> tuple[BrokerLine, ...]:
    clocks: dict[str, list[str]] = {}
    for row in report.get("clocks", ()):
        clocks.setdefault(str(row["clock"]), []).append(_clock(row))
    made: list[BrokerLine] = []
    for row in report.get("by_broker", ()):
        broker = row.get("broker")
        name = (
            tr("report-rows.not-known-whose") if broker is None else tr("report-rows.broker-3", broker=broker)
        )
        if broker is None and not row.get("zones"):
            # Only files that nobody reads.
            continue
        own = () if broker is None else tuple(clocks.pop(f"broker {broker}", ()))
        zones = tuple(worded(stored(zone)) for zone in row.get("zones", ()))
        made.append(BrokerLine(name, str(row.get("version") or ""), zones, own))
    made += [BrokerLine(_name_of_clock(name), "", (), tuple(rows)) for name, rows in clocks.items()]
    return tuple(made)


def _name_of_clock(name: str) -> str:
    """Whose stamps they are: "broker 1" of its logs, "records 1" of what it wrote into the metadata log."""
    of, _, broker = name.rpartition(" ")
    if of == "records":
        return tr("report-rows.metadata-records-of", broker=broker)
    return tr("report-rows.broker-3", broker=broker)


def _clock(row: Mapping[str, Any]) -> str:
    """One clock in one stretch of time: what must be added to its stamps."""
    told = _to_be_added(row)
    ends = [str(row[end])[11:19] for end in ("from", "to") if row.get(end)]
    if not ends:
        return worded(told)
    if len(ends) == 1:
        return tr("report-rows.clock.at", clock=told, time=ends[0])
    return tr("report-rows.clock.from-to", clock=told, first=ends[0], last=ends[1])


def _to_be_added(row: Mapping[str, Any]) -> Message:
    if row.get("reference"):
        return message("report-rows.clock-the-measure-of-the-others")
    between = to_be_added(row)
    if between is None:
        return message("report-rows.clock-nothing-ties-it-to-the")
    added = int(row["added_ns"])
    told = (
        message("report-rows.duration-was-added", added=duration(added))
        if added
        else message("report-rows.nothing-was")
    )
    return message("report-rows.clock-to-be-added", between=between, told=told)


def _whose(broker: object, evidence: str) -> str:
    return evidence if broker is None else tr("report-rows.broker", broker=str(broker), told=evidence)
