"""Controllers die and start: what a voter's disk keeps, what it is then (QuorumState.initialize)."""

from core.kafka.raft import NO_VOTE
from core.sim import replica as logs
from core.sim.engine import Engine
from core.sim.messages.quorum import ControllerAwaited
from core.sim.state import LOG_BEGIN, NO_EPOCH, NOBODY
from core.sim.voters.commits import tell_voters
from core.sim.voters.images import voters_of
from core.sim.voters.roles import RETRY_AFTER, follow, seek
from core.sim.voters.state import Voter
from core.trace.ids import LeaderEpoch, Seq
from core.trace.vocabulary import CutReason, QuorumRole


def crash(engine: Engine, voter: Voter, cause: Seq | None) -> None:
    """The process of a controller is killed. Its log, its epoch and its vote stay on its disk."""
    if not voter.up:
        return
    engine.journal.tell("broker_crashed", voter.id, voter.id, cause=cause, partition=None)
    leads, voter.leads, voter.asks, voter.role = voter.leads, None, None, None
    voter.turn += 1
    voter.token, voter.has_fetched, voter.fetching = 0, False, None
    voter.replica.broker.up = False
    voter.replica.role, voter.replica.leader, voter.replica.leader_epoch = "none", NOBODY, NO_EPOCH
    for decision in () if leads is None else leads.decisions:
        if decision.asked_by is not None:
            engine.after(RETRY_AFTER, ControllerAwaited(decision.asked_by))


def start(engine: Engine, voter: Voter, cause: Seq, *, disk_replaced: bool = False) -> None:
    """A controller that is down starts. It knows no high watermark until its leader says one.

    One that led its epoch leads it no more. On a new disk are no log, no snapshots, no epoch and no vote.
    """
    if voter.up:
        return
    here, replica, journal = voter.id, voter.replica, engine.journal
    replica.broker.up = True
    replica.broker.life += 1
    starting = journal.tell("broker_starting", here, here, cause=cause, partition=None)
    index = replica.partition.index
    if disk_replaced:
        voter.epoch, voter.voted, voter.leader, voter.snapshots = LeaderEpoch(0), NO_VOTE, NOBODY, {}
        replica.hw = LOG_BEGIN
        if replica.leo:
            logs.begin_anew(engine, replica, LOG_BEGIN, CutReason.RECOVERY, starting)
    start = replica.log_start
    loaded = journal.tell(
        "log_loaded", here, here, partition=index, cause=starting, leo=replica.leo, log_start=start
    )
    replica.hw = start
    journal.tell("hw_loaded", here, here, partition=index, cause=loaded, hw=start)
    read = journal.tell(
        "epoch_cache_loaded", here, here, partition=index, cause=loaded, aux=len(replica.entries)
    )
    for epoch, offset in replica.entries:
        journal.tell("epoch_assigned", here, here, partition=index, cause=read, epoch=epoch, offset=offset)
    if voters_of(engine).last_record(voter) is not None:
        tell_voters(engine, voter, loaded)
    journal.tell("broker_started", here, here, cause=starting, partition=None)
    voted = voter.voted
    if voter.leader == here:
        seek(engine, voter, QuorumRole.RESIGNED, voter.epoch, here)
    elif voter.leader != NOBODY:
        follow(engine, voter, voter.leader, voter.epoch)
    else:
        seek(engine, voter, QuorumRole.UNATTACHED if voted == NO_VOTE else QuorumRole.VOTED, voter.epoch)
    voter.voted = voted
