"""Where a replica cuts its log so that it agrees with the leader, by era."""

from dataclasses import dataclass
from enum import StrEnum

from core.kafka.epochs import UNDEFINED, Entries, EpochEnd, end_of_epoch, latest_epoch
from core.kafka.switches import (
    DivergingBelowStart,
    EpochAnswer,
    LookupBelow,
    OutOfRange,
    SameLeader,
    TruncationRule,
)
from core.trace.vocabulary import CutReason


class Next(StrEnum):
    """What the follower does after the decision."""

    FETCH = "fetch"
    ASK = "ask"
    """It asks the leader for the end of an epoch."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Cut the log to `offset` for `reason`, then do `then`.

    `needed` is False where the log ends there or below.
    """

    offset: int
    reason: CutReason
    needed: bool
    then: Next = Next.FETCH


@dataclass(frozen=True, slots=True)
class Ask:
    """Cut nothing yet: ask the leader where `epoch` ends."""

    epoch: int


@dataclass(frozen=True, slots=True)
class Keep:
    """Cut nothing and fetch from the own log end; the leader will say on the fetch if the logs diverge."""


def to_high_watermark(leo: int, hw: int) -> Cut:
    """The rule to 0.10, and later where no epoch is known: cut to the own high watermark."""
    return Cut(hw, CutReason.LOCAL_HIGH_WATERMARK, needed=hw < leo)


def follows_anew(rule: SameLeader, before: int, now: int) -> bool:
    """Whether a follower of the same leader begins anew when it hears of another leader epoch.

    To 2.0.0 it goes on as it was. In 2.0.1 (KAFKA-7164) it begins anew if it missed an epoch, as the leader
    may have been cut meanwhile. From 2.1 (KIP-320) at every change.
    """
    if rule == "keep":
        return False
    return now > before + 1 if rule == "follow-after-gap" else now != before


def on_following(
    rule: TruncationRule, answer: EpochAnswer, entries: Entries, leo: int, hw: int
) -> Cut | Ask | Keep:
    """What a replica does first when it begins to follow a leader.

    To 0.10 it cuts to its own high watermark. From 0.11 (KIP-101) it asks for the end of its latest epoch;
    with no epoch it asks for -1, and since 2.0 (`epoch-and-offset`, KAFKA-6857, KIP-320) it does not ask
    and cuts to its high watermark. From 2.8 (KIP-595, KAFKA-10554) it fetches at once if it knows an epoch.
    The rule `leader-end` is what readers propose: keep all, and be cut to the leader's log end by a fetch
    beyond it.
    """
    if rule == "leader-end":
        return Keep()
    if rule == "high-watermark":
        return to_high_watermark(leo, hw)
    epoch = latest_epoch(entries)
    if rule == "fetch-divergence":
        return to_high_watermark(leo, hw) if epoch == UNDEFINED else Keep()
    if epoch == UNDEFINED and answer == "epoch-and-offset":
        return to_high_watermark(leo, hw)
    return Ask(epoch)


def on_epoch_answer(
    end: EpochEnd, entries: Entries, leo: int, hw: int, *, answer: EpochAnswer, below: LookupBelow
) -> Cut:
    """Where a follower cuts when it hears the end of the epoch that it asked for.

    An undefined offset: its own high watermark, in all eras. 0.11 (KIP-101): the answer, nothing if that is
    at or above its log end. From 2.0 (KIP-279) it meets the leader's epoch in its own cache; if it does not
    know that epoch it cuts to the end of the largest below it and asks again.
    """
    if end.offset == UNDEFINED:
        return to_high_watermark(leo, hw)
    if answer == "offset" or end.epoch == UNDEFINED:
        return Cut(end.offset, CutReason.LEADER_EPOCH, needed=end.offset < leo)
    own = end_of_epoch(entries, leo, end.epoch, below)
    if own.offset == UNDEFINED:
        target = min(end.offset, leo)
        return Cut(target, CutReason.LEADER_EPOCH, needed=target < leo)
    if own.epoch != end.epoch:
        target = min(own.offset, leo)
        return Cut(target, CutReason.LEADER_EPOCH, needed=target < leo, then=Next.ASK)
    target = min(own.offset, end.offset, leo)
    return Cut(target, CutReason.LEADER_EPOCH, needed=target < leo)


def diverges(end: EpochEnd, last_fetched_epoch: int, fetch_offset: int) -> bool:
    """Whether a fetch at `fetch_offset` after `last_fetched_epoch` does not fit the leader (2.8, KIP-595).

    `end` is the end of that epoch in the leader's log, and must be defined.
    """
    return end.epoch < last_fetched_epoch or end.offset < fetch_offset


def on_diverging_answer(end: EpochEnd, entries: Entries, leo: int, below: LookupBelow) -> Cut:
    """Where a follower cuts when an answer says that the logs diverge (2.8, KIP-595, KAFKA-10554).

    The same computation as for an epoch answer; further rounds are further fetches.
    """
    cut = on_epoch_answer(end, entries, leo, leo, answer="epoch-and-offset", below=below)
    return Cut(cut.offset, CutReason.DIVERGING_EPOCH, cut.needed)


def on_out_of_range(rule: OutOfRange, leader_leo: int, leo: int, *, unclean_allowed: bool) -> Cut | None:
    """Where a follower cuts whose fetch is beyond the leader's log end; None: the broker exits.

    To 2.0.0 the cut needs `unclean.leader.election.enable`, although no election is meant; from 2.0.1
    (KAFKA-7414) it is made in any case. If the leader has grown past the follower meanwhile, nothing is
    cut.
    """
    if leader_leo >= leo:
        return Cut(leo, CutReason.LEADER_END, needed=False)
    if rule == "cut" or unclean_allowed:
        return Cut(leader_leo, CutReason.LEADER_END, needed=True)
    return None


def restart_offset(leader_start: int, leo: int) -> int | None:
    """Where a follower begins anew, with an empty log; None: it goes on at its log end.

    Its fetch was out of range and not above the leader's log end: then the leader's log begins beyond the
    follower's end, or the leader has grown meanwhile.
    """
    return leader_start if leader_start > leo else None


def asks_divergence_first(rule: DivergingBelowStart) -> bool:
    """Whether a leader asks if the logs diverge before it asks if a fetch is below its log start.

    So it was from 2.7.0 to 2.8.0; from 2.8.1 (KAFKA-12996) such a fetch is out of range in any case.
    """
    return rule == "answered"


def gives_up(rule: DivergingBelowStart, *, log_start: int, hw: int) -> bool:
    """Whether a follower gives a partition up after a diverging answer, as its leader begins too far above.

    To 2.8.0 it takes the leader's log start from the answer before it cuts: above the high watermark that
    fails (Log.maybeIncrementLogStartOffset), and the fetcher marks the partition as failed (KAFKA-12996).
    """
    return rule == "answered" and log_start > hw
