"""Between a leader and its followers: fetches, log ends, ends of epochs, and the timers of both."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from core.kafka.epochs import EpochEnd
from core.sim.state import Fetcher, FetchRequest, Leading, Parked, Replica
from core.trace.ids import LeaderEpoch, Offset, Seq
from core.trace.vocabulary import StopReason


@dataclass(frozen=True, slots=True)
class Fetch:
    """A follower asks for what follows its log end."""

    kind: ClassVar[str] = "fetch"
    request: FetchRequest


@dataclass(frozen=True, slots=True)
class FetchAnswer:
    """The leader's answer to a fetch: records, with the leader epoch of each."""

    kind: ClassVar[str] = "answer"
    request: FetchRequest
    records: list[int]
    epochs: list[LeaderEpoch]
    hw: Offset
    log_start: Offset
    """The leader's."""
    cause: Seq
    """Seq of its fetch_answered."""
    old_format: frozenset[int] = frozenset()
    """The offsets of records that come without their leader epoch."""


@dataclass(frozen=True, slots=True)
class FetchRefused:
    """The leader answers a fetch with an error."""

    kind: ClassVar[str] = "refused"
    request: FetchRequest
    reason: StopReason
    cause: Seq


@dataclass(frozen=True, slots=True)
class FetchDiverged:
    """The leader answers a fetch with the end of the epoch up to which the logs agree (2.8, KIP-595)."""

    kind: ClassVar[str] = "diverged"
    request: FetchRequest
    end: EpochEnd
    hw: Offset
    log_start: Offset
    """The leader's."""
    cause: Seq


@dataclass(frozen=True, slots=True)
class NotLeader:
    """A parked fetch is refused, as its leader leads no more."""

    kind: ClassVar[str] = "not-leader"
    request: FetchRequest
    cause: Seq


@dataclass(frozen=True, slots=True)
class ListOffsets:
    """A follower whose fetch was out of range asks where the leader's log begins and ends."""

    kind: ClassVar[str] = "list-offsets"
    follower: Replica
    fetcher: Fetcher
    cause: Seq


@dataclass(frozen=True, slots=True)
class ListOffsetsAnswer:
    """Where the leader's log begins and ends."""

    kind: ClassVar[str] = "leader-end"
    follower: Replica
    fetcher: Fetcher
    log_start: Offset
    leo: Offset
    cause: Seq


@dataclass(frozen=True, slots=True)
class ListLocalStart:
    """A follower asks where the leader's disk begins, and what lies before it (KIP-405)."""

    kind: ClassVar[str] = "list-local-start"
    follower: Replica
    fetcher: Fetcher
    cause: Seq


@dataclass(frozen=True, slots=True)
class ListLocalStartAnswer:
    """Where the leader's log and its disk begin, and the leader epoch of the offset before the disk."""

    kind: ClassVar[str] = "local-start"
    follower: Replica
    fetcher: Fetcher
    log_start: Offset
    local_start: Offset
    epoch_before: LeaderEpoch
    cause: Seq


@dataclass(frozen=True, slots=True)
class OffsetsForLeaderEpoch:
    """A follower asks where an epoch ends in the leader's log (0.11, KIP-101)."""

    kind: ClassVar[str] = "ask-epoch-end"
    request: FetchRequest


@dataclass(frozen=True, slots=True)
class OffsetsForLeaderEpochAnswer:
    """Where the epoch ends, as far as the leader knows."""

    kind: ClassVar[str] = "epoch-end"
    request: FetchRequest
    end: EpochEnd
    cause: Seq


@dataclass(frozen=True, slots=True)
class OffsetsForLeaderEpochRefused:
    """The leader answers the question for the end of an epoch with an error."""

    kind: ClassVar[str] = "epoch-end-refused"
    request: FetchRequest
    reason: StopReason
    cause: Seq


@dataclass(frozen=True, slots=True)
class FetchDelayed:
    """Timer: a fetch is answered after all other work of this instant (switch `fetch-answer-hw`)."""

    request: FetchRequest
    leading: Leading
    received: Seq
    """Seq of its fetch_received."""
    hw_before: Offset


@dataclass(frozen=True, slots=True)
class FetchWaitOver:
    """Timer: a parked fetch has waited for `replica.fetch.wait.max.ms`."""

    replica: Replica
    parked: Parked


@dataclass(frozen=True, slots=True)
class FetchBackoffOver:
    """Timer: a follower has waited for `replica.fetch.backoff.ms`."""

    replica: Replica
    fetcher: Fetcher | None
    life: int


@dataclass(frozen=True, slots=True)
class IsrAdopted:
    """Timer of this instant: a leader counts another in-sync set from now on."""

    replica: Replica
    leading: Leading
    cause: Seq


ToLeader: TypeAlias = Fetch | ListOffsets | ListLocalStart | OffsetsForLeaderEpoch
ToFollower: TypeAlias = (
    FetchAnswer
    | FetchRefused
    | FetchDiverged
    | NotLeader
    | ListOffsetsAnswer
    | ListLocalStartAnswer
    | OffsetsForLeaderEpochAnswer
    | OffsetsForLeaderEpochRefused
)
SentOnReplication: TypeAlias = ToLeader | ToFollower
LeaderTimer: TypeAlias = FetchDelayed | FetchWaitOver | IsrAdopted
ReplicationTimer: TypeAlias = LeaderTimer | FetchBackoffOver
