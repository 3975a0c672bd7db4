"""The leader epoch cache: entries (epoch, start offset), and where an epoch ends (KIP-101)."""

from typing import Final, NamedTuple, TypeAlias

from core.kafka.switches import EpochConflict, EpochFileFlush, EpochOldFormat, LookupBelow, LookupUndefined

Entries: TypeAlias = tuple[tuple[int, int], ...]
"""(epoch, start offset), rising in both."""

UNDEFINED: Final = -1
"""Kafka's undefined epoch and undefined offset."""


class EpochEnd(NamedTuple):
    """The end of an epoch. Both are UNDEFINED where nothing can be said."""

    epoch: int
    offset: int


NO_END: Final = EpochEnd(UNDEFINED, UNDEFINED)


def latest_epoch(entries: Entries) -> int:
    """The latest epoch, or UNDEFINED where there is no entry."""
    return entries[-1][0] if entries else UNDEFINED


def assign(entries: Entries, epoch: int, start: int, conflict: EpochConflict) -> Entries:
    """The entries with (epoch, start) put in. An entry of an epoch that is there already changes nothing.

    `replaces` (2.0.1, KAFKA-7415): the result rises in both; entries of a later or the same epoch, or that
    start at or above `start`, give way. So an epoch under which nothing was written is replaced.
    `ignored` (0.11, KIP-101): an entry of an older epoch or a smaller start is left out, and one that
    starts where the last does comes beside it.
    """
    if conflict == "ignored":
        last_epoch, last_start = entries[-1] if entries else NO_END
        return (*entries, (epoch, start)) if epoch > last_epoch and start >= last_start else entries
    if entries and entries[-1][0] == epoch and start >= entries[-1][1]:
        return entries
    kept = tuple(entry for entry in entries if entry[0] < epoch and entry[1] < start)
    return (*kept, (epoch, start))


def on_old_records(rule: EpochOldFormat, entries: Entries) -> Entries:
    """The entries after an append of records without a leader epoch (message format before 0.11).

    To 2.2.0 they stay, and the records count to the latest epoch. From 2.2.1 (KAFKA-7601) all go, so that the
    next cut is to the high watermark.
    """
    return () if rule == "cleared" else entries


def cut_end(entries: Entries, offset: int) -> Entries:
    """The entries that are left when the log is cut to `offset`: those that start below it.

    An undefined offset cuts nothing.
    """
    if offset == UNDEFINED:
        return entries
    return tuple(entry for entry in entries if entry[1] < offset)


def cut_start(entries: Entries, offset: int) -> Entries:
    """The entries that are left when the log begins at `offset`.

    Those whose records are all gone go; the one that holds `offset` begins there.
    """
    gone = [entry for entry in entries if entry[1] <= offset]
    kept = entries[len(gone) :]
    return ((gone[-1][0], offset), *kept) if gone else kept


def end_of_epoch(
    entries: Entries,
    leo: int,
    epoch: int,
    below: LookupBelow,
    undefined: LookupUndefined = "undefined",
) -> EpochEnd:
    """Where an epoch ends in this log: the start of the next entry, or the log end for the latest.

    The answer's epoch is the largest known one that is not above the one asked for (2.0, KIP-279; a 0.11
    leader looks up the same and sends the offset alone). Undefined are epoch -1 and one above all known.
    One below all known was undefined until 2.0.1 and ends at the start of the lowest since (KAFKA-7415):
    see `below`. To 1.0.1 a leader without entries took epoch -1 for its latest, and said its log end
    (KAFKA-6857): see `undefined`.
    """
    if epoch == UNDEFINED or not entries:
        unknown_to_both = epoch == UNDEFINED and not entries and undefined == "log-end"
        return EpochEnd(UNDEFINED, leo) if unknown_to_both else NO_END
    if epoch == entries[-1][0]:
        return EpochEnd(epoch, leo)
    higher = next((entry for entry in entries if entry[0] > epoch), None)
    if higher is None:
        return NO_END
    floor = next((entry for entry in reversed(entries) if entry[0] <= epoch), None)
    if floor is not None:
        return EpochEnd(floor[0], higher[1])
    return EpochEnd(epoch, higher[1]) if below == "lowest-start" else NO_END


def entries_to_flush(rule: EpochFileFlush, before: Entries) -> Entries | None:
    """What the file of an epoch cache still has right after a cut of the cache; None is what the cache has.

    To 3.6 a cut is flushed before anything else happens. From 3.7 (KAFKA-15046,
    LeaderEpochFileCache.truncateFromEndAsyncFlush) a thread of the background does it; a new entry is flushed
    at once, with all of the cache, in every release, so that the file never lacks one.
    """
    return before if rule == "later" else None


def entries_loaded(file: Entries, leo: int) -> Entries:
    """The epoch cache of a log that is loaded: its file, without what begins at or above the log end."""
    return cut_end(file, leo)
