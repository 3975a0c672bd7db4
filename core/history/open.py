"""From a trace and a partition to its history: every value of every replica as steps over cursors.

`open_history(trace, 0).at(47)` is the state of the first partition after 47 events.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from core.history.bands import Narrowed, narrow
from core.history.carrying import Pool
from core.history.control import Control, read_control
from core.history.epoch_runs import Runs, derived_runs, exact_runs
from core.history.epochs import epoch_steps
from core.history.local_start import local_start_steps
from core.history.partition_bands import Bands
from core.history.positions import at_places, instant_at, place_after
from core.history.record_time_caps import Caps
from core.history.remote_log_ends import remote_steps
from core.history.roles import Roles, read_roles
from core.history.running_bounds import NO_LOW, Numbers
from core.history.simulated import exact_steps
from core.history.stable import bounded_stable, exact_stable
from core.history.state import UNKNOWN_BAND, Band, History, ReplicaHistory, StableOffset, Steps
from core.history.track import Track, Tracks
from core.history.view import View, read_view
from core.history.visible_bands import Limits, band_steps, cursors_of
from core.trace.trace import Trace
from core.trace.vocabulary import Basis

_NEW_LOG: Final = frozenset({"log_created", "log_reset"})


@dataclass(frozen=True, slots=True)
class Opened:
    """A history with what it was made from. `bands` are the tracks of its logs; None in a simulation."""

    history: History
    view: View
    control: Control
    roles: Mapping[int, Roles]
    bands: Bands | None


def open_history(trace: Trace, partition: int, without: frozenset[str] = frozenset()) -> History:
    """The history of one partition of a trace.

    A simulation's values are exact. Those of real logs are bands: see core/history/bands.py. `without` are
    ids of rules of inference that are taken away (core/history/inference.py).

    Raises IndexError for a partition that the trace does not have.
    """
    return open_partition(read_view(trace, partition, without=without)).history


def open_partition(view: View) -> Opened:
    """The history of a view, with all that it was made from."""
    return open_together([view])[0]


def open_together(views: Sequence[View]) -> list[Opened]:
    """The same for some partitions of a trace: many small ones cost less together."""
    with_roles = [(view, {broker: read_roles(view, broker) for broker in view.brokers}) for view in views]
    partitions = [(view, roles, read_control(view)) for view, roles in with_roles]
    if views and views[0].exact:
        return [
            Opened(_history(view, control, _exact(view, roles, control)), view, control, roles, None)
            for view, roles, control in partitions
        ]
    return _banded(narrow(partitions))


def read_again(history: History) -> Opened:
    """What a history was made from, for one that is open already."""
    view = read_view(history.trace, history.partition, history.seqs)
    control = read_control(view)
    roles = {broker: read_roles(view, broker) for broker in view.brokers}
    if view.exact:
        return Opened(history, view, control, roles, None)
    return Opened(history, view, control, roles, narrow([(view, roles, control)]).bands[0])


def _history(view: View, control: Control, replicas: dict[int, ReplicaHistory]) -> History:
    """The history of a view, from the parts of it."""
    return History(
        trace=view.trace,
        partition=view.partition,
        seqs=view.seqs,
        leader=control.leader,
        leader_epoch=control.epoch,
        isr=control.isr,
        replicas=MappingProxyType(replicas),
    )


def _exact(view: View, roles: Mapping[int, Roles], control: Control) -> dict[int, ReplicaHistory]:
    """The replicas of a simulation, by broker."""
    return {
        broker: _replica(
            view,
            own,
            control,
            exact_steps(view, broker),
            exact_runs(view, broker),
            exact_stable(view, broker),
        )
        for broker, own in roles.items()
    }


def _banded(partitions: Narrowed) -> list[Opened]:
    """The histories of imported partitions, from their narrowed tracks."""
    starts, limits = _log_starts(partitions.bands)
    steps = zip(
        starts,
        band_steps(partitions.leo, limits),
        band_steps(partitions.hw, limits, watermark=True),
        strict=True,
    )
    found: list[Opened] = []
    for bands in partitions.bands:
        view, roles, control = bands.view, bands.roles, bands.control
        runs = derived_runs(view, roles, control, bands.leo, bands.behind)
        replicas: dict[int, ReplicaHistory] = {}
        for broker, own in roles.items():
            values = next(steps)
            stable = bounded_stable(view, broker, *values[1:])
            caps = bands.caps.get(broker)
            replicas[broker] = _replica(view, own, control, values, runs[broker], stable, caps)
        history = _history(view, control, replicas)
        found.append(Opened(history, view, control, roles, bands))
    return found


def _log_starts(partitions: Sequence[Bands]) -> tuple[list[Steps[Band]], list[Limits]]:
    """The log start of each replica, and the limits that it sets to the bands of its log.

    Few partitions have a row that states one.
    """
    stating = [bands for bands in partitions if _states_log_start(bands.view)]
    pool = Pool([(bands.roles, len(bands.view.rows) + 1) for bands in stating])
    no_limits: list[Limits] = []
    for bands, tracks in zip(stating, pool.partitions, strict=True):
        put_log_starts(bands.view, tracks)
        floors = np.zeros(len(bands.view.rows) + 1, np.int64)
        no_limits += [Limits(cursors_of(bands.view), floors)] * len(tracks)
    pool.settle()
    stated, all_tracks = iter(band_steps(pool, no_limits)), iter(pool.partitions)
    starts: list[Steps[Band]] = []
    limits: list[Limits] = []
    for bands in partitions:
        if _states_log_start(bands.view):
            starts += [next(stated) for _ in bands.roles]
            lows = {broker: _floors(track) for broker, track in next(all_tracks).items()}
        else:
            starts += [Steps((0,), (UNKNOWN_BAND,))] * len(bands.roles)
            lows = dict.fromkeys(bands.roles, np.zeros(len(bands.view.rows) + 1, np.int64))
        cursors = cursors_of(bands.view)
        limits += [Limits(cursors, low, bands.caps.get(broker)) for broker, low in lows.items()]
    return starts, limits


def _states_log_start(view: View) -> bool:
    """Whether any row of a view states where a log starts."""
    return bool(view.rows.of(_NEW_LOG)) or view.rows.states_any("log_start")


def _replica(
    view: View,
    own: Roles,
    control: Control,
    values: tuple[Steps[Band], Steps[Band], Steps[Band]],
    runs: Steps[Runs],
    stable: StableOffset,
    caps: Caps | None = None,
) -> ReplicaHistory:
    """The history of one replica, from the steps of log start, log end and high watermark, and its runs."""
    log_start, leo, hw = values
    return ReplicaHistory(
        broker=own.broker,
        role=own.role,
        alive=own.alive,
        in_isr=_membership(own.broker, control),
        epoch=own.epoch,
        log_start=log_start,
        leo=leo,
        hw=hw,
        epochs=epoch_steps(view, own, control),
        runs=runs,
        remote=remote_steps(view, own),
        caps=caps,
        stable=stable,
        local_starts=local_start_steps(view, own.broker),
    )


def _membership(broker: int, control: Control) -> Steps[bool | None]:
    """Whether a broker is in the in-sync set, over cursors; None where the set is not known."""
    return Steps(
        control.isr.cursors, tuple(None if isr is None else broker in isr for isr in control.isr.values)
    )


def _floors(start: Track) -> Numbers:
    """By place the log start at least, 0 where nothing bounds it."""
    low = at_places(start.columns.lo)
    return np.where(low == NO_LOW, 0, low)


def put_log_starts(view: View, tracks: Tracks) -> None:
    """Put the log start offsets that rows state on tracks: they only grow, until the log is made anew."""
    new_logs = view.rows.of(_NEW_LOG)
    stated = view.rows.stating("log_start")
    for row in sorted({*new_logs, *stated}, key=lambda row: row.number) if new_logs else stated:
        track = tracks.get(-1 if row.replica is None else row.replica)
        if row.partition != view.partition or track is None:
            continue
        instant = instant_at(place_after(row.number))
        if row.kind == "log_created":
            track.start_section(instant)
            track.exactly(instant, row.log_start or 0, Basis.DERIVED)
        elif row.kind == "log_reset" and row.offset is not None:
            track.start_section(instant)
            track.exactly(instant, row.offset, row.basis)
        elif row.log_start is not None:
            track.exactly(instant, row.log_start, row.basis)
