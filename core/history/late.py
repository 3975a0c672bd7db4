"""Who is told of a new term long after it began, and so does not show until when the one before it stood."""

from typing import Final

from core.assumptions import TERM_REACHES_ALL_WITHIN
from core.history.known import Witnesses
from core.history.proposals import OwnEpochs
from core.history.view import Row, View

_STARTS: Final = frozenset({"broker_starting"})


def witnesses_of_end(view: View, own: OwnEpochs, seen: Witnesses, begun: Row) -> list[bool]:
    """By place, whether somebody would have told of the term that a row tells of first.

    A broker that starts is told what stands, however long it has stood. Where its word is the first, whoever
    was up then and tells of the term later was told late (LeaderAndIsr requests and the metadata log may be
    held up), and the silence of such a broker says nothing.
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
    """The brokers that were up when a row told of its epoch first, and did not tell of it at once."""
    up = (broker for broker in seen.tellers if seen.lives[broker][begun.number + 1])
    heard = {broker: own.hears_at(broker, begun.epoch) for broker in up if broker != begun.broker}
    return frozenset(
        broker
        for broker, number in heard.items()
        if number is None or view.rows[number].at > begun.at + TERM_REACHES_ALL_WITHIN.ns
    )
