"""From rows to the cuts of a log: where each goes, what led to it, whether it surely removed something.

"Truncating to offset 40" after "Truncating partition t-0 to local high watermark 40" is one cut, to 40.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from core.assumptions import ROLE_AND_FETCHER_LINES_WITHIN
from core.history.view import Row, View
from core.trace.vocabulary import CutReason

_CUTTING: Final = frozenset(
    {
        "fetch_offset_reset",
        "truncation_decided",
        "fetch_diverged",
        "epoch_end_answered",
        "became_follower",
        "became_leader",
        "leader_and_isr_received",
        "log_loaded",
        "fetcher_added",
        "fetcher_removed",
        "truncated",
        "log_reset",
    },
)
"""Kinds of cuts, of rows that lead to one, and of rows that end that."""
_DONE: Final = frozenset({"truncated", "truncation_noop", "log_reset"})
_AHEAD: Final = frozenset({"truncation_decided", "fetch_offset_reset"})
_ON_CUTS: Final = _AHEAD | _DONE
_BEGINS_TO_FOLLOW: Final = frozenset({"became_follower", "fetcher_removed", "leader_and_isr_received"})
_FETCHES_OR_CUT: Final = frozenset({"fetcher_added", "became_leader", "log_loaded", "truncated", "log_reset"})


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut that the replica's own log states. `certain` is False where the cut may have removed nothing."""

    row: Row
    to: int
    certain: bool
    after_reset: Row | None
    """The row of a fetch out of range that led to it, or None."""
    decided: Row | None
    """The row that states the reason, or None."""
    on_following: bool = False
    """Whether the replica had just begun to follow: its fetcher was removed, or its role changed."""

    @property
    def reset_behind(self) -> int | None:
        """The number of the row of a fetch out of range that stands behind the cut: None where none does."""
        reset = self.after_reset
        return reset.number if reset is not None and reset.number > self.row.number else None


def find_cuts(view: View, broker: int) -> tuple[Cut, ...]:
    """The cuts of one replica in order, without those that remove nothing, as the log itself states."""
    about = view.rows.about(broker, view.partition)
    cuts: list[Cut] = []
    reset: Row | None = None
    decided: Row | None = None
    on_following = False
    for row in view.rows.of(_CUTTING):
        if row.partition != view.partition or row.replica != broker:
            continue
        if cuts and _is_told_behind(view, cuts[-1].row, row):
            cuts[-1] = _with_reason(cuts[-1], row)
        elif row.kind == "fetch_offset_reset":
            reset = row
        elif row.kind in ("truncation_decided", "fetch_diverged", "epoch_end_answered"):
            decided = row
        elif row.kind in ("became_follower", "became_leader", "log_loaded", "fetcher_added"):
            reset = decided = None
        elif row.kind == "truncated" and row.offset is not None:
            after = bisect_right(about, row.number)
            follower = view.rows[about[after]] if after < len(about) else None
            noop = (
                follower is not None and follower.kind == "truncation_noop" and follower.offset == row.offset
            )
            if not noop and not (cuts and _says_it_again(view, cuts[-1].row, row)):
                # To 0.10 it is printed at every becoming follower, also when nothing goes (Log.truncateTo).
                certain = view.since(broker, 0, 11, at=row.seq)
                certain = certain or (row.from_offset is not None and row.from_offset > row.offset)
                fits = reset if reset is not None and reset.offset == row.offset else None
                cuts.append(Cut(row, row.offset, certain, fits, _reason_of(row, decided), on_following))
            reset = decided = None
        elif row.kind == "log_reset" and row.offset is not None:
            cuts.append(Cut(row, row.offset, certain=True, after_reset=reset, decided=decided))
            reset = decided = None
        on_following = row.kind in _BEGINS_TO_FOLLOW or (on_following and row.kind not in _FETCHES_OR_CUT)
    cuts += _unprinted_cuts(view, broker)
    return tuple(sorted(cuts, key=lambda cut: cut.row.number))


