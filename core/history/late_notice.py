"""Brokers that are notified of a tenure late: their logs do not show when the one before it ended."""

from typing import Final

from core.assumptions import TERM_REACHES_ALL_WITHIN
from core.history.isr_proposals import OwnEpochs
from core.history.view import Row, View
from core.history.witnesses import Witnesses

_STARTS: Final = frozenset({"broker_starting"})


def ends_witnessed(view: View, own: OwnEpochs, seen: Witnesses, begun: Row) -> list[bool]:
    """By place, whether some log would show the tenure that a row is the first to state.

    A broker that starts is notified of the current tenure, however old that is. If its line is the first on
    the tenure, a broker that was up then and has its line later was notified late (LeaderAndIsr requests and
    the metadata log may be delayed). That such a broker prints nothing until then proves nothing.
    """
    late = _late(view, own, seen, begun) if _told_as_it_starts(view, own, begun) else frozenset[int]()
    if not late:
        return seen.leader
    others = [seen.lives[broker] for broker in seen.tellers - late]
    return [any(tells) for tells in zip(seen.spine, *others, strict=True)]


def _told_as_it_starts(view: View, own: OwnEpochs, row: Row) -> bool:
    """Whether a row is the first on an epoch in a life of its broker."""
    if row.broker is None or row.disk:
        return False
    starts = [one.number for one in view.rows.of(_STARTS) if one.broker == row.broker]
    before = max((number for number in starts if number < row.number), default=None)
    return before is not None and not own.told_between(row.broker, before, row.number)


def _late(view: View, own: OwnEpochs, seen: Witnesses, begun: Row) -> frozenset[int]:
    """The brokers that were up when a row first stated its epoch, and have no line on that epoch at once."""
    up = (broker for broker in seen.tellers if seen.lives[broker][begun.number + 1])
    heard = {broker: own.hears_at(broker, begun.epoch) for broker in up if broker != begun.broker}
    return frozenset(
        broker
        for broker, number in heard.items()
        if number is None or view.rows[number].at > begun.at + TERM_REACHES_ALL_WITHIN.ns
    )
