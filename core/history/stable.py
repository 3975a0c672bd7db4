"""The last stable offset of a replica over cursors, from its high watermark and the transactions in its log.

In a simulation every transaction is an event, and the offset is exact. Of real logs the batches are known
from segment files, and what the log held before is that, below the lowest log end since (`same_until`). The
last stable offset then follows from the high watermark alone: core/kafka/transactions.py.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final

import numpy as np

from core.history.positions import place_after
from core.history.running_bounds import NO_HIGH, NO_LOW, Numbers
from core.history.state import UNKNOWN_BAND, Band, Steps
from core.history.steps import StepWriter
from core.history.view import Row, View
from core.history.visible_bands import BandColumn
from core.kafka.transactions import Transaction, last_stable_offset
from core.trace.vocabulary import Basis

_MARKERS: Final = frozenset({"transaction_committed", "transaction_aborted"})
TRANSACTIONS: Final = _MARKERS | {"transaction_written"}
_READ: Final = frozenset({"log_end_on_disk"})
_CUTS: Final = frozenset({"truncated", "log_reset", "log_loaded", "log_deleted"})
_LOADED: Final = frozenset({"log_created", "log_loaded", "broker_starting"})
_WATERMARKS: Final = frozenset({"hw_moved", "hw_loaded"})
_CHANGING: Final = TRANSACTIONS | _CUTS | _WATERMARKS
_TOLD: Final = TRANSACTIONS | _CUTS | _READ
RULE: Final = "readers of committed transactions stop before the first that is open"


@dataclass(frozen=True, slots=True)
class StableEnds:
    """The last stable offset by high watermark, for a log whose records are known.

    For a high watermark in (edges[i], edges[i + 1]] it is `stable[i]`; -1 is the high watermark itself.
    """

    edges: tuple[int, ...]
    stable: tuple[int, ...]

    def at(self, hw: int) -> int:
        """The last stable offset."""
        place = bisect_left(self.edges, hw) - 1
        return hw if place < 0 or self.stable[place] < 0 else min(self.stable[place], hw)


def stable_ends(transactions: Iterable[Transaction]) -> StableEnds:
    """By high watermark, of a log that holds these transactions."""
    begun = sorted(transactions, key=lambda one: one.first)
    edges = sorted({one.first for one in begun} | {one.marker for one in begun if one.marker is not None})
    heap: list[tuple[int, float]] = []
    stable: list[int] = []
    place = 0
    for edge in edges:
        while place < len(begun) and begun[place].first <= edge:
            marker = begun[place].marker
            heappush(heap, (begun[place].first, float("inf") if marker is None else marker))
            place += 1
        while heap and heap[0][1] <= edge:
            heappop(heap)
        stable.append(heap[0][0] if heap else -1)
    return StableEnds(tuple(edges), tuple(stable))


@dataclass(frozen=True, slots=True)
class Stable:
    """The last stable offset of one replica. Without segments nothing is known of transactions in real logs.

    `unstable` are the transactions that hold it in a simulation, `ends` what follows from segments that hold
    the log from its first record on. `same_until` and `peaks` are over the cursors of their columns.
    """

    exact: bool
    unstable: Steps[tuple[Transaction, ...]] | None = None
    ends: StableEnds | None = None
    same_until: tuple[tuple[int, ...], Numbers] | None = None
    peaks: tuple[tuple[int, ...], Numbers] | None = None

    @property
    def cursors(self) -> tuple[int, ...]:
        """Those at which it may change though the high watermark does not."""
        return () if self.unstable is None else self.unstable.cursors[1:]

    @property
    def drawn(self) -> bool:
        """Whether transactions are known here, so that it may be another value than the high watermark."""
        return self.unstable is not None or (self.ends is not None and bool(self.ends.edges))

    def at(self, cursor: int, hw: Band, log_start: Band) -> Band:
        """The band at a cursor, from that of the high watermark."""
        floor = log_start.lo or 0
        if self.exact:
            value = hw.exact
            if value is None or self.unstable is None:
                return hw
            stable = last_stable_offset(value, floor, self.unstable.at(cursor))
            return Band(stable, stable, hw.basis, hw.rule if stable == value else RULE)
        if hw.lo is None and hw.hi is None:
            return UNKNOWN_BAND
        if self.ends is None or self.same_until is None or self.peaks is None:
            return Band(floor, hw.hi, Basis.BOUNDED, RULE)
        known = _at(self.same_until, cursor)
        low = max(self.ends.at(min(max(hw.lo or 0, floor), known)), floor)
        high = hw.hi
        peak = _at(self.peaks, cursor)
        if high is not None and peak <= known:
            # A high watermark that has fallen does not bring back a transaction that it had passed.
            high = max(min(high, self.ends.at(peak)), floor)
        if low == high == hw.exact:
            return hw
        return Band(low, high, max(hw.basis, Basis.DERIVED if low == high else Basis.BOUNDED), RULE)


def _at(column: tuple[tuple[int, ...], Numbers], cursor: int) -> int:
    cursors, values = column
    return int(values[bisect_right(cursors, cursor) - 1])


def exact_stable(view: View, broker: int) -> Stable:
    """That of a simulated replica."""
    if not view.rows.of(TRANSACTIONS):
        return Stable(exact=True)
    writer = StepWriter[tuple[Transaction, ...]](())
    log, peak = _Entries(), 0
    for row in view.rows.of(_CHANGING):
        if row.partition != view.partition or row.replica != broker:
            continue
        if row.kind in _CUTS:
            log.cut(row)
            peak = 0
        elif row.kind in _WATERMARKS:
            peak = max(peak, row.hw or 0)
        else:
            log.take(row)
        log.settle(peak)
        writer.put(place_after(row.number), log.unstable)
    return Stable(exact=True, unstable=writer.steps(view))


class _Entries:
    """The records of transactions and markers in a log, and the transactions that hold its stable offset."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self.unstable: tuple[Transaction, ...] = ()

    def take(self, row: Row) -> None:
        """Records were written, or a marker."""
        self._rows.append(row)
        self.unstable = _with(self.unstable, row)

    def cut(self, row: Row) -> None:
        """The log was loaded, cut or dropped: what is left is read anew."""
        end = row.leo if row.kind == "log_loaded" else row.offset if row.kind == "truncated" else 0
        kept = [one for one in self._rows if end is None or (one.from_offset or 0) < end]
        self._rows = []
        self.unstable = ()
        for one in kept:
            if one.kind == "transaction_written" or end is None or (one.offset or 0) < end:
                self.take(one)

    def settle(self, peak: int) -> None:
        """The high watermark has been at `peak`: transactions whose markers are below it are stable."""
        self.unstable = tuple([one for one in self.unstable if one.marker is None or one.marker >= peak])


