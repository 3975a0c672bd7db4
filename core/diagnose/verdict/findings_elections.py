"""From tenures and the controllers' lines to findings: epochs without a leader, leaders out of sync."""

from collections.abc import Iterable, Sequence
from typing import Final

from core.assumptions import ELECTION_TOLD_WITHIN
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Finding, Leadership
from core.diagnose.verdict.made import made, number_value, who
from core.history.view import Row
from core.message import Message, message
from core.trace.vocabulary import Basis, Election

_ELECTED: Final = frozenset({"leader_elected"})


def of_tenures(case: Case, tenures: Sequence[Leadership]) -> Iterable[Finding]:
    """The findings of epochs without a leader, and of unclean elections."""
    for tenure in tenures:
        if tenure.leader == -1:
            sentence = message("finding.leaderless", epoch=number_value(tenure.epoch))
            yield _of_tenure(case, tenure, "leaderless", sentence)
        elif tenure.election == "unclean":
            yield _of_tenure(case, tenure, "unclean-election", _unclean(case, tenure))
    yield from _announced(case, tenures)


def _of_tenure(case: Case, tenure: Leadership, check: str, sentence: Message) -> Finding:
    led = tenure.leader != -1
    return Finding(
        check=check,
        severity=CHECK[check].severity,
        partition=case.view.partition,
        brokers=(tenure.leader,) if led else (),
        start=tenure.start,
        end=tenure.start if led else tenure.end,
        seq=tenure.evidence[0] if tenure.evidence else 0,
        message=sentence,
        evidence=tenure.evidence,
    )


def _unclean(case: Case, tenure: Leadership) -> Message:
    """The sentence on an election of a replica out of sync, as a row states or as the set before shows."""
    leader, epoch = who(case, tenure.leader), number_value(tenure.epoch)
    if tenure.basis >= Basis.INFERRED:
        return message("finding.unclean-election.inferred", who=leader, epoch=epoch)
    return message("finding.unclean-election", who=leader, epoch=epoch)


def _announced(case: Case, tenures: Sequence[Leadership]) -> Iterable[Finding]:
    """Unclean elections that a controller announced, where no tenure shows what became of them.

    To 2.x the controller prints "There's potential data loss" without the epoch, before it writes the choice.
    Said again of the same leader it is the same election.
    """
    told: int | None = None
    for row in case.of(_ELECTED):
        unclean = row.aux == Election.UNCLEAN and row.epoch is None
        if unclean and row.leader is not None and row.leader != told and not _shown(row, tenures):
            sentence = message("finding.unclean-election.announced", who=who(case, row.leader))
            yield made(case, "unclean-election", row, (row.leader,), sentence)
        told = row.leader if unclean else None


def _shown(row: Row, tenures: Sequence[Leadership]) -> bool:
    """Whether a tenure is that of an announced election, and what kind of election it was is known.

    Under KRaft a leader that recovers says so itself (KIP-704), also after an eligible leader replica or the
    last known leader was elected: the controller's own line tells which.
    """
    soonest = row.at - ELECTION_TOLD_WITHIN.ns
    for tenure in tenures:
        if row.seq in tenure.evidence:
            return True
        if tenure.leader != -1 and tenure.start >= soonest:
            return tenure.leader == row.leader and tenure.election != "unknown"
    return False
