"""What data directories say: batches, ends of logs, checkpoints, and at which time they say it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.trace.ids import Nanos
from core.trace.vocabulary import Basis
from importers.checkpoints import OFFSET_FILES
from importers.data_dirs import DataPlace
from importers.drafts import Said
from importers.files import ReadFile, Role
from importers.items import Item

_SECOND: Final = 1_000_000_000
_BEFORE: Final = 3600 * _SECOND
_AFTER: Final = 600 * _SECOND
"""A modification time that is earlier or later than the logs by more than this is the time of a copy."""
CHECKPOINT_RANK: Final = 9
"""At equal times a file comes after the lines."""
_VALUE: Final = {"hw_checkpointed": "hw", "flushed": "offset", "log_start_moved": "log_start"}


@dataclass(frozen=True, slots=True)
class OnDisk:
    """One file of a data directory: its number among the sources, its broker, and what was read."""

    source: int
    broker: int
    file: ReadFile


@dataclass(frozen=True, slots=True)
class Span:
    """The time that the logs cover; None where there is no log."""

    first: int | None
    last: int | None

    def believes(self, at: int | None) -> bool:
        """Whether a modification time can be that of the broker's own write."""
        if at is None:
            return False
        if self.first is None or self.last is None:
            return True
        return self.first - _BEFORE <= at <= self.last + _AFTER


def written_at(file: ReadFile) -> int | None:
    """The latest moment at which a file was written: a container of whole seconds has cut the rest off."""
    if file.mtime_ns is None:
        return None
    return file.mtime_ns + (_SECOND - 1 if file.mtime_ns % _SECOND == 0 else 0)


def end_of_trace(files: Sequence[OnDisk], span: Span) -> Nanos:
    """The moment of the final data directories: not before the last line, nor before their last write."""
    times = [span.last] if span.last is not None else []
    times += [at for one in files if span.believes(at := written_at(one.file)) and at is not None]
    return Nanos(max(times, default=0))


def disk_items(files: Sequence[OnDisk], span: Span) -> tuple[tuple[Item, ...], tuple[tuple[Item, ...], ...]]:
    """Items of the final state, all at the end of the trace, and one chain per file of an earlier snapshot.

    A snapshot's file whose time cannot be believed is told at the end, with basis BOUNDED: it holds, and
    nobody knows since when.
    """
    end = end_of_trace(files, span)
    ids = topic_ids(files)
    final: list[Item] = []
    chains: list[tuple[Item, ...]] = []
    for one in files:
        place = one.file.place
        if place is None or not _counts(one, ids):
            continue
        at = written_at(one.file)
        if not place.snapshot:
            final += _items(one, end, Basis.OBSERVED, ids)
        elif at is not None and span.believes(at):
            chains.append(tuple(_items(one, min(at, end), Basis.OBSERVED, ids)))
        else:
            final += _items(one, end, Basis.BOUNDED, ids)
    final += log_ends([one for one in files if _counts(one, ids)], end, ids)
    return tuple(final), tuple(chain for chain in chains if chain)


def topic_ids(files: Sequence[OnDisk]) -> Mapping[DataPlace, str]:
    """The topic id of each partition's directory, where partition.metadata has it (2.8)."""
    return {
        one.file.place: one.file.properties["topic_id"]
        for one in files
        if one.file.place is not None and "topic_id" in one.file.properties
    }


def _counts(one: OnDisk, ids: Mapping[DataPlace, str]) -> bool:
    """Whether a directory holds a replica: a live one, or the last one of a topic that is gone.

    What is left of a replica that was removed or is being moved is no replica of the topic that lives on.
    """
    place = one.file.place
    if place is None or not place.state:
        return place is not None
    topic_id = ids.get(place)
    live = {found for where, found in ids.items() if not where.state and not where.snapshot}
    return topic_id is not None and topic_id not in live and place.state != "future"


