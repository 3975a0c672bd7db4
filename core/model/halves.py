"""What is known of each half of a state: what may follow it, and what invariants ask. Found once a half."""

from collections.abc import Callable
from itertools import permutations
from typing import Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import QuestionError
from core.message import message
from core.model.fast_beliefs import NEXT_EPOCH, QUORUM_ISR, BeliefWorld, members
from core.model.fast_logs import NEXT_RECORD, LogWorld
from core.model.numbering import Integers, Numbering
from core.model.state import NO_EPOCH, NO_LEADER, Assignment, Bounds, Replica, State
from core.model.variants import Variant

LOG_BITS: Final = 24
"""Of a key: the number of the logs; above it that of the beliefs."""
LOG_MASK: Final = (1 << LOG_BITS) - 1
Truths: TypeAlias = NDArray[np.bool_]

N = TypeVar("N", np.int32, np.int64)


def _longer(values: NDArray[N], length: int) -> NDArray[N]:
    """The same with room for numbers below `length`."""
    if len(values) >= length:
        return values
    longer = np.zeros((max(length, 2 * len(values)), *values.shape[1:]), values.dtype)
    longer[: len(values)] = values
    return longer


class Beliefs:
    """By the number of beliefs: what may happen, and whom leaders and controller count as in sync."""

    def __init__(self, bounds: Bounds, variant: Variant) -> None:
        self.world = BeliefWorld(bounds, variant)
        self.numbers = Numbering()
        self.numbers.of(self.world.initial())
        self._known = np.zeros(1, np.int64)
        self.start, self.count = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self.label, self.target = np.empty(0, np.int64), np.empty(0, np.int64)
        """Of all edges; those of one value stand together. The target is a key without logs."""
        self.own, self.quorum = np.zeros(1, np.int64), np.zeros(1, np.int64)
        """Whom leaders, in their own view, and the controller count as in sync: bits."""
        self.leader_in_isr, self.isr_not_empty = np.zeros(1, np.int64), np.zeros(1, np.int64)

    @property
    def bytes(self) -> int:
        """What is held."""
        return self.label.nbytes + self.target.nbytes + 10 * self._known.nbytes

    def know(self, numbers: Integers) -> None:
        """Find out about those of `numbers` of which nothing is known."""
        length = len(self.numbers)
        for name in ("_known", "start", "count", "own", "quorum", "leader_in_isr", "isr_not_empty"):
            setattr(self, name, _longer(getattr(self, name), length))
        new = _distinct(numbers[self._known[numbers] == 0])
        if not len(new):
            return
        self._known[new] = 1
        packed = self.numbers.packed[new]
        edges = self.world.edges(packed)
        count = np.bincount(edges.source, minlength=len(new))
        self.count[new] = count
        self.start[new] = len(self.label) + np.cumsum(count) - count
        self.label = np.concatenate((self.label, edges.label))
        self.target = np.concatenate((self.target, self.numbers.of(edges.target) << LOG_BITS))
        self.own[new], self.quorum[new] = self.world.counted(packed)
        self.leader_in_isr[new] = self.world.leader_in_isr(packed)
        self.isr_not_empty[new] = self.world.isr_not_empty(packed)


class Logs:
    """By the number of logs: the number of what each label leads to, and which logs agree."""

    def __init__(self, bounds: Bounds, variant: Variant) -> None:
        self.world = LogWorld(bounds, variant)
        self.numbers = Numbering()
        self.numbers.of(self.world.initial())
        self._known = np.zeros(1, np.int64)
        self.after = np.zeros((1, self.world.labels.count), np.int32)
        """-1 where the logs do not allow it."""
        self.agreeing, self.matching = np.zeros(1, np.int64), np.zeros(1, np.int64)

    @property
    def bytes(self) -> int:
        """What is held."""
        return self.after.nbytes + 6 * self._known.nbytes

    def know(self, numbers: Integers) -> None:
        """Find out about those of `numbers` that are not known. Raises QuestionError if they are too many."""
        if len(self.numbers) > LOG_MASK:
            raise QuestionError(message("error.model.too-large"))
        length = len(self.numbers)
        self._known, self.agreeing = _longer(self._known, length), _longer(self.agreeing, length)
        self.matching, self.after = _longer(self.matching, length), _longer(self.after, length)
        new = _distinct(numbers[self._known[numbers] == 0])
        if not len(new):
            return
        self._known[new] = 1
        packed = self.numbers.packed[new]
        reached = self.world.after(packed)
        allowed = reached >= 0
        found = np.full(reached.shape, -1, np.int32)
        found[allowed] = self.numbers.of(reached[allowed])
        self.after[new] = found
        self.agreeing[new] = self.world.agreeing(packed)
        self.matching[new] = self.world.matching(packed)


