"""From a verdict to its incidents: what shares brokers and a time is one story."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.assumptions import INCIDENT_GOES_ON_WITHIN
from core.diagnose.account.actions import actions
from core.diagnose.account.incident import (
    Apart,
    FinalState,
    Incident,
    LostRange,
    PartitionLoss,
    Return,
    Totals,
    Unavailable,
)
from core.diagnose.account.trust import missing, trust_in
from core.diagnose.verdict.counted import LostPart, each_once, is_compacted, is_internal
from core.diagnose.verdict.facts import (
    Copy,
    Finding,
    Loss,
    PartitionVerdict,
    Severity,
    Truncation,
    Verdict,
)
from core.diagnose.verdict.findings import worst_findings_first
from core.trace.ids import name_order
from core.trace.trace import Trace

_ALARMS: Final = (Severity.LOSS, Severity.DANGER)
_TOLD_OTHERWISE: Final = frozenset({"committed-loss", "acknowledged-loss", "possible-loss", "divergence"})
"""Findings that losses and divergences tell."""


@dataclass(slots=True)
class _Part:
    """What one partition brings to an incident: its brokers, and from when to when."""

    partition: int | None
    start: int
    end: int
    brokers: set[int]
    losses: list[Loss] = field(default_factory=list[Loss])
    apart: list[Apart] = field(default_factory=list[Apart])
    findings: list[Finding] = field(default_factory=list[Finding])

    def belongs(self, other: "_Part") -> bool:
        """Whether two are of one incident."""
        near = INCIDENT_GOES_ON_WITHIN.ns
        in_time = self.start <= other.end + near and other.start <= self.end + near
        same = self.partition is not None and self.partition == other.partition
        return in_time and (same or bool(self.brokers & other.brokers))

    def take(self, other: "_Part") -> None:
        """All of another becomes part of this one."""
        self.start, self.end = min(self.start, other.start), max(self.end, other.end)
        self.brokers |= other.brokers
        self.losses += other.losses
        self.apart += other.apart
        self.findings += other.findings


def find_incidents(trace: Trace, verdict: Verdict) -> tuple[Incident, ...]:
    """The incidents of a trace: losses before what may be one, users' topics first, then by size and time."""
    of = {one.partition: one for one in verdict.partitions}
    groups: list[list[_Part]] = []
    for part in _parts(trace, verdict):
        mine = [group for group in groups if any(part.belongs(one) for one in group)]
        groups = [group for group in groups if group not in mine]
        groups.append([part, *(one for group in mine for one in group)])
    found = [_incident(trace, of, group) for group in groups]
    return tuple(sorted(found, key=lambda one: _worst_first(trace, one)))


def _worst_first(trace: Trace, one: Incident) -> tuple[object, ...]:
    """The key by which incidents are sorted."""
    totals = one.totals
    internal = all(is_internal(trace, partition) for partition in one.partitions)
    size = totals.lost + totals.compacted_lost, totals.possible + totals.compacted_possible
    return one.severity is not Severity.LOSS, internal, -size[0], -size[1], one.start


def _parts(trace: Trace, verdict: Verdict) -> Iterable[_Part]:
    """What incidents are made of, one for each loss, divergence and alarm."""
    last = int(trace.columns["at"][-1]) if len(trace) else 0
    for one in verdict.partitions:
        for loss in one.losses:
            if loss.severity in _ALARMS:
                start, end = _times(trace, one, loss)
                yield _Part(one.partition, start, end, _brokers(one, loss), losses=[loss])
        for unlike in one.divergences:
            if unlike.moved:
                continue
            evidence = unlike.evidence[:1]
            start = int(trace.columns["at"][evidence[0]]) if evidence else last
            apart = Apart(one.partition, unlike)
            yield _Part(one.partition, min(start, last), last, set(unlike.brokers), apart=[apart])
    for found in verdict.findings:
        if found.severity in _ALARMS and found.check not in _TOLD_OTHERWISE:
            end = found.start if found.end is None else found.end
            yield _Part(found.partition, found.start, end, set(found.brokers), findings=[found])


def _times(trace: Trace, verdict: PartitionVerdict, loss: Loss) -> tuple[int, int]:
    """From the first step of a loss to the last, in ns: cut, election, and when the records were gone.

    A leader that led again in its own epoch had been elected with them.
    """
    steps = [one.at for one in verdict.truncations if one.seq in loss.evidence or one.seq == loss.cut_seq]
    again = _returned(trace, loss)
    led = (one.start for one in verdict.leadership if one.epoch == loss.took_over)
    steps += led if again is None else [again.at]
    steps += [] if loss.at is None else [loss.at]
    return min(steps, default=0), max(steps, default=0)


def _brokers(verdict: PartitionVerdict, loss: Loss) -> set[int]:
    """Who had a part in a loss: who lost the records, and who led without them."""
    led = {one.leader for one in verdict.leadership if one.epoch == loss.took_over and one.leader != -1}
    return {*loss.removed_from, *loss.survives_on, *loss.may_hold} | led


