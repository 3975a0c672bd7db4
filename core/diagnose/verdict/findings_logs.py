"""From bounds and rows to findings about one replica's log and high watermark."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.assumptions import BROKERS_OUT_OF_ORDER_WITHIN
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Finding, Truncation
from core.diagnose.verdict.made import made, number_value, who
from core.history.cuts import is_hw_cut
from core.history.gaps_by_others import gap_spans
from core.history.partition_bands import Bands
from core.history.positions import at_places, instant_at, place_after
from core.history.state import Band, Role, Steps
from core.history.steps import numbered
from core.history.view import Row
from core.history.visible_bands import crossed
from core.message import Message, Value, message
from core.trace.ids import Instant, Place
from core.trace.vocabulary import Basis, CutReason

Column: TypeAlias = NDArray[np.number[Any]]
_CUTS: Final = ("truncated", "log_reset")
_ANEW: Final = frozenset({"log_deleted", "log_created"})
_BEGUN: Final = frozenset({"log_created", "log_loaded", "broker_starting"})
_RECOVERED: Final = frozenset({"unclean_restart_detected"})
_LOADING: Final = frozenset({"log_loaded", "hw_loaded"})


def _sure(band: Band) -> bool:
    """Whether a band rests on no rule that can fail, and no two sources contradict each other in it."""
    return band.basis not in (Basis.INFERRED, Basis.UNKNOWN) and not crossed(band)


def _at_most(band: Band, high: int) -> Value:
    """A value, or its upper bound where no more is known."""
    return high if band.exact is not None else message("number.or-less", number=high)


def _fall(case: Case, mine: Row, broker: int, before: int, after: Value) -> Message:
    """The sentence on a high watermark that moved back; a file of a disk shows only that it had."""
    replica = who(case, broker)
    if mine.disk:
        return message("finding.hw-went-back.by-then", who=replica, before=before, after=after)
    return message("finding.hw-went-back", who=replica, before=before, after=after)


def _first_stated_after(case: Case, broker: int, started: int) -> int:
    """The place at which the high watermark that a start loaded is first stated."""
    rows = case.view.rows
    for row in (rows[number] for number in range(started, len(rows))):
        if row.replica == broker and row.hw is not None and not row.disk:
            return row.number + 1
    return case.end


def _may_fall(bands: Bands, broker: int) -> bool:
    """Whether a high watermark may anywhere be below what it was known to have reached before."""
    track = bands.hw[broker]
    lows, (highs, _) = np.maximum(track.columns.lo, 0), track.uppers(Instant(0), Instant(len(track)))
    return bool((highs[1:] < np.maximum.accumulate(lows)[:-1]).any())


def high_watermarks_that_fell(case: Case) -> Iterable[Finding]:
    """HW went back, or was loaded from an old checkpoint after an end that was not clean."""
    for broker, own in case.roles.items():
        if case.bands is not None and not _may_fall(case.bands, broker):
            continue
        unclean = {
            min(later)
            for death in own.deaths
            if not death.clean and (later := [start for start in own.starts if start > death.last])
        }
        top: tuple[int, int] | None = None
        """The highest value in force, with the place of the row that states it."""
        stating = {*case.view.rows.stating("hw"), *case.view.rows.of(_CUTS), *case.view.rows.of(_ANEW)}
        for row_of in sorted(stating, key=lambda row: row.number):
            place = place_after(row_of.number)
            if row_of.replica != broker or row_of.partition != case.view.partition:
                continue
            if row_of.kind in _ANEW:  # What is there later is another log.
                top = None
                continue
            band = case.hw(broker, place)
            if not _sure(band):
                continue
            started = max((start for start in own.starts if start <= place), default=0)
            if top is not None and band.hi is not None and band.hi < top[0]:
                row, stating = case.view.rows[place - 1], case.view.rows[top[1] - 1].seq
                after = _at_most(band, band.hi)
                # A value that is only loaded may be above the log that is there now: no reader has seen it.
                earlier_life = top[1] < started or case.view.rows[top[1] - 1].kind == "hw_loaded"
                # Where its lines are missing, it may have ended and started there.
                earlier_life |= _has_gap_between(case, broker, top[1], place)
                log_end = case.leo(broker, place).hi
                if row_of.kind == "log_reset":
                    pass  # It drops its whole log to start anew: no reader was on it.
                elif not earlier_life and row_of.kind != "hw_loaded":
                    sentence = _fall(case, row_of, broker, top[0], after)
                    yield made(case, "hw-went-back", row, (broker,), sentence, evidence=(stating,))
                elif earlier_life and log_end is not None and log_end <= band.hi:
                    pass  # Its log came back without its end, which is a finding of its own.
                elif started in unclean and place <= _first_stated_after(case, broker, started):
                    sentence = message(
                        "finding.hw-checkpoint-stale", who=who(case, broker), before=top[0], after=after
                    )
                    yield made(case, "hw-checkpoint-stale", row, (broker,), sentence, evidence=(stating,))
                top = None
            if band.lo is not None and (top is None or band.lo >= top[0]):
                top = (band.lo, place)


def _has_gap_between(case: Case, broker: int, first: int, last: int) -> bool:
    """Whether lines of a broker are missing somewhere between two places."""
    return any(begun < last and first < ended for begun, ended in gap_spans(case.view, broker))


def logs_that_came_back_shorter(case: Case, cuts: tuple[Truncation, ...]) -> Iterable[Finding]:
    """LEO moved back: the end of the log never reached the disk."""
    for cut in cuts:
        row = case.view.rows[case.place_of(cut.seq) - 1]
        if cut.rule != "recovery" or cut.from_offset is None or row.kind == "log_reset":
            continue
        replica, before, after = who(case, cut.broker), cut.from_offset, cut.to_offset
        told, anew = _cut_by_recovery(case, cut), _made_anew(case, row)
        if anew is not None:
            sentence = message("finding.leo-jumped-back.anew", who=replica, before=before)
        elif told is None:
            sentence = message("finding.leo-jumped-back", who=replica, before=before, after=after)
        else:
            sentence = message(
                "finding.leo-jumped-back.damage", who=replica, before=before, after=after, to=told[1]
            )
        seqs = () if told is None else (told[0],)
        seqs = tuple(dict.fromkeys((*seqs, *cut.evidence, *(() if anew is None else (anew,)))))
        yield made(case, "leo-jumped-back", row, (cut.broker,), sentence, evidence=seqs)


def _made_anew(case: Case, opened: Row) -> int | None:
    """The Seq of the row by which a log that a start opens is made anew; None where it is the old one.

    To 2.8 a new log is printed as loaded, and then as created.
    """
    rows = (row for row in case.of(_BEGUN) if row.replica == opened.replica and row.number >= opened.number)
    for row in rows:
        if row.kind == "log_created":
            return row.seq
        if row.number > opened.number:
            break
    return None


def _cut_by_recovery(case: Case, cut: Truncation) -> tuple[int, int] | None:
    """The Seq of the row by which the recovery of this start says that it cut the log, and to where."""
    place = case.place_of(cut.seq)
    started = max((start for start in case.roles[cut.broker].starts if start <= place), default=Place(0))
    told = (
        (row.seq, row.offset)
        for row in case.of(_RECOVERED)
        if row.replica == cut.broker
        and started <= place_after(row.number) <= place
        and row.offset is not None
    )
    return next((one for one in told if one[1] <= cut.to_offset), None)


def _begun_anew(case: Case, broker: int, place: Place) -> int | None:
    """The row by which this life of a replica began with an empty log, as on a replaced disk.

    None if it has held more since than it does now: then it was cut.
    """
    ends = case.leo(broker, place).hi
    rows = case.view.rows
    for row in (rows[number] for number in reversed(range(place))):
        held = case.leo(broker, place_after(row.number)).lo
        if ends is not None and held is not None and held > ends:
            return None
        if row.replica != broker:
            continue
        mine = row.partition == case.view.partition
        if mine and (
            row.kind == "log_created" or (row.kind == "log_reset" and row.aux == CutReason.RECOVERY)
        ):
            return row.seq
        if row.kind in ("broker_starting", "log_loaded") and row.leo != 0:
            return None
    return None


def watermarks_above_the_log(case: Case) -> Iterable[Finding]:
    """To 2.3 a cut does not lower the high watermark in memory, so that it may stand above the log end.

    What was known before a replica has loaded its log and its high watermark is of the life before.
    """
    for broker, replica in case.history.replicas.items():
        at_zero = not any(band.lo for band in replica.log_start.values)
        if case.bands is not None and at_zero and not _may_be_above(case.bands, broker):
            yield from _left_above(case, broker)
            continue
        above = False
        loading = _loading(case, broker)
        for cursor in sorted({*replica.leo.cursors, *replica.hw.cursors}):
            leo, hw = replica.leo.at(cursor), replica.hw.at(cursor)
            now = leo.exact is not None and hw.exact is not None and hw.exact > leo.exact
            place = case.history.rank(cursor)
            now = now and not any(start <= place < loaded for start, loaded in loading)
            if now and not above and place:
                row = case.view.rows[place - 1]
                sentence = message(
                    "finding.hw-above-leo",
                    who=who(case, broker),
                    hw=number_value(hw.exact),
                    leo=number_value(leo.exact),
                )
                yield made(case, "hw-above-leo", row, (broker,), sentence)
            above = now
        yield from _left_above(case, broker)


def _loading(case: Case, broker: int) -> list[tuple[Place, Place]]:
    """From each start of a replica to where it has loaded its log and its high watermark."""
    starts = case.roles[broker].starts
    found: list[tuple[Place, Place]] = []
    for start, end in pairwise([*starts, Place(case.end + 1)]):
        first: dict[str, Place] = {}
        for row in case.of(_LOADING):
            if row.replica == broker and start <= place_after(row.number) < end:
                first.setdefault(row.kind, place_after(row.number))
        if first:
            found.append((start, max(first.values())))
    return found


def _may_be_above(bands: Bands, broker: int) -> bool:
    """Whether a high watermark may anywhere be above the end of a log that begins at 0."""
    lows = np.maximum(bands.leo[broker].columns.lo, 0)
    return bool((np.maximum(bands.hw[broker].columns.lo, 0) > lows).any())


def _left_above(case: Case, broker: int) -> Iterable[Finding]:
    """The same in real logs: a cut to the own high watermark, then one to the leader's end below it.

    Between them the log did not grow, and every fetch was out of range: no answer lowered it.
    """
    if case.bands is None:
        return
    for one, other in pairwise(case.cuts[broker]):
        ended = case.leo_before(broker, other.row.number).exact
        if case.view.since(broker, 2, 4, at=other.row.seq):
            continue
        if is_hw_cut(case.view, broker, one) and other.after_reset is not None and ended == one.to > other.to:
            seqs = (one.row.seq,)
            yield made(
                case,
                "hw-above-leo",
                other.row,
                (broker,),
                message("finding.hw-above-leo.kept", who=who(case, broker), leo=other.to, hw=one.to),
                evidence=seqs,
            )


def members_behind_the_watermark(case: Case) -> Iterable[Finding]:
    """A member of the in-sync set whose log surely ends below the leader's high watermark.

    KAFKA-14139 where its log had begun anew: a replaced disk. In real logs a member counts a moment after it
    came in, and it is found once that lasted as long: the times of a joining, of an append and of a high
    watermark by several brokers are not that sharp.
    """
    places = _where_behind(case)
    open_: dict[int, _Behind] = {}
    found: set[int] = set()
    since: dict[int, int] = {}
    slack = -1 if case.view.exact else BROKERS_OUT_OF_ORDER_WITHIN.ns
    place = next(iter(places), case.end + 1)
    while place <= case.end:
        row, isr, leader = case.view.rows[place - 1], case.control.isr_at[place], _leader_in_sync(case, place)
        since = {member: since.get(member, row.at) for member in isr or ()}
        if leader is None or case.roles[leader].role_at[place] is Role.LEADER:
            asked = [one for one, joined in since.items() if one in case.roles and row.at - joined > slack]
            now = {} if leader is None else _behind(case, row, leader, asked)
            open_ = {**now, **open_}
            lasted = {one for one, begun in open_.items() if row.at - begun.row.at > slack} - found
            yield from (_finding(case, one, open_[one]) for one in sorted(lasted))
            over = set(open_) if leader is None else {one for one in asked if one not in now}
            open_ = {one: begun for one, begun in open_.items() if one not in over}
            found = (found | lasted) & open_.keys()
        after = bisect_right(places, place)
        place = place + 1 if open_ or after == len(places) else places[after]
        if not open_ and after == len(places):
            return


@dataclass(frozen=True, slots=True)
class _Behind:
    """From a row on a member's log ends below its leader's high watermark: where, and how high that is."""

    row: Row
    leader: int
    leo: int
    hw: int


def _behind(case: Case, row: Row, leader: int, members: Iterable[int]) -> dict[int, _Behind]:
    """Those members whose log surely ends below the leader's high watermark after a row."""
    place = place_after(row.number)
    ends = {one: _ends_below(case, leader, one, place) for one in members if one != leader}
    return {one: _Behind(row, leader, *both) for one, both in ends.items() if both is not None}


