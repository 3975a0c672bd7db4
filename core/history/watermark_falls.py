"""Where a follower's high watermark may follow its leader's down."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.history.control import Control
from core.history.roles import Roles
from core.history.state import Role
from core.history.track import Track
from core.history.view import View

_ADDED: Final = frozenset({"fetcher_added"})
_TOLD: Final = frozenset({"became_follower", "leader_and_isr_received"})
_STARTED: Final = frozenset({"broker_starting"})


@dataclass(frozen=True, slots=True)
class Fall:
    """An instant from which it may fall.

    `witness` is an instant at which the leader's own value bounds how far; None where that cannot be known.
    """

    instant: int
    leader: int | None
    witness: int | None


def put_falls(
    view: View,
    own: Roles,
    control: Control,
    roles: Mapping[int, Roles],
    track: Track,
) -> tuple[Fall, ...]:
    """A follower takes min(leader's high watermark, own log end) from each answer.

    So its own may fall at the first answer of a leader it has not heard yet, and when that leader restarts.
    """
    falls: list[Fall] = []
    fetchers = any(
        row.partition == view.partition and row.replica == own.broker for row in view.rows.of(_ADDED)
    )
    begins = _ADDED if fetchers else _TOLD
    leader: int | None = None
    for row in view.rows.of(begins | _STARTED):
        place = row.number + 1
        if own.role_at[place] is not Role.FOLLOWER:
            continue
        about = row.partition == view.partition and row.replica == own.broker
        if about and row.kind in begins:
            number = control.tenure_number(own.epoch_at[place])
            leader = row.leader if row.leader is not None else leader
            leader = control.tenures[number].leader if row.leader is None and number is not None else leader
        elif not (row.kind == "broker_starting" and row.replica == leader):
            continue
        instant = 2 * place + 1
        track.start_section(instant)
        track.may_fall_from.add(instant)
        other = roles.get(-1 if leader is None else leader)
        falls.append(Fall(instant, leader, None if other is None else _witness(other, own, place)))
    return tuple(falls)


def _witness(leader: Roles, own: Roles, place: int) -> int | None:
    """An instant at which the leader leads the follower's epoch.

    The last up to `place`, else the first after it.
    """
    epoch = own.epoch_at[place]
    leads = [one for one in leader.spans if one.role is Role.LEADER and one.epoch == epoch]
    before = [min(one.end - 1, place) for one in leads if one.first <= place]
    found = before[-1] if before else next((one.first for one in leads), None)
    return None if found is None else 2 * found


def carry_over_falls(hw: Mapping[int, Track], broker: int, falls: tuple[Fall, ...]) -> None:
    """It falls no deeper than the leader's own high watermark, which never moves back while it leads."""
    for fall in falls:
        if fall.witness is None or fall.leader is None:
            continue
        floor = hw[fall.leader].low(fall.witness)
        if floor is not None:
            hw[broker].carry[fall.instant] = floor
