"""From two logs at the end of a trace to the offsets at which they hold different records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, NamedTuple

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.facts import Divergence
from core.history.epoch_runs import slice_runs
from core.history.state import EpochRun
from core.trace.vocabulary import Basis

_ON_DISK: Final = frozenset({"batch_on_disk", "log_end_on_disk"})
_APPENDED: Final = frozenset({"appended"})


class Batch(NamedTuple):
    """A batch of a segment. Equal content has equal base offset, epoch and CRC on every replica."""

    first: int
    end: int
    epoch: int | None
    crc: int | None
    seq: int


@dataclass(frozen=True, slots=True)
class RangeOfBoth:
    """Offsets [first, end) that a batch of each of two replicas holds; `seqs` are the rows that list them."""

    first: int
    end: int
    same: bool
    seqs: tuple[int, int]


def batches_of(case: Case) -> dict[int, list[Batch]]:
    """The batches of each replica's last listing of its segments, by offset."""
    found: dict[int, list[Batch]] = {}
    listed: set[int] = set()
    for row in case.of(_ON_DISK):
        if row.replica is None:
            continue
        if row.kind == "batch_on_disk" and row.from_offset is not None and row.offset is not None:
            if row.replica in listed:
                found[row.replica] = []
                listed.discard(row.replica)
            batch = Batch(row.from_offset, row.offset, row.epoch, row.aux, row.seq)
            found.setdefault(row.replica, []).append(batch)
        elif row.kind == "log_end_on_disk":
            listed.add(row.replica)
    return {replica: sorted(batches) for replica, batches in found.items()}


def ranges_of_both(one: Sequence[Batch], other: Sequence[Batch]) -> Iterator[RangeOfBoth]:
    """The offsets that batches of both replicas hold, in order."""
    left = right = 0
    while left < len(one) and right < len(other):
        a, b = one[left], other[right]
        first, end = max(a.first, b.first), min(a.end, b.end)
        if first < end:
            same = (a.first, a.end, a.epoch, a.crc) == (b.first, b.end, b.epoch, b.crc)
            yield RangeOfBoth(first, end, same, (a.seq, b.seq))
        left, right = left + (a.end <= b.end), right + (b.end <= a.end)


def _unlike(one: Sequence[Batch], other: Sequence[Batch]) -> list[RangeOfBoth]:
    """The offsets that both hold in different batches, neighbours joined."""
    found: list[RangeOfBoth] = []
    for part in ranges_of_both(one, other):
        if part.same:
            continue
        if found and found[-1].end == part.first:
            found[-1] = replace(found[-1], end=part.end)
        else:
            found.append(part)
    return found


def _known(case: Case, broker: int) -> tuple[EpochRun, ...]:
    """A simulated log at the end, as runs of one record each."""
    runs = case.runs(broker, case.end)
    return tuple(
        EpochRun(
            run.epoch, offset, offset + 1, run.basis, run.records[offset - run.start : offset - run.start + 1]
        )
        for run in runs
        for offset in range(run.start, run.end)
    )


def divergences(case: Case) -> tuple[Divergence, ...]:
    """Ranges that differ between two replicas: by batches on disk, or by the records of a simulation."""
    found: list[Divergence] = []
    if case.view.exact:
        for one, other in combinations(sorted(case.history.replicas), 2):
            found.extend(_simulated(case, one, other))
        return tuple(found)
    batches = batches_of(case)
    for one, other in combinations(sorted(batches), 2):
        found.extend(
            Divergence(
                (one, other), part.first, part.end, Basis.OBSERVED, part.seqs, _moved(case, one, other)
            )
            for part in _unlike(batches[one], batches[other])
        )
    return tuple(found)


def _moved(case: Case, *brokers: int) -> tuple[int, ...]:
    """Those that are no replica any more: in neither the last assignment nor the last in-sync set."""
    assigned = case.history.trace.partitions[case.view.partition].replicas
    members = case.control.isr_of_tenure[case.end] or ()
    if not assigned or not members:
        return ()
    leader = case.control.leader_at[case.end]
    return tuple(one for one in brokers if one not in assigned and one not in members and one != leader)


def _simulated(case: Case, one: int, other: int) -> list[Divergence]:
    """The ranges that differ between two replicas of a simulation."""
    left = {run.start: (run.epoch, run.records) for run in _known(case, one)}
    right = {run.start: (run.epoch, run.records) for run in _known(case, other)}
    unlike = sorted(offset for offset in left.keys() & right.keys() if left[offset] != right[offset])
    found: list[Divergence] = []
    for offset in unlike:
        if found and found[-1].end_offset == offset:
            last = found[-1]
            found[-1] = Divergence(last.brokers, last.first_offset, offset + 1, last.basis, last.evidence)
        else:
            evidence = tuple(_append(case, broker, offset) for broker in (one, other))
            seqs = tuple(seq for seq in evidence if seq is not None)
            found.append(Divergence((one, other), offset, offset + 1, Basis.OBSERVED, seqs))
    return found


def _append(case: Case, broker: int, offset: int) -> int | None:
    """The append that put a record where it still is."""
    if not slice_runs(case.runs(broker, case.end), offset, offset + 1):
        return None
    found: int | None = None
    for row in case.of(_APPENDED):
        if row.replica != broker or row.from_offset is None or row.offset is None:
            continue
        if row.from_offset <= offset < row.offset:
            found = row.seq
    return found
