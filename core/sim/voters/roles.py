"""What a voter of the metadata quorum is: it follows, leads or seeks (QuorumState, KafkaRaftClient)."""

from typing import Final

from core.kafka.raft import NO_VOTE, LogEnd, preferred_successors
from core.sim import replica as logs
from core.sim.engine import Engine
from core.sim.messages.quorum import (
    BeginQuorumEpoch,
    BeginQuorumEpochDue,
    CheckQuorumDue,
    ControllerAwaited,
    EndQuorumEpoch,
    LeaderSought,
    ObserverFetchAnswer,
    ResignDue,
    Vote,
    VoterFetchAnswer,
    VoterFetchDue,
    VoterTimeout,
)
from core.sim.state import NOBODY
from core.sim.voters.commits import append, last_epoch
from core.sim.voters.images import voters_of
from core.sim.voters.names import name_of_change
from core.sim.voters.state import Asks, Leads, Voter
from core.trace.ids import BrokerId, LeaderEpoch, Nanos
from core.trace.vocabulary import QuorumRole

REQUEST_TIMEOUT: Final = 2_000_000_000
"""`controller.quorum.request.timeout.ms` (2000), in ns."""
_WAITING: Final = (QuorumRole.UNATTACHED, QuorumRole.VOTED, QuorumRole.CANDIDATE)
RETRY_AFTER: Final = 100_000_000
"""When a broker sends a request to the controller again, in ns (`retry.backoff.ms`, 100)."""


def others_of(engine: Engine, voter: Voter) -> list[Voter]:
    """The other voters, by the log of this controller."""
    voters = voters_of(engine)
    return [voters.members[one] for one in voters.known_to(voter) if one != voter.id]


def is_voter(engine: Engine, voter: Voter) -> bool:
    """Whether a controller is a voter, by its own log."""
    return voter.id in voters_of(engine).known_to(voter)


def election_timeout(engine: Engine, voter: Voter) -> int:
    """A random time between the election timeout and twice that, in ns."""
    least = voters_of(engine).election_timeout
    return least + draw(engine, voter, least)


def draw(engine: Engine, voter: Voter, limit: int) -> int:
    """A random number below a limit."""
    voters = voters_of(engine)
    voters.draws += 1
    return engine.chance.below(limit, "election", voter.id, voters.draws)


def wait(engine: Engine, voter: Voter, delay: int) -> None:
    """The voter waits for something for so long, in ns."""
    voter.deadline = Nanos(engine.now + delay)
    engine.after(delay, VoterTimeout(voter.id, voter.turn))


def _change(voter: Voter, role: QuorumRole | None, epoch: LeaderEpoch, leader: BrokerId) -> Leads | None:
    """Another role. Gives what it had as a leader, if it was one."""
    led, voter.leads = voter.leads, None
    if epoch != voter.epoch:
        voter.voted = NO_VOTE
    voter.role, voter.epoch, voter.leader = role, epoch, leader
    voter.asks, voter.has_fetched, voter.token, voter.fetching = None, False, 0, None
    voter.turn += 1
    replica = voter.replica
    replica.leader, replica.leader_epoch = leader, epoch
    replica.role = "none" if role is not None else "leader" if leader == voter.id else "follower"
    return led


def _note_role(engine: Engine, voter: Voter, role: QuorumRole) -> None:
    engine.journal.tell(
        "quorum_role_changed",
        voter.id,
        voter.id,
        partition=voter.replica.partition.index,
        cause=None,
        epoch=voter.epoch,
        aux=role,
    )


def let_go(engine: Engine, voter: Voter, led: Leads | None) -> None:
    """A leader leads no more: what waits for it is refused, also what it has not committed."""
    if led is None:
        return
    for fetch in led.parked:
        refused = VoterFetchAnswer(fetch.follower, voter.epoch, voter.leader, fetch.token)
        engine.send(refused, voter.id, fetch.follower)
    for asked in led.observers:
        told = ObserverFetchAnswer(asked.broker, voter.epoch, voter.leader, serves=False, token=asked.token)
        engine.send(told, voter.id, asked.broker)
    for decision in led.decisions:
        if decision.asked_by is not None:
            engine.after(RETRY_AFTER, ControllerAwaited(decision.asked_by))
    if led.image is not None:
        engine.journal.tell("controller_resigned", voter.id, voter.id, cause=None, partition=None)


def seek(
    engine: Engine, voter: Voter, role: QuorumRole, epoch: LeaderEpoch, leader: BrokerId = NOBODY
) -> None:
    """The voter has no leader: it waits for an election timeout, or asks for votes until then.

    One that waits already, and hears of a later epoch, waits no longer for that (transitionToUnattached).
    """
    left = voter.deadline - engine.now if voter.role in _WAITING and role == QuorumRole.UNATTACHED else 0
    led = _change(voter, role, epoch, leader)
    if role in (QuorumRole.CANDIDATE, QuorumRole.PROSPECTIVE):
        voter.asks = Asks({voter.id})
    _note_role(engine, voter, role)
    wait(engine, voter, left if left > 0 else election_timeout(engine, voter))
    let_go(engine, voter, led)
    if role == QuorumRole.UNATTACHED and not is_voter(engine, voter):
        engine.after(0, LeaderSought(voter.id, voter.token))


