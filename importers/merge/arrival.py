"""Logs whose lines stand in the order in which a collector got them: put in the order of their own stamps."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.assumptions import (
    FILES_OUT_OF_ORDER_WITHIN,
    LINES_COLLECTED_LATE_BY,
    LINES_OUT_OF_ORDER_WITHIN,
    THREADS_SELDOM_BACK_BY_MORE,
)
from core.trace.vocabulary import NUMBER
from importers.lines.parsed import Drafts
from importers.merge.parts import Part, turned

_FEW: Final = 10
_NINE: Final = 9
_LEAST: Final = 5
_SHARE: Final = 0.01
"""Of the steps from line to line, so many go back: a clock is set back once, a collector is late often."""
_SHARE_OF_SHORT: Final = 0.1
"""So many of them by more than THREADS_SELDOM_BACK_BY_MORE."""
_LEAST_OF_FEW: Final = 3
"""So many long steps back are enough where they are as many as _SHARE_OF_SHORT: in a log of few lines."""

_IN_ORDER_OF_EPOCHS: Final = (
    *("leader_and_isr_sent", "leader_and_isr_received", "became_leader", "became_follower"),
    *("leader_elected", "leaderless"),
)
"""Kinds that one node prints of the epochs of a partition in their order."""
_TURNS: Final = (
    ("fetcher_removed",),
    ("fetcher_added",),
    ("truncation_decided", "fetch_offset_reset"),
    ("truncated", "truncation_noop"),
)
"""Kinds that come behind all others of one time, in their order. A log is loaded, and a role taken, before
the fetchers change (ReplicaManager.makeFollowers); a fetcher decides and then cuts (ReplicaFetcherThread)."""
_WHILE_GROWING: Final = (
    *("appended", "leo_sample", "hw_sample", "hw_moved", "follower_leo_recorded"),
    *("fetch_sent", "fetch_received", "fetch_answered"),
)
_AFTER_CUT: Final = len(_TURNS) + 1
"""What shows the log as the cut left it: producer state is loaded anew, and to 0.10.2 makeFollowers adds the
fetcher after the cut."""


def is_newest_first(stamps: NDArray[np.int64]) -> bool:
    """Whether times go back from line to line, nine times in ten."""
    steps = np.diff(stamps)
    falls = np.count_nonzero(steps < 0)
    return bool(falls >= max(_FEW, _NINE * np.count_nonzero(steps > 0)))


def begins_older_part(stamps: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each record but the first whether it goes back, and all from it on is before the first record.

    So stand the parts of a rotated log that were joined newest first.
    """
    rest = np.maximum.accumulate(stamps[::-1])[::-1]
    return (rest[1:] <= stamps[0]) & (stamps[1:] < stamps[:-1] - LINES_OUT_OF_ORDER_WITHIN.ns)


def is_mixed_up(drafts: Drafts) -> bool:
    """Whether the times of a log go back often and never far (`LINES_COLLECTED_LATE_BY`).

    A short incident has no steps that are long enough; then they are many, or a start stands below lines that
    came after it, or an epoch below a later one.
    """
    if is_newest_first(drafts.stamps):
        return False
    if _starts_late(drafts) or _is_told_late_of_an_epoch(drafts):
        return _never_far(drafts)
    steps = np.diff(drafts.stamps)
    long, short = (
        np.count_nonzero(steps < -back)
        for back in (FILES_OUT_OF_ORDER_WITHIN.ns, THREADS_SELDOM_BACK_BY_MORE.ns)
    )
    often = (
        long >= max(_LEAST, _SHARE * len(steps))
        or long >= max(_LEAST_OF_FEW, _SHARE_OF_SHORT * len(steps))
        or short >= max(_LEAST, _SHARE_OF_SHORT * len(steps))
    )
    return bool(often) and _never_far(drafts)


def _starts_late(drafts: Drafts) -> bool:
    """Whether a broker begins to start at an earlier time than a line above shows: one thread prints both."""
    told = drafts.drafts.columns
    begun = np.searchsorted(drafts.bytes, told["byte"][told["kind"] == NUMBER["broker_starting"]])
    late = (np.maximum.accumulate(drafts.stamps) - drafts.stamps)[begun]
    return bool(((late > THREADS_SELDOM_BACK_BY_MORE.ns) & (late < LINES_OUT_OF_ORDER_WITHIN.ns)).any())


def _is_told_late_of_an_epoch(drafts: Drafts) -> bool:
    """Whether a leader epoch stands below a later one of its partition, at an earlier time.

    Controllers decide, and brokers are notified of, the epochs of a partition one after the other. A request
    that came too late has a later time. In parts of a log that were joined newest first, all epochs stand so.
    """
    if not (np.diff(drafts.stamps) < 0).any() or begins_older_part(drafts.stamps).any():
        return False
    told = drafts.drafts.columns
    some = np.isin(told["kind"], [NUMBER[kind] for kind in _IN_ORDER_OF_EPOCHS]) & (told["epoch"] >= 0)
    rows = (told[name][some].tolist() for name in ("topic", "number", "epoch"))
    stamps = drafts.stamps[np.searchsorted(drafts.bytes, told["byte"][some])].tolist()
    latest: dict[tuple[int, int], tuple[int, int]] = {}
    for topic, number, epoch, stamp in zip(*rows, stamps, strict=True):
        known, since = latest.get((topic, number), (-1, 0))
        if epoch < known and stamp < since:
            return True
        if epoch >= known:
            latest[topic, number] = epoch, stamp if epoch > known else min(since, stamp)
    return False


