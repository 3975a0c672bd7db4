"""From upper bounds to logs that only grow: epoch runs whose last one ends later and later, as columns.

A long partition has a log that grows at each of a million places; its epoch runs differ in one number.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, overload

import numpy as np

from core.history.control import Control
from core.history.copied_leader import copied_leader, may_be_ahead
from core.history.positions import after_places, at_places
from core.history.roles import Roles
from core.history.running_bounds import NO_HIGH, Numbers, Places
from core.history.state import Role, Runs, Steps
from core.history.track import Track
from core.history.view import View
from core.trace.ids import Instant, Place
from core.trace.vocabulary import Basis


@dataclass(frozen=True, slots=True, eq=False)
class EpochRunColumn(Sequence[Runs]):
    """Logs, each one of a few logs with another end; a log is made when it is asked for."""

    logs: Sequence[Runs]
    """The logs that differ in more than their end."""
    which: Sequence[int]
    """By element the index into `logs`."""
    ends: Sequence[int]
    """By element the end offset of its last run."""

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
    """A log whose last run ends at another offset."""
    if not runs or runs[-1].end == end:
        return runs
    return (*runs[:-1], replace(runs[-1], end=end))


class EpochRunWriter:
    """Collects the changes of a log, place by place, and gives them as `Steps`. Places must not go back."""

    def __init__(self) -> None:
        """The log is empty."""
        self._places = [0]
        self._logs: list[Runs] = [()]
        self._which = [0]
        self._ends = [0]
        self.value: Runs = ()

    def put(self, place: int, runs: Runs) -> None:
        """From `place` on the log is `runs`."""
        if runs == self.value:
            return
        self.value = runs
        self._logs.append(runs)
        self._places.append(place)
        self._which.append(len(self._logs) - 1)
        self._ends.append(runs[-1].end if runs else 0)

    def grow(self, places: Places, ends: Numbers) -> None:
        """At each of some places the last run ends at the offset beside it."""
        self._logs.append(self.value)
        self._places += places.tolist()
        self._which += [len(self._logs) - 1] * len(places)
        self._ends += ends.tolist()
        self.value = ended_at(self.value, self._ends[-1])

    def steps(self, view: View) -> Steps[Runs]:
        """The step function over cursors of the whole trace."""
        at = tuple(map(view.cursors.__getitem__, self._places))
        return Steps(at, EpochRunColumn(self._logs, self._which, self._ends))


class TenureEnd(NamedTuple):
    """The place from which a broker leads no more, and the log end that it stated there."""

    place: Place
    log_end: int


@dataclass(frozen=True, slots=True)
class Room:
    """By place: the offset that a log does not pass right after the row, and how far it may grow then."""

    at_most: Numbers
    grows_to: Numbers


def room_of(track: Track) -> Room:
    """The room that the bounds of a track leave."""
    highs, _ = track.uppers(Instant(0), Instant(len(track)))
    later = after_places(highs)
    return Room(at_places(highs), np.where(later == NO_HIGH, at_places(track.columns.lo), later))


def grow_together(
    rooms: Mapping[int, Room],
    roles: Mapping[int, Roles],
    control: Control,
    left: Mapping[tuple[int, int | None], TenureEnd],
    logs: Mapping[int, Runs],
    span: tuple[int, int],
) -> dict[int, Numbers]:
    """By broker its log end by place, from the first place of a span on, as long as all logs only grow.

    In the span no replica changes its role. All columns are equally long: they end before a log would be cut,
    or would get records of another epoch than its last ones.
    """
    first, end = span
    found: dict[int, Numbers] = {}
    length = end - first
    for broker, own in roles.items():
        at_most, grows_to = rooms[broker].at_most[first:end], rooms[broker].grows_to[first:end]
        end_before = logs[broker][-1].end if logs[broker] else 0
        if _grows_in_its_epoch(own, control, left, logs, first):
            ends = np.maximum(np.maximum.accumulate(grows_to), end_before)
        else:
            ends = np.full(end - first, end_before)
        before = np.append(end_before, ends[:-1])
        stops = (at_most < before) | (grows_to > ends)
        length = min(length, int(stops.argmax()) if np.count_nonzero(stops) else length)
        found[broker] = ends
    return {broker: ends[:length] for broker, ends in found.items()}


def _grows_in_its_epoch(
    own: Roles,
    control: Control,
    left: Mapping[tuple[int, int | None], TenureEnd],
    logs: Mapping[int, Runs],
    place: int,
) -> bool:
    """Whether a log grows by records of the epoch of its last run, as far as it and its leader's log grow."""
    runs, epoch = logs[own.broker], own.epoch_at[place]
    if not runs or runs[-1].epoch != epoch or runs[-1].records or runs[-1].basis is not Basis.DERIVED:
        return False
    if own.role_at[place] is Role.LEADER:
        return True
    leader = copied_leader(control, epoch)
    ended = left.get((leader, epoch))
    if may_be_ahead(control, epoch, place) or (ended is not None and ended.place <= place):
        return False
    copied = logs.get(leader, ())
    return not copied or (copied[-1].epoch == epoch and copied[-1].start <= runs[-1].end)
