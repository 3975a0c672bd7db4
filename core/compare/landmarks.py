"""Anchors of runs that share no script: what happened to the partition, matched by role and order.

Epoch numbers, offsets and broker ids differ between two clusters that went through the same. So a broker is
known by its place: the first leader first, the others in the order of the assignment.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from core.compare.comparison import Run
from core.compare.stops import Anchor
from core.message import Listing, Message, message
from core.trace.broker_names import broker_value

_ORDINALS: Final = {1: "1st", 2: "2nd", 3: "3rd"}
_LATER: Final = "compare.ordinal.other"
FIRST_TIME: Final = message("compare.ordinal.first")
_TIMES: Final = {
    1: FIRST_TIME,
    2: message("compare.ordinal.second"),
    3: message("compare.ordinal.third"),
}


class Landmark(NamedTuple):
    """Something that happened to a partition. `what` has places instead of ids; `cursor` is just after it."""

    cursor: int
    what: str
    label: Message


def line_up(runs: Sequence[Run], *, by_id: bool) -> tuple[tuple[int, ...], ...]:
    """Per run its brokers so that equal places mean equal parts. `by_id` is for runs of one script."""
    return tuple(tuple(sorted(run.history.replicas)) if by_id else _by_part(run) for run in runs)


def landmark_anchors(runs: Sequence[Run], lines: Sequence[Sequence[int]]) -> tuple[Anchor, ...]:
    """The beginning, the landmarks that all runs have in the same order, and the end."""
    found = [dict(_keyed(run, line)) for run, line in zip(runs, lines, strict=True)]
    common = list(found[0])
    for landmarks in found[1:]:
        both = [key for key in common if key in landmarks]
        common = _rising(both, [landmarks[key][1].cursor for key in both])
    anchors = [Anchor("start", message("compare.start"), None, (0,) * len(runs))]
    for key in common:
        count, landmark = found[0][key]
        cursors = tuple(each[key][1].cursor for each in found)
        anchors.append(Anchor(key, landmark.label, time_of(count), cursors))
    end = tuple(len(run.history.trace) for run in runs)
    anchors.append(Anchor("end", message("compare.end"), None, end))
    return tuple(anchors)


def time_of(count: int) -> Message:
    """For which time: 1st, 2nd."""
    return _TIMES.get(count) or message(_LATER, number=count)


def is_time(detail: Message) -> bool:
    """Whether the detail of a stop says for which time a landmark came."""
    return detail in _TIMES.values() or detail.id == _LATER


def _by_part(run: Run) -> tuple[int, ...]:
    brokers = list(run.history.replicas)
    first = next((leader for leader in run.history.leader.values if leader in brokers), None)
    return tuple(sorted(brokers, key=lambda broker: (broker != first, brokers.index(broker))))


def _keyed(run: Run, line: Sequence[int]) -> Iterator[tuple[str, tuple[int, Landmark]]]:
    """Landmarks in order, each under "what, n-th" with its n."""
    seen: Counter[str] = Counter()
    for landmark in sorted(_landmarks(run, line), key=lambda one: (one.cursor, one.what)):
        seen[landmark.what] += 1
        count = seen[landmark.what]
        yield f"{landmark.what}, {_ORDINALS.get(count, f'{count}th')}", (count, landmark)


def _landmarks(run: Run, line: Sequence[int]) -> Iterator[Landmark]:
    history = run.history
    place = {broker: index for index, broker in enumerate(line)}
    for broker, replica in history.replicas.items():
        up = False
        for cursor, alive in zip(replica.alive.cursors, replica.alive.values, strict=True):
            # A killed process says nothing: from its last word on nobody knows, until it starts again.
            if bool(alive) == up:
                continue
            up = bool(alive)
            who = broker_value(history.trace, broker)
            if up:
                label = message("compare.landmark.starts", who=who)
                yield Landmark(cursor, f"replica {place[broker]} starts", label)
            else:
                label = message("compare.landmark.stops", who=who)
                yield Landmark(cursor, f"replica {place[broker]} stops", label)
    last: int | None = None
    for cursor, leader in zip(history.leader.cursors, history.leader.values, strict=True):
        if leader is not None and leader in place and leader != last:
            yield Landmark(
                cursor,
                f"replica {place[leader]} leads",
                message("compare.landmark.leads", who=broker_value(history.trace, leader)),
            )
        last = last if leader is None else leader
    for cut in run.verdict.truncations:
        if cut.records != 0 and cut.broker in place:
            yield Landmark(
                cut.seq + 1,
                f"replica {place[cut.broker]} cuts",
                message("compare.landmark.cuts", who=broker_value(history.trace, cut.broker)),
            )
    known: frozenset[int] | None = None
    for cursor, isr in zip(history.isr.cursors, history.isr.values, strict=True):
        members = None if isr is None else frozenset(isr)
        if members is not None and known is not None and members != known:
            places = " ".join(str(index) for broker, index in place.items() if broker in members)
            yield Landmark(cursor, f"in sync [{places}]", _isr(members))
        known = known if members is None else members


def _isr(members: frozenset[int]) -> Message:
    return message("compare.landmark.isr", members=Listing(tuple(sorted(members))))


def _rising(keys: Sequence[str], values: Sequence[int]) -> list[str]:
    """The longest part of `keys` whose `values` never fall: the anchors that do not contradict each other."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = [-1] * len(keys)
    for index, value in enumerate(values):
        # Equal values may stand beside each other: one event can be two landmarks.
        at = bisect_right(tails, value)
        before[index] = ends[at - 1] if at else -1
        tails[at : at + 1] = [value]
        ends[at : at + 1] = [index]
    found: list[str] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        found.append(keys[index])
        index = before[index]
    return found[::-1]
