"""What a leader tells its followers of its high watermark, read in both directions."""

from dataclasses import dataclass
from typing import Final

from core.history.narrowed import Bands
from core.history.roles import Roles, Stretch
from core.history.state import Role
from core.history.steps import StepWriter
from core.history.view import View

CLOSE: Final = 50_000_000
"""Ns within which rows of different brokers may stand in the wrong order."""
_ASKING: Final = frozenset({"became_follower", "leader_and_isr_received", "broker_starting", "fetcher_added"})
_RULE: Final = "a follower's high watermark is its leader's, or what it came with"


@dataclass(frozen=True, slots=True)
class _Reign:
    """Places first..last at which a broker leads by its own word, in one life, in epochs that follow."""

    broker: int
    first: int
    last: int
    epochs: frozenset[int]
    stop: int
    """Before this place it surely leads no more after `last`: it is down, or follows."""
    again: bool
    """It may have led one of these epochs in an earlier life."""


def told_by_leaders(bands: Bands) -> None:
    """A follower's high watermark is one that its leader has had, or what it had when it began to follow.

    It changes only with an answer of the leader, to the smaller of the leader's and its own log end, and with
    a cut, downwards (ReplicaFetcherThread.processPartitionData); a leader's never falls while it leads. So a
    follower's is at most the leader's, or what it came with; and where it is above what it came with, the
    leader's is at least that.
    """
    ends = _last_close(bands.view)
    reigns = _reigns(bands)
    for broker, own in bands.roles.items():
        if own.first_word is None:
            continue
        asked = _asked(bands.view, broker)
        for reign in reigns:
            if reign.broker != broker:
                _follow(bands, reign, own, asked, ends)


def _reigns(bands: Bands) -> list[_Reign]:
    found: list[_Reign] = []
    for own in bands.roles.values():
        terms: list[Stretch] = []
        for one in own.stretches:
            if one.role is Role.LEADER:
                terms.append(one)
            elif terms:
                found.append(_reign(own, terms))
                terms = []
        if terms:
            found.append(_reign(own, terms))
    return found


def _reign(own: Roles, terms: list[Stretch]) -> _Reign:
    """One that is started again may lead the same epoch once more, unseen where its words are missing."""
    epochs = frozenset(one.epoch for one in terms if one.epoch is not None)
    end = terms[-1].end
    idle = (Role.OFFLINE, Role.FOLLOWER)
    stop = next(
        (one.first for one in own.stretches if one.first >= end and one.role not in idle), len(own.role_at)
    )
    before = [one for one in own.stretches if one.first < terms[0].first]
    again = any(one.role is Role.LEADER and one.epoch in epochs for one in before)
    again = again or (bool(before) and before[-1].role is Role.UNKNOWN)
    return _Reign(own.broker, terms[0].first, end - 1, epochs, stop, again)


def _asked(view: View, broker: int) -> list[int | None]:
    """By place: the leader that a follower fetches from, if it has said so since it was told its role."""
    asked: StepWriter[int | None] = StepWriter(None)
    for row in view.rows.of(_ASKING):
        if row.replica == broker and row.partition in (view.partition, None):
            asked.put(row.number + 1, row.leader if row.kind == "fetcher_added" else None)
    return asked.each(len(view.rows) + 1)


def _last_close(view: View) -> list[int]:
    """By place: the last one whose row may stand in the wrong order with the row of that place."""
    at = view.rows.column("at")
    return [0, *at.searchsorted(at + CLOSE, "right").tolist()]


def _follow(bands: Bands, reign: _Reign, own: Roles, asked: list[int | None], ends: list[int]) -> None:
    """One follower in the epochs of a reign, as long as it follows without a break.

    What it came with is known from its own log, where it was told to follow no earlier than the leader to
    lead. One that followed before may have been told more by an earlier life of the leader.
    """
    came: int | None = None
    follows = (one.first for one in own.stretches if one.role is Role.FOLLOWER and one.epoch in reign.epochs)
    begun = next(follows, None)
    if begun is None or begun > reign.last + 1:
        return
    for place in range(begun, len(own.role_at)):
        told = own.role_at[place] is Role.FOLLOWER and own.epoch_at[place] in reign.epochs
        if not told or asked[place] not in (None, reign.broker):
            came = None
            if place > reign.last:
                return
            continue
        if came is None or (place == reign.first and (reign.again or ends[came] < place)):
            came = place if came is None else ends[place]
        if place >= max(reign.first, came):
            _compare(
                bands, reign, own.broker, came, (place, ends[place], ends[min(place + 1, len(ends) - 1)])
            )


def _compare(bands: Bands, reign: _Reign, broker: int, came: int, now: tuple[int, int, int]) -> None:
    """A follower that came at one place, at another.

    `now` is that, and the last ones whose rows may stand in the wrong order with its row, and the next one.
    """
    hw, head = bands.hw[broker], bands.hw[reign.broker]
    place, close, later = now
    first, fails = hw.upper(2 * came)
    for instant, until in ((2 * place, close), (2 * place + 1, later)):
        if first is None or (until > reign.last and until >= reign.stop):
            continue
        high, can_fail = head.upper(2 * min(until, reign.last) + 1)
        if high is None:
            continue
        hw.below(instant, max(first, high), _RULE, can_fail=fails or can_fail)
    low, known = hw.lo[2 * place], hw.hi[2 * came]
    if low is not None and known is not None and low > known and close <= reign.last:
        head.at_least(2 * close + 1, low, _RULE)
