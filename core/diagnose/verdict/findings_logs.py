"""Findings about one replica's log and high watermark."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final

import numpy as np

from core.assumptions import BROKERS_OUT_OF_ORDER_WITHIN
from core.diagnose.narrate.sayings import Saying, made
from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Finding, Truncation
from core.history.narrowed import Bands
from core.history.state import Band, Role
from core.history.statements import is_hw_cut
from core.history.steps import numbered
from core.history.view import Row
from core.trace.vocabulary import Basis, CutReason

_BACK: Final = Saying(
    "{who} moved its high watermark from {before} back to {after}{less} while it ran.",
    "{who} 在运行中将高水位从 {before} 退回到 {after}{less_zh}。",
)
_BACK_BY: Final = Saying(
    "By then {who} had moved its high watermark from {before} back to {after}{less} while it ran.",
    "至此 {who} 已在运行中将高水位从 {before} 退回到 {after}{less_zh}。",
)
_CUTS: Final = ("truncated", "log_reset")
_STALE: Final = Saying(
    "{who} had a high watermark of {before}, ended without a clean stop, and began again with "
    "{after}{less}: its checkpoint was "
    "older.",
    "{who} 的高水位曾为 {before}，未干净停止，重启后从 {after}{less_zh} 开始：其检查点较旧。",
)
_SHORTER: Final = Saying(
    "{who} had a log end of {before} and came back with {after}; no line tells of a cut.",
    "{who} 的日志末端曾为 {before}，恢复后为 {after}；没有任何行说明截断。",
)
_EMPTY: Final = Saying(
    "{who} was in the in-sync set with an empty log that ended at {leo}, while {leader}, the leader, "
    "had a high "
    "watermark of {hw}.",
    "{who} 以空日志（末端 {leo}）处于同步集合中，而领导者 {leader} 的高水位为 {hw}。",
)
_BEHIND: Final = Saying(
    "{who} was in the in-sync set with a log end of {leo}, below the high watermark {hw} of {leader}, "
    "the leader.",
    "{who} 在同步集合中，日志末端为 {leo}，低于领导者 {leader} 的高水位 {hw}。",
)
_ABOVE: Final = Saying(
    "{who} had a high watermark of {hw} above its log end offset {leo}.",
    "{who} 的高水位 {hw} 高于其日志末端 {leo}。",
)

_LEFT_ABOVE: Final = Saying(
    "{who} cut its log to {leo} and kept its high watermark of {hw} in memory, above its log end.",
    "{who} 将日志截断到 {leo}，内存中仍保留高水位 {hw}，高于其日志末端。",
)


def _sure(band: Band) -> bool:
    return band.basis not in (Basis.INFERRED, Basis.UNKNOWN) and not band.rule.startswith("two sources")


def _bound(band: Band) -> dict[str, str]:
    """The words after a value that is only an upper bound."""
    return (
        {"less": "", "less_zh": ""} if band.exact is not None else {"less": " or less", "less_zh": " 或更低"}
    )


def _first_told(case: Case, broker: int, started: int) -> int:
    """The place at which a start first tells the high watermark that it loaded."""
    rows = case.view.rows
    for row in (rows[number] for number in range(started, len(rows))):
        if row.replica == broker and row.hw is not None and not row.disk:
            return row.number + 1
    return case.end


def _may_fall(bands: Bands, broker: int) -> bool:
    """Whether a high watermark may anywhere be below what it was known to have reached before."""
    track = bands.hw[broker]
    lows, (highs, _) = np.maximum(track.columns.lo, 0), track.uppers(0, len(track))
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
        """The highest value that stands, with the place that told it."""
        begun = 0
        told = {*case.view.rows.stating("hw"), *case.view.rows.of(_CUTS)}
        for mine in sorted(told, key=lambda row: row.number):
            place = mine.number + 1
            if mine.replica != broker or mine.partition != case.view.partition:
                continue
            band = case.hw(broker, place)
            if not _sure(band):
                continue
            started = max((start for start in own.starts if start <= place), default=0)
            if top is not None and band.hi is not None and band.hi < top[0]:
                row, told = case.view.rows[place - 1], case.view.rows[top[1] - 1].seq
                values: dict[str, Any] = {"before": top[0], "after": band.hi, **_bound(band)}
                loaded = started != begun and place <= _first_told(case, broker, started)
                back = _BACK_BY if mine.disk else _BACK
                if mine.kind == "log_reset":
                    pass  # It drops its whole log to start anew: no reader was on it.
                elif not loaded:
                    yield made(case, "hw-went-back", row, (broker,), back, evidence=(told,), **values)
                elif started in unclean:
                    yield made(
                        case, "hw-checkpoint-stale", row, (broker,), _STALE, evidence=(told,), **values
                    )
                top = None
            begun = started
            if band.lo is not None and (top is None or band.lo >= top[0]):
                top = (band.lo, place)


def logs_that_came_back_shorter(case: Case, cuts: tuple[Truncation, ...]) -> Iterable[Finding]:
    """LEO jumped back: a tail that never reached the disk."""
    for cut in cuts:
        row = case.view.rows[case.place_of(cut.seq) - 1]
        if cut.rule == "recovery" and cut.from_offset is not None and row.kind != "log_reset":
            yield made(
                case,
                "leo-jumped-back",
                row,
                (cut.broker,),
                _SHORTER,
                evidence=cut.evidence,
                before=cut.from_offset,
                after=cut.to_offset,
            )


def _begun_anew(case: Case, broker: int, place: int) -> int | None:
    """The row by which this life of a replica began with an empty log, as on a replaced disk.

    None if it has held more since than it does now: then it was cut.
    """
    ends = case.leo(broker, place).hi
    rows = case.view.rows
    for row in (rows[number] for number in reversed(range(place))):
        held = case.leo(broker, row.number + 1).lo
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
    """To 2.3 a cut does not lower the high watermark in memory, so that it may stand above the log end."""
    for broker, replica in case.history.replicas.items():
        at_zero = not any(band.lo for band in replica.log_start.values)
        if case.bands is not None and at_zero and not _may_be_above(case.bands, broker):
            yield from _left_above(case, broker)
            continue
        above = False
        for cursor in sorted({*replica.leo.cursors, *replica.hw.cursors}):
            leo, hw = replica.leo.at(cursor), replica.hw.at(cursor)
            now = leo.exact is not None and hw.exact is not None and hw.exact > leo.exact
            place = case.history.rank(cursor)
            if now and not above and place:
                row = case.view.rows[place - 1]
                yield made(case, "hw-above-leo", row, (broker,), _ABOVE, hw=hw.exact, leo=leo.exact)
            above = now
        yield from _left_above(case, broker)


def _may_be_above(bands: Bands, broker: int) -> bool:
    """Whether a high watermark may anywhere be above the end of a log that begins at 0."""
    lows = np.maximum(bands.leo[broker].columns.lo, 0)
    return bool((np.maximum(bands.hw[broker].columns.lo, 0) > lows).any())


def _left_above(case: Case, broker: int) -> Iterable[Finding]:
    """The same in real logs: a cut to the own high watermark, then one to the leader's end below it.

    Between them the log did not grow, and every fetch was out of range: no answer lowered it.
    """
    if case.bands is None or case.view.since(broker, 2, 4):
        return
    for one, other in pairwise(case.cuts[broker]):
        ended = case.leo_before(broker, other.row.number).exact
        if is_hw_cut(case.view, broker, one) and other.after_reset is not None and ended == one.to > other.to:
            seqs = (one.row.seq,)
            yield made(
                case,
                "hw-above-leo",
                other.row,
                (broker,),
                _LEFT_ABOVE,
                evidence=seqs,
                hw=one.to,
                leo=other.to,
            )


def members_behind_the_watermark(case: Case) -> Iterable[Finding]:
    """A member of the in-sync set whose log surely ends below the leader's high watermark.

    KAFKA-14139 where its log had begun anew: a replaced disk. In real logs a member counts a moment after it
    came in: the times of a joining and of an append by two brokers are not that sharp.
    """
    places = range(1, case.end + 1) if case.bands is None else _where_behind(case.bands)
    open_: set[int] = set()
    since: dict[int, int] = {}
    slack = -1 if case.view.exact else BROKERS_OUT_OF_ORDER_WITHIN.ns
    place = next(iter(places), case.end + 1)
    while place <= case.end:
        row, isr, leader = case.view.rows[place - 1], case.control.isr_at[place], _leader_in_sync(case, place)
        since = {member: since.get(member, row.at) for member in isr or ()}
        if leader is None:
            open_.clear()
        elif case.roles[leader].role_at[place] is Role.LEADER:
            late = [one for one in isr or () if one != leader and one in case.roles]
            for member in (one for one in late if row.at - since[one] > slack):
                ends = _ends_below(case, leader, member, place)
                if ends is not None and member not in open_:
                    yield _behind(case, row, member, leader, ends)
                open_ = open_ - {member} if ends is None else open_ | {member}
        after = bisect_right(places, place)
        place = place + 1 if open_ or after == len(places) else places[after]
        if not open_ and after == len(places):
            return


def _leader_in_sync(case: Case, place: int) -> int | None:
    """Who leads at a place, if it is a replica that is in the set; else None."""
    leader, isr = case.control.leader_at[place], case.control.isr_at[place]
    return leader if leader in case.roles and leader in (isr or ()) else None


def _behind(case: Case, row: Row, member: int, leader: int, ends: tuple[int, int]) -> Finding:
    anew = _begun_anew(case, member, row.number + 1)
    return made(
        case,
        "isr-behind-hw" if anew is None else "isr-empty-disk",
        row,
        (member,),
        _BEHIND if anew is None else _EMPTY,
        evidence=() if anew is None else (anew,),
        leo=ends[0],
        hw=ends[1],
        leader=(leader,),
    )


def _where_behind(bands: Bands) -> list[int]:
    """The places at which any log may end below any high watermark, with those at which the set changes.

    None, where no log may.
    """
    lows = [track.columns.lo[::2] for track in bands.hw.values()]
    highest = np.maximum.reduce(lows) if lows else np.zeros(0)
    below = np.zeros(len(highest), bool)
    for track in bands.leo.values():
        below |= track.uppers(0, len(track))[0][::2] < highest
    if not np.count_nonzero(below):
        return []
    which, _ = numbered(bands.control.isr_at)
    below[1:] |= which[1:] != which[:-1]
    return [place for place in below.nonzero()[0].tolist() if place]


def _ends_below(case: Case, leader: int, member: int, place: int) -> tuple[int, int] | None:
    """The most at which a member's log can end and the least that the leader's HW can be, where that is more.

    Only what is sure counts.
    """
    if case.bands is not None:
        # What the bands come from, without making them: nearly always the log reaches the high watermark.
        (high, _), low = case.bands.leo[member].upper(2 * place), case.bands.hw[leader].low(2 * place)
        if high is None or low is None or high >= low:
            return None
    hw, leo = case.hw(leader, place), case.leo(member, place)
    if not _sure(hw) or not _sure(leo) or leo.hi is None or hw.lo is None or leo.hi >= hw.lo:
        return None
    return leo.hi, hw.lo
