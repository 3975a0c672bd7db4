"""Who was up: a row a broker, dark while it led, light while it followed, hatched while it was down.

Nothing of logs: what was lost is not given away (design of lessons, 4).
"""

from collections.abc import Iterator
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


class Standing(StrEnum):
    """What is shown of a broker."""

    LED = "led"
    FOLLOWED = "followed"
    DOWN = "down"
    UNKNOWN = "unknown"


def standing_of(replica: ReplicaHistory, cursor: int) -> Standing:
    """What is known of a broker at a cursor; one that starts or looks for its leader is up."""
    role, alive = replica.role.at(cursor), replica.alive.at(cursor)
    if role is Role.OFFLINE or alive is False:
        return Standing.DOWN
    if role in WITHOUT_ROLE or alive is None:
        return Standing.UNKNOWN
    return Standing.LED if role is Role.LEADER else Standing.FOLLOWED


def standings(history: History, broker: int) -> Iterator[tuple[int, int, Standing]]:
    """(first, end, what) in ns of one broker, one after the other, neighbours that differ."""
    replica, times = history.replicas[broker], history.trace.columns["at"]
    first, last = history_window(history)
    cursors = sorted({1, *replica.role.cursors, *replica.alive.cursors} - {0})
    for standing, same in groupby(cursors, lambda one: standing_of(replica, one)):
        group = list(same)
        after = cursors.index(group[-1]) + 1
        begin = max(int(times[group[0] - 1]), first)
        end = int(times[cursors[after] - 1]) if after < len(cursors) else last
        if begin < end:
            yield begin, end, standing


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
        for begin, end, standing in standings(history, broker):
            x0, x1 = scale.x(begin), scale.x(end)
            marks.extend(_bar((x0, top, max(x1 - x0, 1.0), tall), standing))
    return Picture(width, height, (Layer("static", tuple(marks)),), ", ".join(told))


def _bar(rect: tuple[float, float, float, float], standing: Standing) -> Iterator[Mark]:
    match standing:
        case Standing.LED:
            yield Box(*rect, fill="text.2")
        case Standing.FOLLOWED:
            yield Box(*rect, fill="bg.sunken", edge="line.edge")
        case Standing.DOWN:
            yield from hatched(rect, Hatch.FALLING, 6.0, (rect[0], rect[1]), "line.strong")
        case Standing.UNKNOWN:
            yield Box(*rect, edge="line.edge", dash=(2.0, 3.0))