def ask_for_votes(engine: Engine, voter: Voter) -> None:
    """Ask all others for their votes, or whether they would give them."""
    end = LogEnd(last_epoch(voter), voter.replica.leo)
    for one in others_of(engine, voter):
        before = voter.role == QuorumRole.PROSPECTIVE
        engine.send(Vote(one.id, voter.id, voter.epoch, end, before, voter.turn), voter.id, one.id)


def vote_for(engine: Engine, voter: Voter, candidate: BrokerId, role: QuorumRole) -> None:
    """The voter has given its vote, and waits for the election."""
    voter.voted, voter.role, voter.asks = candidate, role, None
    voter.turn += 1
    _note_role(engine, voter, role)
    wait(engine, voter, election_timeout(engine, voter))


def follow(engine: Engine, voter: Voter, leader: BrokerId, epoch: LeaderEpoch, after: int = 0) -> None:
    """The voter knows who leads, and fetches from there, `after` so many ns."""
    led = _change(voter, None, epoch, leader)
    engine.journal.tell(
        "became_follower",
        voter.id,
        voter.id,
        partition=voter.replica.partition.index,
        cause=None,
        leader=leader,
        epoch=epoch,
        leo=voter.replica.leo,
        hw=voter.replica.hw,
    )
    wait(engine, voter, voters_of(engine).fetch_timeout)
    let_go(engine, voter, led)
    engine.after(after, VoterFetchDue(voter.id, 0))


def lead(engine: Engine, voter: Voter) -> None:
    """A candidate has the votes of a majority: it writes the first record of its epoch, and tells all."""
    leads = begin_leading(engine, voter)
    append(engine, voter, leads, (name_of_change(voter.epoch, voter.replica.leo),), None)
    call_others(engine, voter, leads)


def begin_leading(engine: Engine, voter: Voter) -> Leads:
    """It leads its epoch from the end of its log on."""
    _change(voter, None, voter.epoch, voter.id)
    replica, index = voter.replica, voter.replica.partition.index
    ends: dict[BrokerId, int | None] = {one.id: None for one in others_of(engine, voter)}
    leads = voter.leads = Leads(replica.leo, ends, heard_at=engine.now)
    engine.ledger.lead(index, voter.epoch, voter.id)
    seq = engine.journal.tell(
        "leader_elected", None, None, partition=index, cause=None, leader=voter.id, epoch=voter.epoch
    )
    seq = engine.journal.tell(
        "became_leader",
        voter.id,
        voter.id,
        partition=index,
        cause=seq,
        leader=voter.id,
        epoch=voter.epoch,
        leo=replica.leo,
        hw=replica.hw,
    )
    logs.assign_epoch(engine, replica, voter.epoch, replica.leo, seq)
    return leads


def call_others(engine: Engine, voter: Voter, leads: Leads) -> None:
    """Tell the voters that have not fetched yet who leads, again and again; and look who fetches (3.7)."""
    on_begin_due(engine, BeginQuorumEpochDue(voter.id, voter.turn))
    if leads.ends and engine.rules.switches.check_quorum != "none":
        engine.after(0, CheckQuorumDue(voter.id, voter.turn))


def on_begin_due(engine: Engine, message: BeginQuorumEpochDue) -> None:
    """A leader tells those that have not fetched from it that it leads."""
    voter = voters_of(engine).members[message.voter]
    if not voter.up or voter.turn != message.turn or voter.leads is None:
        return
    for one, end in voter.leads.ends.items():
        if end is None:
            engine.send(BeginQuorumEpoch(one, voter.id, voter.epoch), voter.id, one)
    engine.after(REQUEST_TIMEOUT, message)


def resign(engine: Engine, voter: Voter, leads: Leads) -> None:
    """A leader leads no more, and tells the others who should be a candidate first."""
    successors = preferred_successors(tuple(leads.ends.items()))
    seek(engine, voter, QuorumRole.RESIGNED, voter.epoch, voter.id)
    for one in others_of(engine, voter):
        engine.send(EndQuorumEpoch(one.id, voter.id, voter.epoch, successors), voter.id, one.id)


def on_resign_due(engine: Engine, message: ResignDue) -> None:
    """The record that it is no voter any more is committed (3.9)."""
    voter = voters_of(engine).members[message.voter]
    if voter.up and voter.turn == message.turn and voter.leads is not None:
        resign(engine, voter, voter.leads)


def is_settled(engine: Engine, voter: Voter, epoch: LeaderEpoch, leader: BrokerId) -> bool:
    """What another member says of epoch and leader changes the voter's role, or is outdated.

    False where it says nothing new (KafkaRaftClient.maybeHandleCommonResponse).
    """
    if epoch < voter.epoch:
        return True
    if epoch > voter.epoch and leader == NOBODY:
        seek(engine, voter, QuorumRole.UNATTACHED, epoch)
        return True
    if epoch > voter.epoch or (leader != NOBODY and voter.leader == NOBODY):
        follow(engine, voter, leader, epoch)
        return True
    return False
