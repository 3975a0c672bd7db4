"""Terms of leadership, in-sync sets, and what rows say of those."""

from dataclasses import dataclass

from core.trace.vocabulary import Basis, Election


@dataclass(frozen=True, slots=True)
class Tenure:
    """One leader epoch. `leader` -1 is none. `election` UNKNOWN where nothing was said or can be told."""

    epoch: int | None
    leader: int
    place: int
    """The state after so many rows of the view has this term."""
    election: Election
    basis: Basis
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StatedIsr:
    """A row that states the in-sync set that stands from its place on.

    `version` is its number. `commit` is True for the row of the change itself, `decided` where the node that
    made it says so, `hearsay` where one says so who hears of it from that node. `sent` is True for what a
    controller of ZooKeeper sends: what it decides on a set raises the epoch, in the same one it passes on
    what the leader wrote.
    """

    place: int
    version: int | None
    commit: bool
    decided: bool
    hearsay: bool
    sent: bool


@dataclass(frozen=True, slots=True)
class IsrChange:
    """The in-sync set from a place on."""

    isr: tuple[int, ...]
    place: int
    basis: Basis
    evidence: tuple[int, ...]
