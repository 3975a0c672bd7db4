"""From a follower's leader epoch to the leader that it copies, and whether that one may be ahead of it."""

from core.history.control import Control


def copied_leader(control: Control, epoch: int | None) -> int:
    """The leader whose log a replica copies in an epoch; -1 where there is none or it is not known."""
    number = control.tenure_number(epoch) if epoch is not None else None
    leader = control.tenures[number].leader if number is not None else control.leader.values[-1]
    return -1 if leader is None else leader


def may_be_ahead(control: Control, epoch: int | None, place: int) -> bool:
    """Whether a follower's leader may append in a later epoch than that of which the follower was notified.

    To 2.0 the leader sends such records, since fetches name no epoch (KIP-320).
    """
    later = control.epoch_at[place]
    return (
        epoch is not None
        and later is not None
        and later > epoch
        and copied_leader(control, later) == copied_leader(control, epoch)
    )
