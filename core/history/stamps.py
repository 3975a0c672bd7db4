"""What time stamps of records on disk say about earlier moments: no log holds what was not yet written."""

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from typing import Final

import numpy as np

from core.history.caps import Caps
from core.history.control import Control
from core.history.known import SILENT, logs_end
from core.history.roles import Roles
from core.history.standing import Known
from core.history.state import CAPPED
from core.history.statements import Cut
from core.history.track import Track
from core.history.view import Row, View
from core.history.words import ENDS, first_log_word, is_own_word

_SLACK: Final = 100_000_000
"""Ns by which a client's clock may be ahead of a broker's before the rule is taken to be broken."""
_FOREVER: Final = 2**62
_BATCHES: Final = frozenset({"batch_on_disk"})
_Batches = tuple[list[int], list[int]]


def put_stamps(
    view: View,
    roles: Mapping[int, Roles],
    control: Control,
    cuts: Mapping[int, tuple[Cut, ...]],
    above_log: Mapping[int, tuple[tuple[int, int], ...]],
    leo: Mapping[int, Track],
) -> dict[int, Caps]:
    """Soft upper bounds of log ends, from the batches that the final data directories hold.

    A record's time stamp is when its producer made it (CreateTime) or the leader appended it (LogAppendTime),
    so before that no replica holds it, nor anything behind it. It can fail: a producer's clock may be ahead,
    and it may set any time. Where any statement of the partition shows that, nothing of it is used.
    """
    batches = _batches(view)
    keeps = {
        broker: _keeps(view, own, control, cuts[broker])
        for broker, own in roles.items()
        if broker in batches and first_log_word(view, broker) is not None
    }
    found = {broker: _limits(view, broker, keeps[broker], batches[broker]) for broker in keeps}
    for broker, limits in found.items():
        if any(_broken(view, leo[broker], instant, batches[broker]) for instant in limits):
            return {}
    for broker, limits in found.items():
        for instant, limit in limits.items():
            leo[broker].softly_at_most(instant, limit, CAPPED)
    return {
        broker: _caps(view, broker, keeps[broker], above_log[broker], batches[broker]) for broker in found
    }


def _caps(
    view: View, broker: int, keeps: list[int], above: tuple[tuple[int, int], ...], batches: _Batches
) -> Caps:
    firsts, stamps = batches
    earliest = [stamp - _SLACK for stamp in stamps]
    begun = first_log_word(view, broker) or 0
    return Caps(
        stamps=earliest,
        cursors=np.searchsorted(view.trace.columns["at"], np.array(earliest, dtype=np.int64)).tolist(),
        firsts=firsts,
        starts=view.cursors,
        keeps=[keep if place >= begun else 0 for place, keep in enumerate(keeps)],
        above=[
            any(first <= 2 * place + 1 and 2 * place <= last for first, last in above)
            for place in range(len(view.rows) + 1)
        ],
    )


def _batches(view: View) -> dict[int, _Batches]:
    """By replica: first offsets of its batches, and for each the latest stamp up to there."""
    listed: dict[int, list[Row]] = {}
    for row in view.rows.of(_BATCHES):
        if row.partition == view.partition and row.replica is not None:
            listed.setdefault(row.replica, []).append(row)
    found: dict[int, _Batches] = {}
    for broker, rows in listed.items():
        rows.sort(key=lambda row: row.from_offset or 0)
        stamps = [row.stamp if row.stamp is not None else -1 for row in rows]
        found[broker] = ([row.from_offset or 0 for row in rows], list(accumulate(stamps, max)))
    return found


def _limit(batches: _Batches, moment: int) -> int | None:
    """The offset that nothing reaches at a moment: where the first batch made later begins."""
    firsts, stamps = batches
    place = bisect_right(stamps, moment)
    return firsts[place] if place < len(firsts) else None


def _limits(view: View, broker: int, keeps: list[int], batches: _Batches) -> dict[int, int]:
    """By instant: the bound, where what the replica held then is known to be what it holds at the end.

    Below every later cut its log did not change.
    """
    found: dict[int, int] = {}
    first = first_log_word(view, broker) or len(view.rows)
    for place in range(first, len(view.rows) + 1):
        own_time = view.rows[place - 1].at if place else -_FOREVER
        until = view.rows[place].at if place < len(view.rows) else _FOREVER
        for instant, moment in ((2 * place, own_time), (2 * place + 1, until)):
            limit = _limit(batches, moment)
            if limit is not None and limit < keeps[place]:
                found[instant] = limit
    return found


def _keeps(view: View, own: Roles, control: Control, cuts: tuple[Cut, ...]) -> list[int]:
    """By place: the offset below which nothing of the log went after it.

    Where the broker's logs end before its directories were copied, it may have been told of another leader
    since, and have cut: unless somebody would tell of that.
    """
    by_row = {cut.row.number: cut.to for cut in cuts}
    unseen = {place for first, last in own.blind for place in range(first, last + 1)}
    unseen |= _behind_its_logs(view, own, control)
    gone = {"log_reset", "log_deleted", "log_created"}
    keeps = [_FOREVER] * (len(view.rows) + 1)
    keep = _FOREVER
    next_word = ""
    for row in reversed(view.rows):
        keeps[row.number + 1] = keep
        mine = row.replica == own.broker and row.partition == view.partition
        if row.number in by_row:
            keep = min(keep, by_row[row.number])
        if mine and row.kind == "log_loaded":
            keep = min(keep, row.leo if row.leo is not None else 0)
        blind = row.kind == "evidence_gap" and row.replica == own.broker and next_word != "broker_starting"
        if (mine and row.kind in gone) or blind or row.number + 1 in unseen:
            keep = 0
        if is_own_word(row, own.broker):
            next_word = row.kind
    keeps[0] = keep
    return keeps


def _behind_its_logs(view: View, own: Roles, control: Control) -> set[int]:
    """Places behind the end of a broker's logs at which nobody would tell of another leader.

    A broker that ended does nothing more.
    """
    rows = view.rows
    words, end = rows.words(own.broker), logs_end(view, own.broker) + SILENT
    if not len(rows) or rows[-1].at <= end or (words and rows[words[-1]].kind in ENDS):
        return set()
    first = int(rows.column("at").searchsorted(end, "right"))
    unknown = control.leader_known[first:] != Known.YES
    return {first + place for place in unknown.nonzero()[0].tolist()}


def _broken(view: View, track: Track, instant: int, batches: _Batches) -> bool:
    """Whether a statement puts the log end beyond what the stamps allow."""
    low = track.low(instant)
    if low is None:
        return False
    place = instant // 2
    moment = view.rows[place - 1].at if place and instant % 2 == 0 else None
    limit = None if moment is None else _limit(batches, moment + _SLACK)
    return limit is not None and low > limit