def _leader_in_sync(case: Case, place: int) -> int | None:
    """Who leads at a place, if it is a replica that is in the set; else None."""
    leader, isr = case.control.leader_at[place], case.control.isr_at[place]
    return leader if leader in case.roles and leader in (isr or ()) else None


def _finding(case: Case, member: int, begun: _Behind) -> Finding:
    """The finding of a member whose log ends below the leader's high watermark."""
    anew = _begun_anew(case, member, place_after(begun.row.number))
    replica, leader, leo, hw = who(case, member), who(case, begun.leader), begun.leo, begun.hw
    if anew is None:
        sentence = message("finding.isr-behind-hw", who=replica, leo=leo, hw=hw, leader=leader)
        return made(case, "isr-behind-hw", begun.row, (member,), sentence)
    sentence = message("finding.isr-empty-disk", who=replica, leo=leo, leader=leader, hw=hw)
    return made(case, "isr-empty-disk", begun.row, (member,), sentence, evidence=(anew,))


def _where_behind(case: Case) -> list[int]:
    """The places at which any log may end below any high watermark, with those at which the set changes.

    None, where no log may.
    """
    lows, uppers = _ends_and_watermarks(case) if case.bands is None else _bounds(case.bands)
    highest = np.maximum.reduce(lows) if lows else np.zeros(0)
    below = np.zeros(len(highest), bool)
    for upper in uppers:
        below |= upper < highest
    if not np.count_nonzero(below):
        return []
    which, _ = numbered(case.control.isr_at)
    below[1:] |= which[1:] != which[:-1]
    return [place for place in below.nonzero()[0].tolist() if place]


