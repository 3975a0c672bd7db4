"""The events of every partition of a trace, found by one sort: for whoever goes through all partitions."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import NO_INDEX
from core.trace.trace import Trace

_MOST_COUNTED: Final = 2**16 - 1
"""The largest number that is sorted by counting."""


@dataclass(frozen=True, slots=True)
class ByPartition:
    """Gives what `Trace.seqs_of` gives, without looking at the whole trace for each partition."""

    trace: Trace
    _sorted: NDArray[np.int64]
    _starts: NDArray[np.int64]
    _of_brokers: NDArray[np.int64]
    _merged: dict[frozenset[int], NDArray[np.int64]]
    """Broker-level events by the set of brokers that hold a partition: few sets, many partitions."""

    def seqs_of(self, partition: int) -> NDArray[np.int64]:
        """Seqs of one partition's events and of the broker-level ones of its replicas, rising."""
        mine = self._sorted[self._starts[partition] : self._starts[partition + 1]]
        column = self.trace.columns["replica"]
        holders = {int(broker) for broker in self.trace.partitions[partition].replicas}
        holders.update(set(column[mine].tolist()) - {NO_INDEX})
        key = frozenset(holders)
        found = self._merged.get(key)
        if found is None:
            about = column[self._of_brokers]
            wanted = np.isin(about, np.array(sorted(key), dtype=np.int32)) | (about == NO_INDEX)
            found = self._merged[key] = self._of_brokers[wanted]
        if not len(found):
            return mine
        return np.sort(np.concatenate((mine, found)))


def order_of(owner: NDArray[np.int32]) -> NDArray[np.int64]:
    """The Seqs by partition, those of each rising; broker-level events come first."""
    # Numbers of 16 bits are sorted by counting them, which takes half the time.
    few = len(owner) > 0 and int(owner.max()) - NO_INDEX <= _MOST_COUNTED and int(owner.min()) >= NO_INDEX
    keys = (owner - NO_INDEX).astype(np.uint16) if few else owner
    return np.argsort(keys, kind="stable").astype(np.int64, copy=False)


def by_partition(trace: Trace) -> ByPartition:
    """One sort of the whole trace."""
    owner = trace.columns["partition"]
    order = order_of(owner)
    starts = np.searchsorted(owner[order], np.arange(len(trace.partitions) + 1)).astype(np.int64)
    return ByPartition(trace, order, starts, np.flatnonzero(owner == NO_INDEX).astype(np.int64), {})
