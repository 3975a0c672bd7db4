"""Voters fetch the metadata log from their leader, which commits what a majority holds (KIP-595)."""

from typing import Final

from core.kafka.raft import (
    LogEnd,
    check_quorum_ns,
    cut_to,
    diverging_end,
    fetched_by_majority,
    is_caught_up,
    resigns,
)
from core.kafka.truncation import Cut
from core.sim import replica as logs
from core.sim.engine import Engine
from core.sim.messages.quorum import (
    CheckQuorumDue,
    FetchWaitIsOver,
    LeaderSought,
    ObserverFetch,
    SnapshotAnswer,
    SnapshotFetch,
    VoterFetch,
    VoterFetchAnswer,
    VoterFetchDue,
)
from core.sim.voters import observers, snapshots
from core.sim.voters.commits import advance, last_epoch, tell_voters
from core.sim.voters.images import voters_of
from core.sim.voters.roles import REQUEST_TIMEOUT, draw, is_settled, is_voter, resign
from core.sim.voters.state import Leads, Voter
from core.trace.ids import BrokerId, Nanos
from core.trace.vocabulary import CutReason, QuorumRole

WAIT_MAX: Final = 500_000_000
"""KafkaRaftClient.MAX_FETCH_WAIT_MS (500), in ns."""
_BACKOFF: Final = 20_000_000
"""`controller.quorum.retry.backoff.ms` (20), in ns."""


def on_fetch_due(engine: Engine, message: VoterFetchDue) -> None:
    """A follower fetches from the end of its log, or a snapshot that its leader has named.

    One without a vote asks elsewhere, if its leader is silent.
    """
    voter = voters_of(engine).members[message.voter]
    if not voter.follows or voter.token != message.token:
        return
    if engine.now >= voter.deadline and not is_voter(engine, voter):
        on_sought(engine, LeaderSought(voter.id, voter.token))
        return
    voter.token = engine.token()
    if voter.fetching is None:
        offset, last = voter.replica.leo, last_epoch(voter)
        fetch = VoterFetch(voter.leader, voter.id, voter.epoch, offset, last, voter.token)
    else:
        fetch = SnapshotFetch(voter.leader, voter.id, voter.epoch, voter.fetching, voter.token)
    engine.send(fetch, voter.id, voter.leader)
    engine.after(REQUEST_TIMEOUT, VoterFetchDue(voter.id, voter.token))


def on_sought(engine: Engine, message: LeaderSought) -> None:
    """A controller that is no voter, and is served by no leader, asks any of the others."""
    voter = voters_of(engine).members[message.voter]
    lost = voter.role == QuorumRole.UNATTACHED or (voter.follows and engine.now >= voter.deadline)
    if not voter.up or voter.token != message.token or not lost or is_voter(engine, voter):
        return
    others = [one for one in voters_of(engine).members if one != voter.id]
    asked, voter.token = others[draw(engine, voter, len(others))], engine.token()
    fetch = VoterFetch(asked, voter.id, voter.epoch, voter.replica.leo, last_epoch(voter), voter.token)
    engine.send(fetch, voter.id, asked)
    engine.after(REQUEST_TIMEOUT, LeaderSought(voter.id, voter.token))


def on_fetch(engine: Engine, message: VoterFetch) -> None:
    """A leader takes from a fetch how far its follower is. Without records for it the fetch waits."""
    voter = voters_of(engine).members[message.to]
    leads = _serving(engine, voter, message)
    if leads is None:
        return
    if snapshots.offered(engine, voter, message.offset, message.last_epoch) or _diverges(voter, message):
        _answer(engine, voter, leads, message)
    else:
        _note(engine, voter, leads, message)
        if voter.replica.leo > message.offset:
            _answer(engine, voter, leads, message)
        else:
            leads.parked.append(message)
            engine.after(WAIT_MAX, FetchWaitIsOver(message))


def _serving(engine: Engine, voter: Voter, message: VoterFetch | SnapshotFetch) -> Leads | None:
    """What the one that is asked has as the leader of the follower's epoch.

    None where it is not: the follower hears of that, or nothing if it is down.
    """
    if not voter.up:
        engine.after(_BACKOFF, VoterFetchDue(message.follower, message.token))
        return None
    if voter.leads is not None and voter.epoch == message.epoch:
        return voter.leads
    refused = VoterFetchAnswer(message.follower, voter.epoch, voter.leader, message.token)
    engine.send(refused, voter.id, message.follower)
    return None


def on_snapshot_fetch(engine: Engine, message: SnapshotFetch) -> None:
    """A leader sends a snapshot. It has heard of its follower (updateCheckQuorumForFollowingVoter)."""
    voter = voters_of(engine).members[message.to]
    leads = _serving(engine, voter, message)
    if leads is None:
        return
    if message.follower in leads.ends:
        _note_fetch(engine, voter, leads, message.follower)
    snapshots.answer(engine, voter, message)


def _diverges(voter: Voter, fetch: VoterFetch) -> LogEnd | None:
    replica = voter.replica
    oldest = next(iter(voter.snapshots), None)
    return diverging_end(replica.entries, replica.leo, fetch.offset, fetch.last_epoch, oldest=oldest)