def _incident(trace: Trace, of: dict[int, PartitionVerdict], group: list[_Part]) -> Incident:
    """A group of parts as the value that all surfaces tell."""
    whole = group[0]
    by_partition: dict[int, list[Loss]] = {}
    for part in group:
        if part.partition is not None:
            by_partition.setdefault(part.partition, []).extend(part.losses)
    for part in group[1:]:
        whole.take(part)
    losses = tuple(
        sorted(
            (one for index, lost in by_partition.items() for one in partition_losses(trace, of[index], lost)),
            key=lambda one: _order(trace, one),
        )
    )
    apart = tuple(sorted(whole.apart, key=lambda one: _named(trace, one.partition)))
    findings = worst_findings_first(trace, whole.findings)
    partitions = sorted({one.partition for one in (*losses, *apart, *findings) if one.partition is not None})
    alarms = [one.severity for lost in losses for one in lost.ranges] + [one.severity for one in findings]
    verdicts = [of[index] for index in partitions]
    return Incident(
        severity=Severity.LOSS if Severity.LOSS in alarms else Severity.DANGER,
        start=whole.start,
        end=whole.end,
        totals=_totals(losses),
        losses=losses,
        apart=apart,
        findings=findings,
        unavailable=tuple(_unavailable(verdicts, whole)),
        now=tuple(_final_state(one) for one in verdicts),
        end_of_evidence=int(trace.columns["at"][-1]),
        actions=actions(trace, whole.losses, losses, apart, findings),
        trust=trust_in(trace),
        missing=missing(trace, {broker for one in whole.losses for broker in one.may_hold}),
    )


def _order(trace: Trace, one: PartitionLoss) -> tuple[object, ...]:
    """Users' topics first, then by size and name."""
    internal, name = _named(trace, one.partition)
    return internal, -one.lost, -one.possible, name


def _named(trace: Trace, partition: int) -> tuple[bool, tuple[str, int]]:
    """The key by which partitions are sorted: users' topics first, then by name."""
    return is_internal(trace, partition), name_order(str(trace.partitions[partition].tp))


def partition_losses(
    trace: Trace, verdict: PartitionVerdict, losses: Sequence[Loss]
) -> Iterable[PartitionLoss]:
    """What a partition lost, by cause; each record once, as the strongest of its losses has it."""
    causes = dict.fromkeys(one.cause for one in losses)
    once = each_once(losses)
    for cause in causes:
        mine = [part for part in once if part.loss.cause == cause]
        if not mine:
            continue
        largest = max(mine, key=lambda part: (part.loss.severity is Severity.LOSS, part.records)).loss
        yield PartitionLoss(
            partition=verdict.partition,
            cause=cause,
            compacted=is_compacted(trace, verdict.partition),
            ranges=tuple(map(_range, mine)),
            cut=_cut(verdict, cause, largest),
            election=next((one for one in verdict.leadership if one.epoch == largest.took_over), None),
            returned=_returned(trace, largest),
        )


def _returned(trace: Trace, loss: Loss) -> Return | None:
    """The return of a leader to its own epoch by which records were lost; None for an election."""
    seq = loss.led_again
    return None if seq is None else Return(int(trace.columns["at"][seq]), seq)


def _cut(verdict: PartitionVerdict, cause: str, loss: Loss) -> Truncation | None:
    """The cut that took the records; of a divergence that of committed records by a replica that led."""
    if cause != "divergence":
        return next((cut for cut in verdict.truncations if cut.seq == loss.cut_seq), None)
    led = {term.leader for term in verdict.leadership}
    own = (cut for cut in verdict.truncations if cut.rule == "high-watermark" and cut.broker in led)
    return next((cut for cut in own if cut.below_high_watermark is True), None)


def _range(part: LostPart) -> LostRange:
    """A part of a loss as a range."""
    loss = part.loss
    return LostRange(
        epoch=loss.epoch,
        first_offset=part.first_offset,
        end_offset=part.end_offset,
        loss_class=loss.loss_class,
        severity=loss.severity,
        commit=loss.commit,
        acknowledgement=loss.acknowledgement,
        may_hold=loss.may_hold,
        last_copy=loss.copies[-1] if loss.copies else None,
        left_on=loss.survives_on,
        evidence=loss.evidence,
        copies=tuple(_clipped(part, loss.copies)),
        at_least=part.at_least,
    )


def _clipped(part: LostPart, copies: Iterable[Copy]) -> Iterable[Copy]:
    """What copies of a loss have of one part of it."""
    for one in copies:
        first, end = max(one.first_offset, part.first_offset), min(one.end_offset, part.end_offset)
        if first < end:
            yield replace(one, first_offset=first, end_offset=end)


def _totals(losses: Iterable[PartitionLoss]) -> Totals:
    """The sums; offsets of compacted topics apart."""
    counted = list(losses)
    users = [one for one in counted if not one.compacted]
    compacted = [one for one in counted if one.compacted]
    return Totals(
        lost=sum(one.lost for one in users),
        possible=sum(one.possible for one in users),
        compacted_lost=sum(one.lost for one in compacted),
        compacted_possible=sum(one.possible for one in compacted),
        lost_at_least=any(one.lost_at_least for one in users),
        possible_at_least=any(one.possible_at_least for one in users),
        compacted_lost_at_least=any(one.lost_at_least for one in compacted),
        compacted_possible_at_least=any(one.possible_at_least for one in compacted),
    )


def _unavailable(verdicts: Iterable[PartitionVerdict], whole: _Part) -> Iterable[Unavailable]:
    """The times without a leader that touch the incident's."""
    near = INCIDENT_GOES_ON_WITHIN.ns
    for one in verdicts:
        for term in one.leadership:
            end = whole.end if term.end is None else term.end
            if term.leader == -1 and term.start <= whole.end + near and end >= whole.start - near:
                yield Unavailable(one.partition, term.start, term.end)


def _final_state(verdict: PartitionVerdict) -> FinalState:
    """Who leads a partition at the end, and with which in-sync set, as far as that holds to the end."""
    last = next(iter(verdict.leadership[-1:]), None)
    stated = next((one.isr for one in verdict.isr[-1:]), None)
    members = next((one.isr for one in verdict.isr[-1:] if one.end is None), None)
    if last is None:
        return FinalState(verdict.partition, None, None, members, stated)
    if last.end is not None:
        return FinalState(verdict.partition, None, None, members, stated, last.leader, last.end)
    return FinalState(verdict.partition, last.leader, last.epoch, members, stated)
