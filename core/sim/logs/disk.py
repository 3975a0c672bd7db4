"""What the data directories hold at the end of a run: checkpoints, epochs, segments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from core.sim.logs.batches import marker_batch, new_batch, old_messages
from core.sim.logs.data import NOTHING
from core.sim.logs.metadata import segment
from core.sim.logs.names import CLUSTER_ID, directory_id, topic_id
from core.sim.logs.raft import base, held
from core.sim.logs.scribe import Copy, Scribe
from core.sim.logs.stamps import java_date
from core.trace.trace import Trace
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import NUMBER


@dataclass(frozen=True, slots=True)
class Sent:
    """One request of a producer: its records, by number, and when the leader took it."""

    first: int
    count: int
    at: int


def seqs_of(trace: Trace, *kinds: str) -> list[int]:
    """The Seqs of all events of some kinds, in order."""
    wanted = [NUMBER[kind] for kind in kinds]
    return [int(seq) for seq in np.flatnonzero(np.isin(trace.columns["kind"], wanted))]


def requests(trace: Trace) -> Mapping[int, Sent]:
    """From the number of a record to the request that it came with.

    Records that were there before the first step count as requests of their own.
    """
    found: dict[int, Sent] = {}
    for seq in seqs_of(trace, "appended"):
        event = trace.event(seq)
        first = event.values["aux"]
        count = event.values["offset"] - event.values["from_offset"]
        together = event.cause is not None and trace.event(event.cause).kind == "produced"
        if together and first not in found:
            sent = Sent(first, count, event.at)
            found.update(dict.fromkeys(range(first, first + count), sent))
        for number in range(first, first + count):
            found.setdefault(number, Sent(number, 1, event.at))
    return found


def data_files(scribe: Scribe, broker: int, sent: Mapping[int, Sent]) -> Iterator[tuple[str, bytes]]:
    """Every file of a broker's data directories: path with the directory, content."""
    names = [str(one.tp) for one in scribe.trace.partitions]
    for second in (False, True)[: 1 + scribe.moves]:
        here = [
            (partition, copy)
            for (partition, owner), copy in sorted(scribe.copies.items())
            if owner == broker and ((owner, names[partition]) in scribe.aside) is second
        ]
        for path, content in _files_of(scribe, broker, here, sent, second=second):
            yield f"data{'-2' if second else ''}/{path}", content


def _files_of(
    scribe: Scribe, broker: int, logs: list[tuple[int, Copy]], sent: Mapping[int, Sent], *, second: bool
) -> Iterator[tuple[str, bytes]]:
    """Every file of one data directory, with `logs`: path within it, content."""
    yield "meta.properties", _meta(scribe, broker, second=second)
    yield "replication-offset-checkpoint", _offsets(scribe, [(one, copy.checkpointed) for one, copy in logs])
    yield "recovery-point-offset-checkpoint", _offsets(scribe, [(one, copy.flushed) for one, copy in logs])
    yield "cleaner-offset-checkpoint", b""
    if scribe.release_of(broker) >= (0, 11):
        moved = [(one, copy.log_start) for one, copy in logs if copy.log_start > copy.disk_start]
        yield "log-start-offset-checkpoint", _offsets(scribe, moved)
    if not second:
        yield from _metadata_files(scribe, broker)
    for partition, copy in logs:
        folder = str(scribe.trace.partitions[partition].tp)
        yield f"{folder}/{copy.first_on_disk:020d}.log", _segment(scribe, copy, sent)
        rules = scribe.runs_by(broker).switches
        if rules.epoch_entry != "none":
            yield f"{folder}/leader-epoch-checkpoint", _epochs(copy)
        if scribe.release_of(broker) >= (2, 8) and rules.truncation == "fetch-divergence":
            yield f"{folder}/partition.metadata", _topic_id(scribe, partition)