def _with(transactions: tuple[Transaction, ...], row: Row) -> tuple[Transaction, ...]:
    """The transactions of a log with one more row of them."""
    producer, first = row.aux or 0, row.from_offset if row.from_offset is not None else row.offset or 0
    open_ = next((one for one in transactions if one.producer == producer and one.marker is None), None)
    if row.kind == "transaction_written":
        if open_ is not None:
            return transactions
        return (*transactions, Transaction(producer, row.epoch or 0, first))
    if open_ is None:
        return transactions
    ended = Transaction(producer, open_.epoch, open_.first, row.offset, row.kind == "transaction_aborted")
    return tuple([ended if one is open_ else one for one in transactions])


def bounded_stable(view: View, broker: int, leo: Steps[Band], hw: Steps[Band]) -> Stable:
    """That of a replica of real logs, from the segments of its data directory."""
    read = [
        row.aux
        for row in view.rows.of(_READ)
        if row.replica == broker and row.partition == view.partition and row.aux is not None
    ]
    if read != [0]:
        # Transactions that began in what is missing may be open yet.
        return Stable(exact=False)
    found = _transactions(
        row for row in view.rows.of(TRANSACTIONS) if row.replica == broker and row.partition == view.partition
    )
    low, _ = _columns(leo.values)
    lowest = np.minimum.accumulate(np.where(low == NO_LOW, 0, low)[::-1])[::-1]
    return Stable(
        exact=False, ends=stable_ends(found), same_until=(leo.cursors, lowest), peaks=_peaks(view, broker, hw)
    )


def open_transactions(view: View, broker: int) -> list[Row]:
    """The rows with which the transactions began that are open in a replica's log at the end.

    Of real logs those in the segments of its data directory, from where on all batches follow one another.
    """
    mine = [row for row in view.rows.of(_TOLD) if row.replica == broker and row.partition == view.partition]
    if not view.exact:
        start = max((row.aux for row in mine if row.kind in _READ and row.aux is not None), default=None)
        told = [] if start is None else [row for row in mine if row.kind in TRANSACTIONS]
        firsts = {
            one.first for one in _transactions(told) if one.marker is None and one.first >= (start or 0)
        }
    else:
        log = _Entries()
        for row in mine:
            if row.kind in _CUTS:
                log.cut(row)
            elif row.kind in TRANSACTIONS:
                log.take(row)
        firsts = {one.first for one in log.unstable if one.marker is None}
    begun = {row.from_offset: row for row in mine if row.kind == "transaction_written"}
    return [begun[first] for first in sorted(firsts) if first in begun]


def _peaks(view: View, broker: int, hw: Steps[Band]) -> tuple[tuple[int, ...], Numbers]:
    """By cursor the highest that a high watermark can have been since its log was loaded or made."""
    _, high = _columns(hw.values)
    loaded = [
        view.cursors[place_after(row.number)]
        for row in view.rows.of(_LOADED)
        if row.replica == broker and row.partition in (view.partition, None)
    ]
    cursors = np.union1d(np.array(hw.cursors, np.int64), np.array(loaded, np.int64))
    held = high[np.array(hw.cursors, np.int64).searchsorted(cursors, "right") - 1]
    edges = [0, *cursors.searchsorted(np.array(sorted(set(loaded)), np.int64)).tolist(), len(held)]
    for first, end in pairwise(edges):
        held[first:end] = np.maximum.accumulate(held[first:end])
    return tuple(cursors.tolist()), held


def _transactions(rows: Iterable[Row]) -> list[Transaction]:
    """The transactions of a log, from the rows of its segments."""
    ended: list[Transaction] = []
    ongoing: dict[int, Transaction] = {}
    for row in sorted(rows, key=lambda one: one.offset or 0):
        producer, offset = row.aux or 0, row.offset or 0
        if row.kind == "transaction_written":
            begun = Transaction(producer, row.epoch or 0, row.from_offset or 0)
            ongoing.setdefault(producer, begun)
        elif producer in ongoing:
            one = ongoing.pop(producer)
            aborted = row.kind == "transaction_aborted"
            ended.append(Transaction(producer, one.epoch, one.first, offset, aborted))
    return [*ended, *ongoing.values()]


def _columns(values: Sequence[Band]) -> tuple[Numbers, Numbers]:
    """Lower and upper bounds of bands."""
    if isinstance(values, BandColumn):
        return values.lo, values.hi
    return (
        np.array([NO_LOW if one.lo is None else one.lo for one in values], np.int64),
        np.array([NO_HIGH if one.hi is None else one.hi for one in values], np.int64),
    )
