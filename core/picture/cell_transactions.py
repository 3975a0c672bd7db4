"""Which offsets of a log are of transactions: open, committed, aborted, or the marker of one (KIP-98)."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from core.history.state import History
from core.picture.lane import seqs_of_kind
from core.trace.trace import EMPTY, Event, Origin


class InTransaction(StrEnum):
    """What an offset is in its transaction."""

    OPEN = "open"
    COMMITTED = "committed"
    ABORTED = "aborted"
    MARKER = "marker"


_MARKERS: Final = ("transaction_committed", "transaction_aborted")
_ENDS: Final = {
    "transaction_committed": InTransaction.COMMITTED,
    "transaction_aborted": InTransaction.ABORTED,
}


def in_transactions(
    history: History, broker: int, cursor: int, spans: Sequence[tuple[int, int]]
) -> Mapping[int, InTransaction]:
    """By first offset of those spans that lie in a transaction of a replica's log, what they are at a cursor.

    Of real logs the segments at the end tell it, for what the log still holds then.
    """
    markers = [event for kind in _MARKERS for event in _events_that_hold(history, kind, broker, cursor)]
    ends: dict[int, list[tuple[int, InTransaction]]] = {}
    for event in sorted(markers, key=lambda one: one.values["offset"]):
        ends.setdefault(event.values["aux"], []).append((event.values["offset"], _ENDS[event.kind]))
    found = {event.values["offset"]: InTransaction.MARKER for event in markers}
    wanted = [first for first, end in spans if end - first == 1]
    for event in _events_that_hold(history, "transaction_written", broker, cursor):
        first, end = event.values["from_offset"], event.values["offset"]
        after = ends.get(event.values["aux"], [])
        place = bisect_left(after, (end, ""))
        state = after[place][1] if place < len(after) else InTransaction.OPEN
        found.update(dict.fromkeys((one for one in wanted if first <= one < end), state))
    return found


def _events_that_hold(history: History, kind: str, broker: int, cursor: int) -> list[Event]:
    """The events of a kind about a replica that hold at a cursor."""
    trace = history.trace
    seqs = seqs_of_kind(history, kind)
    seqs = seqs[trace.columns["replica"][seqs] == broker]
    if trace.origin is not Origin.SIMULATED or not len(seqs):
        return [trace.event(seq) for seq in seqs.tolist()]
    seqs = seqs[: seqs.searchsorted(cursor)]
    events = [trace.event(seq) for seq in seqs.tolist()]
    cuts = [
        (cut, int(trace.columns["offset"][cut]))
        for name in ("truncated", "log_reset")
        for cut in seqs_of_kind(history, name).tolist()
        if cut < cursor and trace.columns["replica"][cut] == broker
    ]
    return [
        event
        for event in events
        if not any(seq > event.seq and to <= _begin(event) and to != EMPTY["offset"] for seq, to in cuts)
    ]


def _begin(event: Event) -> int:
    return event.values["from_offset"] if event.kind == "transaction_written" else event.values["offset"]
