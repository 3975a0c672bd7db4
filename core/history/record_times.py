"""From time stamps of records on disk to upper bounds of log ends: no log holds a record before its stamp."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from core.assumptions import CLIENT_CLOCK_AHEAD_AT_MOST, SAID_STANDS_AFTER_LOGS_FOR
from core.history.control import Control
from core.history.cuts import Cut
from core.history.own_lines import ENDS, first_server_log_place
from core.history.positions import after_rows, instant_at, place_of, twice, woven
from core.history.record_time_caps import Caps
from core.history.roles import Roles
from core.history.running_bounds import NO_HIGH, Numbers
from core.history.state import CAPPED
from core.history.track import Track
from core.history.validity import Validity
from core.history.view import InstantSpans, Row, View
from core.history.witnesses import logs_end
from core.trace.ids import Instant, Place

_FOREVER: Final = 2**62
_BATCHES: Final = frozenset({"batch_on_disk"})
_LENGTHS: Final = frozenset({"log_loaded", "log_reset", "log_deleted", "log_created"})
_GONE: Final = _LENGTHS - {"log_loaded"}
_CHECKPOINTS: Final = frozenset({"hw_checkpointed", "flushed"})
_GAPS: Final = frozenset({"evidence_gap"})
_Batches = tuple[Numbers, Numbers]
"""The first offsets of the batches of a log, and for each the latest stamp up to there, in ns."""


def put_stamps(
    view: View,
    roles: Mapping[int, Roles],
    control: Control,
    cuts: Mapping[int, tuple[Cut, ...]],
    above_log: Mapping[int, InstantSpans],
    unstated_starts: Mapping[int, Sequence[Place]],
    leo: Mapping[int, Track],
) -> dict[int, Caps]:
    """Soft upper bounds of log ends, from the batches in the final data directories; and caps by broker.

    A record's time stamp is when its producer made it (CreateTime) or the leader appended it (LogAppendTime),
    so before that no replica holds it, nor any record behind it. It can fail: a producer's clock may be
    ahead, and it may set any time. Where any statement of the partition contradicts that, no stamp is used.
    `unstated_starts` are the places of starts after which no row states the replica's log: its cuts are not
    stated.
    """
    batches = {} if CAPPED in view.without else _batches(view)
    kept_below = {
        broker: _kept_below(view, own, control, cuts[broker], batches[broker])
        for broker, own in roles.items()
        if broker in batches and first_server_log_place(view, broker) is not None
    }
    for broker, kept in kept_below.items():
        for start in unstated_starts[broker]:
            kept[:start] = 0
    found = {broker: _bounds(view, broker, kept_below[broker], batches[broker]) for broker in kept_below}
    if any(
        _is_stated_above_stamps(view, leo[broker], bounds, batches[broker])
        for broker, bounds in found.items()
    ):
        return {}
    for broker, bounds in found.items():
        leo[broker].all_softly_at_most(Instant(0), bounds, CAPPED)
    return {
        broker: _caps(view, broker, kept_below[broker], above_log[broker], batches[broker])
        for broker in found
    }


def _caps(view: View, broker: int, kept_below: Numbers, above: InstantSpans, batches: _Batches) -> Caps:
    """The caps of one replica, between the rows of its view."""
    firsts, stamps = batches
    earliest = stamps - CLIENT_CLOCK_AHEAD_AT_MOST.ns
    from_server_log = kept_below.copy()
    from_server_log[: first_server_log_place(view, broker) or 0] = 0
    above_log = np.zeros(len(kept_below), bool)
    for first, last in above:
        above_log[place_of(first) : place_of(last) + 1] = True
    return Caps(
        stamps=earliest.tolist(),
        cursors=np.searchsorted(view.trace.columns["at"], earliest - view.trace.late_by).tolist(),
        firsts=firsts.tolist(),
        starts=view.cursors,
        kept_below=from_server_log.tolist(),
        above_log=above_log.tolist(),
    )


def _batches(view: View) -> dict[int, _Batches]:
    """By replica: the first offsets of its batches, and for each the latest stamp up to there, in ns."""
    listed: dict[int, list[Row]] = {}
    for row in view.rows.of(_BATCHES):
        if row.partition == view.partition and row.replica is not None:
            listed.setdefault(row.replica, []).append(row)
    found: dict[int, _Batches] = {}
    for broker, rows in listed.items():
        rows.sort(key=lambda row: row.from_offset or 0)
        stamps = [row.stamp if row.stamp is not None else -1 for row in rows]
        firsts = np.array([row.from_offset or 0 for row in rows], np.int64)
        found[broker] = firsts, np.maximum.accumulate(np.array(stamps, np.int64))
    return found


def _first_later_offset(batches: _Batches, moments: Numbers) -> Numbers:
    """By moment the offset that no log reaches then: that of the first batch made later, or NO_HIGH."""
    firsts, stamps = batches
    return np.append(firsts, NO_HIGH)[stamps.searchsorted(moments, "right")]


def _bounds(view: View, broker: int, kept_below: Numbers, batches: _Batches) -> Numbers:
    """By instant: the bound, where what the replica held then is known to be what it holds at the end.

    Below every later cut its log did not change. NO_HIGH is no bound.
    """
    at: Numbers = view.rows.column("at") + view.trace.late_by
    moments = woven(np.append(-_FOREVER, at), np.append(at, _FOREVER))
    bounds = _first_later_offset(batches, moments)
    bounds[bounds >= twice(kept_below)] = NO_HIGH
    bounds[: instant_at(first_server_log_place(view, broker) or Place(len(at)))] = NO_HIGH
    return bounds


def _kept_below(
    view: View, own: Roles, control: Control, cuts: tuple[Cut, ...], batches: _Batches
) -> Numbers:
    """By place: the offset below which no record of the log was removed later.

    Where the broker's logs end before its directories were copied, it may have been notified of another
    leader since, and have cut: unless some log would show that leader.
    """
    rows, own_lines = view.rows, view.rows.own_lines(own.broker)
    kept_below = np.full(len(rows) + 1, _FOREVER)
    for cut in cuts:
        kept_below[cut.row.number] = cut.to
    for row in rows.of(_LENGTHS):
        if row.replica == own.broker and row.partition == view.partition:
            kept = 0 if row.kind in _GONE or row.leo is None else row.leo
            kept_below[row.number] = min(kept_below.item(row.number), kept)
    for gap in rows.numbers(_GAPS, replica=own.broker):
        after = bisect_right(own_lines, gap)
        if after == len(own_lines) or rows[own_lines[after]].kind != "broker_starting":
            kept_below[gap] = 0
    for _, last in own.gaps:
        kept_below[:last] = 0
    kept_below[[place - 1 for place in _places_after_logs(view, own, control)]] = 0
    for number, kept in _unstated_removals(view, own.broker, cuts, batches):
        kept_below[number] = min(kept_below.item(number), kept)
    return np.minimum.accumulate(kept_below[::-1])[::-1]


def _unstated_removals(
    view: View, broker: int, cuts: tuple[Cut, ...], batches: _Batches
) -> Iterator[tuple[int, int]]:
    """(last row at which records may have been removed, offset from which) of removals that no line states.

    A checkpoint states a value that was reached by its time, and the log has later records below it: what was
    there was cut, at some time before the log ends lower than what was made until then.
    """
    ends = [row for row in view.rows.stating("leo") if row.replica == broker and not row.at_least]
    for row in view.rows.of(_CHECKPOINTS):
        reached = row.hw if row.hw is not None else row.offset
        if row.replica != broker or row.partition != view.partition or reached is None:
            continue
        kept = _first_later_offset(batches, np.array([row.at + CLIENT_CLOCK_AHEAD_AT_MOST.ns])).item()
        if reached > kept and not any(cut.to <= kept and cut.row.number > row.number for cut in cuts):
            after = (
                one.number - 1
                for one in ends
                if one.number > row.number and _may_be_kept_on_disk(one, batches)
            )
            yield max(next(after, len(view.rows) - 1), 0), kept


def _may_be_kept_on_disk(row: Row, batches: _Batches) -> bool:
    """Whether a log that ends where a row states it may be the beginning of the log on disk.

    It is not if a batch on disk below that end was made later than the row was printed.
    """
    return (row.leo or 0) <= _first_later_offset(
        batches, np.array([row.at + CLIENT_CLOCK_AHEAD_AT_MOST.ns])
    ).item()


def _places_after_logs(view: View, own: Roles, control: Control) -> list[int]:
    """Places after the end of a broker's logs at which no log would show another leader.

    A broker that ended does nothing more.
    """
    rows = view.rows
    own_lines, end = rows.own_lines(own.broker), logs_end(view, own.broker) + SAID_STANDS_AFTER_LOGS_FOR.ns
    if not len(rows) or rows[-1].at <= end or (own_lines and rows[own_lines[-1]].kind in ENDS):
        return []
    first = max(int(rows.column("at").searchsorted(end, "right")), 1)
    unknown = control.leader_known[first:] != Validity.YES
    return [first + place for place in unknown.nonzero()[0].tolist()]


def _is_stated_above_stamps(view: View, track: Track, bounds: Numbers, batches: _Batches) -> bool:
    """Whether a row states a higher log end than the stamps of the batches on disk allow at that time."""
    most = _first_later_offset(
        batches, view.rows.column("at") + view.trace.late_by + CLIENT_CLOCK_AHEAD_AT_MOST.ns
    )
    return bool(np.count_nonzero((after_rows(track.columns.lo) > most) & (after_rows(bounds) != NO_HIGH)))
