"""From values, lines and reports to findings about the evidence: contradictions, gaps, harmless warnings."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

import numpy as np

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Finding
from core.diagnose.verdict.made import made, number_value, who
from core.history.state import Band
from core.history.view import Row
from core.history.visible_bands import contradicted
from core.message import Duration, Listing, Message, message
from core.trace.broker_names import broker_value
from core.trace.evidence import evidence_of
from core.trace.ids import NO_INDEX
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER

_MOVED_BACK: Final = re.compile(
    r"Non-monotonic update of high watermark from \(offset=(?P<before>\d+),? segment=\[-1:-1\]\)"
)
_CONFLICT: Final = re.compile(
    r"New epoch entry EpochEntry\(epoch=(?P<newer>\d+), startOffset=(?P<offset>\d+)\) caused truncation of "
    r"conflicting entries \w+\((?P<gone>.*?)\)\. "
)
_ENTRY: Final = re.compile(r"EpochEntry\(epoch=(\d+), startOffset=(\d+)\)")
_NOT_ALLOWED: Final = re.compile(r"truncation is not allowed for (?:partition|topic) (?P<name>[\w.-]+)")
_ASSIGNED: Final = frozenset({"epoch_assigned"})
_FOLLOWS: Final = frozenset({"became_follower"})
ALARMS: Final = (
    "Non-monotonic update of high watermark",
    "caused truncation of conflicting entries",
    "truncation is not allowed",
)
"""Parts of the raw lines that a finding reads: who holds a trace without its lines keeps these."""


def contradictions(case: Case) -> Iterable[Finding]:
    """Values of one replica that two sources state and that cannot both be so, once a value."""
    for broker, replica in case.history.replicas.items():
        for steps in (replica.leo, replica.hw):
            at = contradicted(steps.values)
            if at is not None:
                row, band = case.view.rows[case.history.rank(steps.cursors[at]) - 1], steps.values[at]
                sentence = _contradiction(case, broker, band, log_end=steps is replica.leo)
                yield made(case, "sources-disagree", row, (broker,), sentence)


def _contradiction(case: Case, broker: int, band: Band, *, log_end: bool) -> Message:
    """The finding of a band in which two sources contradict each other."""
    replica, lo, hi = who(case, broker), number_value(band.lo), number_value(band.hi)
    if log_end:
        return message("finding.sources-disagree.log-end", who=replica, lo=lo, hi=hi)
    return message("finding.sources-disagree.high-watermark", who=replica, lo=lo, hi=hi)


def unseen_falls(case: Case) -> Iterable[Finding]:
    """Logs that became shorter, and no row states why: a cut, a start or a new disk is missing.

    Files of one copy that contradict each other are none: other files of that copy are missing.
    """
    rows = case.view.rows
    for fall in case.bands.falls if case.bands is not None else ():
        begun, end = rows[max(fall.first - 1, 0)], rows[min(fall.last, len(rows)) - 1]
        if fall.first < fall.last:
            yield made(
                case,
                "evidence-gap",
                begun,
                (fall.broker,),
                message(
                    "finding.evidence-gap.log-shorter",
                    who=who(case, fall.broker),
                    longest=fall.longest,
                    shortest=fall.shortest,
                ),
                end=end.at,
                evidence=(end.seq,),
            )


def false_alarms(case: Case) -> Iterable[Finding]:
    """Warnings that look like a loss and are none."""
    if case.view.exact:
        return
    for broker in case.roles:
        yield from _taken_over(case, broker)
    for row in case.of(_ASSIGNED):
        conflict = None if row.replica is None or row.disk else _CONFLICT.search(_text(case, row))
        gone = [] if conflict is None else _ENTRY.findall(conflict["gone"])
        if row.replica is None or conflict is None:
            continue
        if gone and all(start == conflict["offset"] for _, start in gone):
            yield made(
                case,
                "false-alarm",
                row,
                (row.replica,),
                message(
                    "finding.false-alarm.no-conflict",
                    who=who(case, row.replica),
                    older=Listing(tuple(int(epoch) for epoch, _ in gone)),
                    newer=int(conflict["newer"]),
                    offset=int(conflict["offset"]),
                ),
            )


def _taken_over(case: Case, broker: int) -> Iterable[Finding]:
    """A high watermark that moves back to the one which the replica stated when it began to follow."""
    rows = case.view.rows
    for begun in case.of(_FOLLOWS):
        own = begun.hw
        if begun.replica != broker or own is None or begun.disk or begun.at_least:
            continue
        stated = rows.stated_values("hw", broker, case.view.partition)
        for number, _ in stated[bisect_left(stated, (begun.number + 1,)) :]:
            row = rows[number]
            if row.disk:
                continue
            # A value loaded from the checkpoint has no segment either: its own last line decides.
            back = _MOVED_BACK.search(_text(case, row)) if row.kind == "hw_moved" else None
            if back is not None and own < int(back["before"]):
                sentence = message(
                    "finding.false-alarm.taken-over",
                    who=who(case, broker),
                    before=int(back["before"]),
                    own=own,
                )
                yield made(case, "false-alarm", row, (broker,), sentence)
            if not row.at_least:
                break


def _text(case: Case, row: Row) -> str:
    """The raw line behind a row, "" where there is none."""
    evidence = evidence_of(case.history.trace, row.seq)
    return "" if evidence is None else evidence.text


def of_the_evidence(trace: Trace) -> tuple[Finding, ...]:
    """What is of no partition of the trace, once a trace.

    Gaps in brokers' logs, orders that their clocks contradict, exits over a log that no other line names.
    """
    return (*_gaps(trace), *_clocks(trace), *_refusals(trace))


def log_not_cut(trace: Trace, seq: int) -> str | None:
    """The partition, to 1.0 the topic, that a broker may not cut, as the line on its exit names it."""
    evidence = evidence_of(trace, seq)
    named = None if evidence is None else _NOT_ALLOWED.search(evidence.text)
    return None if named is None else named["name"]


def _refusals(trace: Trace) -> Iterable[Finding]:
    """Brokers that exited as they may not cut a log, of a topic that no other line names."""
    known = {name for one in trace.partitions for name in (one.tp.topic, str(one.tp))}
    for seq in np.flatnonzero(trace.columns["kind"] == NUMBER["broker_exited"]).tolist():
        event, named = trace.event(seq), log_not_cut(trace, seq)
        broker = event.get("replica")
        if named is None or named in known or broker is None:
            continue
        yield Finding(
            check="refused-to-truncate",
            severity=CHECK["refused-to-truncate"].severity,
            partition=None,
            brokers=(broker,),
            start=event.at,
            end=event.at,
            seq=seq,
            message=message("finding.refused-to-truncate.of", who=broker_value(trace, broker), name=named),
            evidence=(seq,),
        )


def _gaps(trace: Trace) -> Iterable[Finding]:
    """Gaps in brokers' logs."""
    kinds = trace.columns["kind"]
    ends = [trace.event(seq) for seq in np.flatnonzero(kinds == NUMBER["broker_crashed"]).tolist()]
    crashed = {(event.get("replica"), event.at) for event in ends}
    for seq in np.flatnonzero(kinds == NUMBER["evidence_gap"]).tolist():
        event = trace.event(seq)
        broker, length = event.get("replica"), event.get("aux")
        if broker is None or length is None:
            continue
        silent, lasted = broker_value(trace, broker), Duration(length)
        yield Finding(
            check="evidence-gap",
            severity=CHECK["evidence-gap"].severity,
            partition=None,
            brokers=(broker,),
            start=event.at,
            end=event.at + length,
            seq=seq,
            message=message("finding.evidence-gap.unclean", who=silent, time=lasted)
            if (broker, event.at) in crashed
            else message("finding.evidence-gap.clean", who=silent, time=lasted),
            evidence=(seq,),
        )


def _clocks(trace: Trace) -> Iterable[Finding]:
    """Orders of lines that other evidence contradicts, as the importer's report has them."""
    files = {source.path: number for number, source in enumerate(trace.sources)}
    for one in trace.report.get("contradictions", ()):
        file, line = one["file"], one["line"]
        here = (trace.columns["source"] == files.get(file, NO_INDEX)) & (trace.columns["line"] == line)
        if not here.any():
            continue
        seq = int(np.flatnonzero(here)[0])
        at = int(trace.columns["at"][seq])
        yield Finding(
            check="clock-contradiction",
            severity=CHECK["clock-contradiction"].severity,
            partition=None,
            brokers=(),
            start=at,
            end=at,
            seq=seq,
            message=message("finding.clock-contradiction", file=file, line=line),
            evidence=(seq,),
        )
