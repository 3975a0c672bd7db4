"""Log end offset and high watermark of every replica of an imported partition, as bands.

Statements first (core/history/statements.py), then rules between the two values and between replicas
(core/history/rules.py), until they tell nothing new.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.assumptions import RESTART_TAKES_AT_LEAST
from core.history.carrying import Pool
from core.history.control import Control
from core.history.log_motion import still_spans
from core.history.own_lines import first_server_log_place, is_own_line
from core.history.partition_bands import Bands, UnseenFall
from core.history.record_times import put_stamps
from core.history.roles import Roles
from core.history.rules import apply_rules
from core.history.state import Role
from core.history.statements import Cut, find_cuts, is_hw_cut, put_checkpoints, put_hw, put_leo, put_plain
from core.history.track import Track, Tracks
from core.history.view import View
from core.history.watermark_falls import Fall, carry_over_falls, put_falls

ROUNDS: Final = 8
"""Rules feed each other: they are applied until they tell nothing new, but no more often than this."""
FALLS: Final = 3
"""How often bands are made again because a fall shows that was not seen."""
_COPIED: Final = frozenset({"log_end_on_disk"})
_BEGINNINGS: Final = frozenset({"broker_starting", "log_loaded", "log_created", "log_deleted"})
_GAPS: Final = frozenset({"evidence_gap"})


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The bands of some partitions, and the columns that all their tracks are in."""

    bands: list[Bands]
    leo: Pool
    hw: Pool


def narrow(partitions: Sequence[tuple[View, Mapping[int, Roles], Control]]) -> Narrowed:
    """Bands of every replica of some partitions, of each as if it were alone: together they cost less.

    Hard evidence and rules that cannot fail; a rule that can is marked as inferred. Where a log can only have
    grown and is said to be shorter later, its fall was not seen: a cut or a start is missing between the two,
    and all is read again with that stretch as one of which nothing is known.
    """
    narrowed = _narrow(partitions)
    falls: list[tuple[UnseenFall, ...]] = [()] * len(narrowed.bands)
    for _ in range(FALLS):
        new = [_unseen_falls(bands) for bands in narrowed.bands]
        again = [
            (bands.view, _with_falls(bands.roles, found), bands.control)
            for bands, found in zip(narrowed.bands, new, strict=True)
        ]
        if all(roles == bands.roles for (_, roles, _), bands in zip(again, narrowed.bands, strict=True)):
            break
        falls = [(*known, *found) for known, found in zip(falls, new, strict=True)]
        narrowed = _narrow(again)
    if any(falls):
        shown = [replace(bands, falls=own) for bands, own in zip(narrowed.bands, falls, strict=True)]
        narrowed = replace(narrowed, bands=shown)
    return narrowed


def _unseen_falls(bands: Bands) -> tuple[UnseenFall, ...]:
    return tuple(fall for broker, track in bands.leo.items() for fall in _falls_of(bands.view, broker, track))


def _with_falls(roles: Mapping[int, Roles], falls: tuple[UnseenFall, ...]) -> Mapping[int, Roles]:
    """The roles of a partition, with the stretches as blind in which a log fell unseen."""
    if not falls:
        return roles
    found = {broker: [(one.first, one.last) for one in falls if one.broker == broker] for broker in roles}
    return {broker: replace(own, gaps=_with(own.gaps, found[broker])) for broker, own in roles.items()}


