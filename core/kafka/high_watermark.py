"""The high watermark: whom it counts, when it moves, what a follower makes of it."""

from collections.abc import Iterable


def is_counted(*, in_maximal_isr: bool, caught_up_at: int, now: int, lag_time: int) -> bool:
    """Whether the leader's high watermark waits for a follower. Times in ns.

    The union: in the ISR (from 2.7, KIP-497, in the maximal one: proposed or current), or caught up within
    `replica.lag.time.max.ms`, so that a replica about to join cannot be outrun.
    """
    return in_maximal_isr or now - caught_up_at <= lag_time


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


def hw_on_loading(checkpointed: int, leo: int) -> int:
    """The high watermark after a start: the checkpointed one, not above the recovered log end."""
    return min(checkpointed, leo)
