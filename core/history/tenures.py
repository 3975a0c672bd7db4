"""The values that rows state of a partition as a whole: tenures of leaders, and in-sync sets."""

from dataclasses import dataclass

from core.trace.ids import Place
from core.trace.vocabulary import Basis, Election


@dataclass(frozen=True, slots=True)
class Tenure:
    """The time of one leader in one leader epoch. `leader` is -1 for none."""

    epoch: int | None
    leader: int
    place: Place
    """The place at which it begins."""
    election: Election
    """UNKNOWN where no row names it and it cannot be derived."""
    basis: Basis
    evidence: tuple[int, ...]
    """The Seqs of the events that state it."""


@dataclass(frozen=True, slots=True)
class StatedIsr:
    """A row that states the in-sync set that holds from its place on, and who states it.

    `commit` is True for the row of the change itself, `decided` where the node that made the change prints
    it, `from_metadata` where a broker states what it was sent. `sent_by_controller` is True for what a
    controller of ZooKeeper sends: a set that it decided has a new leader epoch, one in the same epoch is what
    the leader wrote.
    """

    place: Place
    partition_epoch: int | None
    commit: bool
    decided: bool
    from_metadata: bool
    sent_by_controller: bool


@dataclass(frozen=True, slots=True)
class IsrChange:
    """The in-sync set from a place on."""

    isr: tuple[int, ...]
    place: Place
    basis: Basis
    evidence: tuple[int, ...]
    """The Seqs of the events that state it."""
