"""Opening a partition: every attribute of every replica as a step function over the cursor."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from core.history.bands import narrow
from core.history.control import Control, read_control
from core.history.epochs import epoch_steps
from core.history.exact import exact_steps
from core.history.narrowed import Bands
from core.history.remote import remote_steps
from core.history.roles import Roles, read_roles
from core.history.running import NO_LOW, Numbers
from core.history.runs import Runs, derived_runs, exact_runs
from core.history.shown import band_steps
from core.history.state import UNKNOWN_BAND, Band, History, ReplicaHistory, Steps
from core.history.track import Track, Tracks, blank_tracks
from core.history.view import View, read_view
from core.trace.trace import Trace
from core.trace.vocabulary import Basis

_UNSAID: Final[Steps[Band]] = Steps((0,), (UNKNOWN_BAND,))


@dataclass(frozen=True, slots=True)
class Opened:
    """A history with what it was made from. `bands` are the tracks of logs; None in a simulation."""

    history: History
    view: View
    control: Control
    roles: Mapping[int, Roles]
    bands: Bands | None


def open_history(trace: Trace, partition: int) -> History:
    """The history of one partition of a trace.

    Raises IndexError for a partition that the trace does not have.

    A simulation's values are exact. Those of real logs are bands: see core/history/bands.py.
    """
    return open_partition(read_view(trace, partition)).history


def open_partition(view: View) -> Opened:
    """The same from the rows of a partition, with all that was read on the way."""
    control = read_control(view)
    roles = {broker: read_roles(view, broker) for broker in view.brokers}
    bands = None if view.exact else narrow(view, roles, control)
    replicas = _exact(view, roles, control) if bands is None else _banded(view, roles, control, bands)
    return Opened(_history(view, control, replicas), view, control, roles, bands)


def _history(view: View, control: Control, replicas: dict[int, ReplicaHistory]) -> History:
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
    replicas: dict[int, ReplicaHistory] = {}
    for broker, own in roles.items():
        log_start, leo, hw = exact_steps(view, broker)
        replicas[broker] = _replica(view, own, control, log_start, leo, hw, exact_runs(view, broker))
    return replicas


def _banded(
    view: View, roles: Mapping[int, Roles], control: Control, bands: Bands
) -> dict[int, ReplicaHistory]:
    runs = derived_runs(view, roles, control, bands.leo)
    starts = log_start_tracks(view)
    floors = {broker: _floors(starts[broker]) for broker in roles}
    zeros = dict.fromkeys(roles, np.zeros(len(view.rows) + 1, np.int64))
    said = any(start.told for start in starts.values())
    log_starts = band_steps(view, starts, zeros, {}) if said else {}
    leo = band_steps(view, bands.leo, floors, bands.caps)
    hw = band_steps(view, bands.hw, floors, bands.caps, watermark=True)
    replicas: dict[int, ReplicaHistory] = {}
    for broker, own in roles.items():
        start = log_starts.get(broker, _UNSAID)
        history = _replica(view, own, control, start, leo[broker], hw[broker], runs[broker])
        replicas[broker] = replace(history, caps=bands.caps.get(broker))
    return replicas


def _replica(
    view: View,
    own: Roles,
    control: Control,
    log_start: Steps[Band],
    leo: Steps[Band],
    hw: Steps[Band],
    runs: Steps[Runs],
) -> ReplicaHistory:
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
    )


def _membership(broker: int, control: Control) -> Steps[bool | None]:
    return Steps(
        control.isr.cursors, tuple(None if isr is None else broker in isr for isr in control.isr.values)
    )


def _floors(start: Track) -> Numbers:
    """By place, what nothing of the log is below."""
    low = start.columns.lo[::2]
    return np.where(low == NO_LOW, 0, low)


def log_start_tracks(view: View) -> Tracks:
    """The log start offsets of replicas: they only grow, but for a log that is dropped and started anew."""
    tracks = blank_tracks(view.brokers, len(view.rows) + 1)
    for row in view.rows:
        track = tracks.get(-1 if row.replica is None else row.replica)
        if row.partition != view.partition or track is None:
            continue
        place = 2 * row.number + 2
        if row.kind == "log_created":
            track.cut(place)
            track.exactly(place, row.log_start or 0, Basis.DERIVED)
        elif row.kind == "log_reset" and row.offset is not None:
            track.cut(place)
            track.exactly(place, row.offset, row.basis)
        elif row.log_start is not None:
            track.exactly(place, row.log_start, row.basis)
    if any(track.told for track in tracks.values()):
        tracks.settle()
    return tracks
