"""Logs while they only grow: runs whose last one ends later and later, as columns of numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from core.history.control import Control
from core.history.copied_leader import copied_leader, may_be_ahead
from core.history.roles import Roles
from core.history.running_bounds import NO_HIGH, Numbers, Places
from core.history.state import Role, Runs, Steps
from core.history.track import Track
from core.history.view import View
from core.trace.vocabulary import Basis


@dataclass(frozen=True, slots=True, eq=False)
class EpochRunColumn(Sequence[Runs]):
    """Logs, each one of a few with another end: made when somebody asks for it."""

    logs: Sequence[Runs]
    which: Sequence[int]
    ends: Sequence[int]

    def __len__(self) -> int:
        """How many there are."""
        return len(self.which)

    @overload
    def __getitem__(self, key: int) -> Runs: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Runs]: ...
    def __getitem__(self, key: int | slice) -> Runs | Sequence[Runs]:
        """One log, or some."""
        if isinstance(key, slice):
            return [self[number] for number in range(*key.indices(len(self)))]
        return ended_at(self.logs[self.which[key]], self.ends[key])


def ended_at(runs: Runs, end: int) -> Runs:
    """A log whose last run ends elsewhere."""
    if not runs or runs[-1].end == end:
        return runs
    return (*runs[:-1], replace(runs[-1], end=end))


class EpochRunWriter:
    """Collects the changes of a log; places must not go back."""

    def __init__(self) -> None:
        """The log is empty."""
        self._places = [0]
        self._logs: list[Runs] = [()]
        self._which = [0]
        self._ends = [0]
        self.value: Runs = ()

    def put(self, place: int, runs: Runs) -> None:
        """From `place` on it holds this."""
        if runs == self.value:
            return
        self.value = runs
        self._logs.append(runs)
        self._places.append(place)
        self._which.append(len(self._logs) - 1)
        self._ends.append(runs[-1].end if runs else 0)

    def grow(self, places: Places, ends: Numbers) -> None:
        """At each of some places its last run ends later."""
        self._logs.append(self.value)
        self._places += places.tolist()
        self._which += [len(self._logs) - 1] * len(places)
        self._ends += ends.tolist()
        self.value = ended_at(self.value, self._ends[-1])

    def steps(self, view: View) -> Steps[Runs]:
        """The step function over cursors of the whole trace."""
        cursors = view.cursors
        at = tuple([cursors[place] for place in self._places])
        return Steps(at, EpochRunColumn(self._logs, self._which, self._ends))


@dataclass(frozen=True, slots=True)
class Room:
    """By place: what a log does not pass right after the row, and how far it may grow until the next one."""

    most: Numbers
    tops: Numbers


def room_of(track: Track) -> Room:
    """The same as the bounds of a track say."""
    highs, _ = track.uppers(0, len(track))
    later = highs[1::2]
    return Room(highs[::2], np.where(later == NO_HIGH, track.columns.lo[::2], later))


def grown(
    rooms: Mapping[int, Room],
    roles: Mapping[int, Roles],
    control: Control,
    now: Mapping[int, Runs],
    span: tuple[int, int],
) -> dict[int, Numbers]:
    """By broker its log's end by place, from the first place of a stretch on, as long as all logs only grow.

    In the stretch nobody changes its role. All are equally long; where a log would be cut, or would get
    records of another epoch than its last ones, they end before.
    """
    first, end = span
    found: dict[int, Numbers] = {}
    length = end - first
    for broker, own in roles.items():
        most, tops = rooms[broker].most[first:end], rooms[broker].tops[first:end]
        begun = now[broker][-1].end if now[broker] else 0
        if _goes_on(own, control, now, first):
            ends = np.maximum(np.maximum.accumulate(tops), begun)
        else:
            ends = np.full(end - first, begun)
        before = np.append(begun, ends[:-1])
        other = (most < before) | (tops > ends)
        length = min(length, int(other.argmax()) if np.count_nonzero(other) else length)
        found[broker] = ends
    return {broker: ends[:length] for broker, ends in found.items()}


def _goes_on(own: Roles, control: Control, now: Mapping[int, Runs], place: int) -> bool:
    """Whether what a log grows by is of the epoch of its last run, however far it and its leader's grow."""
    runs, epoch = now[own.broker], own.epoch_at[place]
    if not runs or runs[-1].epoch != epoch or runs[-1].records or runs[-1].basis is not Basis.DERIVED:
        return False
    if own.role_at[place] is Role.LEADER:
        return True
    if may_be_ahead(control, epoch, place):
        return False
    copied = now.get(copied_leader(control, epoch), ())
    return not copied or (copied[-1].epoch == epoch and copied[-1].start <= runs[-1].end)
