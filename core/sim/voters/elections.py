"""Elections of the metadata quorum: who asks for votes when, who gives them (KIP-595, KIP-996)."""

from core.kafka.raft import (
    LogEnd,
    backoff_bound_ms,
    first_to_ask,
    grants_pre_vote,
    grants_vote,
    is_majority,
    lost_election,
    successor_waits_ms,
)
from core.sim.engine import Engine
from core.sim.messages.quorum import (
    BeginQuorumEpoch,
    EndQuorumEpoch,
    LeaderSought,
    Vote,
    VoteAnswer,
    VoterFetchAnswer,
    VoterTimeout,
)
from core.sim.state import NOBODY
from core.sim.voters.commits import last_epoch
from core.sim.voters.images import voters_of
from core.sim.voters.roles import (
    REQUEST_TIMEOUT,
    ask_for_votes,
    draw,
    follow,
    is_settled,
    is_voter,
    lead,
    seek,
    vote_for,
    wait,
)
from core.sim.voters.state import Asks, Voter
from core.trace.ids import LeaderEpoch
from core.trace.units import MILLISECOND_NS
from core.trace.vocabulary import QuorumRole

_VOTER: dict[bool, QuorumRole] = {True: QuorumRole.UNATTACHED, False: QuorumRole.VOTED}
"""What one that has voted is called; whether the release has the pre-vote. From 3.9 on nobody is "Voted"."""


def _asks_first(engine: Engine) -> bool:
    return first_to_ask(engine.rules.switches.pre_vote) == "prospective"


def on_timeout(engine: Engine, message: VoterTimeout) -> None:
    """The time for which a voter waits is over, unless it was set anew."""
    voter = voters_of(engine).members[message.voter]
    if not voter.up or voter.turn != message.turn or voter.leads is not None:
        return
    if engine.now < voter.deadline:
        engine.after(voter.deadline - engine.now, message)
    elif not is_voter(engine, voter):
        _observe_on(engine, voter)
    elif voter.role == QuorumRole.CANDIDATE:
        _election_over(engine, voter)
    elif voter.role == QuorumRole.PROSPECTIVE:
        _give_up(engine, voter)
    elif voter.role == QuorumRole.RESIGNED and _asks_first(engine):
        seek(engine, voter, QuorumRole.UNATTACHED, LeaderEpoch(voter.epoch + 1))
    else:
        _begin_election(engine, voter)


def _observe_on(engine: Engine, voter: Voter) -> None:
    """A controller that is no voter does not stand: it asks the others who leads (3.9, pollResigned)."""
    if voter.role not in (None, QuorumRole.UNATTACHED):
        raised = LeaderEpoch(voter.epoch + 1) if voter.role == QuorumRole.RESIGNED else voter.epoch
        seek(engine, voter, QuorumRole.UNATTACHED, raised)
    elif voter.follows:
        engine.after(0, LeaderSought(voter.id, voter.token))
        engine.after(REQUEST_TIMEOUT, VoterTimeout(voter.id, voter.turn))


def _begin_election(engine: Engine, voter: Voter, retries: int = 1) -> None:
    """It has no leader: it asks for votes in a later epoch, or first (4.0) whether it would get them."""
    if _asks_first(engine):
        seek(engine, voter, QuorumRole.PROSPECTIVE, voter.epoch, voter.leader)
        ask_for_votes(engine, voter)
    else:
        _stand(engine, voter, retries)


def _stand(engine: Engine, voter: Voter, retries: int = 1) -> None:
    """It is a candidate of the next epoch, and votes for itself."""
    seek(engine, voter, QuorumRole.CANDIDATE, LeaderEpoch(voter.epoch + 1))
    voter.voted = voter.id
    voter.asks = Asks({voter.id}, retries)
    if is_majority(1, len(voters_of(engine).known_to(voter))):
        lead(engine, voter)
    else:
        ask_for_votes(engine, voter)


def _election_over(engine: Engine, voter: Voter) -> None:
    """Its election is lost. To 3.9 a candidate backs off and stands again; later it asks first."""
    asks = voter.asks
    if asks is None or _asks_first(engine):
        _begin_election(engine, voter)
    elif asks.backs_off:
        _stand(engine, voter, asks.retries + 1)
    else:
        _back_off(engine, voter, asks)


