"""From appends, cuts and bounds to what each log holds, by leader epoch (and by record in a simulation).

A log with offsets 0 to 40 of epoch 0 and 40 to 55 of epoch 2 has the runs (0, 0, 40) and (2, 40, 55). The
areas of the picture are drawn from them.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from core.history.control import Control
from core.history.copied_leader import copied_leader, may_be_ahead
from core.history.epoch_entries import EpochEntry, ended_in, epoch_entries
from core.history.growing_logs import EpochRunWriter, Room, TenureEnd, grow_together, room_of
from core.history.positions import at_places_from, instant_at, next_place, place_after
from core.history.roles import Roles
from core.history.running_bounds import NO_HIGH
from core.history.state import EpochRun, Role, Runs, Steps
from core.history.steps import StepWriter
from core.history.track import Track
from core.history.view import Row, View
from core.trace.ids import UNSAID, Instant, Place
from core.trace.vocabulary import Basis

_NEW_LOG: Final = frozenset({"log_created", "log_reset"})
_CHANGING: Final = frozenset(
    {
        *("appended", "tier_joined", "truncated", "log_loaded", "log_reset", "log_deleted", "log_created"),
        "log_start_moved",
    }
)
_ON_DISK: Final = frozenset({"batch_on_disk", "log_end_on_disk"})
_LOCAL_START: Final = frozenset({"local_start_moved"})
_NEXT_ROLES: Final = frozenset({"became_follower", "became_leader"})
_FEW_PLACES: Final = 32
"""Over fewer places logs are taken place by place: together would cost more."""


def cut_runs(runs: Runs, offset: int) -> Runs:
    """The log below an offset."""
    kept: list[EpochRun] = []
    for run in runs:
        if run.start >= offset:
            break
        if run.end <= offset:
            kept.append(run)
        else:
            names = run.records[: offset - run.start]
            kept.append(EpochRun(run.epoch, run.start, offset, run.basis, names, run.latest))
    return tuple(kept)


def slice_runs(runs: Runs, start: int, end: int) -> Runs:
    """The part of a log in [start, end)."""
    found: list[EpochRun] = []
    for run in runs:
        if run.start >= end:
            break
        last = min(run.end, end)
        if last <= start:
            continue
        if run.start >= start and run.end <= end:
            found.append(run)
            continue
        first = max(run.start, start)
        names = run.records[first - run.start : None if run.end <= end else end - run.start]
        found.append(EpochRun(run.epoch, first, last, run.basis, names, run.latest))
    return tuple(found)


def joined_runs(runs: Runs, more: Sequence[EpochRun]) -> Runs:
    """A log with more runs behind it; runs of one epoch that touch become one."""
    whole = list(runs)
    for run in more:
        last = whole[-1] if whole else None
        named = last is not None and (not last.records) == (not run.records)
        alike = last is not None and (last.epoch, last.latest) == (run.epoch, run.latest)
        if last is not None and named and alike and last.end == run.start:
            basis = max(last.basis, run.basis)
            records = last.records + run.records
            whole[-1] = EpochRun(last.epoch, last.start, run.end, basis, records, last.latest)
        elif run.end > run.start:
            whole.append(run)
    return tuple(whole)


def end_of(runs: Runs) -> int:
    """The offset after the last run; 0 for none."""
    return runs[-1].end if runs else 0


def epoch_at(runs: Runs, offset: int) -> int | None:
    """The leader epoch of the record at an offset, or None."""
    for run in runs:
        if run.start <= offset < run.end:
            return run.epoch
    return None


def exact_runs(view: View, broker: int) -> Steps[Runs]:
    """The log of one replica of a simulation, from its appends and cuts, over cursors."""
    writer: StepWriter[Runs] = StepWriter(())
    for row in view.rows.of(_CHANGING):
        if row.partition != view.partition or row.replica != broker:
            continue
        runs = writer.value
        if row.kind in ("appended", "tier_joined") and row.from_offset is not None and row.offset is not None:
            run = EpochRun(row.epoch, row.from_offset, row.offset, row.basis, _record_names(view, row))
            writer.put(place_after(row.number), joined_runs(cut_runs(runs, row.from_offset), (run,)))
        elif row.kind in ("truncated", "log_loaded"):
            end = row.leo if row.leo is not None else row.offset
            if end is not None and end < end_of(runs):
                writer.put(place_after(row.number), cut_runs(runs, end))
        elif row.kind in ("log_reset", "log_deleted", "log_created"):
            writer.put(place_after(row.number), ())
        elif row.kind == "log_start_moved" and row.log_start is not None:
            writer.put(place_after(row.number), slice_runs(runs, row.log_start, end_of(runs)))
    return writer.steps(view)


def _record_names(view: View, row: Row) -> tuple[str, ...]:
    """The names of the records that a row appends; () where it has none."""
    if row.aux is None or row.from_offset is None or row.offset is None:
        return ()
    return view.trace.records[row.aux : row.aux + row.offset - row.from_offset]


def derived_runs(
    view: View,
    roles: Mapping[int, Roles],
    control: Control,
    leo: Mapping[int, Track],
    behind: Mapping[int, set[int]],
) -> dict[int, Steps[Runs]]:
    """The logs of an imported partition by broker, over cursors.

    A leader appends in its own epoch, a follower copies its leader's log. Logs begin where a row states the
    log start, and end at the highest log end that is not excluded. Where segments give the epochs of batches,
    the log at the end of the trace has those. `behind` are the places of each of `places_behind`.
    """
    logs: dict[int, Runs] = dict.fromkeys(roles, ())
    begun = dict.fromkeys(roles, 0)
    writers = {broker: EpochRunWriter() for broker in roles}
    disk, starts, tiered = _runs_on_disk(view), _stated_starts(view), _local_starts(view)
    left = _tenure_ends(view, roles)
    stated = _Statements(
        control,
        _tenure_starts(roles, leo),
        left,
        epoch_entries(view, roles, control),
        frozenset(broker for broker in roles if view.since(broker, 2, 1)),
    )
    changes = {one.first for own in roles.values() for one in own.spans}
    changing = {1, *(place for place, _ in (*disk, *starts))}.union(changes, *behind.values())
    changing.update((1 + np.flatnonzero(np.diff(control.epochs))).tolist())
    rooms = {broker: room_of(track) for broker, track in leo.items()}
    growth = _Growth(rooms, roles, control, left, [*sorted(changing), len(view.rows) + 1])
    leaders_first = list(roles)
    place = Place(1)
    while place <= len(view.rows):
        later = growth.grow_from(logs, writers, place)
        if later > place:
            place = later
            continue
        if place in changes or place == 1:
            leads = [broker for broker, own in roles.items() if own.role_at[place] is Role.LEADER]
            leaders_first = [*leads, *(broker for broker in roles if broker not in leads)]
        for broker in leaders_first:
            room, runs = rooms[broker], logs[broker]
            fits = room.grows_to.item(place) <= end_of(runs) <= room.at_most.item(place)
            if fits and place not in changing:
                continue
            if place in changes and place not in behind[broker] and _enters_epoch(roles[broker], place):
                runs = _enter_epoch(roles[broker], stated, leo[broker], room, logs, place)
            elif not fits and place in behind[broker]:
                runs = _grow_in_unknown_epoch(room, runs, place)
            elif not fits:
                runs = _grow_log(roles[broker], stated, room, logs, place)
            if (place, broker) in disk:
                runs = _with_tier(runs, disk[place, broker], tiered.get(broker, 0))
            begun[broker] = starts.get((place, broker), begun[broker])
            if begun[broker]:
                runs = slice_runs(runs, begun[broker], end_of(runs))
            logs[broker] = runs
            writers[broker].put(place, runs)
        place = next_place(place)
    return {broker: writer.steps(view) for broker, writer in writers.items()}


@dataclass(frozen=True, slots=True)
class _Statements:
    """What the rows of a partition state of tenures, and where its replicas enter them."""

    control: Control
    ends: Mapping[tuple[int, int | None], int]
    """By (leader, epoch): the offset that its log did not pass when it took over."""
    left: Mapping[tuple[int, int | None], TenureEnd]
    """By (leader, epoch): the log end that it stated when it went on to the next epoch."""
    entries: Mapping[int, tuple[EpochEntry, ...]]
    fenced: frozenset[int]
    """The brokers whose fetches name the epoch of which they were notified, in all releases that they ran."""

    def entry(self, broker: int, place: int) -> EpochEntry | None:
        """The entry of a replica that at a place has written nothing in its epoch yet; None for none."""
        mine = self.entries[broker]
        number = bisect_right(mine, place, key=lambda one: one.first)
        return mine[number - 1] if number and place < mine[number - 1].place else None

    def written_from(self, leader: int, epoch: int | None, runs: Runs) -> int | None:
        """The offset from which what comes behind a log was written in an epoch of a leader, or None.

        It was where the leader's log did not reach so far when it took over, or where nothing older can come
        any more: behind a record of the epoch, or in the first one, which is 0.
        """
        end = end_of(runs)
        if epoch is None:
            return None
        if epoch == 0 or (runs and runs[-1].epoch == epoch):
            return end
        begun = self.ends.get((leader, epoch))
        return None if begun is None else max(begun, end)

    def grown_by_leader(
        self, leader: int, epoch: int | None, runs: Runs, end: int
    ) -> tuple[EpochRun, EpochRun]:
        """The runs by which a leader's log grows to an end: what it may have held before, then its own."""
        written = self.written_from(leader, epoch, runs)
        first = end if written is None else min(written, end)
        older = EpochRun(None, end_of(runs), first, Basis.DERIVED, latest=epoch)
        return older, EpochRun(epoch, first, end, Basis.DERIVED)

    def unknown_run(self, own: Roles, place: int, start: int, end: int) -> EpochRun:
        """Offsets of an unknown epoch, up to the one of which a replica was notified.

        To 2.0 a follower may have records of a later one with the same leader: fetches name none (KIP-320).
        """
        latest = (
            self._latest_loaded(own, place) if own.role_at[place] is Role.STARTING else own.epoch_at[place]
        )
        leader = copied_leader(self.control, latest) if own.role_at[place] is Role.FOLLOWER else -1
        for tenure in self.control.tenures:
            if latest is None or tenure.epoch is None or tenure.epoch <= latest or leader == -1:
                continue
            if tenure.leader != leader:
                latest = tenure.epoch - 1
                break
            latest = tenure.epoch
        return EpochRun(None, start, end, Basis.DERIVED, latest=latest)

    def _latest_loaded(self, own: Roles, place: int) -> int | None:
        """The latest epoch of records that a log which is loaded may have; None for any.

        Of the epoch that follows the start it has none where its broker is notified of it only now: to 2.0 it
        may have copied some before (KIP-320).
        """
        epoch = _next_epoch(own, place)
        notified = epoch is None or any(one.epoch == epoch and one.first < place for one in own.spans)
        return epoch if epoch is None or notified or own.broker not in self.fenced else epoch - 1


