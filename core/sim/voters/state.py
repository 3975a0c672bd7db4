"""What a run with a metadata quorum has beside the brokers: its voters, and what each broker knows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from core.kafka.raft import NO_VOTE, LogEnd
from core.sim.messages.control import AlterPartition
from core.sim.messages.quorum import ObserverFetch, VoterFetch
from core.sim.state import (
    NOBODY,
    BrokerEntry,
    Partition,
    PartitionEntry,
    RegisteredBroker,
    Replica,
    Rules,
)
from core.trace.ids import BrokerId, LeaderEpoch, Nanos
from core.trace.vocabulary import QuorumRole

Entries: TypeAlias = list[BrokerEntry | PartitionEntry]


@dataclass(slots=True)
class Image:
    """What a controller holds in memory of the cluster, with what it has decided and not committed yet."""

    log: Entries
    registrations: dict[BrokerId, RegisteredBroker]
    registered: dict[BrokerId, bool]
    partitions: tuple[tuple[object, ...], ...]
    """Of each what images.HELD names."""
    rules: Rules


@dataclass(slots=True)
class Decision:
    """What a controller has decided, from its append on. It takes effect when its records are committed."""

    do: Callable[[], None]
    asked_by: AlterPartition | None
    """The request of a broker that waits for it."""


@dataclass(slots=True)
class Leads:
    """What only a leader has."""

    epoch_start: int
    ends: dict[BrokerId, int | None]
    """The log end that it knows of each other voter."""
    observed: dict[BrokerId, int] = field(default_factory=dict[BrokerId, int])
    """That of controllers which are no voters."""
    leo_at_fetch: dict[BrokerId, int] = field(default_factory=dict[BrokerId, int])
    """Where its own log ended when a controller fetched last."""
    caught_up: set[BrokerId] = field(default_factory=set[BrokerId])
    """Who has once fetched from the end of its log."""
    fetched: set[BrokerId] = field(default_factory=set[BrokerId])
    """Who has fetched since a majority had last (3.7)."""
    heard_at: Nanos = Nanos(0)
    """When it was that a majority had."""
    hw: int | None = None
    """Its high watermark; None until a record of its epoch is committed."""
    parked: list[VoterFetch] = field(default_factory=list[VoterFetch])
    observers: list[ObserverFetch] = field(default_factory=list[ObserverFetch])
    """Fetches that wait for records: of voters, of brokers."""
    image: Image | None = None
    """None until it is the active controller: all records before its epoch are committed then."""
    decisions: list[Decision] = field(default_factory=list[Decision])
    """Those that are not committed."""

    def regroup(self, voters: Sequence[BrokerId], own: BrokerId) -> None:
        """Other voters from now on: what it knows of log ends stays (updateVoterAndObserverStates)."""
        known = {**self.observed, **{one: end for one, end in self.ends.items() if end is not None}}
        self.ends = {one: known.get(one) for one in voters if one != own}
        self.observed = {one: end for one, end in known.items() if one not in voters}
        self.fetched &= set(voters)


@dataclass(slots=True)
class Asks:
    """What only a voter has that asks for votes. Its own vote is among those granted."""

    granted: set[BrokerId]
    retries: int = 1
    rejected: set[BrokerId] = field(default_factory=set[BrokerId])
    backs_off: bool = False


@dataclass(slots=True)
class Voter:
    """A controller: a voter of the quorum, with its copy of the metadata log.

    `epoch`, `voted` and `leader` are on its disk (the file quorum-state).
    """

    replica: Replica
    epoch: LeaderEpoch = LeaderEpoch(0)
    voted: int = NO_VOTE
    leader: BrokerId = NOBODY
    """Who leads its epoch, as far as it knows."""
    role: QuorumRole | None = None
    """None while it leads, or follows."""
    leads: Leads | None = None
    asks: Asks | None = None
    has_fetched: bool = False
    """As a follower: it has fetched from the leader of its epoch (4.0)."""
    deadline: Nanos = Nanos(0)
    """When its fetch timeout or its election timeout is over."""
    turn: int = 0
    """Counts its changes of role, so that timers of an earlier one are dropped."""
    token: int = 0
    """The fetch that is under way; 0 is none."""
    heard: dict[BrokerId, Nanos] = field(default_factory=dict[BrokerId, Nanos])
    """As the active controller: when each broker was last heard of. It is not in the log."""
    snapshots: dict[LogEnd, int | None] = field(default_factory=dict[LogEnd, int | None])
    """Its snapshots, the earliest first (KIP-630): which record on the voters each has as its last."""
    fetching: LogEnd | None = None
    """As a follower: the snapshot that it fetches before it goes on."""

    @property
    def id(self) -> BrokerId:
        """Its id."""
        return self.replica.id

    @property
    def up(self) -> bool:
        """Its process runs."""
        return self.replica.broker.up

    @property
    def follows(self) -> bool:
        """It knows who leads its epoch, and copies from there."""
        return self.up and self.role is None and self.leads is None

    @property
    def active(self) -> bool:
        """It is the active controller, or takes itself for it."""
        return self.leads is not None and self.leads.image is not None


@dataclass(slots=True)
class Observer:
    """What a broker knows of the quorum: it fetches the metadata log, and has no vote."""

    leader: BrokerId = NOBODY
    epoch: int = -1
    token: int = 0
    """The fetch that is under way."""
    served_at: Nanos = Nanos(0)
    """When the leader that it knows has last served it."""
    asks_any: bool = False
    """That leader has not answered: it asks any voter."""


@dataclass(frozen=True, slots=True)
class VotersRecord:
    """A record of the metadata log that names the voters (3.9, KIP-853)."""

    offset: int
    number: int
    """Which record it is, so that another at its offset is not taken for it."""
    voters: tuple[BrokerId, ...]


@dataclass(slots=True)
class Voters:
    """The metadata quorum of a run."""

    partition: Partition
    members: dict[BrokerId, Voter]
    """All controllers, also those that are no voters."""
    configured: tuple[BrokerId, ...]
    """The voters before the first step."""
    fetch_timeout: int
    election_timeout: int
    """`controller.quorum.fetch.timeout.ms` and `controller.quorum.election.timeout.ms`, in ns."""
    observers: dict[BrokerId, Observer] = field(default_factory=dict[BrokerId, Observer])
    decisions: dict[int, Decision] = field(default_factory=dict[int, Decision])
    """By the number of the last record of each: what takes effect when it is committed."""
    committed: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """(offset in the metadata log, how many entries are committed with what is below it), rising."""
    acting: BrokerId = NOBODY
    """The controller on whose behalf something is done now."""
    draws: int = 0
    """How many random times were drawn: a part of the key of their luck."""

    records: list[VotersRecord] = field(default_factory=list[VotersRecord])
    """In the order in which they were written."""

    def last_record(self, voter: Voter) -> VotersRecord | None:
        """The last record on the voters in the log of a controller, committed or not; None without any.

        What lies below the log start is in the snapshots of the controller.
        """
        replica = voter.replica
        for one in reversed(self.records):
            if replica.numbers(one.offset, one.offset + 1) == [one.number]:
                return one
        if voter.snapshots:
            place = next(reversed(voter.snapshots.values()))
            return None if place is None else self.records[place]
        return None

    def known_to(self, voter: Voter) -> tuple[BrokerId, ...]:
        """Who the voters are, by the log of a controller (KRaftControlRecordStateMachine.lastVoterSet)."""
        last = self.last_record(voter)
        return self.configured if last is None else last.voters

    def entries_at(self, hw: int) -> int:
        """How many entries of the log are committed for one that has the high watermark `hw`."""
        return next((entries for end, entries in reversed(self.committed) if end <= hw), 0)
