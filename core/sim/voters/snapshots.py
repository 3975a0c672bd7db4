"""Snapshots of the metadata log: written, deleted with the log below them, fetched in its place (KIP-630)."""

from core.kafka.raft import LogEnd
from core.kafka.snapshots import kept_from, may_write, replaces_log, snapshot_to_fetch, start_after_cleaning
from core.sim import replica as logs
from core.sim.disks import move_log_start
from core.sim.engine import Engine
from core.sim.messages.quorum import SnapshotAnswer, SnapshotFetch
from core.sim.voters.commits import last_epoch, tell_voters
from core.sim.voters.images import voters_of
from core.sim.voters.state import Voter
from core.trace.ids import Offset, Seq
from core.trace.vocabulary import CutReason


def write(engine: Engine, voter: Voter, cause: Seq) -> None:
    """A controller writes a snapshot of what it knows to be committed, where its release does."""
    replica = voter.replica
    committed = replica.hw - replica.log_start
    if not voter.up or not committed:
        return
    rule, wanted = engine.rules.switches.metadata_snapshot, LogEnd(replica.epochs[committed - 1], replica.hw)
    if may_write(rule, wanted, tuple(voter.snapshots), log_start=replica.log_start, hw=replica.hw):
        voter.snapshots[wanted] = _voters_below(engine, voter, replica.hw)
        engine.journal.tell(
            "snapshot_written",
            voter.id,
            voter.id,
            partition=replica.partition.index,
            cause=cause,
            epoch=wanted.epoch,
            offset=wanted.offset,
        )


def _voters_below(engine: Engine, voter: Voter, end: int) -> int | None:
    """Which record on the voters is the last below an offset, by a controller's log and its snapshots."""
    records, replica = voters_of(engine).records, voter.replica
    for place in range(len(records) - 1, -1, -1):
        one = records[place]
        if one.offset < end and replica.numbers(one.offset, one.offset + 1) == [one.number]:
            return place
    return next(reversed(voter.snapshots.values())) if voter.snapshots else None


def clean(engine: Engine, voter: Voter, cause: Seq) -> None:
    """A controller deletes all snapshots but its latest, and its log below that."""
    replica, snapshots = voter.replica, tuple(voter.snapshots)
    if not voter.up or len(snapshots) < 2:
        return
    old = len(snapshots) - 1
    start = start_after_cleaning(snapshots, old=old, log_start=replica.log_start, hw=replica.hw)
    move_log_start(engine, replica, Offset(start), cause)
    _forget(voter)


def _forget(voter: Voter) -> None:
    kept = kept_from(tuple(voter.snapshots), voter.replica.log_start)
    voter.snapshots = {one: voter.snapshots[one] for one in kept}


def offered(engine: Engine, voter: Voter, fetch_offset: int, last_epoch_there: int) -> LogEnd | None:
    """The snapshot that a leader answers a fetch with; None where it answers from its log."""
    if not voter.snapshots:
        return None
    rule, log_start = engine.rules.switches.metadata_snapshot, voter.replica.log_start
    return snapshot_to_fetch(rule, tuple(voter.snapshots), log_start, fetch_offset, last_epoch_there)


def answer(engine: Engine, voter: Voter, fetch: SnapshotFetch) -> None:
    """A leader sends a snapshot, or says that it has it no more (SNAPSHOT_NOT_FOUND)."""
    found = fetch.snapshot in voter.snapshots
    told = SnapshotAnswer(
        fetch.follower,
        voter.epoch,
        voter.id,
        fetch.token,
        fetch.snapshot,
        found,
        voter.snapshots.get(fetch.snapshot),
    )
    engine.send(told, voter.id, fetch.follower)


def take_over(engine: Engine, voter: Voter, message: SnapshotAnswer) -> None:
    """A follower has a snapshot: it drops its whole log, and goes on at the snapshot's end."""
    replica, snapshot = voter.replica, message.snapshot
    record = voters_of(engine).last_record(voter)
    if not replaces_log(snapshot, LogEnd(last_epoch(voter), replica.leo)):
        return
    voter.snapshots[snapshot] = message.voters
    logs.begin_anew(engine, replica, snapshot.offset, CutReason.RESET, None)
    _forget(voter)
    if voters_of(engine).last_record(voter) is not record:
        tell_voters(engine, voter, None)
