"""The high watermark: whom it counts, when it moves, what a follower makes of it."""

from collections.abc import Iterable

from core.kafka.switches import HwAfterCut, HwBelowMinIsr, HwCounts, HwSending


def is_counted(
    rule: HwCounts, *, in_maximal_isr: bool, caught_up_at: int, now: int, lag_time: int, eligible: bool
) -> bool:
    """Whether the leader's high watermark waits for a follower. Times in ns.

    The union: in the ISR (from 2.7, KIP-497, in the maximal one), or caught up within
    `replica.lag.time.max.ms`, so that a replica about to join cannot be outrun (0.10.2, KAFKA-4485). From
    3.6 (KAFKA-15021) of the caught-up ones only those that may join: a fenced one would hold it in vain.
    """
    if in_maximal_isr or rule == "isr":
        return in_maximal_isr
    return now - caught_up_at <= lag_time and (eligible or rule == "caught-up-too")


def may_move(rule: HwBelowMinIsr, *, isr_size: int, min_isr: int) -> bool:
    """Whether the leader's high watermark may move at all.

    From 3.7 (KIP-966, KAFKA-15583) not while the ISR, as the leader knows it committed, is smaller than
    `min.insync.replicas`.
    """
    return rule == "moves" or isr_size >= min_isr


def effective_min_isr(rule: HwBelowMinIsr, *, min_isr: int, replicas: int) -> int:
    """How many in-sync replicas `min.insync.replicas` asks for in a partition of so many replicas.

    From 3.7 never more than there are replicas (KAFKA-15583: `Partition.effectiveMinIsr`), for the high
    watermark and for producers with acks=all. Before, a topic with fewer replicas takes no such produce.
    """
    return min(min_isr, replicas) if rule == "stands" else min_isr


def needs_answer(rule: HwSending, *, hw: int, hw_sent: int) -> bool:
    """Whether a follower is answered although there is no record for it, as its high watermark is behind.

    Only in 2.4 and 2.5 (KIP-392, taken back by KAFKA-9731). `hw_sent` is what the answer to its last fetch
    carried if it was given at once; a parked fetch that is answered later does not raise it.
    """
    return rule == "when-behind" and hw > hw_sent


def leader_hw(hw: int, leo: int, counted: Iterable[int | None]) -> int:
    """The leader's high watermark: max(HW, min(own LEO, LEO of every counted follower)). It never moves back.

    None is a counted follower whose log end the leader does not know yet, after its election: the high
    watermark stands still.
    """
    lowest = leo
    for remote in counted:
        if remote is None:
            return hw
        lowest = min(lowest, remote)
    return max(hw, lowest)


def follower_hw(told: int, leo: int) -> int:
    """A follower's high watermark after an answer: what it was told, not above its own log end."""
    return min(told, leo)


def hw_of_new_log(rule: HwAfterCut, hw: int, start: int) -> int:
    """The high watermark of a log that was dropped whole and begins anew at `start`.

    From 2.4 (apache/kafka PR 7055) the log holds it, and keeps it between its start and its end. Before, it
    stays what it was until the next answer.
    """
    return start if rule == "lowered" else hw


def hw_on_loading(rule: HwAfterCut, checkpointed: int, leo: int, log_start: int) -> int:
    """The high watermark after a start: the checkpointed one, not above the recovered log end.

    From 2.4 (apache/kafka PR 7055) the log keeps it, and not below the log start either.
    """
    return max(min(checkpointed, leo), log_start if rule == "lowered" else 0)
