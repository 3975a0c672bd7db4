"""Who leads after the leader is gone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.trace.vocabulary import Election


@dataclass(frozen=True, slots=True)
class Choice:
    """The new leader (-1 is none) and in-sync set, and how it was chosen."""

    leader: int
    isr: tuple[int, ...]
    election: Election


NOBODY = -1


def elect(
    replicas: Sequence[int], isr: Sequence[int], live: Collection[int], *, unclean_allowed: bool
) -> Choice:
    """The leader of a partition that has none, as the ZooKeeper controller chooses it.

    The first live member of the ISR in the order of assignment; the ISR becomes its live members. If none
    is alive and unclean elections are allowed, the first live replica, alone in the ISR. Else nobody, and
    the ISR stays, so that one of it may lead when it comes back.
    """
    clean = [replica for replica in replicas if replica in live and replica in isr]
    if clean:
        return Choice(clean[0], tuple(member for member in isr if member in live), Election.CLEAN)
    any_live = [replica for replica in replicas if replica in live]
    if any_live and unclean_allowed:
        return Choice(any_live[0], (any_live[0],), Election.UNCLEAN)
    return Choice(NOBODY, tuple(isr), Election.UNKNOWN)