def _never_far(drafts: Drafts) -> bool:
    stamps = drafts.stamps
    return not (np.maximum.accumulate(stamps) - stamps > LINES_COLLECTED_LATE_BY.ns).any()


def by_own_stamps(drafts: Drafts, *, as_others: bool = False) -> tuple[Drafts, tuple[Part, ...]] | None:
    """A log sorted by the stamps of its own lines, and its parts in that order; None where it is no such log.

    `as_others`: the other logs of its broker are mixed up, so that one step back is enough. Lines of one time
    stand as Kafka prints them (`_TURNS`), else by their offsets. Bytes rise in the new order: `bytes_in_file`
    leads back.
    """
    stamps = drafts.stamps
    if not ((as_others and (np.diff(stamps) < 0).any() and _never_far(drafts)) or is_mixed_up(drafts)):
        return None
    return by_stamps(drafts)


def by_stamps(drafts: Drafts) -> tuple[Drafts, tuple[Part, ...]]:
    """A log sorted by the stamps of its own lines, and its parts in that order: see `by_own_stamps`."""
    return _by_stamps(drafts, np.arange(len(drafts.stamps)))


def oldest_first(drafts: Drafts, *, as_others: bool = False) -> tuple[Drafts, tuple[Part, ...]] | None:
    """A log whose newest line stands first, turned round, and its parts; None where it is no such log.

    `as_others`: so stand the lines of another log of its broker, so that few are enough. A search sorts by
    time: lines of one time stand as Kafka prints them, else in the opposite order.
    """
    steps = np.diff(drafts.stamps)
    few = as_others and bool((steps < 0).any() and (steps <= 0).all())
    if not (few or is_newest_first(drafts.stamps)):
        return None
    return _by_stamps(drafts, np.arange(len(drafts.stamps))[::-1])


def _by_stamps(drafts: Drafts, read: NDArray[np.intp]) -> tuple[Drafts, tuple[Part, ...]]:
    """A log in the order of its stamps; lines of one time as Kafka prints them, else as they are `read`."""
    order = read[np.lexsort((_values(drafts)[read], _turns(drafts)[read], drafts.stamps[read]))]
    begins = order[_begin_a_part(order)]
    starts = np.sort(begins)
    return turned(drafts, starts, np.searchsorted(starts, begins))


def _turns(drafts: Drafts) -> NDArray[np.int64]:
    """For each record its turn among those of one time."""
    turns = np.zeros(len(drafts.stamps), dtype=np.int64)
    told = drafts.drafts.columns
    for turn, kinds in enumerate(_TURNS, start=1):
        some = np.isin(told["kind"], [NUMBER[kind] for kind in kinds])
        turns[np.searchsorted(drafts.bytes, told["byte"][some])] = turn
    turns[np.searchsorted(drafts.bytes, _after_cuts(drafts))] = _AFTER_CUT
    return turns


def _after_cuts(drafts: Drafts) -> list[int]:
    """The bytes of records that show, at the time of a cut, no more than what it left."""
    told = drafts.drafts.columns
    kinds = [NUMBER[kind] for kind in ("fetcher_added", *_WHILE_GROWING)]
    cut, shows = told["kind"] == NUMBER["truncated"], np.isin(told["kind"], kinds)
    names = ("local_ns", "topic", "number")
    cuts = zip(*(told[name][cut].tolist() for name in names), strict=True)
    left = dict(zip(cuts, told["offset"][cut].tolist(), strict=True))
    offsets = _shown(drafts)[shows].tolist()
    keys = zip(*(told[name][shows].tolist() for name in names), strict=True)
    found = zip(told["byte"][shows].tolist(), keys, offsets, strict=True)
    return [byte for byte, key, offset in found if key in left and offset <= left[key]]


def _shown(drafts: Drafts) -> NDArray[np.int64]:
    """The offset that each statement has, of a log end, a high watermark or a record."""
    told = drafts.drafts.columns
    return np.maximum.reduce([told["leo"], told["hw"], told["offset"]])


def _values(drafts: Drafts) -> NDArray[np.int64]:
    """For each record that is printed while a log grows the offset in it: offsets rise. 0 for all others."""
    told = drafts.drafts.columns
    values = np.zeros(len(drafts.stamps), dtype=np.int64)
    first = (told["ordinal"] == 0) & np.isin(told["kind"], [NUMBER[kind] for kind in _WHILE_GROWING])
    values[np.searchsorted(drafts.bytes, told["byte"][first])] = _shown(drafts)[first]
    return values


def _begin_a_part(order: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each record, in the new order, does not follow the one that it follows in the file."""
    return np.append(True, np.diff(order) != 1)
