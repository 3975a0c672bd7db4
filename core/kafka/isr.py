"""The in-sync replicas: who leaves by time, who joins by offset, when a follower counts as caught up."""

from collections.abc import Sequence
from typing import Final

from core.kafka.switches import IsrEligible, IsrJoin, IsrLastMember, IsrLeave

NEVER: Final = -(2**62)
"""A time before all times: not caught up since this leader began."""


def caught_up_at(
    before: int, *, fetch_offset: int, leader_leo: int, now: int, last_fetch: tuple[int, int]
) -> int:
    """When a follower was last caught up, after a fetch. Times in ns (0.10, KIP-16).

    `last_fetch` is (time, leader's log end) of the fetch before: a follower that now asks for what the
    leader ended with then was caught up then, even if the leader has grown since.
    """
    if fetch_offset >= leader_leo:
        return max(before, now)
    then, leo_then = last_fetch
    return max(before, then) if fetch_offset >= leo_then else before


def must_leave(
    rule: IsrLeave, *, caught_up: int, now: int, lag_time: int, leo: int | None, leader_leo: int
) -> bool:
    """Whether a member was not caught up for longer than `replica.lag.time.max.ms`. Times in ns.

    From 2.1 (KAFKA-7152) one that holds all that the leader holds stays, however long ago it fetched.
    """
    if rule == "time-and-behind" and leo == leader_leo:
        return False
    return now - caught_up > lag_time


def may_join(rule: IsrJoin, *, leo: int, hw: int, epoch_start: int) -> bool:
    """Whether a follower may join: its log end is at the leader's high watermark or above.

    From 2.0.1 (KAFKA-7128) it must also have reached the start of the leader's epoch, as the high watermark
    of a new leader may be stale.
    """
    return leo >= hw and (rule == "high-watermark" or leo >= epoch_start)


def is_eligible(
    rule: IsrEligible, *, fenced: bool, shutting_down: bool, registered_epoch: int, fetched_epoch: int
) -> bool:
    """Whether a follower may be in the in-sync set at all. Leader and controller both ask (KRaft).

    From 3.3 (KIP-841) it must be neither fenced nor in controlled shutdown. From 3.5 (KIP-903) the broker
    epoch of its last fetch must be the one that it is registered with: else that fetch may be from a life
    before its disk was lost. A `fetched_epoch` of -1 is of an older broker, and not looked at.
    """
    if rule == "any":
        return True
    if fenced or shutting_down:
        return False
    return rule == "not-fenced" or fetched_epoch in (-1, registered_epoch)


def keeps_last_member(rule: IsrLastMember, *, unclean_allowed: bool) -> bool:
    """Whether a controller over ZooKeeper leaves the last member in the set when that is gone.

    To 1.0 only where the topic does not allow unclean elections (KafkaController.removeReplicaFromIsr): else
    the set is empty, and whoever is elected then is so uncleanly, the last member, too. From 1.1 always
    (KAFKA-5642, ReplicaStateMachine.doRemoveReplicasFromIsr).
    """
    return rule == "stays" or not unclean_allowed


def maximal(isr: Sequence[int], proposed: Sequence[int] | None) -> tuple[int, ...]:
    """The in-sync set that the high watermark counts while a change is pending (2.7, KIP-497).

    Whoever is in the current or in the proposed set: neither answer of the controller can then be unsafe.
    """
    if proposed is None:
        return tuple(isr)
    return (*isr, *(member for member in proposed if member not in isr))


def check_interval(lag_time: int) -> int:
    """How often a leader looks for members that lag: every half of the lag time."""
    return lag_time // 2
