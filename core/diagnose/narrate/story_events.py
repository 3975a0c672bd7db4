"""From a verdict to sentences by time: who led, stopped, was in sync, cut; and what was committed."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from typing import Final, LiteralString

from core.assumptions import END_TOLD_AS_A_MOMENT_WITHIN
from core.diagnose.narrate.story_words import ELECTIONS
from core.diagnose.narrate.values import when
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.commitment import Watermark, acknowledged, watermarks
from core.diagnose.verdict.facts import Finding, IsrSpan, Leadership, Loss, PartitionVerdict, Truncation
from core.diagnose.verdict.made import printed_isr, who
from core.message import Count, Message, Offsets, Value, message
from core.trace.vocabulary import Basis

_HEARD: Final = frozenset({"leader_and_isr_received", "became_leader", "became_follower"})
"""Kinds of rows in which a broker states what it was told."""
_MANY: Final = 24
"""More changes of the in-sync set than that are counted, not listed."""
_LED: Final[Mapping[tuple[bool, bool, bool], LiteralString]] = {
    (False, False, False): "story.led",
    (False, False, True): "story.led.inferred",
    (False, True, False): "story.led.isr",
    (False, True, True): "story.led.isr.inferred",
    (True, False, False): "story.led.start",
    (True, False, True): "story.led.start.inferred",
    (True, True, False): "story.led.start.isr",
    (True, True, True): "story.led.start.isr.inferred",
}
"""By whether the log end is known, the in-sync set, and whether the election was inferred from that."""
_STAYED: Final[Mapping[tuple[bool, bool], LiteralString]] = {
    (False, False): "story.stayed",
    (False, True): "story.stayed.isr",
    (True, False): "story.stayed.start",
    (True, True): "story.stayed.start.isr",
}
"""By whether the log end is known, and the in-sync set."""


def events(case: Case, verdict: PartitionVerdict, window: tuple[int, int] | None) -> list[Message]:
    """One sentence an event, by time; with a window (first, last in ns) only those within it."""
    found = [
        *_tenures(case, verdict),
        *_changes(case, verdict),
        *_ends(case, verdict),
        *_stops(case),
        *((cut.at, cut.seq, _cut(case, cut)) for cut in verdict.truncations),
    ]
    ordered = sorted(found, key=lambda one: one[:2])
    return [sentence for at, _, sentence in ordered if window is None or window[0] <= at <= window[1]]


Dated = tuple[int, int, Message]
"""Time, Seq, sentence."""


def _tenures(case: Case, verdict: PartitionVerdict) -> Iterable[Dated]:
    """The sentence of each tenure."""
    led: int | None = None
    for tenure in verdict.leadership:
        seq = tenure.evidence[0] if tenure.evidence else 0
        if tenure.leader == -1:
            sentence = _leaderless(case, tenure)
        else:
            sentence = _led(case, verdict, tenure, stayed=led == tenure.leader and tenure.epoch is not None)
        led = tenure.leader
        yield tenure.start, seq, sentence


def _leaderless(case: Case, tenure: Leadership) -> Message:
    """The sentence of an epoch without a leader."""
    at, epoch = when(case, tenure.start), _epoch(tenure)
    if tenure.end is None:
        return message("story.leaderless", evidence=tenure.evidence, at=at, epoch=epoch)
    till = when(case, tenure.end)
    return message("story.leaderless.until", evidence=tenure.evidence, at=at, epoch=epoch, till=till)


def _led(case: Case, verdict: PartitionVerdict, tenure: Leadership, *, stayed: bool) -> Message:
    """The sentence of a tenure with a leader, which `stayed` or took over."""
    isr = next((span.isr for span in verdict.isr if set(span.evidence) & set(tenure.evidence)), None)
    values: dict[str, Value] = {
        "at": when(case, tenure.start),
        "who": who(case, tenure.leader),
        "epoch": _epoch(tenure),
    }
    if tenure.start_offset is not None:
        values["start"] = tenure.start_offset
    if isr is not None:
        values["isr"] = printed_isr(case, isr)
    if stayed:
        id_ = _STAYED["start" in values, "isr" in values]
    else:
        values["how"] = ELECTIONS[tenure.election]
        inferred = tenure.basis >= Basis.INFERRED and tenure.election not in ("unknown", "first")
        id_ = _LED["start" in values, "isr" in values, inferred]
    return Message(id_, tuple(values.items()), tenure.evidence)


def _epoch(tenure: Leadership) -> Value:
    """The leader epoch as a value."""
    return message("story.epoch.unknown") if tenure.epoch is None else tenure.epoch


def _changes(case: Case, verdict: PartitionVerdict) -> list[Dated]:
    """The sentences of changes of the in-sync set that did not come with a tenure."""
    of_tenures = {seq for tenure in verdict.leadership for seq in tenure.evidence}
    found: list[Dated] = []
    before: IsrSpan | None = None
    for span in verdict.isr:
        if before is not None and before.isr and span.evidence and not set(span.evidence) & of_tenures:
            told = _heard_at_start(case, before, span) or _change(case, before.isr, span)
            found.append((span.start, span.evidence[0], told))
        before = span
    if len(found) > _MANY:
        at, seq, first = found[0]
        many = message(
            "story.isr.many",
            evidence=first.evidence,
            count=Count(len(found)),
            at=when(case, at),
            till=when(case, found[-1][0]),
        )
        return [(at, seq, many)]
    return found


def _heard_at_start(case: Case, before: IsrSpan, span: IsrSpan) -> Message | None:
    """The sentence of a set that a broker states as it was told when it started; None for any other.

    The set was taken before that, perhaps while the broker was down, and no row tells when: a leader that
    proposed it may have died before it was answered (2.7 and later, KIP-497).
    """
    row = case.view.rows[bisect_left(case.view.seqs, span.evidence[0])]
    if row.kind not in _HEARD or row.replica is None:
        return None
    started = any(
        before.start <= case.view.rows[start - 1].at and start <= row.number
        for start in case.roles[row.replica].starts
    )
    if not started:
        return None
    return message(
        "story.isr.heard",
        evidence=span.evidence,
        at=when(case, span.start),
        isr=printed_isr(case, span.isr),
        who=who(case, row.replica),
    )


def _change(case: Case, before: tuple[int, ...], span: IsrSpan) -> Message:
    """The sentence of one change: what the in-sync set became, who left and who joined."""
    left, joined = sorted(set(before) - set(span.isr)), sorted(set(span.isr) - set(before))
    seqs, at, isr = span.evidence, when(case, span.start), printed_isr(case, span.isr)
    if left and joined:
        gone, came = who(case, *left), who(case, *joined)
        return message("story.isr.left-joined", evidence=seqs, at=at, isr=isr, left=gone, joined=came)
    if left:
        return message("story.isr.left", evidence=seqs, at=at, isr=isr, left=who(case, *left))
    if joined:
        return message("story.isr.joined", evidence=seqs, at=at, isr=isr, joined=who(case, *joined))
    return message("story.isr", evidence=seqs, at=at, isr=isr)


def _ends(case: Case, verdict: PartitionVerdict) -> Iterable[Dated]:
    """The sentences of processes that ended without a clean stop."""
    ends = {one.seq: one for one in verdict.findings if one.check == "unclean-stop"}
    for one in ends.values():
        yield one.start, one.seq, _end(case, one)


def _end(case: Case, found: Finding) -> Message:
    """The sentence of one end."""
    at, broker = when(case, found.start), who(case, *found.brokers)
    if found.end is None or found.end - found.start < END_TOLD_AS_A_MOMENT_WITHIN.ns:
        return message("story.ended", evidence=found.evidence, at=at, who=broker)
    till = when(case, found.end)
    return message("story.ended.between", evidence=found.evidence, at=at, who=broker, till=till)


def _stops(case: Case) -> Iterable[Dated]:
    """The sentences of clean stops, and of starts after the first."""
    rows = case.view.rows
    for broker, own in case.roles.items():
        name = who(case, broker)
        for death in own.deaths:
            row = rows[min(death.noticed, case.end) - 1]
            if death.clean:
                stopped = message("story.stopped", evidence=(row.seq,), at=when(case, row.at), who=name)
                yield row.at, row.seq, stopped
        for start in own.starts:
            row = rows[start - 1]
            if any(death.last < start for death in own.deaths):
                started = message("story.started", evidence=(row.seq,), at=when(case, row.at), who=name)
                yield row.at, row.seq, started


def _cut(case: Case, cut: Truncation) -> Message:
    """The sentence of a cut."""
    at, broker, to, seqs = when(case, cut.at), who(case, cut.broker), cut.to_offset, cut.evidence
    start, least = cut.from_offset, cut.basis is Basis.BOUNDED
    if start is None or cut.records is None:
        return message("story.was-cut", evidence=seqs, at=at, who=broker, to=to)
    if cut.rule == "reset" and start <= to:
        return message("story.was-reset", evidence=seqs, at=at, who=broker, start=start, to=to)
    if not cut.records:
        if least:
            return message("story.was-cut.from-least", evidence=seqs, at=at, who=broker, start=start, to=to)
        return message("story.was-cut.from", evidence=seqs, at=at, who=broker, start=start, to=to)
    count = Count(cut.records)
    if least:
        return message(
            "story.was-cut.records-least", evidence=seqs, at=at, who=broker, start=start, to=to, count=count
        )
    return message("story.was-cut.records", evidence=seqs, at=at, who=broker, start=start, to=to, count=count)


def _alone(case: Case, mark: Watermark) -> bool:
    """Whether the in-sync set of the epoch was the leader alone at some time."""
    control = case.control
    sets = (isr for isr, epoch in zip(control.isr_at, control.epoch_at, strict=True) if epoch == mark.epoch)
    return (mark.broker,) in sets


def committed(case: Case, losses: tuple[Loss, ...] | None) -> Iterable[Message]:
    """By epoch the sentence of its highest known watermark, then those of acknowledgements."""
    wanted = None if losses is None else {loss.epoch for loss in losses}
    best: dict[int, Watermark] = {}
    known: set[tuple[int, int]] = set()
    for mark in sorted(watermarks(case), key=lambda one: one.epoch):
        # A value that a broker brings along from an earlier epoch was not reached in this one.
        brought = (mark.broker, mark.value) in known
        known.add((mark.broker, mark.value))
        if brought:
            continue
        if mark.epoch not in best or best[mark.epoch].value < mark.value:
            best[mark.epoch] = mark
    for epoch in sorted(best):
        if wanted is None or epoch in wanted:
            yield _reached(case, best[epoch])
    for ack in acknowledged(case):
        if wanted is None or ack.epoch in wanted:
            count, what = Count(ack.end - ack.first), Offsets(ack.first, ack.end)
            yield message("story.told", evidence=(ack.seq,), epoch=ack.epoch, count=count, what=what)


def _reached(case: Case, mark: Watermark) -> Message:
    """The sentence of a watermark: how far records of an epoch had been committed."""
    seqs, epoch, hw, broker = (mark.seq,), mark.epoch, mark.value, who(case, mark.broker)
    if mark.derived and _alone(case, mark):
        return message("story.committed.by-rule", evidence=seqs, epoch=epoch, hw=hw, who=broker)
    if case.view.exact:
        return message("story.committed.exact", evidence=seqs, epoch=epoch, hw=hw, who=broker)
    return message("story.committed", evidence=seqs, epoch=epoch, hw=hw, who=broker)