def _next_epoch(own: Roles, place: int) -> int | None:
    """The epoch of which a replica is notified after its start; None where there is none."""
    number = bisect_right(own.spans, place, key=lambda one: one.first)
    after = own.spans[number] if number < len(own.spans) else None
    return after.epoch if after is not None and after.role in (Role.LEADER, Role.FOLLOWER) else None


class _Growth:
    """Grows the logs of a partition over spans of places in which they only grow."""

    def __init__(
        self,
        rooms: Mapping[int, Room],
        roles: Mapping[int, Roles],
        control: Control,
        left: Mapping[tuple[int, int | None], TenureEnd],
        changing: list[int],
    ) -> None:
        """`changing` are the places, in order, at which anything else may happen to a log."""
        self._rooms, self._roles, self._control, self._changing = rooms, roles, control, changing
        self._left = left
        self._next = 0
        self._size = _FEW_PLACES
        self._again = 0

    def grow_from(self, logs: dict[int, Runs], writers: Mapping[int, EpochRunWriter], place: Place) -> Place:
        """Grow the logs from a place on, and give the first place that was not reached."""
        while self._changing[self._next] < place:
            self._next += 1
        end = min(self._changing[self._next], place + self._size)
        if end - place < _FEW_PLACES or place < self._again:
            return place
        ends = grow_together(self._rooms, self._roles, self._control, self._left, logs, (place, end))
        reached = Place(place + min((len(one) for one in ends.values()), default=0))
        for broker, one in ends.items():
            longer = np.flatnonzero(np.diff(one, prepend=end_of(logs[broker])))
            if len(longer):
                writers[broker].grow(place + longer, one[longer])
                logs[broker] = writers[broker].value
        self._size = 2 * self._size if reached == end else _FEW_PLACES
        self._again = reached if reached - place >= _FEW_PLACES else reached + _FEW_PLACES
        return reached


