"""What is known of a simulated metadata quorum while a run is written down."""

from dataclasses import dataclass, field
from typing import Final

from core.sim.script_quorum import QuorumPlan
from core.trace.ids import METADATA_TOPIC
from core.trace.trace import Event, Trace

NO_NODE: Final = -1


@dataclass(slots=True)
class Member:
    """A voter, as far as its lines tell it."""

    epoch: int = 0
    leader: int = NO_NODE
    voted: int = NO_NODE
    log: list[int] = field(default_factory=list[int])
    """The epoch of each record, by the offset of the simulation; also of those that a snapshot stands for."""
    base: int = 0
    """Where its first segment begins, by the offset of the simulation: at a snapshot that it was sent."""
    state: str = "null"
    leads: bool = False
    knows_hw: bool = False
    """It has said its high watermark: as a follower since its start, as a leader in its epoch."""
    ends: dict[int, int] = field(default_factory=dict[int, int])
    voters: tuple[int, ...] = ()
    """Who votes, by its own log; rising."""


@dataclass(slots=True)
class QuorumBook:
    """What is known of the quorum while a run is written down."""

    partition: int
    plan: QuorumPlan
    members: dict[int, Member]
    written: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """By epoch and offset of the simulation: when a leader wrote the record, in virtual time."""
    shift: int = 0
    """How much further the written log is."""

    def end_of(self, node: int) -> int:
        """Where the written log of a member ends. On a new disk it is empty, without what comes first."""
        log = self.members[node].log
        return len(log) + self.shift if log else 0


def book_of(trace: Trace, plan: QuorumPlan | None) -> QuorumBook | None:
    """The book of a run with a quorum; None for one without."""
    for index, partition in enumerate(trace.partitions):
        if partition.tp.topic == METADATA_TOPIC and plan is not None:
            voters = tuple(sorted(int(one) for one in partition.replicas))
            controllers = range(voters[0], voters[0] + len(plan.controllers))
            return QuorumBook(index, plan, {one: Member(voters=voters) for one in controllers})
    return None


def is_of_quorum(book: QuorumBook | None, event: Event) -> bool:
    """Whether an event is one of the quorum's log, or of a process of a voter."""
    if book is None:
        return False
    return event.get("partition") == book.partition or event.get("replica") in book.members