def _back_off(engine: Engine, voter: Voter, asks: Asks) -> None:
    asks.backs_off = True
    voter.turn += 1
    wait(engine, voter, MILLISECOND_NS * draw(engine, voter, backoff_bound_ms(asks.retries)))


def _give_up(engine: Engine, voter: Voter) -> None:
    """It would not be elected: it goes back to the leader that it knows, or waits for one (4.0)."""
    if voter.leader == NOBODY:
        seek(engine, voter, QuorumRole.UNATTACHED, voter.epoch)
    else:
        follow(engine, voter, voter.leader, voter.epoch)


def on_vote(engine: Engine, message: Vote) -> None:
    """A voter answers one that asks for its vote."""
    voter = voters_of(engine).members[message.to]
    if not voter.up:
        return
    granted = False
    if message.epoch >= voter.epoch:
        if message.epoch > voter.epoch:
            seek(engine, voter, QuorumRole.UNATTACHED, message.epoch)
        granted = _grants(voter, message)
        if (
            granted
            and not message.pre_vote
            and voter.role != QuorumRole.VOTED
            and voter.voted != message.asks
        ):
            vote_for(engine, voter, message.asks, _VOTER[_asks_first(engine)])
        engine.journal.tell(
            "vote_answered",
            voter.id,
            voter.id,
            partition=voter.replica.partition.index,
            cause=None,
            leader=message.asks,
            epoch=message.epoch,
            aux=granted + 2 * message.pre_vote,
        )
    answer = VoteAnswer(message.asks, voter.id, voter.epoch, voter.leader, granted, message.turn)
    engine.send(answer, voter.id, message.asks)


def _grants(voter: Voter, message: Vote) -> bool:
    own = LogEnd(last_epoch(voter), voter.replica.leo)
    if message.pre_vote:
        leads, fetched = voter.leads is not None, voter.follows and voter.has_fetched
        return grants_pre_vote(own, candidates_end=message.end, leads=leads, has_fetched=fetched)
    return grants_vote(
        own, candidate=message.asks, candidates_end=message.end, voted=voter.voted, leader=voter.leader
    )


def on_vote_answer(engine: Engine, message: VoteAnswer) -> None:
    """A voter has answered one that asks."""
    voter = voters_of(engine).members[message.to]
    if not voter.up or is_settled(engine, voter, message.epoch, message.leader):
        return
    asks, count = voter.asks, len(voters_of(engine).known_to(voter))
    if asks is None or voter.turn != message.turn:
        return
    (asks.granted if message.granted else asks.rejected).add(message.voter)
    before = voter.role == QuorumRole.PROSPECTIVE
    if is_majority(len(asks.granted), count):
        if before:
            _stand(engine, voter)
        else:
            lead(engine, voter)
    elif lost_election(len(asks.rejected), count):
        if before:
            _give_up(engine, voter)
        elif not _asks_first(engine) and not asks.backs_off:
            _back_off(engine, voter, asks)


def on_begin(engine: Engine, message: BeginQuorumEpoch) -> None:
    """A voter is told who leads. One that knows of a later epoch says so."""
    voter = voters_of(engine).members[message.to]
    if not voter.up:
        return
    if message.epoch < voter.epoch:
        refused = VoterFetchAnswer(message.leader, voter.epoch, voter.leader, token=-1)
        engine.send(refused, voter.id, message.leader)
    else:
        is_settled(engine, voter, message.epoch, message.leader)


def on_end(engine: Engine, message: EndQuorumEpoch) -> None:
    """Its leader has resigned: the first that it names is a candidate at once, the others a little later."""
    voter = voters_of(engine).members[message.to]
    if voter.follows and (voter.leader, voter.epoch) == (message.leader, message.epoch):
        place = message.successors.index(voter.id) if voter.id in message.successors else 0
        voter.turn += 1
        wait(engine, voter, MILLISECOND_NS * successor_waits_ms(place, len(message.successors)))
