"""Findings about the evidence itself: contradictions, gaps, and warnings of Kafka that mean no harm."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

import numpy as np

from core.diagnose.narrate.explain import broker_names, brokers_text, capital
from core.diagnose.narrate.sayings import Saying, made, seconds
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Finding
from core.history.shown import contradicted
from core.history.view import Row
from core.trace.evidence import evidence_of
from core.trace.ids import NO_INDEX
from core.trace.trace import Trace
from core.trace.vocabulary import NUMBER

_CONTRADICT: Final = Saying(
    "What is known of the {what} of {who} contradicts itself: {lo} or less by one source, {hi} or "
    "more by another.",
    "关于 {who} 的{what_zh}，已知内容自相矛盾：一个来源给出不大于 {lo}，另一个给出不小于 {hi}。",
)
_FELL: Final = Saying(
    "The log of {who} ended at {longest} or above, and later at {shortest} or below; what made it shorter is "
    "in no line that was given.",
    "{who} 的日志末端曾不小于 {longest}，后来不大于 {shortest}；使其变短的原因不在已提供的任何日志行中。",
)
_TAKEN_OVER: Final = Saying(
    'The warning "Non-monotonic update of high watermark" of {who} is a false alarm: the {before} was '
    "the new leader's, taken "
    "over with its first answer just before the cut (KAFKA-14704); its own had been {own}.",
    "{who} 的警告 “Non-monotonic update of high watermark” 是误报：{before} 是新领导者的高水位，"
    "在截断前随首个应答取得"
    "（KAFKA-14704）；它自己的曾为 {own}。",
)
_NO_CONFLICT: Final = Saying(
    'The warning of {who} on "conflicting entries" is a false alarm: nothing had been written in '
    "epoch {older}, so epoch "
    "{newer} begins at the same offset {offset}.",
    "{who} 关于 “conflicting entries” 的警告是误报：纪元 {older} 中没有写入，因此纪元 {newer} "
    "从同一偏移量 {offset} 开始。",
)
_MOVED_BACK: Final = re.compile(
    r"Non-monotonic update of high watermark from \(offset=(?P<before>\d+),? segment=\[-1:-1\]\)"
)
_CONFLICT: Final = re.compile(
    r"New epoch entry EpochEntry\(epoch=(?P<newer>\d+), startOffset=(?P<offset>\d+)\) caused truncation of "
    r"conflicting entries \w+\((?P<gone>.*?)\)\. "
)
_ENTRY: Final = re.compile(r"EpochEntry\(epoch=(\d+), startOffset=(\d+)\)")


_ASSIGNED: Final = frozenset({"epoch_assigned"})
_FOLLOWS: Final = frozenset({"became_follower"})
ALARMS: Final = ("Non-monotonic update of high watermark", "caused truncation of conflicting entries")
"""Parts of the raw lines that a finding reads: who holds a trace without its lines keeps these."""


def contradictions(case: Case) -> Iterable[Finding]:
    """Values of one replica that two sources state and that cannot both be so, once a value."""
    for broker, replica in case.history.replicas.items():
        names = (("log end", "日志末端", replica.leo), ("high watermark", "高水位", replica.hw))
        for what, what_zh, steps in names:
            at = contradicted(steps.values)
            if at is not None:
                row, band = case.view.rows[case.history.rank(steps.cursors[at]) - 1], steps.values[at]
                yield made(
                    case,
                    "sources-disagree",
                    row,
                    (broker,),
                    _CONTRADICT,
                    what=what,
                    what_zh=what_zh,
                    lo=band.lo,
                    hi=band.hi,
                )


def falls_that_nobody_saw(case: Case) -> Iterable[Finding]:
    """Logs that became shorter without a word: a cut, a start or a new disk is missing in what was given.

    Files of one copy that contradict each other are no such thing: of that one others are missing.
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
                _FELL,
                end=end.at,
                evidence=(end.seq,),
                longest=fall.longest,
                shortest=fall.shortest,
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
                _NO_CONFLICT,
                older=", ".join(epoch for epoch, _ in gone),
                newer=conflict["newer"],
                offset=conflict["offset"],
            )


def _taken_over(case: Case, broker: int) -> Iterable[Finding]:
    """A high watermark that moves back to the own one, which the replica said when it began to follow."""
    rows = case.view.rows
    said = rows.stated("hw", broker, case.view.partition)
    for begun in case.of(_FOLLOWS):
        own = begun.hw
        if begun.replica != broker or own is None or begun.disk or begun.at_least:
            continue
        for number, _ in said[bisect_left(said, (begun.number + 1,)) :]:
            row = rows[number]
            if row.disk:
                continue
            # A value loaded from the checkpoint has no segment either: its own last word decides.
            back = _MOVED_BACK.search(_text(case, row)) if row.kind == "hw_moved" else None
            if back is not None and own < int(back["before"]):
                before = int(back["before"])
                yield made(case, "false-alarm", row, (broker,), _TAKEN_OVER, before=before, own=own)
            if not row.at_least:
                break


def _text(case: Case, row: Row) -> str:
    """The raw line behind a row, "" where there is none."""
    evidence = evidence_of(case.history.trace, row.seq)
    return "" if evidence is None else evidence.text


def of_the_evidence(trace: Trace) -> tuple[Finding, ...]:
    """Gaps in brokers' logs, and orders that their clocks contradict: once a trace, of no partition."""
    return (*_gaps(trace), *_clocks(trace))


def _gaps(trace: Trace) -> Iterable[Finding]:
    names = broker_names(trace)
    kinds = trace.columns["kind"]
    ends = [trace.event(seq) for seq in np.flatnonzero(kinds == NUMBER["broker_crashed"]).tolist()]
    crashed = {(event.get("replica"), event.at) for event in ends}
    for seq in np.flatnonzero(kinds == NUMBER["evidence_gap"]).tolist():
        event = trace.event(seq)
        broker, length = event.get("replica"), event.get("aux")
        if broker is None or length is None:
            continue
        who = brokers_text(names, (broker,))
        clean = (broker, event.at) not in crashed
        yield Finding(
            check="evidence-gap",
            severity=CHECK["evidence-gap"].severity,
            partition=None,
            brokers=(broker,),
            start=event.at,
            end=event.at + length,
            seq=seq,
            text=(
                f"{capital(who)} says nothing for {seconds(length)} before it starts again, "
                + (
                    "and the lines of its clean stop are missing."
                    if clean
                    else "and had not been stopped cleanly."
                )
            ),
            evidence=(seq,),
            text_zh=f"{who} 在重新启动前沉默了 {seconds(length)}，"
            + ("缺少其干净停止的日志行。" if clean else "且并非干净停止。"),
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
            text=f"Other evidence contradicts the order of the lines of {file} at line {line}.",
            evidence=(seq,),
            text_zh=f"其他证据与 {file} 第 {line} 行处的先后相矛盾。",
        )