def _bounds(bands: Bands) -> tuple[list[Column], list[Column]]:
    """By place, a column a replica: the least high watermark, and the highest log end."""
    lows = [at_places(track.columns.lo) for track in bands.hw.values()]
    uppers = [at_places(track.uppers(Instant(0), Instant(len(track)))[0]) for track in bands.leo.values()]
    return lows, uppers


def _ends_and_watermarks(case: Case) -> tuple[list[Column], list[Column]]:
    """The same of a simulation: high watermarks and log ends, where a replica has any."""
    cursors = np.asarray(case.view.cursors)

    def by_place(steps: Steps[Band], none: float) -> Column:
        values = np.array([none if band.exact is None else band.exact for band in steps.values])
        return values[np.searchsorted(steps.cursors, cursors, "right") - 1]

    replicas = case.history.replicas.values()
    return [by_place(one.hw, -np.inf) for one in replicas], [by_place(one.leo, np.inf) for one in replicas]


def _ends_below(case: Case, leader: int, member: int, place: Place) -> tuple[int, int] | None:
    """The most at which a member's log can end and the least that the leader's HW can be, where that is more.

    Only what is sure counts.
    """
    if case.bands is not None:
        # What the bands come from, without making them: nearly always the log reaches the high watermark.
        instant = instant_at(place)
        (high, _), low = case.bands.leo[member].upper(instant), case.bands.hw[leader].low(instant)
        if high is None or low is None or high >= low:
            return None
    hw, leo = case.hw(leader, place), case.leo(member, place)
    if not _sure(hw) or not _sure(leo) or leo.hi is None or hw.lo is None or leo.hi >= hw.lo:
        return None
    return leo.hi, hw.lo
