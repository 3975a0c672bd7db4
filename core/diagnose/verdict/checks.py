"""The one table of findings. Triage, lists, exports and Spark use its ranks and no other."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from core.assumptions import ALONE_IN_SYNC_FOR_MORE_THAN, LEADER_PAUSED_AT_MOST
from core.diagnose.verdict.facts import Severity
from core.message import Message, message
from core.trace.units import MILLISECOND_NS


@dataclass(frozen=True, slots=True)
class Check:
    """A kind of finding. `rank` sorts, 1 is worst.

    `threshold` is what must be passed, in the unit that the sentence names.

    `title` names it in two or three words. `sentence` says what the check looks for, for help and lists; a
    finding has its own. `advice` says what to do or to read next.
    """

    id: str
    severity: Severity
    rank: int
    threshold: int | None
    title: Message
    sentence: Message
    advice: Message


_LOSS, _DANGER, _NOTICE = Severity.LOSS, Severity.DANGER, Severity.NOTICE

_Row: TypeAlias = tuple[str, Severity, int | None, Message, Message, Message]

# Id, severity, threshold, title, sentence, advice.
#
# The order is the rank: proven loss, possible loss, differing logs, a high watermark that moved back, unclean
# election, epoch storm, flapping, harmless cut, with what is near to each of them beside it.
#
# Danger is what may have cost records or kept two logs apart, and what no sound cluster does. All else is a
# notice, so that a healthy cluster raises no alarm. Of those that look worse than that:
# - hw-went-back follows every cut below what consumers saw; where that cost records the ledger has the alarm
# - isr-behind-hw is what to 0.10 every unclean restart of a follower does, as it cuts to its checkpoint
# - zombie-leader, stale-leader and uncommitted-tail concern acks=1 alone, which never survived a change of
#   leader
# - broken-promise is the loss or the divergence seen from the protocol's side, or evidence at odds with
#   itself
# - leaderless, under-min-isr and last-replica-standing cost availability, not records; hanging-transaction
#   hides what is committed
_TABLE: Final[tuple[_Row, ...]] = (
    (
        "committed-loss",
        _LOSS,
        None,
        message("check.committed-loss.title"),
        message("check.committed-loss.looks-for"),
        message("check.committed-loss.advice"),
    ),
    (
        "acknowledged-loss",
        _LOSS,
        None,
        message("check.acknowledged-loss.title"),
        message("check.acknowledged-loss.looks-for"),
        message("check.acknowledged-loss.advice"),
    ),
    (
        "possible-loss",
        _DANGER,
        None,
        message("check.possible-loss.title"),
        message("check.possible-loss.looks-for"),
        message("check.possible-loss.advice"),
    ),
    (
        "divergence",
        _DANGER,
        None,
        message("check.divergence.title"),
        message("check.divergence.looks-for"),
        message("check.divergence.advice"),
    ),
    (
        "hw-went-back",
        _NOTICE,
        None,
        message("check.hw-went-back.title"),
        message("check.hw-went-back.looks-for"),
        message("check.hw-went-back.advice"),
    ),
    (
        "unclean-election",
        _DANGER,
        None,
        message("check.unclean-election.title"),
        message("check.unclean-election.looks-for"),
        message("check.unclean-election.advice"),
    ),
    (
        "isr-empty-disk",
        _DANGER,
        None,
        message("check.isr-empty-disk.title"),
        message("check.isr-empty-disk.looks-for"),
        message("check.isr-empty-disk.advice"),
    ),
    (
        "refused-to-truncate",
        _DANGER,
        None,
        message("check.refused-to-truncate.title"),
        message("check.refused-to-truncate.looks-for"),
        message("check.refused-to-truncate.advice"),
    ),
    (
        "isr-behind-hw",
        _NOTICE,
        None,
        message("check.isr-behind-hw.title"),
        message("check.isr-behind-hw.looks-for"),
        message("check.isr-behind-hw.advice"),
    ),
    (
        "broken-promise",
        _NOTICE,
        None,
        message("check.broken-promise.title"),
        message("check.broken-promise.looks-for"),
        message("check.broken-promise.advice"),
    ),
    (
        "zombie-leader",
        _NOTICE,
        None,
        message("check.zombie-leader.title"),
        message("check.zombie-leader.looks-for"),
        message("check.zombie-leader.advice"),
    ),
    (
        "hanging-transaction",
        _NOTICE,
        None,
        message("check.hanging-transaction.title"),
        message("check.hanging-transaction.looks-for"),
        message("check.hanging-transaction.advice"),
    ),
    (
        "leaderless",
        _NOTICE,
        None,
        message("check.leaderless.title"),
        message("check.leaderless.looks-for"),
        message("check.leaderless.advice"),
    ),
    (
        "epoch-storm",
        _NOTICE,
        10,
        message("check.epoch-storm.title"),
        message("check.epoch-storm.looks-for"),
        message("check.epoch-storm.advice"),
    ),
    (
        "isr-flapping",
        _NOTICE,
        3,
        message("check.isr-flapping.title"),
        message("check.isr-flapping.looks-for"),
        message("check.isr-flapping.advice"),
    ),
    (
        "last-replica-standing",
        _NOTICE,
        ALONE_IN_SYNC_FOR_MORE_THAN.ns // MILLISECOND_NS,
        message("check.last-replica-standing.title"),
        message("check.last-replica-standing.looks-for"),
        message("check.last-replica-standing.advice"),
    ),
    (
        "under-min-isr",
        _NOTICE,
        None,
        message("check.under-min-isr.title"),
        message("check.under-min-isr.looks-for"),
        message("check.under-min-isr.advice"),
    ),
    (
        "leader-paused",
        _NOTICE,
        LEADER_PAUSED_AT_MOST.ns // MILLISECOND_NS,
        message("check.leader-paused.title"),
        message("check.leader-paused.looks-for"),
        message("check.leader-paused.advice"),
    ),
    (
        "follower-stuck",
        _NOTICE,
        5,
        message("check.follower-stuck.title"),
        message("check.follower-stuck.looks-for"),
        message("check.follower-stuck.advice"),
    ),
    (
        "stale-leader",
        _NOTICE,
        3,
        message("check.stale-leader.title"),
        message("check.stale-leader.looks-for"),
        message("check.stale-leader.advice"),
    ),
    (
        "out-of-range-loop",
        _NOTICE,
        3,
        message("check.out-of-range-loop.title"),
        message("check.out-of-range-loop.looks-for"),
        message("check.out-of-range-loop.advice"),
    ),
    (
        "leo-jumped-back",
        _NOTICE,
        None,
        message("check.leo-jumped-back.title"),
        message("check.leo-jumped-back.looks-for"),
        message("check.leo-jumped-back.advice"),
    ),
    (
        "hw-above-leo",
        _NOTICE,
        None,
        message("check.hw-above-leo.title"),
        message("check.hw-above-leo.looks-for"),
        message("check.hw-above-leo.advice"),
    ),
    (
        "hw-checkpoint-stale",
        _NOTICE,
        None,
        message("check.hw-checkpoint-stale.title"),
        message("check.hw-checkpoint-stale.looks-for"),
        message("check.hw-checkpoint-stale.advice"),
    ),
    (
        "unclean-stop",
        _NOTICE,
        None,
        message("check.unclean-stop.title"),
        message("check.unclean-stop.looks-for"),
        message("check.unclean-stop.advice"),
    ),
    (
        "cut-below-hw",
        _NOTICE,
        None,
        message("check.cut-below-hw.title"),
        message("check.cut-below-hw.looks-for"),
        message("check.cut-below-hw.advice"),
    ),
    (
        "uncommitted-tail",
        _NOTICE,
        None,
        message("check.uncommitted-tail.title"),
        message("check.uncommitted-tail.looks-for"),
        message("check.uncommitted-tail.advice"),
    ),
    (
        "sources-disagree",
        _NOTICE,
        None,
        message("check.sources-disagree.title"),
        message("check.sources-disagree.looks-for"),
        message("check.sources-disagree.advice"),
    ),
    (
        "clock-contradiction",
        _NOTICE,
        None,
        message("check.clock-contradiction.title"),
        message("check.clock-contradiction.looks-for"),
        message("check.clock-contradiction.advice"),
    ),
    (
        "evidence-gap",
        _NOTICE,
        None,
        message("check.evidence-gap.title"),
        message("check.evidence-gap.looks-for"),
        message("check.evidence-gap.advice"),
    ),
    (
        "false-alarm",
        _NOTICE,
        None,
        message("check.false-alarm.title"),
        message("check.false-alarm.looks-for"),
        message("check.false-alarm.advice"),
    ),
)

CHECKS: Final[tuple[Check, ...]] = tuple(
    Check(id_, severity, rank, threshold, title, sentence, advice)
    for rank, (id_, severity, threshold, title, sentence, advice) in enumerate(_TABLE, start=1)
)
CHECK: Final[dict[str, Check]] = {check.id: check for check in CHECKS}


_FIRST_OF_GROUPS: Final = tuple(
    max((check.rank for check in CHECKS if check.severity is severity), default=0) + 1
    for severity in (_LOSS, _DANGER)
)
"""The first rank after the last proven loss, and after the last danger."""
NOTHING_FOUND: Final = len(CHECKS) + 1
"""The rank of a partition without findings."""


def worst_first(rank: int, *, internal: bool) -> tuple[int, bool, int]:
    """What findings and partitions are sorted by first; the smallest is the worst.

    By rank; but of proven losses, of all up to the last danger, of notices, and of nothing found, those of
    topics that Kafka itself keeps (`internal`) come after all those of users.
    """
    group = sum(rank >= first for first in (*_FIRST_OF_GROUPS, NOTHING_FOUND))
    return group, internal, rank


def threshold_of(check: str) -> int:
    """The threshold of a check that has one. Raises ValueError for one that has none."""
    value = CHECK[check].threshold
    if value is None:
        raise ValueError(f"the check {check} has no threshold")
    return value
