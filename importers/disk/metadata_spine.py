"""Copies of the metadata log from several nodes as one log: what was committed, in one order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.assumptions import METADATA_IS_COMMITTED_AFTER
from core.trace.units import MILLISECOND_NS
from importers.disk.metadata_log import MetadataEntry, MetadataFile


@dataclass(frozen=True, slots=True)
class MetadataCopy:
    """One file of one node's copy: its number among the sources, the node, and what was read."""

    source: int
    node: int | None
    file: MetadataFile


@dataclass(frozen=True, slots=True)
class SpineEntry:
    """One record of the merged log, with the file that it was read from. `sure`: known to be committed."""

    source: int
    entry: MetadataEntry
    sure: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state before `end_offset`, from one file."""

    source: int
    end_offset: int
    entries: tuple[MetadataEntry, ...]
    stamp_ns: int
    """Of the last record that it stands for."""


@dataclass(frozen=True, slots=True)
class Spine:
    """The merged log by offset, and the snapshots by the offset that they end at."""

    entries: tuple[SpineEntry, ...]
    snapshots: tuple[Snapshot, ...]


def spine(copies: Sequence[MetadataCopy]) -> Spine:
    """One log of all copies.

    Of two records at one offset, that of the later raft epoch stands: the other was cut away. Along the log
    the epoch never falls, so whatever lies behind a later epoch with an earlier one was cut away as well.
    """
    best: dict[int, tuple[int, MetadataEntry, int]] = {}
    holders: dict[tuple[int, int], set[int]] = {}
    ends: dict[int | None, int] = {}
    for copy in copies:
        if copy.file.snapshot_end is not None:
            continue
        for entry in copy.file.entries:
            known = best.get(entry.offset)
            if known is None or entry.epoch > known[1].epoch:
                best[entry.offset] = (copy.source, entry, entry.epoch)
            if copy.node is not None:
                holders.setdefault((entry.offset, entry.epoch), set()).add(copy.node)
            ends[copy.node] = max(ends.get(copy.node, 0), entry.stamp_ns)
    kept: list[tuple[int, MetadataEntry]] = []
    for offset in sorted(best):
        source, entry, epoch = best[offset]
        if not kept or epoch >= kept[-1][1].epoch:
            kept.append((source, entry))
    sure = _committed_to([entry for _, entry in kept], holders, ends)
    entries = tuple(SpineEntry(source, entry, entry.offset < sure) for source, entry in kept)
    return Spine(entries, _snapshots(copies))


def batches(entries: Sequence[SpineEntry]) -> list[list[SpineEntry]]:
    """Records of one batch are one atomic change."""
    found: list[list[SpineEntry]] = []
    for one in entries:
        last = found[-1][-1] if found else None
        same = last is not None and (last.source, last.entry.position) == (one.source, one.entry.position)
        if same:
            found[-1].append(one)
        else:
            found.append([one])
    return found


def _committed_to(
    entries: Sequence[MetadataEntry],
    holders: dict[tuple[int, int], set[int]],
    ends: dict[int | None, int],
) -> int:
    """The offset below which everything is known to be committed.

    What a majority of the voters holds is; and so is what a node's copy follows with many seconds of more.
    """
    voters: frozenset[int] = frozenset()
    committed = 0
    last = max(ends.values(), default=0)
    for entry in entries:
        voters = _voters(entry, voters)
        held = holders.get((entry.offset, entry.epoch), set())
        majority = len(voters) == 1 or (voters and 2 * len(held & voters) > len(voters))
        if majority or entry.stamp_ns + METADATA_IS_COMMITTED_AFTER.ns <= last:
            committed = entry.offset + 1
    return committed


def _voters(entry: MetadataEntry, known: frozenset[int]) -> frozenset[int]:
    """The voters, as the records of raft itself name them."""
    if entry.control and entry.record.name in ("LeaderChange", "KRaftVoters"):
        listed: Iterable[Any] = entry.record.data.get("voters") or ()
        return frozenset(voter["voterId"] for voter in listed) or known
    return known


def _snapshots(copies: Sequence[MetadataCopy]) -> tuple[Snapshot, ...]:
    """One snapshot for each end offset: those of several nodes hold the same."""
    found: dict[int, Snapshot] = {}
    for copy in copies:
        end = copy.file.snapshot_end
        if end is None or not copy.file.entries or copy.file.torn is not None or copy.file.doubts:
            continue
        heads = [one for one in copy.file.entries if one.record.name == "SnapshotHeader"]
        stamp = heads[0].record.data.get("lastContainedLogTimestamp") if heads else None
        at = copy.file.entries[0].stamp_ns if stamp is None else stamp * MILLISECOND_NS
        found.setdefault(end, Snapshot(copy.source, end, copy.file.entries, at))
    return tuple(found[end] for end in sorted(found))