def _with(gaps: tuple[tuple[int, int], ...], found: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Stretches with those found that do not lie in one of them."""
    new = [(a, z) for a, z in found if not any(first <= a and z <= last for first, last in gaps)]
    return tuple(sorted((*gaps, *new)))


def _falls_of(view: View, broker: int, track: Track) -> list[UnseenFall]:
    """Between which places a lower bound of before passes what the broker says later.

    Where that is one moment nothing can have happened in between: two sources contradict each other. So do
    two files of one copy, of which others are missing: they say nothing of the time before either. Between
    files of two moments the log fell.
    """
    found: list[tuple[int, int]] = []
    for instant in np.flatnonzero(track.columns.lo > track.columns.hi).tolist():
        first = found.pop()[0] if found and found[-1][1] == instant - 1 else instant
        found.append((first, instant))
    mine = [view.rows[number] for number in view.rows.about(broker, view.partition)] if found else []
    falls: list[UnseenFall] = []
    for first, last in found:
        if first // 2 == len(view.rows) and first % 2:
            # Behind the last row: nothing is said later.
            continue
        begun = view.rows[max((first + 1) // 2 - 1, 0)]
        before = max(first - 1, 0) // 2
        longest, shortest = track.columns.lo.item(first), track.columns.hi.item(first)
        later = [row for row in mine if begun.number < row.number < (last + 1) // 2]
        told = (row for row in later if is_own_line(row, broker) or (begun.disk and row.disk))
        if any(row.at - begun.at > RESTART_TAKES_AT_LEAST.ns for row in told):
            falls.append(UnseenFall(broker, before, (last + 1) // 2, longest, shortest))
        elif begun.disk and all(row.disk for row in later):
            falls.append(UnseenFall(broker, before, before, longest, shortest))
    return falls


def _narrow(partitions: Sequence[tuple[View, Mapping[int, Roles], Control]]) -> Narrowed:
    """The same once, as if all that happened had been seen."""
    sizes = [(roles, len(view.rows) + 1) for view, roles, _ in partitions]
    leo, hw = Pool(sizes), Pool(sizes)
    tracks = zip(partitions, leo.partitions, hw.partitions, strict=True)
    stated = [_stated(*partition, *own) for partition, *own in tracks]
    moving = stated
    for _ in range(ROUNDS):
        narrowed = [bands.times_narrowed() for bands, _ in moving]
        _settle(leo, hw, stated)
        for bands, falls in moving:
            for broker, own in bands.roles.items():
                carry_over_falls(bands.hw, broker, falls[broker])
                _carry_over_stops(own, bands.leo[broker], bands.hw[broker])
            apply_rules(bands)
        moving = [
            one for one, before in zip(moving, narrowed, strict=True) if one[0].times_narrowed() != before
        ]
        if not moving:
            break
    _settle(leo, hw, stated)
    return Narrowed([bands for bands, _ in stated], leo, hw)


def _stated(
    view: View, roles: Mapping[int, Roles], control: Control, leo: Tracks, hw: Tracks
) -> tuple[Bands, dict[int, tuple[Fall, ...]]]:
    """What rows state, on blank tracks, and where high watermarks may fall."""
    cuts = {broker: find_cuts(view, broker) for broker in roles}
    above = {broker: _above_log(view, roles[broker], cuts[broker]) for broker in roles}
    unheard = {broker: _starts_without_a_log(view, own) for broker, own in roles.items()}
    shorter = {
        broker: tuple(2 * start for start in (*_unclean_starts(own), *unheard[broker]))
        for broker, own in roles.items()
    }
    put_plain(view, leo, hw)
    for broker, own in roles.items():
        _hide(view, own, control, leo[broker], hw[broker])
        put_leo(view, own, cuts[broker], leo[broker])
        put_hw(view, own, cuts[broker], hw[broker])
        still = [(2 * first, 2 * last) for first, last in still_spans(view, own, control)]
        leo[broker].still_spans.extend(still)
        hw[broker].still_spans.extend(still)
        for start in shorter[broker]:
            leo[broker].start_section(start)
    caps = put_stamps(view, roles, control, cuts, above, unheard, leo)
    falls = {broker: put_falls(view, roles[broker], control, roles, hw[broker]) for broker in roles}
    for broker in roles:
        put_checkpoints(view, broker, hw[broker], above[broker])
    return Bands(view, roles, control, leo, hw, cuts, above, caps, shorter), falls


def _settle(leo: Pool, hw: Pool, stated: Sequence[tuple[Bands, object]]) -> None:
    leo.settle()
    for bands, _ in stated:
        for broker, own in bands.roles.items():
            _over_restarts(own, bands.leo[broker])
    leo.settle()
    hw.settle()


def _hide(view: View, own: Roles, control: Control, *tracks: Track) -> None:
    """Where the broker's own log is missing, cuts and restarts cannot be seen: nothing is carried on.

    The same holds where no row at all names a leader: such logs were not understood. A listing of the
    segments that was made after everything else ends that. In a hole nothing is carried on either.
    """
    end = (
        first_server_log_place(view, own.broker)
        if own.first_own_line is not None and control.tenures
        else None
    )
    if end is None:
        copied = view.rows.numbers(_COPIED, replica=own.broker)
        end = copied[-1] + 1 if copied else len(view.rows)
    for track in tracks:
        track.start_sections(1, 2 * end + 1)
        for first, last in own.gaps:
            track.start_sections(2 * first + 1, 2 * last + 2)
        for place in _missing(view, own):
            track.start_section(2 * place)


def _unclean_starts(own: Roles) -> list[int]:
    """Places of each start after an end that was not a clean stop."""
    starts: list[int] = []
    for death in own.deaths:
        later = [start for start in own.starts if start > death.last]
        if not death.clean and later:
            starts.append(later[0])
    return starts


def _starts_without_a_log(view: View, own: Roles) -> list[int]:
    """Places of the starts after which the log is created, not loaded, or not heard of.

    The disk may be new.
    """
    starts: list[int] = []
    rows = [row for row in view.rows.of(_BEGINNINGS) if row.replica == own.broker] if own.starts else []
    for start in own.starts:
        for row in rows:
            if row.number < start:
                continue
            if row.kind == "broker_starting":
                starts.append(start)
                break
            # To 2.8 a new log is opened, which is told as if it were loaded, and then created.
            opened = row.kind == "log_loaded" and not row.leo
            if row.partition == view.partition and not opened:
                starts += [start] if row.kind == "log_created" else []
                break
        else:
            starts.append(start)
    return starts


def _over_restarts(own: Roles, track: Track) -> None:
    """The end of a process keeps what was handed to the system; the end of the machine may not.

    This can fail.
    """
    for start in _unclean_starts(own):
        high, _ = track.upper(2 * start)
        if high is not None:
            track.softly_at_most(2 * start - 1, high, "the end of a process keeps the log")


def _carry_over_stops(own: Roles, leo: Track, hw: Track) -> None:
    """A clean stop writes the high watermark to its checkpoint, and the start reads it, within the log.

    ReplicaManager.shutdown and Partition.createLog; after any other end the checkpoint is older.
    """
    for death in own.deaths:
        start = next((place for place in own.starts if place > death.last), None)
        if not death.clean or start is None:
            continue
        end = leo.low(2 * start)
        if end is not None and hw.starts_section(2 * start, 2 * start + 1):
            hw.carry[2 * start] = end


def _missing(view: View, own: Roles) -> list[int]:
    """Places of gaps in a broker's own log.

    A gap that ends with a start of the process hides nothing but its end.
    """
    places: list[int] = []
    own_lines = view.rows.own_lines(own.broker)
    gaps = view.rows.numbers(_GAPS, replica=own.broker)
    for number, gap in enumerate(gaps):
        word = bisect_right(own_lines, gap)
        later = gaps[number + 1] if number + 1 < len(gaps) else len(view.rows)
        if (
            word < len(own_lines)
            and own_lines[word] < later
            and view.rows[own_lines[word]].kind != "broker_starting"
        ):
            places.append(gap + 1)
    return places


def _above_log(view: View, own: Roles, cuts: tuple[Cut, ...]) -> tuple[tuple[int, int], ...]:
    """To 2.3 a cut does not lower the high watermark in memory.

    It may stand above the log end until the process ends or, at the latest, the replica leads
    (Replica.highWatermark; from 2.4 it lives in the log).
    """
    if view.since(own.broker, 2, 4):
        return ()
    spans: list[tuple[int, int]] = []
    for cut in cuts:
        if is_hw_cut(view, own.broker, cut):
            continue
        begun = cut.row.number + 2
        ends = [max(one.first, begun) for one in own.spans if one.role is Role.LEADER and one.end > begun]
        ends += [start for start in own.starts if start >= begun]
        end = 2 * min(ends, default=len(view.rows) + 1) - 1
        spans.append((2 * cut.row.number + 2, end))
    return tuple(spans)
