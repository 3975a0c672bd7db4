"""From rows to the leader epoch cache of a replica over cursors: (epoch, start offset), rising."""

from dataclasses import dataclass
from typing import Final

from core.history.control import Control
from core.history.positions import next_place, place_after, row_before
from core.history.roles import Roles
from core.history.running_bounds import Numbers
from core.history.state import Steps
from core.history.steps import StepWriter
from core.history.validity import Validity
from core.history.view import Row, View
from core.kafka.epochs import Entries, assign, cut_end, cut_start
from core.kafka.switches import EpochConflict
from core.trace.ids import Place

_ON_ENTRIES: Final = ("epoch_cache_loaded", "epoch_assigned", "epoch_cache_cut")
"""Kinds that state something of the cache itself."""
_FIRST: Final = frozenset({*_ON_ENTRIES, "log_reset", "log_created"})
"""Kinds before which nothing of the cache is known."""
_ON_CACHE: Final = _FIRST | {"truncated", "log_loaded", "log_start_moved", "log_moved"}
"""Kinds at which the cache may change."""


@dataclass(frozen=True, slots=True)
class StatedEntries:
    """The latest entries of a cache, and how many older ones no row states; None is an unknown number.

    The entries are the whole cache where `unnamed` is 0. A line on one entry states how many the cache has:
    entries stated before are kept only while each further count agrees with them.
    """

    entries: Entries = ()
    unnamed: int | None = None

    def assigned(self, epoch: int, start: int, size: int | None, conflict: EpochConflict) -> "StatedEntries":
        """The entries after one is made. `size` is that of the cache with it, None where it is not stated."""
        entries = assign(self.entries, epoch, start, conflict)
        if size is None:
            alone = self.unnamed != 0 and len(entries) == 1
            return StatedEntries(entries, None if alone else self.unnamed)
        agreed = size - len(entries) == self.unnamed
        return StatedEntries(entries, self.unnamed) if agreed else StatedEntries(((epoch, start),), size - 1)

    def cut(self, offset: int, size: int | None) -> "StatedEntries":
        """The entries after the log is cut to `offset`. `size` is how many are left, None if not stated."""
        entries = cut_end(self.entries, offset)
        if size is None:
            return StatedEntries(entries, self.unnamed if entries or self.unnamed == 0 else None)
        agreed = size - len(entries) == self.unnamed
        return StatedEntries(entries, self.unnamed) if agreed else StatedEntries((), size)

    def log_starts_at(self, offset: int) -> "StatedEntries":
        """The entries after the log starts at `offset`: what ends below it is dropped."""
        return StatedEntries(cut_start(self.entries, offset), 0) if self.unnamed == 0 else StatedEntries()


def epoch_steps(view: View, own: Roles, control: Control) -> Steps[Entries | None]:
    """The cache of one replica. None until all of it is stated, and None to 0.10, which has none.

    A real log does not always state when an entry is made: there, what is known holds until the next tenure
    that this replica or another broker states, and no longer than a next tenure would be known.
    """
    stated_at = None
    known = StatedEntries()
    writer: StepWriter[Entries | None] = StepWriter(None)
    first = next((row.number for row in view.rows.of(_FIRST) if _is_of(view, row, own.broker)), None)
    if first is None:
        return writer.steps(view)
    for place in _may_change_at(view, own, control, first):
        row = view.rows[row_before(place)]
        unknown_now = not view.exact and (
            own.epoch_at[place] != own.epoch_at[place - 1] or _tenure_begins(control, place, known)
        )
        if unknown_now or (not control.leader_known[place] and row.at != stated_at):
            writer.put(place, None)
        if not _is_of(view, row, own.broker):
            continue
        old = view.before(own.broker, 2, 0, 1, at=row.seq)
        after = _entries_after(row, known, "ignored" if old else "replaces", exact=view.exact)
        if row.kind in _ON_ENTRIES:
            stated_at = row.at
        emptied = row.kind == "log_reset" or (row.kind == "log_created" and view.exact)
        if emptied or row.kind in _ON_ENTRIES or (after != known and writer.value is not None):
            writer.put(place, after.entries if after.unnamed == 0 else None)
        known = after
    return writer.steps(view)


def _may_change_at(view: View, own: Roles, control: Control, first: int) -> list[Place]:
    """The places after row `first` at which what is known of a cache may change.

    After each line on it also the next place at which a next tenure would not be known: right after the line,
    and after all lines of the same time.
    """
    at: Numbers = view.rows.column("at")
    places = [place_after(row.number) for row in view.rows.of(_ON_CACHE) if _is_of(view, row, own.broker)]
    after: list[int] = [next_place(place) for place in places]
    after += [int(at.searchsorted(at.item(place - 1), "right")) + 1 for place in places]
    unknown = (control.leader_known == Validity.NO).nonzero()[0]
    later = unknown.searchsorted(after)
    found = {*places, *map(Place, unknown[later[later < len(unknown)]].tolist())}
    found.update(one.first for one in own.spans)
    found.update(tenure.place for tenure in control.tenures)
    return sorted(place for place in found if place > first)


def _is_of(view: View, row: Row, broker: int) -> bool:
    """Whether a row is about the replica of a broker in the partition."""
    return row.partition == view.partition and row.replica == broker


def _tenure_begins(control: Control, place: int, known: StatedEntries) -> bool:
    """Whether a tenure begins at a place of which the cache has no entry yet."""
    epoch = control.epoch_at[place]
    if epoch is None or epoch == control.epoch_at[place - 1]:
        return False
    return all(known < epoch for known, _ in known.entries)


def _entries_after(row: Row, known: StatedEntries, conflict: EpochConflict, *, exact: bool) -> StatedEntries:
    """The entries that are known after a row about the replica."""
    if row.kind in ("epoch_cache_loaded", "log_reset", "log_created"):
        # A log that is dropped whole takes its cache with it (LeaderEpochFileCache.clearAndFlush).
        return StatedEntries((), 0)
    if row.kind == "epoch_assigned" and row.epoch is not None and row.offset is not None:
        return known.assigned(row.epoch, row.offset, row.aux, conflict)
    if row.kind == "epoch_cache_cut" and row.offset is not None:
        return known.cut(row.offset, row.aux)
    if exact:
        # A simulation states each change of the cache. That of the log may have ended lower, at the start of
        # a batch.
        return known
    if row.kind == "truncated" and row.offset is not None:
        return known.cut(row.offset, None)
    if row.kind == "log_loaded" and row.leo is not None and not row.at_least:
        # An entry under which nothing was written starts at the end of the log: it goes when that is loaded.
        return known.cut(row.leo, None)
    if row.kind == "log_start_moved" and row.log_start is not None:
        return known.log_starts_at(row.log_start)
    # The copy of a log that moves knows no epoch without a record, and no line says which (KAFKA-15608).
    return StatedEntries() if row.kind == "log_moved" else known