def places_behind(own: Roles, control: Control) -> set[int]:
    """Places at which a replica is in a later epoch than it states: its own lines on that one are missing."""
    is_behind = (own.epochs != UNSAID) & (control.epochs > own.epochs)
    found: set[int] = set()
    if not np.count_nonzero(is_behind):
        return found
    last = {one.epoch: one.end - 1 for one in own.spans}
    for place in np.flatnonzero(is_behind).tolist():
        if last.get(control.epoch_at[place], -1) > place:
            continue
        # A leader that was not notified goes on in its own epoch.
        if own.role_at[place] is not Role.LEADER or control.leader_at[place] == own.broker:
            found.add(place)
    return found


def _cut_to_room(room: Room, runs: Runs, place: int) -> tuple[Runs, int | None]:
    """A log cut to its upper bound at a place, and the offset to which it may grow; None for no growth."""
    at_most, grows_to = room.at_most.item(place), room.grows_to.item(place)
    if at_most < end_of(runs):
        runs = cut_runs(runs, at_most)
    return runs, None if grows_to <= end_of(runs) else grows_to


def _grow_in_unknown_epoch(room: Room, runs: Runs, place: int) -> Runs:
    """A log at a place where its epoch is not known, from the log before."""
    runs, grows_to = _cut_to_room(room, runs, place)
    if grows_to is None:
        return runs
    return joined_runs(runs, (EpochRun(None, end_of(runs), grows_to, Basis.DERIVED),))


