"""Messages of simulated runs.

Fetch and answer as arrows between lanes, a parked fetch as a bar until its answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.history.running_bounds import Places
from core.history.state import History
from core.picture.axis import Axis
from core.picture.lane import Bins, Lane, LaneBox, events_in, seqs_in
from core.picture.marks import Box, Fill, Line, Mark, Segments
from core.picture.memo import Same, remembered
from core.picture.sheet import Depth, Sheet
from core.trace.broker_names import broker_name
from core.trace.trace import Column, Event
from core.words import in_force, said

_KINDS = (
    "fetch_sent",
    "fetch_received",
    "fetch_parked",
    "fetch_answered",
    "fetch_delivered",
    "fetch_failed",
    "fetch_diverged",
    "epoch_end_asked",
    "epoch_end_answered",
    "epoch_end_failed",
)
_ASKING = ("fetch_sent", "epoch_end_asked")
_SLANT = 11.0
"""Least run of an arrow along x, so that its direction shows where both ends are one moment."""
_CLOSE = 6.0
_BELOW = 7.0
"""Messages leave a lane under its difference rail."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question and what came of it, as Seqs; None where it never happened."""

    follower: int
    leader: int
    sent: int
    received: int | None = None
    parked: int | None = None
    answered: int | None = None
    delivered: int | None = None
    text: str = ""
    answer: str = ""
    """What its answer says, where there is one."""
    asks: bool = False
    """A question for the end of an epoch, not a fetch."""


def exchanges(history: History, axis: Axis) -> tuple[Exchange, ...]:
    """Every fetch and epoch question on the axis.

    An answer belongs to the last open question of its follower. Remembered: they do not depend on where the
    axis has its cursors, and a run beside another one is drawn anew with each other one.
    """
    return _exchanges(Same((history, in_force()), (history, axis)), axis.first, axis.last)


@remembered
def _exchanges(same: Same[tuple[History, Axis]], *_keys: object) -> tuple[Exchange, ...]:
    history, axis = same.value
    done: list[Exchange] = []
    open_: dict[int, Exchange] = {}
    for event in events_in(history, axis, _KINDS):
        follower, leader = event.values.get("replica", -1), event.values.get("leader", -1)
        if event.kind in _ASKING:
            if follower in open_:
                done.append(open_.pop(follower))
            text, answer = _words(history, event)
            asks = event.kind == "epoch_end_asked"
            open_[follower] = Exchange(follower, leader, event.seq, text=text, answer=answer, asks=asks)
        elif follower in open_:
            open_[follower] = _advance(open_[follower], event)
            if event.kind in ("fetch_delivered", "fetch_failed", "epoch_end_failed"):
                done.append(open_.pop(follower))
    done.extend(open_.values())
    return tuple(sorted(done, key=lambda exchange: exchange.sent))


def _advance(exchange: Exchange, event: Event) -> Exchange:
    match event.kind:
        case "fetch_received":
            return replace(exchange, received=event.seq)
        case "fetch_parked":
            return replace(exchange, parked=event.seq)
        case "fetch_answered" | "epoch_end_answered" | "fetch_diverged":
            received = exchange.received if exchange.received is not None else event.seq
            return replace(exchange, received=received, answered=event.seq)
        case "fetch_delivered":
            answered = exchange.answered if exchange.answered is not None else event.seq
            return replace(exchange, answered=answered, delivered=event.seq)
        case _:
            return exchange


def _words(history: History, event: Event) -> tuple[str, str]:
    """What a question says, and its answer."""
    name = broker_name(history.trace, event.values.get("replica", -1))
    other = broker_name(history.trace, event.values.get("leader", -1))
    answer = said("picture.message.answers", one=other, other=name)
    if event.kind == "epoch_end_asked":
        epoch = event.values.get("aux", event.values.get("epoch", "?"))
        return said("picture.message.asks", name=name, other=other, epoch=epoch), answer
    at = event.values.get("offset", "?")
    return said("picture.message.fetches", name=name, at=at, other=other), answer


def messages(history: History, lanes: Sequence[Lane], axis: Axis, sheet: Sheet) -> None:
    """All exchanges between lanes; where they come closer than 6 px, ticks between the lanes instead."""
    by_broker = {lane.broker: lane for lane in lanes}
    drawn_at: dict[tuple[int, int], float] = {}
    crowded: list[tuple[float, Lane]] = []
    for exchange in exchanges(history, axis):
        if exchange.follower not in by_broker or exchange.leader not in by_broker:
            continue
        x = axis.x(exchange.sent + 1)
        pair = (exchange.follower, exchange.leader)
        if (
            x - drawn_at.get(pair, -1e9) < _CLOSE
            and exchange.answered is not None
            and exchange.parked is None
        ):
            crowded.append((x, by_broker[exchange.leader]))
            continue
        drawn_at[pair] = x
        sheet.add(Depth.MESSAGE, *_arrows(exchange, by_broker, axis))
    for lane in {lane.broker: lane for _, lane in crowded}.values():
        ticks = tuple(
            (x, lane.box.bottom + 4, x, lane.box.bottom + 7) for x, owner in crowded if owner is lane
        )
        sheet.add(Depth.MESSAGE, Segments(ticks, "text.2", opacity=0.7))


