"""From the parts of a verdict to its findings: what a person should look at, worst first."""

from collections.abc import Iterable
from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.checks import CHECK, worst_first
from core.diagnose.verdict.consistency import inconsistencies
from core.diagnose.verdict.counted import is_internal
from core.diagnose.verdict.facts import (
    Divergence,
    Finding,
    IsrSpan,
    Leadership,
    Loss,
    LossClass,
    Severity,
    Truncation,
)
from core.diagnose.verdict.findings_elections import of_tenures
from core.diagnose.verdict.findings_evidence import contradictions, false_alarms, unseen_falls
from core.diagnose.verdict.findings_isr import (
    by_min_isr,
    flapping,
    last_replicas,
    paused_leaders,
    under_min_isr,
)
from core.diagnose.verdict.findings_leaders import (
    epoch_storms,
    out_of_range_loops,
    refusals,
    stale_leaders,
    stuck_followers,
    zombies,
)
from core.diagnose.verdict.findings_logs import (
    high_watermarks_that_fell,
    logs_that_came_back_shorter,
    members_behind_the_watermark,
    watermarks_above_the_log,
)
from core.diagnose.verdict.findings_transactions import hanging_transactions
from core.diagnose.verdict.made import RULES, who
from core.diagnose.verdict.nowhere import last_copies_made_anew
from core.diagnose.verdict.promises import broken_promises, judge
from core.diagnose.verdict.takeovers import AGREED
from core.history.roles import Death, Roles
from core.message import Message, Offsets, message
from core.trace.trace import Trace

_GAPS: Final = frozenset({"evidence_gap"})


def _of_loss(case: Case, loss: Loss) -> Finding:
    """The finding of a loss."""
    check = {
        LossClass.COMMITTED: "committed-loss",
        LossClass.ACKNOWLEDGED: "acknowledged-loss",
    }.get(loss.loss_class, "possible-loss" if loss.severity is Severity.DANGER else "uncommitted-tail")
    return Finding(
        check=check,
        severity=loss.severity,
        partition=case.view.partition,
        brokers=tuple(sorted({*loss.removed_from, *loss.survives_on})),
        start=int(case.history.trace.columns["at"][loss.seq]) if loss.at is None else loss.at,
        end=loss.at,
        seq=loss.seq,
        message=loss.message,
        evidence=loss.evidence,
    )


def _of_divergence(case: Case, found: Divergence) -> Finding:
    """The finding of a divergence."""
    at = int(case.history.trace.columns["at"][-1])
    offsets = Offsets(found.first_offset, found.end_offset)
    sentence = message("finding.divergence", who=who(case, *found.brokers), offsets=offsets)
    if found.moved:
        others = who(case, *(one for one in found.brokers if one not in found.moved))
        sentence = message(
            "finding.divergence.moved", who=who(case, *found.moved), others=others, offsets=offsets
        )
    return Finding(
        check="divergence",
        severity=Severity.NOTICE if found.moved else CHECK["divergence"].severity,
        partition=case.view.partition,
        brokers=found.brokers,
        start=at,
        end=at,
        seq=found.evidence[0] if found.evidence else len(case.history.trace) - 1,
        message=sentence,
        evidence=found.evidence,
    )


def _of_cuts(case: Case, cuts: tuple[Truncation, ...], losses: tuple[Loss, ...]) -> Iterable[Finding]:
    """Cuts below a high watermark that lost nothing: the later leaders hold the records."""
    for cut in cuts:
        lost = any(cut.seq in loss.evidence or cut.broker in loss.removed_from for loss in losses)
        if cut.below_high_watermark is not True or lost:
            continue
        yield Finding(
            check="cut-below-hw",
            severity=CHECK["cut-below-hw"].severity,
            partition=case.view.partition,
            brokers=(cut.broker,),
            start=cut.at,
            end=cut.at,
            seq=cut.seq,
            message=_cut_below(case, cut),
            evidence=cut.evidence,
        )


