"""The leader epoch cache of a replica: (epoch, start offset), rising."""

from collections.abc import Sequence

from core.history.roles import Roles
from core.history.state import Steps
from core.history.steps import StepWriter
from core.history.view import View

Entries = tuple[tuple[int, int], ...]


def with_entry(entries: Entries, epoch: int, start: int) -> Entries:
    """The cache after an entry is made.

    It pushes out entries of its epoch or later, and those that start no earlier (LeaderEpochFileCache.assign;
    to 2.0.0 a second entry of the same epoch is ignored, which gives the same).
    """
    if any(known == epoch and begun <= start for known, begun in entries):
        return entries
    kept = tuple(entry for entry in entries if entry[0] < epoch and entry[1] < start)
    return (*kept, (epoch, start))


def cut_entries(entries: Entries, offset: int) -> Entries:
    """The cache after a cut: entries that start at or above it go (LeaderEpochFileCache.truncateFromEnd)."""
    return tuple(entry for entry in entries if entry[1] < offset)


def epoch_steps(view: View, own: Roles, standing: Sequence[int]) -> Steps[Entries | None]:
    """The cache of one replica. None until something states it, and None to 0.10, which has none.

    A real log does not say when an entry is made: there, what was read from a file holds until the next term,
    and no longer than a next term would be known: `standing` is 0 at the places where it would not.
    """
    said = None
    writer = StepWriter[Entries | None](None)
    # A simulation tells each cut of the cache. That of the log may have ended lower, at the start of a batch.
    cuts = ("epoch_cache_cut",) if view.exact else ("epoch_cache_cut", "truncated")
    for row in view.rows:
        place, known = row.number + 1, writer.value
        another = not view.exact and own.epoch_at[place] != own.epoch_at[place - 1]
        if another or (not standing[place] and row.at != said):
            writer.put(place, None)
        if row.partition != view.partition or row.replica != own.broker:
            continue
        if row.kind in ("epoch_cache_loaded", "epoch_assigned"):
            said = row.at
        begun = row.kind == "log_created" and view.exact
        if begun or row.kind in ("epoch_cache_loaded", "log_reset"):
            # A log that is dropped whole takes its cache with it (LeaderEpochFileCache.clearAndFlush).
            writer.put(place, ())
        elif row.kind == "epoch_assigned" and row.epoch is not None and row.offset is not None:
            writer.put(place, with_entry(known or (), row.epoch, row.offset))
        elif row.kind in cuts and row.offset is not None and known:
            writer.put(place, cut_entries(known, row.offset))
    return writer.steps(view)
