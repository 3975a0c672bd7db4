"""The half of a state that beliefs are: controller, requests, and what brokers take for true. In columns."""

from typing import NamedTuple

import numpy as np

from core.model.labels import STAY, Labels
from core.model.numbering import Integers, Packing
from core.model.state import Assignment, Bounds
from core.model.variants import Check, Cut, Variant

NEXT_EPOCH = 0
QUORUM_ISR = 1


class Edges(NamedTuple):
    """What may happen from some rows: the row, what it asks of the logs, and the packed row after it."""

    source: Integers
    label: Integers
    target: Integers


class BeliefWorld:
    """What may happen to beliefs, within bounds, for a variant.

    A row has the next epoch, the in-sync replicas of the controller as bits, leader and in-sync replicas of
    the request of each epoch (each has one), and of each broker its epoch plus one and its in-sync replicas.
    Whom a broker follows is known by its epoch: the leader of that request.
    """

    def __init__(self, bounds: Bounds, variant: Variant) -> None:
        self.bounds, self.variant, self.labels = bounds, variant, Labels(bounds)
        self.replicas, self.epochs = bounds.replicas, bounds.epochs + 1
        isr = (1 << self.replicas) - 1
        largest = [self.epochs, isr]
        largest += [self.replicas] * self.epochs + [isr] * self.epochs
        largest += [self.epochs] * self.replicas + [isr] * self.replicas
        self.packing = Packing(largest)
        self.columns = len(largest)

    def initial(self) -> Integers:
        """Nobody leads, all are in sync, packed."""
        row = np.zeros((1, self.columns), np.int64)
        row[0, QUORUM_ISR] = (1 << self.replicas) - 1
        return self.packing.pack(row)

    def request_leader(self, epoch: int) -> int:
        """The column of the leader that the request of `epoch` names, from 1."""
        return 2 + epoch

    def request_isr(self, epoch: int) -> int:
        """The column of its in-sync replicas."""
        return 2 + self.epochs + epoch

    def epoch(self, broker: int) -> int:
        """The column of the broker's epoch plus one."""
        return 2 + 2 * self.epochs + broker

    def isr(self, broker: int) -> int:
        """The column of the broker's in-sync replicas."""
        return 2 + 2 * self.epochs + self.replicas + broker

    def edges(self, packed: Integers) -> Edges:
        """All that may happen from these rows."""
        return _Rows(self, packed).all_edges()

    def leaders(self, rows: Integers) -> Integers:
        """For each row whom each broker takes for the leader, from 1; 0 where it has no epoch."""
        found = np.zeros((len(rows), self.replicas), np.int64)
        for broker in range(self.replicas):
            for epoch in range(self.epochs):
                here = rows[:, self.epoch(broker)] == epoch + 1
                found[here, broker] = rows[here, self.request_leader(epoch)]
        return found

    def quorum_leader(self, rows: Integers) -> Integers:
        """For each row the leader whom the controller has elected, from 1; 0 for none."""
        found = np.zeros(len(rows), np.int64)
        for epoch in range(self.epochs):
            here = rows[:, NEXT_EPOCH] == epoch + 1
            found[here] = rows[here, self.request_leader(epoch)]
        return found

    def counted(self, packed: Integers) -> tuple[Integers, Integers]:
        """As bits (leader * replicas + member): whom leaders, in their own view, and the controller count."""
        rows = self.packing.unpack(packed)
        leaders = self.leaders(rows)
        own, quorum = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        for broker in range(self.replicas):
            presumes = leaders[:, broker] == broker + 1
            shift = broker * self.replicas
            own |= np.where(presumes, rows[:, self.isr(broker)], 0) << shift
            quorum |= np.where(presumes, rows[:, QUORUM_ISR], 0) << shift
        return own, quorum

    def leader_in_isr(self, packed: Integers) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether the elected leader, if there is one, is in sync."""
        rows = self.packing.unpack(packed)
        leader = self.quorum_leader(rows)
        return (leader == 0) | ((rows[:, QUORUM_ISR] >> np.maximum(leader - 1, 0) & 1) == 1)

    def isr_not_empty(self, packed: Integers) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether the controller has anybody in sync."""
        return self.packing.unpack(packed)[:, QUORUM_ISR] != 0

    def permuted(self, packed: Integers, to: tuple[int, ...]) -> Integers:
        """The rows in which broker b is called `to[b]`."""
        rows = self.packing.unpack(packed)
        renamed = rows.copy()
        names = np.array([0, *(one + 1 for one in to)])
        sets = np.array([_renamed(isr, to) for isr in range(1 << self.replicas)])
        renamed[:, QUORUM_ISR] = sets[rows[:, QUORUM_ISR]]
        for epoch in range(self.epochs):
            renamed[:, self.request_leader(epoch)] = names[rows[:, self.request_leader(epoch)]]
            renamed[:, self.request_isr(epoch)] = sets[rows[:, self.request_isr(epoch)]]
        for broker, name in enumerate(to):
            renamed[:, self.epoch(name)] = rows[:, self.epoch(broker)]
            renamed[:, self.isr(name)] = sets[rows[:, self.isr(broker)]]
        return self.packing.pack(renamed)

    def request_of(self, row: Integers, epoch: int) -> Assignment:
        """The request of an epoch in one row."""
        leader = int(row[self.request_leader(epoch)])
        return Assignment(epoch, leader, members(int(row[self.request_isr(epoch)])))