def _says_it_again(view: View, cut: Row, row: Row) -> bool:
    """Whether a member of the metadata quorum says of a cut that it is done, as its log did before.

    The log prints "Truncating to offset", and the client of the quorum "Truncated to offset" behind it
    (KafkaRaftClient.handleFetchResponse).
    """
    again = view.of_quorum and not view.exact and cut.kind == row.kind and cut.offset == row.offset
    return again and row.at - cut.at <= ROLE_AND_FETCHER_LINES_WITHIN.ns


def _is_told_behind(view: View, cut: Row, row: Row) -> bool:
    """Whether a line announces a cut and stands behind it: lines of one time in the order of arrival."""
    told = row.kind in _AHEAD and cut.kind in _DONE and not view.exact
    return told and (row.at, row.offset) == (cut.at, cut.offset)


def _with_reason(cut: Cut, row: Row) -> Cut:
    """A cut with what a line behind it says of its reason, unless one before it has."""
    if cut.decided is not None or cut.after_reset is not None:
        return cut
    return replace(cut, after_reset=row) if row.kind == "fetch_offset_reset" else replace(cut, decided=row)


def _reason_of(cut: Row, decided: Row | None) -> Row | None:
    """The row that states the reason of a cut. A decision on another offset is of another cut."""
    if decided is not None and decided.kind == "truncation_decided" and decided.offset != cut.offset:
        return None
    return decided


def _unprinted_cuts(view: View, broker: int) -> Iterator[Cut]:
    """Cuts of a real log that only the line before them shows: a decision, or a fetch out of range.

    One thread says so, cuts at once to that offset, and goes on (AbstractFetcherThread.doTruncate,
    handleOutOfRangeError). A process that ended before it had cut says so when it loads the log again.
    """
    ahead: Row | None = None
    done: Row | None = None
    for row in () if view.exact else view.rows.of(_ON_CUTS):
        if row.partition != view.partition or row.replica != broker or row.offset is None:
            continue
        if done is not None and _is_told_behind(view, done, row):
            continue
        if not _is_of_the_same_cut(ahead, row):
            yield from _cut_by(ahead)
        ahead, done = (row, done) if row.kind in _AHEAD else (None, row)
    yield from _cut_by(ahead)


def _is_of_the_same_cut(ahead: Row | None, row: Row) -> bool:
    """Whether a row is the cut, or says once more what the line before it announces."""
    if ahead is None or ahead.offset is None or row.offset is None:
        return False
    return row.offset >= ahead.offset if row.kind in _DONE else row.offset == ahead.offset


def _cut_by(ahead: Row | None) -> Iterator[Cut]:
    """The cut that a line announces. A fetch below the leader's log drops the whole log, which is none."""
    if ahead is None or ahead.offset is None:
        return
    if ahead.kind == "truncation_decided":
        yield Cut(ahead, ahead.offset, certain=False, after_reset=None, decided=ahead)
    elif ahead.from_offset is not None and ahead.from_offset > ahead.offset:
        yield Cut(ahead, ahead.offset, certain=True, after_reset=ahead, decided=None)


def is_hw_cut(view: View, broker: int, cut: Cut) -> bool:
    """Whether a cut is to the replica's own high watermark.

    To 0.10 every cut on becoming a follower is (ReplicaManager.makeFollowers: it removes the fetcher, cuts,
    adds a fetcher); later only where the line states it. A running fetcher cuts to the leader's log end in
    the same words (ReplicaFetcherThread.handleOffsetOutOfRange): the line before may be missing.
    """
    if cut.row.kind not in ("truncated", "truncation_decided") or cut.after_reset is not None:
        return False
    if cut.row.aux is not None and cut.row.aux != CutReason.UNKNOWN:
        return cut.row.aux == CutReason.LOCAL_HIGH_WATERMARK
    if cut.decided is not None and cut.decided.aux is not None:
        return cut.decided.aux == CutReason.LOCAL_HIGH_WATERMARK
    return cut.on_following and view.before(broker, 0, 11, at=cut.row.seq)
