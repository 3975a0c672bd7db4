"""Who leads, as a controller over ZooKeeper decides it. KRaft's is in core/kafka/quorum.py."""

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


def elect_named(replicas: Sequence[int], isr: Sequence[int], live: Collection[int], named: int) -> Choice:
    """A broker that is named, if it is alive and in sync; else nobody, and the leader stays.

    It is a preferred election only where the first of the assignment is named.
    """
    if named in live and named in isr:
        return Choice(named, tuple(isr), kind_of_named(replicas, named))
    return Choice(NOBODY, tuple(isr), Election.UNKNOWN)


def kind_of_named(replicas: Sequence[int], named: int) -> Election:
    """What the election of a broker that is alive and in sync is called, where a person names it."""
    return Election.PREFERRED if named == replicas[0] else Election.CLEAN


def elect_for_shutdown(
    replicas: Sequence[int], isr: Sequence[int], live: Collection[int], leaving: Collection[int]
) -> Choice:
    """Who takes over from a leader in controlled shutdown; the ISR loses those that leave.

    Nobody where no other live member of the ISR is there: the broker then keeps leading until it is down.
    """
    others = [one for one in replicas if one in live and one in isr and one not in leaving]
    if not others:
        return Choice(NOBODY, tuple(isr), Election.UNKNOWN)
    return Choice(others[0], tuple(member for member in isr if member not in leaving), Election.CONTROLLED)
