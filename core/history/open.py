"""Opening a partition: every attribute of every replica as a step function over the cursor."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from core.history.bands import band_steps, narrow
from core.history.control import Control, read_control
from core.history.epochs import epoch_steps
from core.history.exact import exact_steps
from core.history.narrowed import Bands
from core.history.remote import remote_steps
from core.history.roles import Roles, read_roles
from core.history.running import NO_LOW
from core.history.runs import Runs, derived_runs, exact_runs
from core.history.state import UNKNOWN_BAND, Band, History, ReplicaHistory, Steps
from core.history.track import Track, blank_tracks
from core.history.view import View, read_view
from core.trace.trace import Trace
from core.trace.vocabulary import Basis


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
    places = len(view.rows) + 1
    unsaid = Steps((0,), (UNKNOWN_BAND,))
    zeros: list[int | None] = [0] * places
    replicas: dict[int, ReplicaHistory] = {}
    for broker, own in roles.items():
        start = log_start_track(view, broker)
        said = start.told > 0
        floors = _floors(start) if said else zeros
        replicas[broker] = _replica(
            view,
            own,
            control,
            band_steps(view, start, zeros) if said else unsaid,
            band_steps(view, bands.leo[broker], floors, bands.caps.get(broker)),
            band_steps(view, bands.hw[broker], floors, bands.caps.get(broker), watermark=True),
            runs[broker],
        )
        replicas[broker] = replace(replicas[broker], caps=bands.caps.get(broker))
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


def _floors(start: Track) -> list[int | None]:
    """By place, what nothing of the log is below."""
    low = start.columns.lo[::2]
    return np.where(low == NO_LOW, 0, low).tolist()


def log_start_track(view: View, broker: int) -> Track:
    """The log start offset of one replica: it only grows, but for a log that is dropped and started anew."""
    track = blank_tracks((broker,), len(view.rows) + 1)[broker]
    for row in view.rows:
        if row.partition != view.partition or row.replica != broker:
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
    if track.told:
        track.settle()
    return track
