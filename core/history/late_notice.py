"""From the first row on a tenure to the places at which a log would have shown its beginning.

A broker that was notified late prints nothing until then, so its silence does not show that nothing began.
"""

from typing import Final

from core.assumptions import TERM_REACHES_ALL_WITHIN
from core.history.isr_proposals import NotifiedEpochs
from core.history.view import Row, View
from core.history.witnesses import Witnesses

_STARTS: Final = frozenset({"broker_starting"})


def next_tenure_shown(view: View, notified: NotifiedEpochs, logs: Witnesses, begun: Row) -> list[bool]:
    """By place, whether some log would show the tenure that the row `begun` is the first to state.

    A broker that starts is notified of the current tenure, however old that is. If its line is the first on
    the tenure, a broker that was up then and has its line later was notified late (LeaderAndIsr requests and
    the metadata log may be delayed). That such a broker prints nothing until then proves nothing.
    """
    notified_late = (
        _notified_late(view, notified, logs, begun)
        if _notified_at_start(view, notified, begun)
        else frozenset[int]()
    )
    if not notified_late:
        return logs.shows_leader
    others = [logs.lives[broker] for broker in logs.print_epochs - notified_late]
    return [any(shown) for shown in zip(logs.metadata_log, *others, strict=True)]


def _notified_at_start(view: View, notified: NotifiedEpochs, row: Row) -> bool:
    """Whether a row is the first line on any epoch in a life of its broker."""
    if row.broker is None or row.disk:
        return False
    starts = [one.number for one in view.rows.of(_STARTS) if one.broker == row.broker]
    before = max((number for number in starts if number < row.number), default=None)
    return before is not None and not notified.notified_between(row.broker, before, row.number)


def _notified_late(view: View, notified: NotifiedEpochs, logs: Witnesses, begun: Row) -> frozenset[int]:
    """The brokers that were up at the row `begun`, and have no line on its epoch at once."""
    up = (broker for broker in logs.print_epochs if logs.lives[broker][begun.number + 1])
    first_lines = {
        broker: notified.first_notified_at(broker, begun.epoch) for broker in up if broker != begun.broker
    }
    return frozenset(
        broker
        for broker, number in first_lines.items()
        if number is None or view.rows[number].at > begun.at + TERM_REACHES_ALL_WITHIN.ns
    )
