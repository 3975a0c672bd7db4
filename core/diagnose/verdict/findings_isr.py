"""From in-sync sets to findings: who left the set, how often, and who was left."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from core.assumptions import ALONE_IN_SYNC_FOR_MORE_THAN, ISR_FLAPPING_LASTS, LEADER_PAUSED_AT_MOST
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.checks import threshold_of
from core.diagnose.verdict.facts import Finding, IsrSpan
from core.diagnose.verdict.made import made, printed_isr, who
from core.diagnose.verdict.min_isr import min_isr
from core.history.view import Row
from core.message import Count, Duration, message
from core.trace.ids import Place
from core.trace.vocabulary import StopReason

Spans = tuple[IsrSpan, ...]
_OUT_OF_RANGE: Final = frozenset({"fetch_failed", "fetch_offset_reset"})


def _row(case: Case, span: IsrSpan) -> Row:
    """The row that states an in-sync set."""
    return case.view.rows[case.place_of(span.evidence[0]) - 1]


class Asked(NamedTuple):
    """A set that evidence states, while one value of min.insync.replicas holds: from `start` to `end`, ns."""

    isr: tuple[int, ...]
    row: Row
    start: int
    end: int | None
    min_isr: int | None


def by_min_isr(case: Case, spans: Spans) -> Iterable[Asked]:
    """Each set that evidence states, cut where min.insync.replicas is set anew."""
    limit = min_isr(case)
    stated = [span for span in spans if span.evidence]
    firsts = [case.place_of(span.evidence[0]) for span in stated]
    # They stand far apart in a long view, which makes the rows around one that is asked for alone.
    rows = case.view.rows.at(np.array(firsts, np.intp) - 1)
    for span, stating, first, last in zip(
        stated, rows, firsts, (*firsts[1:], Place(case.end + 1)), strict=False
    ):
        for since, until, value in limit.spans(first, last):
            row = stating if since == first else case.view.rows[since - 1]
            start = span.start if since == first else row.at
            end = span.end if until == last else case.view.rows[until - 1].at
            yield Asked(span.isr, row, start, end, value)


def last_replicas(case: Case, asked: Sequence[Asked]) -> Iterable[Finding]:
    """One replica alone in the set, longer than the threshold, while min.insync.replicas is not above 1."""
    if len(case.history.replicas) < 2:
        return
    for span in asked:
        if len(span.isr) != 1 or (span.min_isr or 0) > 1:
            continue
        if span.end is None:
            sentence = message("finding.last-replica-standing.to-the-end", who=who(case, *span.isr))
            yield made(case, "last-replica-standing", span.row, span.isr, sentence)
        elif span.end - span.start > ALONE_IN_SYNC_FOR_MORE_THAN.ns:
            time, one = Duration(span.end - span.start), who(case, *span.isr)
            sentence = (
                message("finding.last-replica-standing", who=one, time=time)
                if span.min_isr is not None
                else message("finding.last-replica-standing.min-unknown", who=one, time=time)
            )
            yield made(case, "last-replica-standing", span.row, span.isr, sentence, end=span.end)


def paused_leaders(case: Case, spans: Spans) -> Iterable[Finding]:
    """A leader that ran again after a pause finds every follower late, though they had waited for it."""
    for before, alone, after in zip(spans, spans[1:], spans[2:], strict=False):
        if len(before.isr) < 2 or len(alone.isr) != 1 or alone.end is None or not alone.evidence:
            continue
        leader = alone.isr[0]
        back = tuple(sorted(set(after.isr) & set(before.isr) - {leader}))
        place = case.place_of(alone.evidence[0])
        led = case.control.leader_at[place] == leader == case.control.leader_at[place - 1]
        short = alone.end - alone.start <= LEADER_PAUSED_AT_MOST.ns
        if not led or not back or not short or leader not in after.isr or _taken_out(case, place):
            continue
        if not _refused(case, back, alone) and not _started(case, (leader, *back), before, after):
            yield made(
                case,
                "leader-paused",
                _row(case, alone),
                (leader,),
                message(
                    "finding.leader-paused",
                    who=who(case, leader),
                    others=who(case, *back),
                    time=Duration(alone.end - alone.start),
                ),
                end=alone.end,
                evidence=after.evidence[:1],
            )


def _taken_out(case: Case, place: Place) -> bool:
    """Whether the controller made the set at a place, as in the controlled shutdown of a follower.

    With ZooKeeper it raises the leader epoch, which a leader that shrinks the set keeps. Under KRaft it may
    rise with that, too (KAFKA-15021).
    """
    before, now = case.control.epoch_at[place - 1], case.control.epoch_at[place]
    return not case.view.has_quorum and before is not None and now is not None and now > before


def _started(case: Case, brokers: tuple[int, ...], before: IsrSpan, after: IsrSpan) -> bool:
    """Whether one of these was started again since it was stated to be in the set.

    Then it was late itself, or the leader was, and was put out for that: lines on sets may be missing.
    """
    return any(
        before.start <= case.view.rows[start - 1].at <= after.start
        for broker in brokers
        if broker in case.roles
        for start in case.roles[broker].starts
        if any(death.last < start for death in case.roles[broker].deaths)
    )


def _refused(case: Case, brokers: tuple[int, ...], alone: IsrSpan) -> bool:
    """Whether one of these had been told, shortly before it was put out, that its offset is out of range.

    Then the leader had not paused: it answered, and would not have that follower (KAFKA-15608).
    """
    since = alone.start - LEADER_PAUSED_AT_MOST.ns
    return any(
        row.replica in brokers
        and since <= row.at <= alone.start
        and (row.kind == "fetch_offset_reset" or row.aux == StopReason.OFFSET_OUT_OF_RANGE)
        for row in case.of(_OUT_OF_RANGE)
    )


def flapping(case: Case, spans: Spans) -> Iterable[Finding]:
    """A replica that leaves the set again and again."""
    wanted = threshold_of("isr-flapping")
    for broker in case.history.replicas:
        left = [
            after for before, after in pairwise(spans) if broker in before.isr and broker not in after.isr
        ]
        place = 0
        while place + wanted <= len(left):
            group = [span for span in left[place:] if span.start - left[place].start <= ISR_FLAPPING_LASTS.ns]
            if len(group) >= wanted:
                yield made(
                    case,
                    "isr-flapping",
                    _row(case, group[0]),
                    (broker,),
                    message(
                        "finding.isr-flapping",
                        who=who(case, broker),
                        count=Count(len(group)),
                        time=Duration(group[-1].start - group[0].start),
                    ),
                    end=group[-1].start,
                    evidence=tuple(span.evidence[0] for span in group if span.evidence),
                )
                place += len(group)
            else:
                place += 1


def under_min_isr(case: Case, asked: Sequence[Asked]) -> Iterable[Finding]:
    """An in-sync set too small for acks=all while the setting, where it is known, asks for more."""
    for span in asked:
        if span.min_isr is not None and 0 < len(span.isr) < span.min_isr <= len(case.history.replicas):
            yield made(
                case,
                "under-min-isr",
                span.row,
                span.isr,
                message("finding.under-min-isr", isr=printed_isr(case, span.isr), wanted=span.min_isr),
                end=span.end,
            )
