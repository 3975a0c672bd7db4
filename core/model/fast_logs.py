"""The half of a state that the logs are: records, high watermarks, the next record. In columns."""

import numpy as np

from core.model.labels import STAY, Labels
from core.model.numbering import Integers, Packing
from core.model.state import Bounds, Record
from core.model.variants import Check, Cut, Variant

NEXT_RECORD = 0


class LogWorld:
    """What each label does to the logs, within bounds, for a variant.

    A row has the next record, the high watermark of each broker, and its slots: 0 is empty, else 1 + record *
    epochs + epoch.
    """

    def __init__(self, bounds: Bounds, variant: Variant) -> None:
        self.bounds, self.variant, self.labels = bounds, variant, Labels(bounds)
        self.replicas, self.slots, self.epochs = bounds.replicas, bounds.log_size, bounds.epochs + 1
        largest = [bounds.records]
        largest += [bounds.log_size] * self.replicas
        largest += [bounds.records * self.epochs] * (self.replicas * self.slots)
        self.packing = Packing(largest)
        self.columns = len(largest)

    def initial(self) -> Integers:
        """All empty, packed."""
        return np.zeros(1, np.int64)

    def watermark(self, broker: int) -> int:
        """The column of its high watermark."""
        return 1 + broker

    def slot(self, broker: int) -> int:
        """The column of its first slot."""
        return 1 + self.replicas + broker * self.slots

    def log_of(self, row: Integers, broker: int) -> tuple[Record, ...]:
        """The records of one log of one row."""
        values = [int(one) for one in row[self.slot(broker) : self.slot(broker) + self.slots] if one]
        return tuple(Record((one - 1) // self.epochs, (one - 1) % self.epochs) for one in values)

    def after(self, packed: Integers) -> Integers:
        """For each row and label the packed row after it, -1 where the logs do not allow it."""
        return _Rows(self, packed).all_labels()

    def agreeing(self, packed: Integers) -> Integers:
        """As bits (leader * replicas + other): the other holds all below the leader's high watermark."""
        rows = _Rows(self, packed)
        found = np.zeros(len(packed), np.int64)
        for leader in range(self.replicas):
            for other in range(self.replicas):
                same = rows.same_below(leader, other, rows.high_watermark(leader))
                found |= same.astype(np.int64) << (leader * self.replicas + other)
        return found

    def matching(self, packed: Integers) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether any two logs agree below both high watermarks."""
        rows = _Rows(self, packed)
        found = np.ones(len(packed), np.bool_)
        for one in range(self.replicas):
            for other in range(one):
                both = np.minimum(rows.high_watermark(one), rows.high_watermark(other))
                found &= rows.same_below(one, other, both)
        return found

    def permuted(self, packed: Integers, to: tuple[int, ...]) -> Integers:
        """The rows in which broker b is called `to[b]`."""
        rows = self.packing.unpack(packed)
        renamed = rows.copy()
        for broker, name in enumerate(to):
            renamed[:, self.watermark(name)] = rows[:, self.watermark(broker)]
            here, there = self.slot(broker), self.slot(name)
            renamed[:, there : there + self.slots] = rows[:, here : here + self.slots]
        return self.packing.pack(renamed)


Truths = np.ndarray[tuple[int], np.dtype[np.bool_]]


class _Rows:
    """Some rows, unpacked."""

    def __init__(self, world: LogWorld, packed: Integers) -> None:
        self.world = world
        self.packed = packed
        self.rows = world.packing.unpack(packed)
        self.ends = [
            np.count_nonzero(self.rows[:, world.slot(one) : world.slot(one) + world.slots], axis=1).astype(
                np.int64
            )
            for one in range(world.replicas)
        ]
        self.out = np.full((len(packed), world.labels.count), -1, np.int64)

    def high_watermark(self, broker: int) -> Integers:
        return self.rows[:, self.world.watermark(broker)]

    def at(self, broker: int, offset: Integers) -> Integers:
        """The slot at an offset of each row; empty beyond the last one."""
        last = self.world.slots - 1
        found = self.rows[np.arange(len(self.rows)), self.world.slot(broker) + np.clip(offset, 0, last)]
        return np.where((offset >= 0) & (offset <= last), found, 0)

    def epoch_at(self, broker: int, offset: Integers) -> Integers:
        """Its epoch, -1 where it is empty."""
        value = self.at(broker, offset)
        return np.where(value > 0, (value - 1) % self.world.epochs, -1)

    def same_below(self, one: int, other: int, end: Integers) -> Truths:
        """Whether both hold the same record at every offset below `end`."""
        same = np.ones(len(self.rows), np.bool_)
        for offset in range(self.world.slots):
            mine = self.rows[:, self.world.slot(one) + offset]
            same &= (end <= offset) | ((mine == self.rows[:, self.world.slot(other) + offset]) & (mine > 0))
        return same

    def has(self, check: Check, leader: int, follower: int, end: Integers) -> Truths:
        """What of `has_records` the logs decide."""
        enough = (self.ends[leader] >= end) & (self.ends[follower] >= end)
        if check is Check.RECORD_EPOCHS:
            enough &= self.epoch_at(leader, end - 1) == self.epoch_at(follower, end - 1)
        return (end == 0) | enough

    def all_labels(self) -> Integers:
        self.out[:, STAY] = self.packed
        for broker in range(self.world.replicas):
            self._write(broker)
            self._raise(broker)
        for leader in range(self.world.replicas):
            for follower in range(self.world.replicas):
                if leader != follower:
                    self._copy(leader, follower)
                    self._cuts(leader, follower)
                    self._memberships(leader, follower)
        return self.out

    def _put(self, label: Integers | int, allowed: Truths, after: Integers | None = None) -> None:
        """`after` has the rows that are allowed; without it nothing changes."""
        changed = self.packed[allowed] if after is None else self.world.packing.pack(after)
        self.out[allowed, label] = changed

    def _write(self, broker: int) -> None:
        world = self.world
        allowed = (self.rows[:, NEXT_RECORD] < world.bounds.records) & (self.ends[broker] < world.slots)
        place = world.slot(broker) + self.ends[broker][allowed]
        for epoch in range(world.epochs):
            after = self.rows[allowed]
            after[np.arange(len(after)), place] = 1 + after[:, NEXT_RECORD] * world.epochs + epoch
            after[:, NEXT_RECORD] += 1
            self._put(world.labels.write(broker, epoch), allowed, after)

    def _raise(self, leader: int) -> None:
        world = self.world
        end = self.high_watermark(leader) + 1
        has = [self.has(world.variant.high_watermark, leader, one, end) for one in range(world.replicas)]
        for isr in range(1 << world.replicas):
            if isr >> leader & 1:
                allowed = np.ones(len(self.rows), np.bool_)
                for one in range(world.replicas):
                    if isr >> one & 1:
                        allowed &= has[one]
                after = self.rows[allowed]
                after[:, world.watermark(leader)] += 1
                self._put(world.labels.raising(leader, isr), allowed, after)

    def _copy(self, leader: int, follower: int) -> None:
        world = self.world
        end = self.ends[follower]
        allowed = (end < self.ends[leader]) & self.has(world.variant.fetch, leader, follower, end)
        after = self.rows[allowed]
        place = end[allowed]
        rows = np.arange(len(after))
        after[rows, world.slot(follower) + place] = after[rows, world.slot(leader) + place]
        after[:, world.watermark(follower)] = np.minimum(after[:, world.watermark(leader)], place + 1)
        self._put(world.labels.copy(leader, follower), allowed, after)

    def _cuts(self, leader: int, follower: int) -> None:
        world = self.world
        labels = world.labels
        offset = self._cut_offset(world.variant.cut, leader, follower)
        allowed = offset <= self.ends[follower]
        self._put(labels.cut(leader, follower), allowed, self._cut(follower, offset, allowed))
        if world.variant.cuts_later:
            end = self.ends[follower]
            differs = self.epoch_at(leader, end - 1) != self.epoch_at(follower, end - 1)
            later = (end > self.ends[leader]) | ((end > 0) & differs)
            offset = self._first_difference(leader, follower)
            self._put(labels.later(leader, follower), later, self._cut(follower, offset, later))

    def _cut(self, broker: int, offset: Integers, allowed: Truths) -> Integers:
        after = self.rows[allowed]
        kept = offset[allowed]
        for place in range(self.world.slots):
            after[kept <= place, self.world.slot(broker) + place] = 0
        column = self.world.watermark(broker)
        after[:, column] = np.minimum(after[:, column], kept)
        return after

    def _cut_offset(self, cut: Cut, leader: int, follower: int) -> Integers:
        if cut is Cut.NOWHERE:
            return self.ends[follower]
        if cut is Cut.HIGH_WATERMARK:
            return self.high_watermark(follower)
        if cut in (Cut.END_OF_EPOCH, Cut.END_OF_EPOCH_CLAMPED):
            offset = self._end_of_epoch(leader, follower)
            return offset if cut is Cut.END_OF_EPOCH else np.minimum(offset, self.ends[follower])
        return self._first_difference(leader, follower)

    def _end_of_epoch(self, leader: int, follower: int) -> Integers:
        end, own_end = self.ends[leader], self.ends[follower]
        asked = self.epoch_at(follower, own_end - 1)
        found = self.high_watermark(follower).copy()
        for place in reversed(range(self.world.slots)):
            here = np.full(len(self.rows), place)
            found[self.epoch_at(leader, here) > asked] = place
        found = np.where((end > 0) & (self.epoch_at(leader, end - 1) == asked), end, found)
        found = np.where(end == 0, self.high_watermark(follower), found)
        return np.where(own_end == 0, 0, found)

    def _first_difference(self, leader: int, follower: int) -> Integers:
        found = np.zeros(len(self.rows), np.int64)
        for place in range(self.world.slots):
            mine = self.rows[:, self.world.slot(follower) + place]
            found[(mine > 0) & (mine == self.rows[:, self.world.slot(leader) + place])] = place + 1
        return found

    def _memberships(self, leader: int, follower: int) -> None:
        world = self.world
        variant, labels = world.variant, world.labels
        lags = ~self.has(variant.shrink, leader, follower, self.ends[leader])
        self._put(labels.lag(leader, follower), lags)
        mark = self.high_watermark(leader)
        reaches = self.has(variant.expand, leader, follower, mark)
        for epoch in range(world.epochs):
            allowed = reaches
            if variant.expand_waits:
                begun = (mark == self.ends[leader]) | (self.epoch_at(leader, mark) == epoch)
                allowed = reaches & begun
            self._put(labels.reach(leader, follower, epoch), allowed)