def _note(engine: Engine, voter: Voter, leads: Leads, fetch: VoterFetch) -> None:
    """How far a follower is, and that it was there."""
    leo = voter.replica.leo
    if is_caught_up(fetch.offset, leo, leads.leo_at_fetch.get(fetch.follower)):
        leads.caught_up.add(fetch.follower)
    leads.leo_at_fetch[fetch.follower] = leo
    if fetch.follower not in leads.ends:
        leads.observed[fetch.follower] = fetch.offset
        return
    if leads.ends[fetch.follower] != fetch.offset:
        leads.ends[fetch.follower] = fetch.offset
        engine.journal.tell(
            "follower_leo_recorded",
            voter.id,
            fetch.follower,
            partition=voter.replica.partition.index,
            cause=None,
            leader=voter.id,
            leo=fetch.offset,
        )
    _note_fetch(engine, voter, leads, fetch.follower)
    advance(engine, voter, leads, None)


def _note_fetch(engine: Engine, voter: Voter, leads: Leads, follower: BrokerId) -> None:
    """A voter was there."""
    leads.fetched.add(follower)
    known = voters_of(engine).known_to(voter)
    if fetched_by_majority(leads.fetched, len(known), with_leader=voter.id in known):
        leads.fetched.clear()
        leads.heard_at = engine.now


def _answer(engine: Engine, voter: Voter, leads: Leads, fetch: VoterFetch) -> None:
    replica = voter.replica
    snapshot = snapshots.offered(engine, voter, fetch.offset, fetch.last_epoch)
    diverging = None if snapshot else _diverges(voter, fetch)
    if diverging is not None:
        engine.journal.tell(
            "fetch_diverged",
            voter.id,
            fetch.follower,
            partition=replica.partition.index,
            cause=None,
            leader=voter.id,
            epoch=voter.epoch,
            offset=diverging.offset,
            aux=diverging.epoch,
        )
    records, epochs = ([], []) if snapshot or diverging else replica.read(fetch.offset, replica.leo)
    answer = VoterFetchAnswer(
        fetch.follower,
        voter.epoch,
        voter.id,
        fetch.token,
        serves=True,
        records=tuple(records),
        epochs=tuple(epochs),
        hw=leads.hw,
        diverging=diverging,
        snapshot=snapshot,
    )
    engine.send(answer, voter.id, fetch.follower)


def on_wait_over(engine: Engine, message: FetchWaitIsOver) -> None:
    """A fetch that waits is answered, if it still waits."""
    fetch = message.fetch
    voter = voters_of(engine).members[fetch.to]
    leads = voter.leads
    if leads is None:
        return
    if isinstance(fetch, ObserverFetch):
        observers.answer(engine, voter, leads, fetch)
    elif fetch in leads.parked:
        leads.parked.remove(fetch)
        _answer(engine, voter, leads, fetch)


def on_answer(engine: Engine, message: VoterFetchAnswer) -> None:
    """A follower cuts its log, or appends what it was given, and fetches on."""
    voter = voters_of(engine).members[message.to]
    if not voter.up or is_settled(engine, voter, message.epoch, message.leader):
        return
    if voter.token != message.token:
        return
    if not message.serves:
        again = VoterFetchDue if voter.follows else LeaderSought
        engine.after(_BACKOFF, again(voter.id, voter.token))
        return
    if not voter.follows:
        return
    voter.has_fetched = True
    if message.snapshot is None:
        _take(engine, voter, message)
    voter.fetching = message.snapshot
    voter.deadline = Nanos(engine.now + voters_of(engine).fetch_timeout)
    on_fetch_due(engine, VoterFetchDue(voter.id, voter.token))


def _take(engine: Engine, voter: Voter, message: VoterFetchAnswer) -> None:
    replica = voter.replica
    record = voters_of(engine).last_record(voter)
    if message.diverging is not None:
        end = cut_to(replica.entries, replica.leo, message.diverging)
        cut = Cut(end, CutReason.DIVERGING_EPOCH, needed=end < replica.leo)
        logs.carry_out(engine, replica, cut, None, message.diverging.offset)
    else:
        seq = None
        if message.records:
            seq = logs.append(engine, replica, list(message.records), list(message.epochs), None)
        if message.hw is not None and message.hw > replica.hw:
            logs.move_hw(engine, replica, min(message.hw, replica.leo), seq)
    if voters_of(engine).last_record(voter) is not record:
        tell_voters(engine, voter, None)


def on_snapshot_answer(engine: Engine, message: SnapshotAnswer) -> None:
    """A follower goes on at the end of the snapshot; or, if the leader has it no more, as before."""
    voter = voters_of(engine).members[message.to]
    if not voter.up or is_settled(engine, voter, message.epoch, message.leader):
        return
    if voter.token != message.token or not voter.follows:
        return
    voter.fetching = None
    if message.found:
        snapshots.take_over(engine, voter, message)
    voter.deadline = Nanos(engine.now + voters_of(engine).fetch_timeout)
    on_fetch_due(engine, VoterFetchDue(voter.id, voter.token))


def on_check_quorum(engine: Engine, message: CheckQuorumDue) -> None:
    """A leader resigns to which no majority has come for too long (3.7, KAFKA-15489)."""
    voters = voters_of(engine)
    voter = voters.members[message.voter]
    leads = voter.leads
    if not voter.up or voter.turn != message.turn or leads is None:
        return
    silent, limit = engine.now - leads.heard_at, check_quorum_ns(voters.fetch_timeout)
    rule = engine.rules.switches.check_quorum
    if resigns(rule, len(voters.known_to(voter)), silent, voters.fetch_timeout):
        resign(engine, voter, leads)
    else:
        engine.after(limit - silent, message)
