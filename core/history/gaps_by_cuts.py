"""Followers that must have cut their logs, or looked whether to, with the gaps where no line tells of it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from core.assumptions import ROLE_AND_FETCHER_LINES_WITHIN
from core.history.gaps_by_files import log_ends
from core.history.positions import places_between
from core.history.rows import is_own_line
from core.history.view import Row, View
from core.trace.ids import Place

_CUTS: Final = frozenset({"truncated", "log_reset"})
_CUTS_OR_DECIDES: Final = _CUTS | {"truncation_decided"}
"""Kinds that show a cut: one thread decides, and cuts at once (AbstractFetcherThread.doTruncate)."""
_LOOKED: Final = _CUTS | {
    *("truncation_noop", "truncation_not_needed", "truncation_decided", "fetch_offset_reset"),
}
_UNANSWERED: Final = frozenset({"epoch_end_failed", "fetch_failed"})
_FOLLOWED: Final = frozenset({"became_follower"})
_ENDS_A_ROLE: Final = frozenset({"became_leader", "became_follower", "broker_starting", "log_deleted"})
_REMOVES: Final = _ENDS_A_ROLE | {"fetcher_removed"}
_LED: Final = frozenset({"became_leader"})
_FETCHES: Final = frozenset({"fetcher_added"})
_STARTS: Final = frozenset({"broker_starting"})
_MADE: Final = frozenset({"log_created"})


def uncut_spans(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans from a row of a follower on, within which a line on a cut is missing.

    - A leader took over with a shorter log than the follower has as it first follows in that epoch: what is
      beyond is of earlier epochs, and goes before the follower fetches anything (KIP-101, KIP-595; to 0.10
      the answer to its first fetch is that it is out of range).
    - In a server.log to 2.6 a follower prints of each fetcher that it adds whether it cuts, as soon as its
      leader answers, also where nothing goes (`Log.truncateTo`, `ReplicaFetcherThread.maybeTruncate`).
    """
    yield from _longer_than_its_leader(view, broker)
    if log_ends(broker, "server") in view.trace.facts:
        yield from _silent_on_cuts(view, broker)


def _longer_than_its_leader(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    rows = view.rows
    begun: dict[int, int] = {}
    for row in rows.of(_LED):
        if row.partition == view.partition and row.epoch is not None and row.leo is not None:
            begun.setdefault(row.epoch, row.leo)
    cuts = _own(view, broker, _CUTS_OR_DECIDES)
    ends = [row.number for row in _own(view, broker, _ENDS_A_ROLE)]
    seen: set[int] = set()
    for row in _own(view, broker, _FOLLOWED):
        first = row.epoch is not None and row.epoch not in seen
        seen.update([] if row.epoch is None else [row.epoch])
        start = None if row.epoch is None else begun.get(row.epoch)
        if not first or start is None or row.leo is None or row.leo <= start:
            continue
        after = bisect_right(ends, row.number)
        until = ends[after] if after < len(ends) else len(rows)
        printed = [cut for cut in cuts if row.number < cut.number < until]
        if any(cut.offset is not None and cut.offset <= start for cut in printed):
            continue
        last = printed[-1] if printed else row
        end = _next_log_end(view, broker, last.number)
        while end < until and rows[end].leo == last.leo:
            last = rows[end]
            end = _next_log_end(view, broker, end)
        if not (end == until < len(rows) and _has_not_cut_yet(last, rows[end])):
            yield places_between(last.number, min(until, end))


def _has_not_cut_yet(row: Row, later: Row) -> bool:
    """Whether the log end that a row states is stated again so soon that no fetch was answered meanwhile."""
    return later.leo == row.leo and later.at - row.at <= ROLE_AND_FETCHER_LINES_WITHIN.ns


def _silent_on_cuts(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    looked = _own(view, broker, _LOOKED)
    removals = [one.number for one in _own(view, broker, _REMOVES)]
    made = _own(view, broker, _MADE | _FETCHES)
    starts = view.rows.own_lines_of(broker, _STARTS)
    for row in _own(view, broker, _FETCHES):
        if row.offset == 0 or _just_made(made, row.number):
            # An empty log cannot be cut.
            continue
        if not view.before(broker, 2, 7, at=row.seq):
            continue
        # As long as its leader does not answer, it does not look.
        last = row.number
        later = _own_lines_after(view, broker, last)
        after = next(later, len(view.rows))
        while after < len(view.rows) and view.rows[after].kind in _UNANSWERED:
            last, after = after, next(later, len(view.rows))
        if _ends_before(starts, last, after):
            # It may have ended right then.
            continue
        until = view.rows[last].at + ROLE_AND_FETCHER_LINES_WITHIN.ns
        if any(row.at - ROLE_AND_FETCHER_LINES_WITHIN.ns <= one.at <= until for one in looked):
            continue
        removed = bisect_right(removals, last)
        if last > row.number and removed < len(removals) and view.rows[removals[removed]].at <= until:
            # Nor did it when the fetcher was removed.
            continue
        yield places_between(last, after)


def _ends_before(starts: Sequence[int], last: int, after: int) -> bool:
    """Whether a process began between two rows, or with the second."""
    return any(last < start <= after for start in starts)


def _just_made(rows: Sequence[Row], number: int) -> bool:
    """Whether a broker made a log before a row, and has fetched nothing into it yet."""
    at = bisect_left(rows, number, key=lambda row: row.number)
    return at > 0 and rows[at - 1].kind in _MADE


def _own(view: View, broker: int, kinds: frozenset[str]) -> list[Row]:
    """The broker's own lines of some kinds about its replica, and about all of them."""
    rows = (view.rows[number] for number in view.rows.own_lines_of(broker, kinds))
    return [row for row in rows if row.replica == broker and row.partition in (view.partition, None)]


def _next_log_end(view: View, broker: int, number: int) -> int:
    """The number of the broker's next own line with a log end; how many rows there are for none."""
    later = _own_lines_after(view, broker, number)
    return next((one for one in later if view.rows[one].leo is not None), len(view.rows))


def _own_lines_after(view: View, broker: int, number: int) -> Iterator[int]:
    """The numbers of the broker's own lines about the partition after a row."""
    about = view.rows.about(broker, view.partition)
    return (one for one in about[bisect_right(about, number) :] if is_own_line(view.rows[one], broker))