def message_ticks(lane: Lane, bins: Bins, sheet: Sheet) -> None:
    """A tick under the lane of whoever is asked, in each column in which somebody asks."""
    columns, asked = _asked(Same((lane.history, bins), (lane, bins)))
    ticks = np.bincount(columns[asked == lane.broker], minlength=len(bins.cursors) - 1) > 0
    if ticks.any():
        tops = np.full(len(ticks), lane.box.bottom + 4)
        sheet.add(Depth.MESSAGE, Fill(bins.left, tops, np.where(ticks, tops + 3, tops), "text.2", 0.7))


@remembered
def _asked(same: Same[tuple[Lane, Bins]]) -> tuple[Places, Column]:
    """The column of each question, and who is asked."""
    lane, bins = same.value
    seqs = seqs_in(lane.history, lane.axis, _ASKING)
    return bins.cursors.searchsorted(seqs + 1) - 1, lane.trace.columns["leader"][seqs]


def _arrows(exchange: Exchange, lanes: Mapping[int, Lane], axis: Axis) -> list[Mark]:
    follower, leader = lanes[exchange.follower], lanes[exchange.leader]
    from_y, to_y = _edges(follower.box, leader.box)
    sent = axis.x(exchange.sent + 1)
    ref = follower.event_ref(exchange.sent, exchange.text)
    if exchange.received is None:
        return _lost(
            (sent, from_y), (min(sent + 14, axis.right), from_y + (to_y - from_y) * 0.7), follower, exchange
        )
    received = axis.x(exchange.received + 1)
    if received - sent < _SLANT:
        sent, received = _apart(received, axis, room=_room_before(exchange, axis))
    question = Line(((sent, from_y), (received, to_y)), "text.2", 1.1, arrow=6.0, ref=ref)
    parked = _parked(exchange, (follower, leader), axis, received)
    return [question, *parked, *_answer(exchange, (follower, leader), axis, received)]


def _parked(exchange: Exchange, lanes: tuple[Lane, Lane], axis: Axis, received: float) -> list[Mark]:
    """A bar at the edge of the leader's lane while a question waits there; none where it hardly waits."""
    if exchange.parked is None:
        return []
    follower, leader = lanes
    from_y, to_y = _edges(follower.box, leader.box)
    ends = (
        _silenced(follower, leader, exchange.parked + 1)
        if exchange.answered is None
        else exchange.answered + 1
    )
    begin = max(axis.x(exchange.parked + 1), received)
    width = axis.x(ends) - begin
    if width < 3:
        return []
    words = said("picture.message.parks", who=broker_name(leader.trace, leader.broker))
    ref = leader.event_ref(exchange.parked, words)
    return [
        Box(begin, to_y - 3 if to_y > from_y else to_y - 1, width, 4, fill="text.3", opacity=0.55, ref=ref)
    ]


def _answer(exchange: Exchange, lanes: tuple[Lane, Lane], axis: Axis, received: float) -> list[Mark]:
    """The arrow back to the follower; half of one where it does not arrive, none without an answer."""
    if exchange.answered is None:
        return []
    follower, leader = lanes
    from_y, to_y = _edges(follower.box, leader.box)
    answered = (
        received + 2 if _room_before(exchange, axis) else max(axis.x(exchange.answered + 1), received + 2)
    )
    if exchange.delivered is None and not exchange.asks:
        end = (min(answered + 14, axis.right), to_y + (from_y - to_y) * 0.7)
        return _lost((answered, to_y), end, leader, exchange)
    delivered = answered if exchange.delivered is None else axis.x(exchange.delivered + 1)
    delivered = max(delivered, min(answered + _SLANT, axis.right))
    ref = leader.event_ref(exchange.answered, exchange.answer)
    return [Line(((answered, to_y), (delivered, from_y)), "text.2", 1.1, arrow=6.0, ref=ref)]


def _silenced(follower: Lane, leader: Lane, cursor: int) -> int:
    """The cursor at which a parked fetch can no longer be answered: one of both went."""
    ends = [leader.axis.last]
    for lane in (follower, leader):
        alive = lane.replica.alive
        ends.extend(
            c for c, value in zip(alive.cursors, alive.values, strict=True) if c > cursor and value is False
        )
    return min(ends)


def _room_before(exchange: Exchange, axis: Axis) -> float:
    """How far an arrival moves to the left, so that an answer of the same moment ends at its effect."""
    if exchange.delivered is None or exchange.received is None:
        return 0.0
    wide = axis.x(exchange.delivered + 1) - axis.x(exchange.received + 1)
    return _SLANT + 2 if wide < _SLANT else 0.0


def _apart(received: float, axis: Axis, *, room: float) -> tuple[float, float]:
    """Spread the ends of an arrow that has no length: it arrives before the effect, and leaves earlier."""
    arrival = max(received - room, axis.left + _SLANT)
    return arrival - _SLANT, arrival


def _edges(sender: LaneBox, receiver: LaneBox) -> tuple[float, float]:
    """The heights at which a message leaves one lane and reaches the other."""
    if sender.top < receiver.top:
        return sender.bottom + _BELOW, receiver.band - 1
    return sender.band - 1, receiver.bottom + _BELOW


def _lost(start: tuple[float, float], end: tuple[float, float], lane: Lane, exchange: Exchange) -> list[Mark]:
    """A message that was lost or never answered: dashed, with a small cross at its end."""
    x, y = end
    ref = lane.event_ref(exchange.sent, said("picture.message.lost", message=exchange.text))
    cross = ((x - 3, y - 3, x + 3, y + 3), (x - 3, y + 3, x + 3, y - 3))
    return [
        Line((start, end), "text.2", 1.1, dash=(3.0, 3.0), ref=ref),
        Segments(cross, "text.2", width=1.4),
    ]
