"""The leader epoch cache of a replica: (epoch, start offset), rising."""

from dataclasses import dataclass
from typing import Final

from core.history.control import Control
from core.history.roles import Roles
from core.history.running_bounds import Numbers
from core.history.state import Steps
from core.history.steps import StepWriter
from core.history.validity import Validity
from core.history.view import Row, View
from core.kafka.epochs import Entries, assign, cut_end, cut_start
from core.kafka.switches import EpochConflict

_WORDS: Final = ("epoch_cache_loaded", "epoch_assigned", "epoch_cache_cut")
"""Kinds that tell of the cache itself."""
_FIRST: Final = frozenset({*_WORDS, "log_reset", "log_created"})
"""Kinds before which nothing of it is known."""
_ON_CACHE: Final = _FIRST | {"truncated", "log_loaded", "log_start_moved"}


@dataclass(frozen=True, slots=True)
class StatedEntries:
    """The latest entries of a cache, and how many older ones nobody named; None is an unknown number.

    The entries are the whole cache where `unnamed` is 0. A line on one entry says how many the cache has:
    entries that were heard of stay only while each further count agrees with them.
    """

    entries: Entries = ()
    unnamed: int | None = None

    def assigned(self, epoch: int, start: int, size: int | None, conflict: EpochConflict) -> "StatedEntries":
        """After an entry is made. `size` is that of the cache with it, None where nobody says it."""
        entries = assign(self.entries, epoch, start, conflict)
        if size is None:
            alone = self.unnamed != 0 and len(entries) == 1
            return StatedEntries(entries, None if alone else self.unnamed)
        agreed = size - len(entries) == self.unnamed
        return StatedEntries(entries, self.unnamed) if agreed else StatedEntries(((epoch, start),), size - 1)

    def cut(self, offset: int, size: int | None) -> "StatedEntries":
        """After the end of the log is cut to `offset`. `size` is how many entries are left, None as above."""
        entries = cut_end(self.entries, offset)
        if size is None:
            return StatedEntries(entries, self.unnamed if entries or self.unnamed == 0 else None)
        agreed = size - len(entries) == self.unnamed
        return StatedEntries(entries, self.unnamed) if agreed else StatedEntries((), size)

    def begun_at(self, offset: int) -> "StatedEntries":
        """After the log begins at `offset`: what ends below it is dropped."""
        return StatedEntries(cut_start(self.entries, offset), 0) if self.unnamed == 0 else StatedEntries()


def epoch_steps(view: View, own: Roles, control: Control) -> Steps[Entries | None]:
    """The cache of one replica. None until all of it is stated, and None to 0.10, which has none.

    A real log does not always say when an entry is made: there, what is known holds until the next term, of
    which this replica or anybody else tells, and no longer than a next term would be known.
    """
    said = None
    conflict: EpochConflict = "ignored" if view.before(own.broker, 2, 0, 1) else "replaces"
    heard = StatedEntries()
    writer: StepWriter[Entries | None] = StepWriter(None)
    first = next((row.number for row in view.rows.of(_FIRST) if _is_of(view, row, own.broker)), None)
    if first is None:
        return writer.steps(view)
    for place in _may_change_at(view, own, control, first):
        row = view.rows[place - 1]
        another = not view.exact and (
            own.epoch_at[place] != own.epoch_at[place - 1] or _begun(control, place, heard)
        )
        if another or (not control.leader_known[place] and row.at != said):
            writer.put(place, None)
        if not _is_of(view, row, own.broker):
            continue
        after = _after(row, heard, conflict, exact=view.exact)
        if row.kind in _WORDS:
            said = row.at
        begun = row.kind == "log_reset" or (row.kind == "log_created" and view.exact)
        if begun or row.kind in _WORDS or (after != heard and writer.value is not None):
            writer.put(place, after.entries if after.unnamed == 0 else None)
        heard = after
    return writer.steps(view)


def _may_change_at(view: View, own: Roles, control: Control, first: int) -> list[int]:
    """The places, from that of a row on, at which what is known of a cache may become another.

    After each word on it also the next one at which a next term would not be known: of the moments after the
    word, and of those after its own.
    """
    at: Numbers = view.rows.column("at")
    own_lines = [row.number + 1 for row in view.rows.of(_ON_CACHE) if _is_of(view, row, own.broker)]
    after = [place + 1 for place in own_lines]
    after += [int(at.searchsorted(at.item(place - 1), "right")) + 1 for place in own_lines]
    unknown = (control.leader_known == Validity.NO).nonzero()[0]
    later = unknown.searchsorted(after)
    found = {*own_lines, *unknown[later[later < len(unknown)]].tolist()}
    found.update(one.first for one in own.spans)
    found.update(tenure.place for tenure in control.tenures)
    return sorted(place for place in found if place > first)


def _is_of(view: View, row: Row, broker: int) -> bool:
    return row.partition == view.partition and row.replica == broker


def _begun(control: Control, place: int, heard: StatedEntries) -> bool:
    """Whether a term begins at a place of which the cache has no entry yet."""
    epoch = control.epoch_at[place]
    if epoch is None or epoch == control.epoch_at[place - 1]:
        return False
    return all(known < epoch for known, _ in heard.entries)


def _after(row: Row, heard: StatedEntries, conflict: EpochConflict, *, exact: bool) -> StatedEntries:
    """What is heard of the cache after a row of its replica."""
    if row.kind in ("epoch_cache_loaded", "log_reset", "log_created"):
        # A log that is dropped whole takes its cache with it (LeaderEpochFileCache.clearAndFlush).
        return StatedEntries((), 0)
    if row.kind == "epoch_assigned" and row.epoch is not None and row.offset is not None:
        return heard.assigned(row.epoch, row.offset, row.aux, conflict)
    if row.kind == "epoch_cache_cut" and row.offset is not None:
        return heard.cut(row.offset, row.aux)
    if exact:
        # A simulation tells each change of the cache. That of the log may have ended lower, at the start of
        # a batch.
        return heard
    if row.kind == "truncated" and row.offset is not None:
        return heard.cut(row.offset, None)
    if row.kind == "log_loaded" and row.leo is not None and not row.at_least:
        # An entry under which nothing was written starts at the end of the log: it goes when that is loaded.
        return heard.cut(row.leo, None)
    if row.kind == "log_start_moved" and row.log_start is not None:
        return heard.begun_at(row.log_start)
    return heard