def _cut_below(case: Case, cut: Truncation) -> Message:
    """A cut of committed records, and whether the leader still held them."""
    broker, rule = who(case, cut.broker), message(RULES[cut.rule])
    held = _leader_held(case, cut)
    if cut.from_offset is None:
        to = cut.to_offset
        if held:
            return message("finding.cut-below-hw.to", who=broker, to=to, rule=rule)
        return message("finding.cut-below-hw.to.unsure", who=broker, to=to, rule=rule)
    start, to = cut.from_offset, cut.to_offset
    if held:
        return message("finding.cut-below-hw", who=broker, start=start, to=to, rule=rule)
    return message("finding.cut-below-hw.unsure", who=broker, start=start, to=to, rule=rule)


def _leader_held(case: Case, cut: Truncation) -> bool:
    """Whether the leader of a moment surely had all that a follower cut then.

    A follower that cuts where the leader said that its epoch ended removes what the leader does not have.
    """
    place = case.place_of(cut.seq)
    leader = case.control.leader_at[place]
    if cut.rule in AGREED or leader is None or leader in (-1, cut.broker) or leader not in case.roles:
        return False
    return case.surely_reaches(leader, place, place) >= max(cut.from_offset or 0, cut.to_offset + 1)


def _of_stops(case: Case) -> Iterable[Finding]:
    """The findings of brokers that ended without a clean stop."""
    for broker, own in case.roles.items():
        for death in own.deaths:
            row = case.view.rows[min(death.noticed, case.end) - 1]
            if death.clean:
                continue
            check = CHECK["unclean-stop"]
            start, end = _silence(case, broker, own, death)
            yield Finding(
                check.id,
                check.severity,
                case.view.partition,
                (broker,),
                start,
                end,
                row.seq,
                message("finding.unclean-stop", who=who(case, broker)),
                (row.seq,),
            )


def _silence(case: Case, broker: int, own: Roles, death: Death) -> tuple[int, int]:
    """(start, end) of the time without a broker: from its last line to its next start, in all partitions.

    The last row of one partition may be much older than the last line of the process. A simulation has no
    gaps: its crash is one moment.
    """
    began = max((start for start in own.starts if start <= death.last), default=0)
    ended = min((start for start in own.starts if start > death.last), default=case.end)
    for row in case.view.rows.of(_GAPS):
        if began <= row.number < ended and row.replica == broker and row.aux is not None:
            return row.at, row.at + row.aux
    noticed = case.view.rows[min(death.noticed, case.end) - 1]
    stated = noticed.replica == broker and noticed.kind in ("broker_crashed", "broker_exited")
    last = noticed if stated else case.view.rows[max(death.last, 1) - 1]
    return last.at, noticed.at


def findings(
    case: Case,
    tenures: tuple[Leadership, ...],
    spans: tuple[IsrSpan, ...],
    cuts: tuple[Truncation, ...],
    losses: tuple[Loss, ...],
    unlike: tuple[Divergence, ...],
) -> tuple[Finding, ...]:
    """All findings of a partition, worst first."""
    asked = tuple(by_min_isr(case, spans))
    found = [
        *(_of_loss(case, loss) for loss in losses),
        *(_of_divergence(case, one) for one in unlike),
        *of_tenures(case, tenures),
        *_of_cuts(case, cuts, losses),
        *_of_stops(case),
        *watermarks_above_the_log(case),
        *high_watermarks_that_fell(case),
        *broken_promises(case, judge(case, losses, unlike)),
        *logs_that_came_back_shorter(case, cuts),
        *members_behind_the_watermark(case),
        *last_copies_made_anew(case, losses),
        *last_replicas(case, asked),
        *paused_leaders(case, spans),
        *flapping(case, spans),
        *under_min_isr(case, asked),
        *hanging_transactions(case),
        *zombies(case),
        *stale_leaders(case),
        *epoch_storms(case),
        *stuck_followers(case),
        *out_of_range_loops(case),
        *refusals(case),
        *contradictions(case),
        *unseen_falls(case),
        *inconsistencies(case),
        *false_alarms(case),
    ]
    return worst_findings_first(case.history.trace, found)


def worst_findings_first(trace: Trace, found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in the order of `worst_first`, then time, then place."""
    return tuple(sorted(found, key=lambda one: (_worst(trace, one), one.start, one.seq)))


def _worst(trace: Trace, one: Finding) -> tuple[int, bool, int]:
    """Where a finding comes in the order of all."""
    internal = one.partition is not None and is_internal(trace, one.partition)
    return worst_first(CHECK[one.check].rank, internal=internal)
