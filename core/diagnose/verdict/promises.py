"""The promises of replication, asked of any trace: kept, broken, or not to be judged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, LiteralString

import numpy as np

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Divergence, Finding, Loss, LossClass
from core.diagnose.verdict.made import made, who
from core.history.state import Role
from core.kafka.promises import Invariant
from core.message import message
from core.trace.ids import UNSAID


@dataclass(frozen=True, slots=True)
class Judgement:
    """One promise in one partition. `holds` None: the evidence does not reach; `seq` is the first breach."""

    promise: Invariant
    holds: bool | None
    seq: int | None = None
    brokers: tuple[int, ...] = ()
    evidence: tuple[int, ...] = ()


_BROKEN: Final[Mapping[Invariant, LiteralString]] = {
    "committed-record-kept": "finding.broken-promise.committed-record-kept",
    "logs-agree-below-high-watermark": "finding.broken-promise.logs-agree",
    "one-leader-per-epoch": "finding.broken-promise.one-leader",
    "high-watermark-of-leader-rises": "finding.broken-promise.high-watermark-rises",
}


_READ: Final = frozenset({"log_end_on_disk"})
_LED: Final = frozenset({"became_leader"})
_NOT_ITS_OWN_NOW: Final = frozenset({"hw_loaded", "consumed"})
"""A broker is notified of its role before it has loaded what it had before; an answer that a consumer gets
has the high watermark of when it was sent."""


def judge(case: Case, losses: tuple[Loss, ...], unlike: tuple[Divergence, ...]) -> tuple[Judgement, ...]:
    """Each promise once."""
    return (
        _kept(case, losses),
        _agree(case, unlike),
        _one_leader(case),
        _rises(case),
    )


def _all_have_own_lines(case: Case) -> bool:
    """Whether every replica has own lines."""
    return case.view.exact or all(own.first_own_line is not None for own in case.roles.values())


def _kept(case: Case, losses: tuple[Loss, ...]) -> Judgement:
    """Whether every committed record is kept."""
    lost = [loss for loss in losses if loss.loss_class is LossClass.COMMITTED]
    if lost:
        seq, first = min(((_led_without(case, loss), loss) for loss in lost), key=lambda pair: pair[0])
        return Judgement("committed-record-kept", False, seq, first.removed_from, (seq, *first.evidence))
    sure = case.view.exact or (_all_have_own_lines(case) and not losses)
    return Judgement("committed-record-kept", holds=True if sure else None)


def _led_without(case: Case, loss: Loss) -> int:
    """The Seq of the election of the leader without these records; of the loss where it led before.

    So it is where it was elected with them, and came back without.
    """
    number = None if loss.took_over in (None, loss.epoch) else case.control.tenure_number(loss.took_over)
    if number is None:
        return loss.seq
    tenure = case.control.tenures[number]
    elected = int(case.view.seqs[tenure.place - 1])
    cut = None if loss.cut_seq is None else case.history.trace.event(loss.cut_seq)
    came_back = cut is not None and cut.seq > elected and cut.get("replica") == tenure.leader
    return loss.seq if came_back else elected


def _agree(case: Case, unlike: tuple[Divergence, ...]) -> Judgement:
    """At the end of the trace, where both high watermarks are known to be above the difference."""
    promise: Invariant = "logs-agree-below-high-watermark"
    for one in unlike:
        marks = [case.hw(broker, case.end).lo for broker in one.brokers]
        if all(mark is not None and mark > one.first_offset for mark in marks) and one.evidence:
            return Judgement(promise, False, one.evidence[0], one.brokers, one.evidence)
    read = {row.replica for row in case.of(_READ)}
    sure = case.view.exact or (not unlike and set(case.history.replicas) <= read)
    return Judgement(promise, True if sure else None)


def _one_leader(case: Case) -> Judgement:
    """Whether each leader epoch has one leader."""
    promise: Invariant = "one-leader-per-epoch"
    led: dict[int, tuple[int, int]] = {}
    for row in case.of(_LED):
        if row.replica is None or row.epoch is None:
            continue
        who, seq = led.setdefault(row.epoch, (row.replica, row.seq))
        if who != row.replica:
            return Judgement(promise, False, row.seq, (who, row.replica), (row.seq, seq))
    sure = case.view.exact or (bool(led) and _all_have_own_lines(case))
    return Judgement(promise, True if sure else None)


def _some_fall(case: Case) -> bool:
    """Whether any replica states a lower high watermark than it did before."""
    rows, partition = case.view.rows, case.view.partition
    if not rows.states_any("hw"):
        return False
    stated = (rows.column("hw")[rows.numbers_about(broker, partition)] for broker in case.roles)
    known = (values[values != UNSAID] for values in stated)
    return any(np.count_nonzero(values[1:] < values[:-1]) for values in known)


def _rises(case: Case) -> Judgement:
    """Whether the high watermark of each leader only rises while it leads."""
    promise: Invariant = "high-watermark-of-leader-rises"
    tops: dict[tuple[int, int | None, int], tuple[int, int]] = {}
    """By broker, epoch and life: the highest value that it stated as leader, and where."""
    for row in case.view.rows.stating("hw") if _some_fall(case) else ():
        if row.replica is None or row.hw is None or row.disk or row.at_least or row.at_most:
            continue
        if row.partition != case.view.partition:
            continue
        place, own = row.number + 1, case.roles.get(row.replica)
        if own is None or own.role_at[place] is not Role.LEADER or row.broker != row.replica:
            continue
        if row.kind in _NOT_ITS_OWN_NOW:
            continue
        life = max((start for start in own.starts if start <= place), default=0)
        key = row.replica, own.epoch_at[place], life
        top, seq = tops.get(key, (row.hw, row.seq))
        if row.hw < top:
            return Judgement(promise, False, row.seq, (row.replica,), (row.seq, seq))
        tops[key] = row.hw, row.seq
    # Between two samples a high watermark may fall and rise unseen.
    return Judgement(promise, True if case.view.exact else None)


def broken_promises(case: Case, judged: Iterable[Judgement]) -> Iterable[Finding]:
    """A finding for each promise that does not hold."""
    for one in judged:
        if one.holds is False and one.seq is not None:
            row = case.view.rows[case.place_of(one.seq) - 1]
            sentence = message(_BROKEN[one.promise], who=who(case, *one.brokers))
            yield made(case, "broken-promise", row, one.brokers, sentence, evidence=one.evidence)