def _items(one: OnDisk, at: int, basis: Basis, ids: Mapping[DataPlace, str]) -> Iterator[Item]:
    rows: Iterator[tuple[int, int, Said]]
    if one.file.role is Role.OFFSETS:
        rows = _offsets(one, basis)
    elif one.file.role is Role.EPOCHS:
        rows = _epochs(one, basis)
    elif one.file.role is Role.SEGMENT and one.file.place is not None and not one.file.place.snapshot:
        rows = _batches(one)
    else:
        return
    for ordinal, (line, byte, plain) in enumerate(rows):
        said = replace(plain, topic_id=_id_of(one, plain, ids))
        yield Item(
            at, CHECKPOINT_RANK, one.source, byte, line, ordinal, one.broker, one.file.role.value, said
        )


def _id_of(one: OnDisk, said: Said, ids: Mapping[DataPlace, str]) -> str | None:
    """The id of the topic that an entry of a file is about: of its folder, or of that beside the file."""
    place = one.file.place
    if place is None or said.tp is None:
        return None
    return ids.get(place if place.tp is not None else replace(place, tp=said.tp))


def _offsets(one: OnDisk, basis: Basis) -> Iterator[tuple[int, int, Said]]:
    """A checkpoint is a little older than its file: the values were at least these when it was written."""
    kind = OFFSET_FILES[one.file.path.rsplit("/", 1)[-1]]
    column = _VALUE[kind]
    for entry in one.file.checkpoint.entries if one.file.checkpoint else ():
        said = Said(
            kind,
            (entry.topic, entry.partition),
            hw=entry.offset if column == "hw" else None,
            offset=entry.offset if column == "offset" else None,
            log_start=entry.offset if column == "log_start" else None,
            at_least=(column,),
            basis=basis,
        )
        yield entry.line, entry.byte, said


def _epochs(one: OnDisk, basis: Basis) -> Iterator[tuple[int, int, Said]]:
    tp = one.file.place.tp if one.file.place else None
    if tp is None or one.file.checkpoint is None:
        return
    entries = one.file.checkpoint.epochs
    yield 2, 0, Said("epoch_cache_loaded", tp, aux=len(entries), basis=basis)
    for entry in entries:
        yield (
            entry.line,
            entry.byte,
            Said("epoch_assigned", tp, epoch=entry.epoch, offset=entry.start_offset, basis=basis),
        )


def _batches(one: OnDisk) -> Iterator[tuple[int, int, Said]]:
    tp = one.file.place.tp if one.file.place else None
    if tp is None or one.file.segment is None:
        return
    for batch in one.file.segment.batches:
        if batch.crc is None:
            continue
        said = Said(
            "batch_on_disk",
            tp,
            epoch=batch.epoch,
            from_offset=batch.first_offset,
            offset=batch.end_offset,
            stamp=batch.stamp_ns,
            aux=batch.crc,
        )
        yield 0, batch.position, said


def log_ends(files: Sequence[OnDisk], end: int, ids: Mapping[DataPlace, str]) -> Iterator[Item]:
    """Per replica with a final data directory: where its log begins and ends.

    The log start is in log-start-offset-checkpoint only while it is above the base of the first segment.
    """
    segments: dict[tuple[int, tuple[str, int], str], list[OnDisk]] = {}
    starts: dict[tuple[int, tuple[str, int]], int] = {}
    for one in files:
        place = one.file.place
        if place is None or place.snapshot:
            continue
        if one.file.segment is not None and place.tp is not None:
            segments.setdefault((one.broker, place.tp, ids.get(place, "")), []).append(one)
        elif one.file.path.endswith("log-start-offset-checkpoint") and one.file.checkpoint is not None:
            starts.update(
                {(one.broker, (e.topic, e.partition)): e.offset for e in one.file.checkpoint.entries}
            )
    for (broker, tp, topic_id), found in sorted(segments.items()):
        bases = [one.file.segment.base_offset for one in found if one.file.segment]
        last = max(found, key=lambda one: one.file.segment.base_offset if one.file.segment else -1)
        if last.file.segment is None:
            continue
        batches = last.file.segment.batches
        byte = batches[-1].position if batches else 0
        said = Said(
            "log_end_on_disk",
            tp,
            leo=last.file.segment.end_offset,
            log_start=max(min(bases), starts.get((broker, tp), 0)),
            topic_id=topic_id or None,
        )
        yield Item(
            end, CHECKPOINT_RANK, last.source, byte, 0, len(batches), broker, last.file.role.value, said
        )
