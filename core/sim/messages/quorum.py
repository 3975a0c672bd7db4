"""Between the voters of the metadata quorum and the brokers that observe it (KIP-595), and their timers."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from core.kafka.raft import LogEnd
from core.sim.messages.control import AlterPartition, Background
from core.trace.ids import BrokerId, LeaderEpoch


@dataclass(frozen=True, slots=True)
class Vote(Background):
    """One asks for a vote in an epoch, or (`pre_vote`, 4.0) whether it would get it."""

    kind: ClassVar[str] = "vote"
    to: BrokerId
    asks: BrokerId
    epoch: LeaderEpoch
    end: LogEnd
    pre_vote: bool
    turn: int


@dataclass(frozen=True, slots=True)
class VoteAnswer(Background):
    """The answer to a vote: the epoch and the leader that the answering voter knows."""

    kind: ClassVar[str] = "vote-answer"
    to: BrokerId
    voter: BrokerId
    epoch: LeaderEpoch
    leader: BrokerId
    granted: bool
    turn: int


@dataclass(frozen=True, slots=True)
class BeginQuorumEpoch(Background):
    """A leader tells a voter that it leads an epoch."""

    kind: ClassVar[str] = "begin-quorum-epoch"
    to: BrokerId
    leader: BrokerId
    epoch: LeaderEpoch


@dataclass(frozen=True, slots=True)
class EndQuorumEpoch(Background):
    """A leader tells a voter that it leads no more, and who should be a candidate first."""

    kind: ClassVar[str] = "end-quorum-epoch"
    to: BrokerId
    leader: BrokerId
    epoch: LeaderEpoch
    successors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VoterFetch(Background):
    """A voter fetches: its log ends at `offset`, with a record of `last_epoch`."""

    kind: ClassVar[str] = "voter-fetch"
    to: BrokerId
    follower: BrokerId
    epoch: LeaderEpoch
    offset: int
    last_epoch: LeaderEpoch
    token: int


@dataclass(frozen=True, slots=True)
class VoterFetchAnswer(Background):
    """The answer to a fetch. `diverging` is where the follower has to cut, None where its log fits.

    `serves` is False where the one asked does not lead the follower's epoch. With `snapshot` the follower has
    to fetch that one instead of records (KIP-630).
    """

    kind: ClassVar[str] = "voter-fetch-answer"
    to: BrokerId
    epoch: LeaderEpoch
    leader: BrokerId
    token: int
    serves: bool = False
    records: tuple[int, ...] = ()
    epochs: tuple[LeaderEpoch, ...] = ()
    hw: int | None = None
    diverging: LogEnd | None = None
    snapshot: LogEnd | None = None


@dataclass(frozen=True, slots=True)
class SnapshotFetch(Background):
    """A follower fetches a snapshot of the metadata log (KIP-630)."""

    kind: ClassVar[str] = "snapshot-fetch"
    to: BrokerId
    follower: BrokerId
    epoch: LeaderEpoch
    snapshot: LogEnd
    token: int


@dataclass(frozen=True, slots=True)
class SnapshotAnswer(Background):
    """The answer: the snapshot as a whole, or (`found` False) that the leader has it no more.

    `voters` is the place of the last record on the voters in it among those of the run; None is none.
    """

    kind: ClassVar[str] = "snapshot-answer"
    to: BrokerId
    epoch: LeaderEpoch
    leader: BrokerId
    token: int
    snapshot: LogEnd
    found: bool
    voters: int | None = None


@dataclass(frozen=True, slots=True)
class ObserverFetch(Background):
    """A broker fetches the metadata log."""

    kind: ClassVar[str] = "observer-fetch"
    to: BrokerId
    broker: BrokerId
    epoch: int
    token: int


@dataclass(frozen=True, slots=True)
class ObserverFetchAnswer(Background):
    """The answer to a broker: the epoch and the leader that the voter knows, and whether it is the leader."""

    kind: ClassVar[str] = "observer-fetch-answer"
    broker: BrokerId
    epoch: LeaderEpoch
    leader: BrokerId
    serves: bool
    token: int


@dataclass(frozen=True, slots=True)
class VoterTimeout:
    """Timer: the fetch timeout, the election timeout or the backoff of a voter may be over."""

    voter: BrokerId
    turn: int


@dataclass(frozen=True, slots=True)
class BeginQuorumEpochDue:
    """Timer: a leader tells those that have not fetched from it once more that it leads."""

    voter: BrokerId
    turn: int


@dataclass(frozen=True, slots=True)
class CheckQuorumDue:
    """Timer: a leader looks whether a majority of the voters still fetches from it (3.7)."""

    voter: BrokerId
    turn: int


@dataclass(frozen=True, slots=True)
class VoterFetchDue:
    """Timer: a voter sends its next fetch, as the one of `token` was not answered or did not fit."""

    voter: BrokerId
    token: int


@dataclass(frozen=True, slots=True)
class LeaderSought:
    """Timer: a controller that is no voter asks one of the others who leads, or fetches from it (3.9)."""

    voter: BrokerId
    token: int


@dataclass(frozen=True, slots=True)
class ResignDue:
    """Timer: a leader that is no voter any more resigns, as the record of that is committed (3.9)."""

    voter: BrokerId
    turn: int


@dataclass(frozen=True, slots=True)
class FetchWaitIsOver:
    """Timer: a fetch has waited at a leader for as long as it may (500 ms)."""

    fetch: VoterFetch | ObserverFetch


@dataclass(frozen=True, slots=True)
class ObserverFetchDue:
    """Timer: a broker sends its next fetch, as the one of `token` was not answered or served."""

    broker: BrokerId
    token: int
    unanswered: bool


@dataclass(frozen=True, slots=True)
class ControllerAwaited:
    """Timer: a leader of a partition sends its request again, to the controller that its broker knows now."""

    request: AlterPartition


SentOfQuorum: TypeAlias = (
    Vote
    | VoteAnswer
    | BeginQuorumEpoch
    | EndQuorumEpoch
    | VoterFetch
    | VoterFetchAnswer
    | SnapshotFetch
    | SnapshotAnswer
    | ObserverFetch
    | ObserverFetchAnswer
)
QuorumTimer: TypeAlias = (
    VoterTimeout
    | BeginQuorumEpochDue
    | CheckQuorumDue
    | VoterFetchDue
    | LeaderSought
    | ResignDue
    | FetchWaitIsOver
    | ObserverFetchDue
    | ControllerAwaited
)
