"""The metadata quorum of a script, and its steps: who is to be a voter, who writes a snapshot."""

from dataclasses import dataclass

from core.kafka.raft import FETCH_TIMEOUT_MS
from core.trace.units import MILLISECOND_NS


@dataclass(frozen=True, slots=True)
class QuorumPlan:
    """The metadata quorum of a run with KRaft: its voters by name, of which the first leads. Times in ns."""

    voters: tuple[str, ...]
    observers: tuple[str, ...] = ()
    """Controllers that are no voters before the first step."""
    fetch_timeout_ns: int = FETCH_TIMEOUT_MS * MILLISECOND_NS
    election_timeout_ns: int = 1000 * MILLISECOND_NS

    @property
    def controllers(self) -> tuple[str, ...]:
        """All of them, voters first."""
        return (*self.voters, *self.observers)


@dataclass(frozen=True, slots=True)
class ChangeVoter:
    """Someone asks the quorum to make a controller a voter, or to let it be none any more (KIP-853)."""

    controller: str
    adds: bool


@dataclass(frozen=True, slots=True)
class SnapshotMetadata:
    """Controllers write a snapshot of the metadata log, or delete all but the latest (KIP-630)."""

    controllers: tuple[str, ...]
    deletes: bool
