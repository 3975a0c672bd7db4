"""From rows to the log end offset and high watermark of every replica of an imported partition, as bands.

First what rows state (core/history/statements.py), then rules between the two values and between replicas
(core/history/rules.py), again and again until no bound changes.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.assumptions import RESTART_TAKES_AT_LEAST
from core.history.carrying import Pool
from core.history.control import Control
from core.history.cuts import Cut, find_cuts, is_hw_cut
from core.history.epoch_runs import places_behind
from core.history.gaps_by_files import searched, times_of, torn_tails
from core.history.leading import find_followings, find_under_first_leader, leading_spans
from core.history.log_motion import spans_before_cuts, still_spans
from core.history.own_lines import first_server_log_place, is_own_line
from core.history.partition_bands import Bands, UnseenFall
from core.history.positions import (
    end_after,
    instant_after,
    instant_at,
    instant_before,
    is_at_row,
    next_row_place,
    place_after,
    place_of,
    row_before,
)
from core.history.record_times import put_stamps
from core.history.roles import Roles
from core.history.rules import apply_rules
from core.history.state import Role
from core.history.statements import (
    put_checkpoints,
    put_hw,
    put_leo,
    put_single_values,
)
from core.history.track import Track, Tracks
from core.history.view import View
from core.history.watermark_falls import Fall, carry_over_falls, put_falls
from core.trace.ids import Instant, Place

ROUNDS: Final = 8
"""How often all rules are applied at most: each may narrow what another one narrows further."""
FALLS: Final = 3
"""How often bands are made again at most, because a fall that no row states was found."""
_CUT: Final = frozenset({"truncated"})
_COPIES: Final = frozenset({"log_end_on_disk"})
_BEGINNINGS: Final = frozenset({"broker_starting", "log_loaded", "log_created", "log_deleted"})
_GAPS: Final = frozenset({"evidence_gap"})
_TAKES_A_ROLE: Final = frozenset({"became_leader", "became_follower"})


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The bands of some partitions, and the columns that all their tracks are in."""

    bands: list[Bands]
    leo: Pool
    hw: Pool