def _enters_epoch(own: Roles, place: int) -> bool:
    """Whether a replica leads or follows from a place on, in another epoch than before."""
    takes_part = own.role_at[place] in (Role.LEADER, Role.FOLLOWER)
    return takes_part and own.epoch_at[place] != own.epoch_at[place - 1]


def _enter_epoch(
    own: Roles, stated: _Statements, track: Track, room: Room, logs: Mapping[int, Runs], place: Place
) -> Runs:
    """One replica's log at a place at which it enters another epoch, from the logs at the place before.

    Records until the line before it writes in the epoch are of earlier ones. Where that line is missing, its
    log is known to end between two bounds. What lies between them was there before, or is of this one: the
    epoch is known where both would be of one epoch. What it surely held then, and no row states, is what it
    wrote while it led, else of an unknown epoch.
    """
    if stated.entry(own.broker, place) is not None:
        return _grow_log(own, stated, room, logs, place)
    before = logs[own.broker]
    proven = track.low(instant_at(place)) or 0
    if end_of(before) < proven:
        more = stated.unknown_run(own, place, end_of(before), proven)
        if own.role_at[place - 1] is Role.LEADER:
            more = replace(more, epoch=own.epoch_at[place - 1], latest=None)
        before = joined_runs(before, (more,))
    doubtful = slice_runs(before, proven, end_of(before))
    runs = _grow_log(own, stated, room, {**logs, own.broker: cut_runs(before, proven)}, place)
    if not doubtful:
        return runs
    whole = cut_runs(runs, proven)
    edges = sorted({edge for run in (*doubtful, *runs) for edge in (run.start, run.end)})
    for first, end in pairwise(edge for edge in edges if edge >= proven):
        epoch = epoch_at(runs, first)
        known = epoch is not None and (first >= end_of(doubtful) or epoch_at(doubtful, first) == epoch)
        if first < end_of(runs):
            run = (
                EpochRun(epoch, first, end, Basis.DERIVED)
                if known
                else stated.unknown_run(own, place, first, end)
            )
            whole = joined_runs(whole, (run,))
    return whole


def _tenure_starts(roles: Mapping[int, Roles], leo: Mapping[int, Track]) -> dict[tuple[int, int | None], int]:
    """By (leader, epoch): the offset that its log did not pass when it took over, as far as bounds show it.

    Those of time stamps, which can fail, are among them: the log itself is drawn by them.
    """
    starts: dict[tuple[int, int | None], int] = {}
    for broker, own in roles.items():
        highest, _ = leo[broker].uppers(Instant(0), Instant(len(leo[broker])))
        for first, end, role, epoch in own.spans:
            if role is not Role.LEADER or (broker, epoch) in starts:
                continue
            highs = at_places_from(highest, first, end)
            known = highs != NO_HIGH
            if np.count_nonzero(known):
                starts[broker, epoch] = highs.item(known.argmax())
    return starts