def _distinct(values: Integers) -> Integers:
    """Each once, in order; quicker than np.unique where there are many of few."""
    if not len(values):
        return values
    seen = np.zeros(int(values.max()) + 1, np.bool_)
    seen[values] = True
    return np.flatnonzero(seen)


_Renamed: TypeAlias = Callable[[Integers, tuple[int, ...]], Integers]


class Renaming:
    """One key for all states that differ in the names of brokers alone: the least of them."""

    def __init__(self, beliefs: Beliefs, logs: Logs) -> None:
        self._beliefs, self._logs = beliefs, logs
        replicas = beliefs.world.replicas
        self._orders = list(permutations(range(replicas)))[1:]
        self._of_beliefs = [np.zeros(0, np.int64) for _order in self._orders]
        self._of_logs = [np.zeros(0, np.int64) for _order in self._orders]

    def least(self, keys: Integers) -> Integers:
        """For each key that of its canonical state."""
        self._know()
        beliefs, logs = keys >> LOG_BITS, keys & LOG_MASK
        found = keys
        for place in range(len(self._orders)):
            renamed = self._of_beliefs[place][beliefs] | self._of_logs[place][logs]
            found = np.minimum(found, renamed)
        return found

    def _know(self) -> None:
        """Number all renamed halves; a half and what it is called otherwise are known together."""
        halves: tuple[tuple[Numbering, _Renamed, list[Integers], int], ...] = (
            (self._beliefs.numbers, self._beliefs.world.permuted, self._of_beliefs, LOG_BITS),
            (self._logs.numbers, self._logs.world.permuted, self._of_logs, 0),
        )
        for numbers, renamed, found, shift in halves:
            old = len(found[0]) if found else 0
            if old == len(numbers):
                continue
            new = numbers.packed[old:]
            images = [renamed(new, order) for order in self._orders]
            numbers.of(np.concatenate(images))
            # What was added just now is an image itself, and its images are among those of its origin.
            new = numbers.packed[old:]
            for place, order in enumerate(self._orders):
                image = numbers.of(renamed(new, order)) << shift
                found[place] = np.concatenate((found[place], image))


def decoded(beliefs: BeliefWorld, logs: LogWorld, packed_beliefs: int, packed_logs: int) -> State:
    """The state as a value."""
    belief = beliefs.packing.unpack(np.array([packed_beliefs]))[0]
    log = logs.packing.unpack(np.array([packed_logs]))[0]
    next_epoch = int(belief[NEXT_EPOCH])
    requests = [beliefs.request_of(belief, epoch) for epoch in range(next_epoch)]
    replicas: list[Replica] = []
    for broker in range(beliefs.replicas):
        epoch = int(belief[beliefs.epoch(broker)]) - 1
        leader = NO_LEADER if epoch == NO_EPOCH else requests[epoch].leader
        isr = members(int(belief[beliefs.isr(broker)]))
        mark = int(log[logs.watermark(broker)])
        replicas.append(Replica(logs.log_of(log, broker), mark, epoch, leader, isr))
    leader = requests[-1].leader if requests else NO_LEADER
    quorum = Assignment(next_epoch - 1, leader, members(int(belief[QUORUM_ISR])))
    return State(tuple(replicas), int(log[NEXT_RECORD]), next_epoch, frozenset(requests), quorum)
