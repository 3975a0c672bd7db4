"""From rows to the instants at which a follower's high watermark may fall to that of its leader.

A follower with a high watermark of 40 may get 35 in the first answer of a new leader.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.history.control import Control
from core.history.cuts import Cut, is_hw_cut
from core.history.positions import instant_after, instant_at, place_after
from core.history.roles import Roles
from core.history.state import Role
from core.history.track import Track
from core.history.view import Row, View
from core.trace.ids import Instant, Place
from core.trace.vocabulary import CutReason

_ADDED: Final = frozenset({"fetcher_added"})
_NOTIFIED: Final = frozenset({"became_follower", "leader_and_isr_received"})
_STARTS: Final = frozenset({"broker_starting"})
_REMOVED: Final = frozenset({"fetcher_removed"})
_CUTS: Final = frozenset({"truncation_decided", "truncated"})
_BY_FETCHERS: Final = _ADDED | _STARTS | _REMOVED | _CUTS
_BY_ROLES: Final = _NOTIFIED | _STARTS | _REMOVED | _CUTS


@dataclass(frozen=True, slots=True)
class Fall:
    """An instant from which a follower's high watermark may fall, to no less than the leader's own.

    `leads_at` is an instant at which the leader's high watermark is that bound; None where it is not known.
    """

    instant: Instant
    leader: int | None
    leads_at: Instant | None


def put_falls(
    view: View,
    own: Roles,
    control: Control,
    roles: Mapping[int, Roles],
    cuts: Sequence[Cut],
    track: Track,
) -> tuple[Fall, ...]:
    """Start a section of a track at each instant from which a follower's high watermark may fall.

    A follower takes min(leader's high watermark, own log end) from each answer. So its own may fall at the
    first answer of a new leader, and when that leader restarts. A cut to the own high watermark comes before
    the first fetch, from 0.11 on behind the line that adds the fetcher: what it states may fall after it.
    """
    if view.of_quorum:
        # FollowerState.updateHighWatermark refuses one that falls.
        return ()
    falls: list[Fall] = []
    fetchers = any(
        row.partition == view.partition and row.replica == own.broker for row in view.rows.of(_ADDED)
    )
    begins = _ADDED if fetchers else _NOTIFIED
    hw_cuts = {cut.row.number for cut in cuts if is_hw_cut(view, own.broker, cut)}
    leader: int | None = None
    begun = False
    for row in view.rows.of(_BY_FETCHERS if fetchers else _BY_ROLES):
        place = place_after(row.number)
        about = row.partition == view.partition and row.replica == own.broker
        begun = begun and not (about and row.kind in _REMOVED)
        if own.role_at[place] is not Role.FOLLOWER:
            begun = False
            continue
        if about and row.kind in begins:
            number = control.tenure_number(own.epoch_at[place])
            leader = row.leader if row.leader is not None else leader
            leader = control.tenures[number].leader if row.leader is None and number is not None else leader
            begun = True
        elif not (row.kind == "broker_starting" and row.replica == leader) and not (
            about and begun and (row.number in hw_cuts or _cuts_to_watermark(row))
        ):
            continue
        instant = instant_after(place)
        track.start_section(instant)
        track.may_fall_from.add(instant)
        other = None if leader is None else roles.get(leader)
        falls.append(Fall(instant, leader, None if other is None else _leading_instant(other, own, place)))
    return tuple(falls)


def _cuts_to_watermark(row: Row) -> bool:
    """Whether a row states the high watermark as the offset to which a follower is to cut."""
    return row.kind == "truncation_decided" and row.aux == CutReason.LOCAL_HIGH_WATERMARK


def _leading_instant(leader: Roles, own: Roles, place: Place) -> Instant | None:
    """An instant at which a leader leads in the follower's epoch; None where there is none.

    The last up to `place`, else the first after it; none of a life that is over by then: a start loads the
    high watermark of the last checkpoint.
    """
    epoch = own.epoch_at[place]
    leads = [one for one in leader.spans if one.role is Role.LEADER and one.epoch == epoch]
    begun = max((start for start in leader.starts if start <= place), default=Place(0))
    before = [min(Place(one.end - 1), place) for one in leads if begun < one.end and one.first <= place]
    found = before[-1] if before else next((one.first for one in leads if one.first > place), None)
    return None if found is None else instant_at(found)


def carry_over_falls(hw: Mapping[int, Track], broker: int, falls: tuple[Fall, ...]) -> None:
    """Carry the leader's lower bound over each fall: its high watermark never falls while it leads."""
    for fall in falls:
        if fall.leads_at is None or fall.leader is None:
            continue
        floor = hw[fall.leader].low(fall.leads_at)
        if floor is not None:
            hw[broker].carry[fall.instant] = floor
