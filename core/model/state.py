"""The six state variables of the published model, as frozen values.

Brokers are numbered from 1. Two states are the same exactly if all six variables are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from core.errors import QuestionError
from core.message import message

NO_LEADER: Final = 0
NO_EPOCH: Final = -1
MOST_REPLICAS: Final = 6
MOST_OF_OTHERS: Final = 16


def refuse_outside(allowed: Sequence[tuple[str, int, int, int]]) -> None:
    """Raise QuestionError where a value is not between the least and the most, which stand after it."""
    for name, value, least, most in allowed:
        if not least <= value <= most:
            raise QuestionError(message("error.model.bound", name=name, value=value, least=least, most=most))


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large the world is: what makes the number of states finite."""

    replicas: int
    log_size: int
    """Slots of each log."""
    records: int
    """Writes in the whole behaviour."""
    epochs: int
    """The largest leader epoch; the first one is 0."""

    def __post_init__(self) -> None:
        allowed = (
            ("--replicas", self.replicas, 1, MOST_REPLICAS),
            ("--log-size", self.log_size, 1, MOST_OF_OTHERS),
            ("--records", self.records, 0, MOST_OF_OTHERS),
            ("--epochs", self.epochs, 0, MOST_OF_OTHERS),
        )
        refuse_outside(allowed)

    @property
    def brokers(self) -> range:
        """All of them."""
        return range(1, self.replicas + 1)


class Record(NamedTuple):
    """A record: its number in the order of all writes, and the leader epoch in which it was written."""

    id: int
    epoch: int


class Assignment(NamedTuple):
    """A leader epoch, who leads in it (0: nobody), and the in-sync replicas."""

    epoch: int
    leader: int
    isr: frozenset[int]


class Replica(NamedTuple):
    """One replica: its log, and what it believes."""

    log: tuple[Record, ...]
    high_watermark: int
    epoch: int
    leader: int
    isr: frozenset[int]

    @property
    def end(self) -> int:
        """The log end offset."""
        return len(self.log)


class State(NamedTuple):
    """The six variables; `replicas` holds two of them, log and belief."""

    replicas: tuple[Replica, ...]
    next_record: int
    next_epoch: int
    requests: frozenset[Assignment]
    """Every LeaderAndIsr request ever sent: it may arrive late, never, or twice."""
    quorum: Assignment
    """What the controller holds to be so."""

    def of(self, broker: int) -> Replica:
        """The replica on `broker`."""
        return self.replicas[broker - 1]

    def presumes(self, broker: int) -> bool:
        """Whether it takes itself for the leader."""
        return self.replicas[broker - 1].leader == broker

    def follows(self, follower: int, leader: int) -> bool:
        """Whether `follower` takes `leader` for the leader."""
        return self.replicas[follower - 1].leader == leader

    def is_true_leader(self, broker: int) -> bool:
        """Whether it leads in its own view, in the controller's, and in the same epoch."""
        own = self.of(broker)
        return self.quorum.leader == broker == own.leader and own.epoch == self.quorum.epoch

    def with_replica(self, broker: int, replica: Replica) -> "State":
        """The same with another replica on `broker`."""
        changed = (*self.replicas[: broker - 1], replica, *self.replicas[broker:])
        return self._replace(replicas=changed)


def initial(bounds: Bounds) -> State:
    """Empty logs, nobody leads, everybody is in sync."""
    nothing = Replica((), 0, NO_EPOCH, NO_LEADER, frozenset())
    everybody = frozenset(bounds.brokers)
    return State(
        replicas=(nothing,) * bounds.replicas,
        next_record=0,
        next_epoch=0,
        requests=frozenset(),
        quorum=Assignment(NO_EPOCH, NO_LEADER, everybody),
    )


def permuted(state: State, to: tuple[int, ...]) -> State:
    """The state in which broker b is called `to[b - 1]`."""
    names = (NO_LEADER, *to)

    def isr(brokers: frozenset[int]) -> frozenset[int]:
        return frozenset(names[one] for one in brokers)

    def assignment(one: Assignment) -> Assignment:
        return Assignment(one.epoch, names[one.leader], isr(one.isr))

    renamed = {
        names[place]: one._replace(leader=names[one.leader], isr=isr(one.isr))
        for place, one in enumerate(state.replicas, start=1)
    }
    return State(
        tuple(renamed[broker] for broker in range(1, len(to) + 1)),
        state.next_record,
        state.next_epoch,
        frozenset(map(assignment, state.requests)),
        assignment(state.quorum),
    )
