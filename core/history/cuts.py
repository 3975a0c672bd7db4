"""From rows to the cuts of a log: where each goes, what led to it, whether it surely removed something.

"Truncating to offset 40" after "Truncating partition t-0 to local high watermark 40" is one cut, to 40.
"""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

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
        "log_loaded",
        "fetcher_added",
        "truncated",
        "log_reset",
    },
)
"""Kinds of cuts, of rows that lead to one, and of rows that end that."""


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


def find_cuts(view: View, broker: int) -> tuple[Cut, ...]:
    """The cuts of one replica in order, without those that remove nothing, as the log itself states."""
    about = view.rows.about(broker, view.partition)
    cuts: list[Cut] = []
    reset: Row | None = None
    decided: Row | None = None
    last_decision: Row | None = None
    for row in view.rows.of(_CUTTING):
        if row.partition != view.partition or row.replica != broker:
            continue
        unprinted = _cut_before(last_decision, row)
        if unprinted is not None:
            cuts.append(unprinted)
        if row.kind == "truncation_decided":
            last_decision = row
        elif (
            row.kind not in ("fetcher_added", "epoch_end_answered", "fetch_diverged") or unprinted is not None
        ):
            last_decision = None
        if row.kind == "fetch_offset_reset":
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
            if not noop:
                # To 0.10 it is printed at every becoming follower, also when nothing goes (Log.truncateTo).
                certain = not view.before(broker, 0, 11) and bool(view.versions.get(broker))
                certain = certain or (row.from_offset is not None and row.from_offset > row.offset)
                fits = reset if reset is not None and reset.offset == row.offset else None
                cuts.append(Cut(row, row.offset, certain, fits, decided))
            reset = decided = None
        elif row.kind == "log_reset" and row.offset is not None:
            cuts.append(Cut(row, row.offset, certain=True, after_reset=reset, decided=decided))
            reset = decided = None
    return tuple(cuts)


def _cut_before(decided: Row | None, later: Row) -> Cut | None:
    """The cut to the high watermark that only its decision shows, where a later cut goes further down.

    One thread decides, cuts at once and goes on (AbstractFetcherThread.truncateToHighWatermark): the line
    between the two is missing.
    """
    if decided is None or decided.offset is None or decided.aux != CutReason.LOCAL_HIGH_WATERMARK:
        return None
    if later.kind not in ("fetch_offset_reset", "truncated") or (later.offset or 0) >= decided.offset:
        return None
    return Cut(decided, decided.offset, certain=False, after_reset=None, decided=decided)


def is_hw_cut(view: View, broker: int, cut: Cut) -> bool:
    """Whether a cut is to the replica's own high watermark.

    To 0.10 every cut on becoming a follower is (ReplicaManager.makeFollowers); later only where the line
    states it.
    """
    if cut.row.kind not in ("truncated", "truncation_decided") or cut.after_reset is not None:
        return False
    if cut.row.aux is not None and cut.row.aux != CutReason.UNKNOWN:
        return cut.row.aux == CutReason.LOCAL_HIGH_WATERMARK
    if cut.decided is not None and cut.decided.aux is not None:
        return cut.decided.aux == CutReason.LOCAL_HIGH_WATERMARK
    return view.before(broker, 0, 11)