def members(isr: int) -> frozenset[int]:
    """The brokers of a set of bits, from 1."""
    return frozenset(bit + 1 for bit in range(isr.bit_length()) if isr >> bit & 1)


def _renamed(isr: int, to: tuple[int, ...]) -> int:
    return sum(1 << to[bit] for bit in range(len(to)) if isr >> bit & 1)


Truths = np.ndarray[tuple[int], np.dtype[np.bool_]]


class _Rows:
    """Some rows, unpacked, and the edges found so far."""

    def __init__(self, world: BeliefWorld, packed: Integers) -> None:
        self.world = world
        self.rows = world.packing.unpack(packed)
        self.leaders = world.leaders(self.rows)
        self.quorum_leader = world.quorum_leader(self.rows)
        self.packed = packed
        self.found: list[tuple[Integers, Integers, Integers]] = []

    def all_edges(self) -> Edges:
        for broker in range(self.world.replicas):
            self._controller_removes(broker)
            self._controller_elects(broker)
            self._write(broker)
            self._raise(broker)
            for epoch in range(self.world.epochs):
                self._follows_request(broker, epoch)
            for other in range(self.world.replicas):
                if other != broker:
                    self._membership(broker, other)
                    self._copy(broker, other)
        source, label, target = (np.concatenate(one) for one in zip(*self.found, strict=True))
        order = np.argsort(source, kind="stable")
        return Edges(source[order], label[order], target[order])

    def _put(self, allowed: Truths, label: Integers | int, after: Integers | None = None) -> None:
        """`label` is one for all rows, or one for each; `after` has the rows that are allowed."""
        rows = np.flatnonzero(allowed)
        labels = np.full(len(rows), label) if isinstance(label, int) else label[rows]
        self.found.append(
            (rows, labels, self.packed[rows] if after is None else self.world.packing.pack(after))
        )

    def _assigned(self, allowed: Truths, leader: Integers | int, isr: Integers) -> None:
        """The controller decides in a new epoch; `isr` and `leader` are of all rows."""
        world = self.world
        allowed = allowed & (self.rows[:, NEXT_EPOCH] < world.epochs)
        after = self.rows[allowed]
        rows, epoch = np.arange(len(after)), after[:, NEXT_EPOCH].copy()
        after[rows, world.request_leader(0) + epoch] = leader if isinstance(leader, int) else leader[allowed]
        after[rows, world.request_isr(0) + epoch] = isr[allowed]
        after[:, QUORUM_ISR] = isr[allowed]
        after[:, NEXT_EPOCH] += 1
        self._put(allowed, STAY, after)

    def _controller_removes(self, broker: int) -> None:
        isr = self.rows[:, QUORUM_ISR]
        bit = 1 << broker
        leads = self.quorum_leader == broker + 1
        self._assigned(leads, 0, np.where(isr == bit, isr, isr & ~bit))
        self._assigned(~leads & (isr & bit != 0), self.quorum_leader, isr & ~bit)

    def _controller_elects(self, broker: int) -> None:
        isr = self.rows[:, QUORUM_ISR]
        self._assigned((isr >> broker & 1 == 1) & (self.quorum_leader != broker + 1), broker + 1, isr)

    def _follows_request(self, broker: int, epoch: int) -> None:
        """`broker` reads the request of `epoch`, as leader or as follower."""
        world = self.world
        leader = self.rows[:, world.request_leader(epoch)]
        newer = (leader > 0) & (self.rows[:, world.epoch(broker)] < epoch + 1)
        for one in range(world.replicas):
            allowed = newer & (leader == one + 1)
            if one != broker and world.variant.cut is Cut.FENCED_FIRST_DIFFERENCE:
                allowed &= (self.leaders[:, one] == one + 1) & (self.rows[:, world.epoch(one)] == epoch + 1)
            after = self.rows[allowed]
            after[:, world.epoch(broker)] = epoch + 1
            after[:, world.isr(broker)] = after[:, world.request_isr(epoch)]
            self._put(allowed, STAY if one == broker else int(world.labels.cut(one, broker)), after)

    def _write(self, broker: int) -> None:
        world = self.world
        label = world.labels.write(broker, np.maximum(self.rows[:, world.epoch(broker)] - 1, 0))
        self._put(self.leaders[:, broker] == broker + 1, label)

    def _counts(self, check: Check, leader: int, follower: int) -> Truths:
        """What of `has_records` the beliefs decide."""
        found = self.leaders[:, follower] == leader + 1
        if check is Check.LEADER_EPOCH:
            world = self.world
            found = found & (self.rows[:, world.epoch(leader)] == self.rows[:, world.epoch(follower)])
        return found

    def _raise(self, leader: int) -> None:
        world = self.world
        isr = self.rows[:, world.isr(leader)]
        allowed = self.leaders[:, leader] == leader + 1
        for one in range(world.replicas):
            allowed = allowed & (
                (isr >> one & 1 == 0) | self._counts(world.variant.high_watermark, leader, one)
            )
        self._put(allowed, world.labels.raising(leader, isr))

    def _copy(self, leader: int, follower: int) -> None:
        world = self.world
        presumes = self.leaders[:, leader] == leader + 1
        fetches = presumes & self._counts(world.variant.fetch, leader, follower)
        self._put(fetches, int(world.labels.copy(leader, follower)))
        if world.variant.cuts_later:
            follows = presumes & (self.leaders[:, follower] == leader + 1)
            self._put(follows, int(world.labels.later(leader, follower)))

    def _membership(self, leader: int, follower: int) -> None:
        world = self.world
        own_epoch = self.rows[:, world.epoch(leader)]
        true_leader = (
            (self.quorum_leader == leader + 1)
            & (self.leaders[:, leader] == leader + 1)
            & (own_epoch == self.rows[:, NEXT_EPOCH])
        )
        isr = self.rows[:, world.isr(leader)]
        inside = true_leader & (isr >> follower & 1 == 1)
        counts = self._counts(world.variant.shrink, leader, follower)
        without, joined = isr & ~(1 << follower), isr | 1 << follower
        self._in_sync(inside & ~counts, STAY, leader, without)
        self._in_sync(inside & counts, int(world.labels.lag(leader, follower)), leader, without)
        counts = self._counts(world.variant.expand, leader, follower)
        label = world.labels.reach(leader, follower, np.maximum(own_epoch - 1, 0))
        self._in_sync(true_leader & (isr >> follower & 1 == 0) & counts, label, leader, joined)

    def _in_sync(self, allowed: Truths, label: Integers | int, leader: int, isr: Integers) -> None:
        after = self.rows[allowed]
        after[:, self.world.isr(leader)] = isr[allowed]
        after[:, QUORUM_ISR] = isr[allowed]
        self._put(allowed, label, after)