def _tenure_ends(view: View, roles: Mapping[int, Roles]) -> dict[tuple[int, int | None], TenureEnd]:
    """By (leader, epoch): the log end that it stated as it went on to the next epoch, before truncation."""
    found: dict[tuple[int, int | None], TenureEnd] = {}
    for broker, own in roles.items():
        for before, span in pairwise(own.spans):
            row = view.rows[span.first - 1]
            follows = row.epoch is not None and before.epoch is not None and row.epoch == before.epoch + 1
            states = row.kind in _NEXT_ROLES and row.replica == broker and row.partition == view.partition
            if before.role is Role.LEADER and follows and states and row.leo is not None:
                found[broker, before.epoch] = TenureEnd(span.first, row.leo)
    return found


def _grow_log(own: Roles, stated: _Statements, room: Room, logs: Mapping[int, Runs], place: int) -> Runs:
    """One replica's log at a place, from the logs at the place before."""
    runs, grows_to = _cut_to_room(room, logs[own.broker], place)
    if grows_to is None:
        return runs
    epoch, leads = own.epoch_at[place], own.role_at[place] is Role.LEADER
    if own.role_at[place] is Role.STARTING:
        epoch, leads = ended_in(own, stated.control, place)
    entry = stated.entry(own.broker, place)
    if entry is not None:
        epoch, leads = entry.earlier_epoch, entry.led_earlier
    if leads:
        return joined_runs(runs, stated.grown_by_leader(own.broker, epoch, runs, grows_to))
    leader = copied_leader(stated.control, epoch)
    copied = slice_runs(logs.get(leader, ()), end_of(runs), grows_to)
    if copied and copied[0].start == end_of(runs):
        runs = joined_runs(runs, copied)
    sure = stated.written_from(leader, epoch, runs) == end_of(runs)
    end = end_of(runs)
    left = stated.left.get((leader, epoch))
    sure_to = end if not sure or may_be_ahead(stated.control, epoch, place) else grows_to
    if left is not None and left.place <= place:
        # Lines on a later epoch are missing: of this one its leader has written no more.
        sure_to = max(end, min(sure_to, left.log_end))
    more = EpochRun(epoch, end, sure_to, Basis.DERIVED)
    return joined_runs(runs, (more, stated.unknown_run(own, place, sure_to, grows_to)))


def _stated_starts(view: View) -> dict[tuple[int, int], int]:
    """By (place, broker): the log start offset, where a row states it, or a log is made anew."""
    found: dict[tuple[int, int], int] = {}
    for row in (*view.rows.of(_NEW_LOG), *view.rows.stating("log_start")):
        if row.partition != view.partition or row.replica is None:
            continue
        begins = row.offset if row.kind == "log_reset" else row.log_start
        if begins is not None or row.kind == "log_created":
            found[place_after(row.number), row.replica] = begins or 0
    return found


def _local_starts(view: View) -> dict[int, int]:
    """By broker: the highest local log start that a row states; what is below lies in the remote tier."""
    found: dict[int, int] = {}
    for row in view.rows.of(_LOCAL_START):
        if row.partition == view.partition and row.replica is not None and row.offset is not None:
            found[row.replica] = max(found.get(row.replica, 0), row.offset)
    return found


def _with_tier(before: Runs, disk: Runs, local_start: int) -> Runs:
    """The log of a replica by its disk, and what it held before that lies in the remote tier alone."""
    if not local_start or disk[0].start > local_start:
        return disk
    return joined_runs(slice_runs(before, 0, disk[0].start), disk)


def _runs_on_disk(view: View) -> dict[tuple[int, int], Runs]:
    """By (place, broker) of each log end read from disk: the runs of its batches, if these have epochs."""
    batches: dict[int, list[EpochRun]] = {}
    found: dict[tuple[int, int], Runs] = {}
    for row in view.rows.of(_ON_DISK):
        if row.partition != view.partition or row.replica is None:
            continue
        if row.kind == "batch_on_disk" and row.from_offset is not None and row.offset is not None:
            batches.setdefault(row.replica, []).append(
                EpochRun(row.epoch, row.from_offset, row.offset, row.basis)
            )
        elif row.kind == "log_end_on_disk":
            held = batches.pop(row.replica, [])
            if held and all(run.epoch is not None for run in held):
                found[place_after(row.number), row.replica] = joined_runs((), held)
    return found
