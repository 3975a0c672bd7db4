"""What data directories say: batches, ends of logs, checkpoints, and at which time they say it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from core.assumptions import CHECKPOINT_WRITTEN_EVERY
from core.message import Message, message
from core.trace.ids import METADATA_TOPIC, Nanos
from importers.disk.checkpoints import OFFSET_FILES
from importers.disk.data_dirs import DataPlace
from importers.disk.segments import Batch
from importers.kafka.drafts import Said
from importers.lines.items import Item
from importers.merge.file_times import Span, copied_anew, untimed_copies, written_at
from importers.merge.files import ReadFile, Role

CHECKPOINT_RANK: Final = 9
"""At equal times a file comes after the lines."""
_WITH_TRANSACTIONS: Final = 2
"""The magic of batches since 0.11."""
_VALUE: Final = {"hw_checkpointed": "hw", "flushed": "offset", "log_start_moved": "log_start"}


@dataclass(frozen=True, slots=True)
class OnDisk:
    """One file of a data directory: its number among the sources, its broker, and what was read."""

    source: int
    broker: int
    file: ReadFile


def end_of_trace(files: Sequence[OnDisk], span: Span) -> Nanos:
    """The moment of the final data directories: not before the last line, nor before their last write."""
    times = [span.last] if span.last is not None else []
    lost = untimed_copies([one.file for one in files], span)
    kept = [one.file for one in files if one.file.place is None or one.file.place.directory not in lost]
    times += [at for file in kept if span.believes(at := written_at(file)) and at is not None]
    return Nanos(max(times, default=0))


def disk_items(files: Sequence[OnDisk], span: Span) -> tuple[tuple[Item, ...], tuple[tuple[Item, ...], ...]]:
    """Items of the final state, all at the end of the trace, and one chain per file of an earlier snapshot.

    A snapshot of which nobody knows when it was made tells nothing: see `untimed`.
    """
    end = end_of_trace(files, span)
    unknown = untimed_copies([one.file for one in files], span)
    anew = copied_anew(one.file for one in files)
    ids = topic_ids(files)
    final: list[Item] = []
    chains: list[tuple[Item, ...]] = []
    for one in files:
        place = one.file.place
        if place is None or not _counts(one, ids):
            continue
        at = written_at(one.file)
        if not place.snapshot:
            kept = span.believes(at) and place.directory not in anew
            final += _items(one, end, ids, one.file.mtime_ns if kept else None)
        elif at is not None and span.believes(at) and place.directory not in unknown:
            chains.append(tuple(_items(one, min(at, end), ids)))
    final += log_ends([one for one in files if _counts(one, ids)], end, ids)
    return tuple(final), tuple(chain for chain in chains if chain)


def untimed(files: Sequence[OnDisk], span: Span) -> list[Message]:
    """A message for each earlier copy of a data directory that has lost its times."""
    return [
        message("report.untimed", file=name)
        for name in sorted(untimed_copies([one.file for one in files], span))
    ]


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


def _items(
    one: OnDisk, at: int, ids: Mapping[DataPlace, str], written_ns: int | None = None
) -> Iterator[Item]:
    """What a file says at a time; `written_ns` is when a file of the end was written, where that is known."""
    rows: Iterator[tuple[int, int, Said]]
    if one.file.role is Role.OFFSETS:
        rows = _offsets(one, written_ns)
    elif one.file.role is Role.EPOCHS:
        rows = _epochs(one)
    elif one.file.segment is not None and one.file.place is not None and not one.file.place.snapshot:
        rows = _batches(one)
    else:
        return
    for ordinal, (line, byte, plain) in enumerate(rows):
        topic_id = _id_of(one, plain, ids)
        said = plain if topic_id is None else replace(plain, topic_id=topic_id)
        yield Item(
            at, CHECKPOINT_RANK, one.source, byte, line, ordinal, one.broker, one.file.role.value, said
        )


def _id_of(one: OnDisk, said: Said, ids: Mapping[DataPlace, str]) -> str | None:
    """The id of the topic that an entry of a file is about: of its folder, or of that beside the file."""
    place = one.file.place
    if place is None or said.tp is None:
        return None
    return ids.get(place if place.tp is not None else replace(place, tp=said.tp))


def _offsets(one: OnDisk, written_ns: int | None) -> Iterator[tuple[int, int, Said]]:
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
            stamp=written_ns if column == "hw" else None,
            at_least=(column,),
        )
        yield entry.line, entry.byte, said


def _epochs(one: OnDisk) -> Iterator[tuple[int, int, Said]]:
    tp = one.file.place.tp if one.file.place else None
    if tp is None or one.file.checkpoint is None:
        return
    entries = one.file.checkpoint.epochs
    if not one.file.checkpoint.whole:
        # A cache of which entries are missing is another one.
        return
    yield 2, 0, Said("epoch_cache_loaded", tp, aux=len(entries))
    for entry in entries:
        yield (
            entry.line,
            entry.byte,
            Said("epoch_assigned", tp, epoch=entry.epoch, offset=entry.start_offset),
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
    yield from _transactions(tp, one.file.segment.batches)


def _transactions(tp: tuple[str, int], batches: Sequence[Batch]) -> Iterator[tuple[int, int, Said]]:
    """What the batches of a segment say of transactions (KIP-98), neighbours of one producer at once."""
    begun: Batch | None = None
    end = 0
    for batch in batches:
        joins = begun is not None and batch.marker is None and batch.producer == begun.producer
        if begun is not None and not (joins and batch.first_offset == end):
            yield 0, begun.position, _written(tp, begun, end)
            begun = None
        if batch.producer is None:
            continue
        if batch.marker is None:
            begun, end = begun or batch, batch.end_offset
            continue
        kind = "transaction_aborted" if batch.marker else "transaction_committed"
        producer, epoch = batch.producer
        said = Said(kind, tp, epoch=epoch, offset=batch.first_offset, stamp=batch.stamp_ns, aux=producer)
        yield 0, batch.position, said
    if begun is not None:
        yield 0, begun.position, _written(tp, begun, end)


def _written(tp: tuple[str, int], begun: Batch, end: int) -> Said:
    producer, epoch = begun.producer or (None, None)
    return Said(
        "transaction_written",
        tp,
        epoch=epoch,
        from_offset=begun.first_offset,
        offset=end,
        stamp=begun.stamp_ns,
        aux=producer,
    )


def _read_from(found: Sequence[OnDisk]) -> int | None:
    """The offset from which on the batches of a log were read whole: all of them follow one another.

    None where they are not known one by one (message sets to 0.10, texts), so that transactions are not.
    """
    batches = [batch for one in found if one.file.segment for batch in one.file.segment.batches]
    if any(batch.magic < _WITH_TRANSACTIONS or batch.crc is None for batch in batches):
        return None
    batches.sort(key=lambda batch: batch.first_offset)
    start = batches[0].first_offset if batches else None
    for one, after in pairwise(batches):
        if after.first_offset != one.end_offset:
            start = after.first_offset
    return start


def _is_newer(checkpoint_ns: int | None, segment_ns: int | None) -> bool:
    """Whether a checkpoint was surely written after the last change of a segment."""
    return (
        checkpoint_ns is not None
        and segment_ns is not None
        and checkpoint_ns > segment_ns + CHECKPOINT_WRITTEN_EVERY.ns
    )


def log_ends(files: Sequence[OnDisk], end: int, ids: Mapping[DataPlace, str]) -> Iterator[Item]:
    """Per replica with a final data directory: where its log begins and ends.

    The log start is in log-start-offset-checkpoint only while it is above the base of the first segment.
    Where the other files tell of offsets that no segment has, segments are missing, and where one ends within
    a batch the rest of it may be: the end is then only a lower bound, and a start below the first segment is
    not known. Nor is that of a metadata log with snapshots: it may stand anywhere in a segment, and no file
    has it (KIP-630).
    """
    segments: dict[tuple[int, tuple[str, int], str], list[OnDisk]] = {}
    final = [one for one in files if one.file.place is not None and not one.file.place.snapshot]
    starts = _checkpointed(final, "log-start-offset-checkpoint")
    flushed = _checkpointed(final, "recovery-point-offset-checkpoint")
    marks = _checkpointed(final, "replication-offset-checkpoint")
    written = {
        one.broker: one.file.mtime_ns
        for one in final
        if one.file.path.endswith("/replication-offset-checkpoint")
    }
    epochs: dict[tuple[int, tuple[str, int]], list[int]] = {}
    for one in final:
        place, checkpoint = one.file.place, one.file.checkpoint
        if place is None or place.tp is None:
            continue
        if one.file.segment is not None:
            segments.setdefault((one.broker, place.tp, ids.get(place, "")), []).append(one)
        elif checkpoint is not None and checkpoint.epochs:
            epochs[one.broker, place.tp] = [entry.start_offset for entry in checkpoint.epochs]
    behind_snapshots = {one.broker for one in final if one.file.metadata and one.file.metadata.snapshot_end}
    for (broker, tp, topic_id), found in sorted(segments.items()):
        bases = [one.file.segment.base_offset for one in found if one.file.segment]
        last = max(found, key=lambda one: one.file.segment.base_offset if one.file.segment else -1)
        if last.file.segment is None:
            continue
        leo, begun = last.file.segment.end_offset, epochs.get((broker, tp), [])
        mark = marks.get((broker, tp), 0) if _is_newer(written.get(broker), last.file.mtime_ns) else 0
        torn = any(one.file.segment is not None and one.file.segment.torn is not None for one in found)
        whole = not torn and max([flushed.get((broker, tp), 0), mark, *begun]) <= leo
        start = max(min(bases), starts.get((broker, tp), 0))
        told = (
            whole
            and (not begun or start <= begun[0])
            and (broker not in behind_snapshots or tp[0] != METADATA_TOPIC)
        )
        said = Said(
            "log_end_on_disk" if whole else "leo_sample",
            tp,
            leo=leo,
            log_start=start if told else None,
            aux=_read_from(found) if whole else None,
            at_least=() if whole else ("leo",),
            topic_id=topic_id or None,
        )
        batches = last.file.segment.batches
        byte = batches[-1].position if batches else 0
        yield Item(
            end, CHECKPOINT_RANK, last.source, byte, 0, len(batches), broker, last.file.role.value, said
        )


def _checkpointed(files: Sequence[OnDisk], name: str) -> dict[tuple[int, tuple[str, int]], int]:
    """By broker and partition: the offset in a checkpoint file of that name."""
    return {
        (one.broker, (entry.topic, entry.partition)): entry.offset
        for one in files
        if one.file.path.endswith(name) and one.file.checkpoint is not None
        for entry in one.file.checkpoint.entries
    }
