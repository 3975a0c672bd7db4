"""Who was up: a row a broker, dark while it led, light while it followed, hatched while it was down.

Nothing of logs: what was lost is not given away (design of lessons, 4).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final

from core.history.state import WITHOUT_ROLE, History, ReplicaHistory, Role
from core.picture.hatch import hatched
from core.picture.marks import Align, Box, Hatch, Layer, Mark, Picture, Text
from core.picture.scale import TimeScale
from core.picture.whole import history_window
from core.trace.broker_names import broker_name, short_name

_NAMES: Final = 22.0
_MARGIN: Final = 6.0
_APART: Final = 8.0


class Activity(StrEnum):
    """What a broker did at a moment, as far as it is known."""

    LED = "led"
    FOLLOWED = "followed"
    DOWN = "down"
    UNKNOWN = "unknown"


def activity_of(replica: ReplicaHistory, cursor: int) -> Activity:
    """What is known of a broker at a cursor; one that starts or looks for its leader is up."""
    role, alive = replica.role.at(cursor), replica.alive.at(cursor)
    if role is Role.OFFLINE or alive is False:
        return Activity.DOWN
    if role in WITHOUT_ROLE or alive is None:
        return Activity.UNKNOWN
    return Activity.LED if role is Role.LEADER else Activity.FOLLOWED


@dataclass(frozen=True, slots=True)
class ActivitySpan:
    """From `first_ns` to `end_ns` a broker did one thing."""

    first_ns: int
    end_ns: int
    activity: Activity


def activities(history: History, broker: int) -> Iterator[ActivitySpan]:
    """What one broker did, one span after the other, neighbours that differ."""
    replica, times = history.replicas[broker], history.trace.columns["at"]
    first, last = history_window(history)
    cursors = sorted({1, *replica.role.cursors, *replica.alive.cursors} - {0})
    for activity, same in groupby(cursors, lambda one: activity_of(replica, one)):
        group = list(same)
        after = cursors.index(group[-1]) + 1
        begin = max(int(times[group[0] - 1]), first)
        end = int(times[cursors[after] - 1]) if after < len(cursors) else last
        if begin < end:
            yield ActivitySpan(begin, end, activity)


def who_was_up(history: History, width: float, height: float) -> Picture:
    """The picture at a size."""
    scale = TimeScale(*history_window(history), _NAMES, width - _MARGIN)
    brokers = list(history.replicas)
    high = (height - _MARGIN) / max(len(brokers), 1)
    marks: list[Mark] = [Box(0, 0, width, height, fill="bg.lane")]
    told: list[str] = []
    for row, broker in enumerate(brokers):
        top, tall = _MARGIN + row * high, high - _APART
        name = short_name(history.trace, broker)
        told.append(broker_name(history.trace, broker))
        marks.append(Text(_NAMES / 2, top + tall / 2 + 4, name, "text.2", 11, mono=True, align=Align.CENTRE))
        for span in activities(history, broker):
            x0, x1 = scale.x(span.first_ns), scale.x(span.end_ns)
            marks.extend(_bar((x0, top, max(x1 - x0, 1.0), tall), span.activity))
    return Picture(width, height, (Layer("static", tuple(marks)),), ", ".join(told))


def _bar(rect: tuple[float, float, float, float], activity: Activity) -> Iterator[Mark]:
    match activity:
        case Activity.LED:
            yield Box(*rect, fill="text.2")
        case Activity.FOLLOWED:
            yield Box(*rect, fill="bg.sunken", edge="line.edge")
        case Activity.DOWN:
            yield from hatched(rect, Hatch.FALLING, 6.0, (rect[0], rect[1]), "line.strong")
        case Activity.UNKNOWN:
            yield Box(*rect, edge="line.edge", dash=(2.0, 3.0))