def narrow(partitions: Sequence[tuple[View, Mapping[int, Roles], Control]]) -> Narrowed:
    """The bands of every replica of some partitions, the same as of each alone; together they cost less.

    From hard evidence and rules that cannot fail; a rule that can is marked as inferred. Where a log can only
    have grown and is stated to be shorter later, no row states its fall: a cut or a start is missing between
    the two, and all is read again with that span as a gap.
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
        with_falls = [replace(bands, falls=own) for bands, own in zip(narrowed.bands, falls, strict=True)]
        narrowed = replace(narrowed, bands=with_falls)
    return narrowed


def _unseen_falls(bands: Bands) -> tuple[UnseenFall, ...]:
    """Where logs of a partition became shorter, and no row states that."""
    return tuple(
        fall for broker, track in bands.leo.items() for fall in _unseen_falls_of(bands.view, broker, track)
    )


def _with_falls(roles: Mapping[int, Roles], falls: tuple[UnseenFall, ...]) -> Mapping[int, Roles]:
    """The roles of a partition, with the spans of unseen falls among the gaps of their brokers."""
    if not falls:
        return roles
    found = {broker: [(one.first, one.last) for one in falls if one.broker == broker] for broker in roles}
    return {broker: replace(own, gaps=_gaps_with(own.gaps, found[broker])) for broker, own in roles.items()}


def _gaps_with(
    gaps: tuple[tuple[Place, Place], ...], found: list[tuple[Place, Place]]
) -> tuple[tuple[Place, Place], ...]:
    """Gaps, with those of the spans found that do not lie in one of them."""
    new = [(a, z) for a, z in found if not any(first <= a and z <= last for first, last in gaps)]
    return tuple(sorted((*gaps, *new)))


def _unseen_falls_of(view: View, broker: int, track: Track) -> list[UnseenFall]:
    """Places between which a lower bound from before is above what the broker states later.

    Within one moment nothing can have happened between: two sources contradict each other. So do two files of
    one copy, of which others are missing: they state nothing of the time before either. Between files of two
    moments the log fell.
    """
    crossed: list[tuple[Instant, Instant]] = []
    for instant in map(Instant, np.flatnonzero(track.columns.lo > track.columns.hi).tolist()):
        first = crossed.pop()[0] if crossed and crossed[-1][1] == instant - 1 else instant
        crossed.append((first, instant))
    about = [view.rows[number] for number in view.rows.about(broker, view.partition)] if crossed else []
    falls: list[UnseenFall] = []
    for first, last in crossed:
        if place_of(first) == len(view.rows) and not is_at_row(first):
            # After the last row: nothing is stated later.
            continue
        begun = view.rows[max(row_before(next_row_place(first)), 0)]
        before = place_of(Instant(max(first - 1, 0)))
        longest, shortest = track.columns.lo.item(first), track.columns.hi.item(first)
        later = [row for row in about if begun.number < row.number < next_row_place(last)]
        own = (row for row in later if is_own_line(row, broker) or (begun.disk and row.disk))
        if any(row.at - begun.at > RESTART_TAKES_AT_LEAST.ns for row in own):
            falls.append(UnseenFall(broker, before, next_row_place(last), longest, shortest))
        elif begun.disk and all(row.disk for row in later):
            falls.append(UnseenFall(broker, before, before, longest, shortest))
    return falls


def _narrow(partitions: Sequence[tuple[View, Mapping[int, Roles], Control]]) -> Narrowed:
    """The bands, if every fall of a log is stated or in a gap."""
    sizes = [(roles, len(view.rows) + 1) for view, roles, _ in partitions]
    without = partitions[0][0].without if partitions else frozenset[str]()
    leo, hw = Pool(sizes, without), Pool(sizes, without)
    tracks = zip(partitions, leo.partitions, hw.partitions, strict=True)
    stated = [_put_statements(*partition, *own) for partition, *own in tracks]
    moving = stated
    for _ in range(ROUNDS):
        narrowed = [bands.times_narrowed() for bands, _ in moving]
        _settle(leo, hw, stated)
        for bands, falls in moving:
            for broker, own in bands.roles.items():
                carry_over_falls(bands.hw, broker, falls[broker])
                _carry_hw_over_stops(own, bands.leo[broker], bands.hw[broker])
            apply_rules(bands)
        moving = [
            one for one, before in zip(moving, narrowed, strict=True) if one[0].times_narrowed() != before
        ]
        if not moving:
            break
    _settle(leo, hw, stated)
    return Narrowed([bands for bands, _ in stated], leo, hw)


def _put_statements(
    view: View, roles: Mapping[int, Roles], control: Control, leo: Tracks, hw: Tracks
) -> tuple[Bands, dict[int, tuple[Fall, ...]]]:
    """What rows state, put on blank tracks, and where high watermarks may fall."""
    cuts = {broker: find_cuts(view, broker) for broker in roles}
    above_log = {broker: _above_log_spans(view, roles[broker], cuts[broker]) for broker in roles}
    unstated_starts = {broker: _starts_without_a_log(view, own) for broker, own in roles.items()}
    shorter = {
        broker: tuple(instant_at(start) for start in (*_unclean_starts(own), *unstated_starts[broker]))
        for broker, own in roles.items()
    }
    put_single_values(view, leo, hw)
    for broker, own in roles.items():
        _start_sections_in_gaps(view, own, control, leo[broker], hw[broker])
        put_leo(view, own, cuts[broker], leo[broker])
        put_hw(view, own, cuts[broker], hw[broker])
        # A member of the metadata quorum copies without lines on its fetcher.
        still = () if view.of_quorum else still_spans(view, own, control)
        still_spans_of = [(instant_at(first), instant_at(last)) for first, last in still]
        leo[broker].still_spans.extend(still_spans_of)
        hw[broker].still_spans.extend(still_spans_of)
        before_cuts = () if view.exact else spans_before_cuts(view, broker, cuts[broker])
        leo[broker].still_spans.extend(
            (instant_at(first), instant_after(last)) for first, last in before_cuts
        )
        for start in shorter[broker]:
            leo[broker].start_section(start)
    caps = put_stamps(view, roles, control, cuts, above_log, unstated_starts, leo)
    falls = {
        broker: put_falls(view, roles[broker], control, roles, cuts[broker], hw[broker]) for broker in roles
    }
    for broker in roles:
        put_checkpoints(view, broker, hw[broker], above_log[broker])
    leading = leading_spans(roles)
    behind = {broker: places_behind(own, control) for broker, own in roles.items()}
    few = view.of_quorum or bool(view.trace.late_by)
    return Bands(
        view=view,
        roles=roles,
        control=control,
        leo=leo,
        hw=hw,
        cuts=cuts,
        above_log=above_log,
        caps=caps,
        may_be_shorter_at=shorter,
        behind=behind,
        leading=leading,
        under_first_leader=find_under_first_leader(roles, control, leading),
        followings=() if few else find_followings(view, roles, control, behind),
    ), falls


def _settle(leo: Pool, hw: Pool, stated: Sequence[tuple[Bands, object]]) -> None:
    """Carry all bounds along their tracks, over restarts too."""
    leo.settle()
    for bands, _ in stated:
        torn = [down for own in bands.roles.values() for down in _torn_downs(bands.view, own)]
        for own in bands.roles.values():
            _keep_over_restarts(own, bands.leo[own.broker], torn)
    leo.settle()
    hw.settle()


def _start_sections_in_gaps(view: View, own: Roles, control: Control, leo: Track, hw: Track) -> None:
    """Start a section at every instant where the broker's own log is missing: a cut would not be seen there.

    The same where no row at all names a leader: such logs were not understood. A listing of the segments that
    was made after all other lines ends that. In a gap no bound is carried on either. Where a search kept some
    lines alone, no start is seen, at which the high watermark falls, and cuts only if it kept some.

    What the last row states holds to the end of the trace, but for a role: the broker takes it before it
    cuts, which its server.log alone would show.
    """
    printed = (
        first_server_log_place(view, own.broker)
        if own.first_own_line is not None and control.tenures
        else None
    )
    copied = view.rows.numbers(_COPIES, replica=own.broker) if printed is None else []
    if printed is not None:
        until = instant_after(printed)
    elif copied:
        until = instant_after(place_after(copied[-1]))
    else:
        end = Place(len(view.rows))
        until = end_after(end) if _ends_with_a_role(view, own.broker) else instant_after(end)
    at_end = end_after(Place(len(view.rows)))
    some = searched(own.broker) in view.trace.facts
    shows_cuts = bool(view.rows.own_lines_of(own.broker, _CUT))
    for track, missing in ((leo, some and not shows_cuts), (hw, some)):
        track.start_sections(instant_after(Place(0)), at_end if missing else until)
        for first, last in own.gaps:
            track.start_sections(instant_after(first), end_after(last))
        for place in _gap_places(view, own):
            track.start_section(instant_at(place))


def _ends_with_a_role(view: View, broker: int) -> bool:
    """Whether the last row states the log end with which a broker takes a role (state-change.log)."""
    last = view.rows[-1] if len(view.rows) else None
    return last is not None and last.kind in _TAKES_A_ROLE and last.replica == broker


def _unclean_starts(own: Roles) -> list[Place]:
    """Places of each start after an end that was not a clean stop."""
    starts: list[Place] = []
    for death in own.deaths:
        later = [start for start in own.starts if start > death.last]
        if not death.clean and later:
            starts.append(later[0])
    return starts


def _starts_without_a_log(view: View, own: Roles) -> list[Place]:
    """Places of the starts after which a row states that the log is created, or no row states its loading.

    The disk may be new.
    """
    starts: list[Place] = []
    rows = [row for row in view.rows.of(_BEGINNINGS) if row.replica == own.broker] if own.starts else []
    for start in own.starts:
        for row in rows:
            if row.number < start:
                continue
            if row.kind == "broker_starting":
                starts.append(start)
                break
            # To 2.8 a new log is opened, which is printed as a loading, and then created.
            opened = row.kind == "log_loaded" and not row.leo
            if row.partition == view.partition and not opened:
                starts += [start] if row.kind == "log_created" else []
                break
        else:
            starts.append(start)
    return starts


def _keep_over_restarts(own: Roles, track: Track, torn: Sequence[tuple[Place, Place]]) -> None:
    """The end of a process keeps what was written to the system; the end of the machine may not.

    This can fail. It does not hold for a broker that was down together with one that lost the end of a log:
    `torn` is when these were down.
    """
    for start in _unclean_starts(own):
        high, _ = track.upper(instant_at(start))
        last = max((death.last for death in own.deaths if death.last < start), default=Place(0))
        if high is not None and not any(last < until and since < start for since, until in torn):
            track.softly_at_most(instant_before(start), high, "log-survives-process")


def _torn_downs(view: View, own: Roles) -> Iterator[tuple[Place, Place]]:
    """(place after the last own line, place of the start) where a start found a log with a damaged end."""
    for at in times_of(view.trace, torn_tails(own.broker)):
        start = max((one for one in own.starts if view.rows[one - 1].at <= at), default=None)
        ended = [] if start is None else [death.last for death in own.deaths if death.last < start]
        if start is not None and ended:
            yield max(ended), start


def _carry_hw_over_stops(own: Roles, leo: Track, hw: Track) -> None:
    """A clean stop writes the high watermark to its checkpoint, and the start reads it, within the log.

    ReplicaManager.shutdown and Partition.createLog; after any other end the checkpoint is older.
    """
    for death in own.deaths:
        start = next((place for place in own.starts if place > death.last), None)
        if not death.clean or start is None:
            continue
        end = leo.low(instant_at(start))
        if end is not None and hw.starts_section(instant_at(start), instant_after(start)):
            hw.carry[instant_at(start)] = end


def _gap_places(view: View, own: Roles) -> list[Place]:
    """Places of gaps in a broker's own log that an importer found.

    A gap that ends with a start of the process hides nothing but its end.
    """
    places: list[Place] = []
    own_lines = view.rows.own_lines(own.broker)
    gaps = view.rows.numbers(_GAPS, replica=own.broker)
    for number, gap in enumerate(gaps):
        after = bisect_right(own_lines, gap)
        later = gaps[number + 1] if number + 1 < len(gaps) else len(view.rows)
        if (
            after < len(own_lines)
            and own_lines[after] < later
            and view.rows[own_lines[after]].kind != "broker_starting"
        ):
            places.append(place_after(gap))
    return places


def _above_log_spans(view: View, own: Roles, cuts: tuple[Cut, ...]) -> tuple[tuple[Instant, Instant], ...]:
    """Spans first..last of instants at which the high watermark may be above the log end (to 2.3).

    A cut does not lower it in memory. That lasts until the process ends or, at the latest, the replica leads
    (Replica.highWatermark; from 2.4 it lives in the log).
    """
    spans: list[tuple[Instant, Instant]] = []
    for cut in cuts:
        if is_hw_cut(view, own.broker, cut) or view.since(own.broker, 2, 4, at=cut.row.seq):
            continue
        begun = Place(cut.row.number + 2)
        ends = [max(one.first, begun) for one in own.spans if one.role is Role.LEADER and one.end > begun]
        ends += [start for start in own.starts if start >= begun]
        end = instant_before(min(ends, default=place_after(len(view.rows))))
        spans.append((instant_at(place_after(cut.row.number)), end))
    return tuple(spans)