def controller_files(scribe: Scribe, node: int) -> Iterator[tuple[str, bytes]]:
    """Every file of the data directory of a KRaft controller: path with the directory, content."""
    yield "data/meta.properties", _meta(scribe, node)
    for path, content in _metadata_files(scribe, node):
        yield f"data/{path}", content


def _metadata_files(scribe: Scribe, node: int) -> Iterator[tuple[str, bytes]]:
    """The metadata log of KRaft, as far as a node has read it before it went down."""
    if scribe.metadata is None:
        return
    gone_at = scribe.life(node).gone_at
    until = int(scribe.trace.columns["at"][-1]) if gone_at is None else gone_at
    first = base(scribe, node)
    content = segment(scribe.metadata, scribe.origin, until, held(scribe, node), first)
    yield f"__cluster_metadata-0/{first:020d}.log", content


def keeps_epochs(scribe: Scribe) -> bool:
    """Whether the brokers keep leader epochs: in a file, and in batches of magic 2 (0.11, KIP-101)."""
    return scribe.switches.epoch_entry != "none"


def _offsets(scribe: Scribe, entries: list[tuple[int, int]]) -> bytes:
    places = [(scribe.trace.partitions[partition].tp, offset) for partition, offset in entries]
    rows = [f"{tp.topic} {tp.partition} {offset}" for tp, offset in places]
    return "".join(f"{row}\n" for row in ("0", str(len(rows)), *rows)).encode()


def _epochs(copy: Copy) -> bytes:
    rows = [f"{epoch} {start}" for epoch, start in copy.entries]
    return "".join(f"{row}\n" for row in ("0", str(len(rows)), *rows)).encode()


def _topic_id(scribe: Scribe, partition: int) -> bytes:
    topic = scribe.trace.partitions[partition].tp.topic
    return f"version: 0\ntopic_id: {topic_id(topic)}".encode()


def _meta(scribe: Scribe, broker: int, *, second: bool = False) -> bytes:
    head = ["#", f"#{java_date(scribe.origin)}"]
    if scribe.metadata is not None:
        named = [f"directory.id={directory_id(broker, second=second)}"] if scribe.metadata.since(3, 7) else []
        rows = [*head, f"node.id={broker}", *named, "version=1", f"cluster.id={CLUSTER_ID}"]
        return "".join(f"{row}\n" for row in rows).encode()
    rows = [*head, f"broker.id={broker}", "version=0"]
    if scribe.release_of(broker) >= (2, 4):
        rows.append(f"cluster.id={CLUSTER_ID}")
    return "".join(f"{row}\n" for row in rows).encode()


def _segment(scribe: Scribe, copy: Copy, sent: Mapping[int, Sent]) -> bytes:
    """The log in one segment, request by request: a follower's bytes are those of its leader."""
    made: list[bytes] = []
    base, place = copy.log_start, copy.first_on_disk - copy.log_start
    while place < len(copy.log):
        number, epoch = copy.log[place]
        if (number, epoch) == NOTHING:
            place += 1
            continue
        one = sent[number]
        whole = [(one.first + step, epoch) for step in range(one.count)]
        if copy.log[place : place + one.count] != whole:
            whole = [(number, epoch)]
        values = [scribe.trace.records[each].encode() for each, _ in whole]
        stamp_ms = (scribe.origin + one.at) // MILLISECOND_NS
        writer = scribe.writers.get(whole[0][0])
        if writer is not None and writer.aborts is not None:
            told = (writer.producer, writer.epoch)
            made.append(marker_batch(base + place, epoch, stamp_ms, told, aborts=writer.aborts))
        elif keeps_epochs(scribe) and base + place not in copy.old:
            numbered = None if writer is None else (writer.producer, writer.epoch, writer.sequence)
            made.append(new_batch(base + place, epoch, stamp_ms, values, numbered))
        else:
            made.append(old_messages(base + place, stamp_ms, values))
        place += len(whole)
    return b"".join(made)
