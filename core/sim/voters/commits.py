"""The log of the quorum's leader: what it appends, what is committed, and what takes effect with it."""

from collections.abc import Sequence
from functools import partial

from core.kafka.raft import committed_end
from core.sim import replica as logs
from core.sim.engine import Engine
from core.sim.ledger import mark
from core.sim.messages.control import BrokerSessionTimeout
from core.sim.messages.quorum import FetchWaitIsOver, ResignDue
from core.sim.state import NOBODY
from core.sim.voters.images import take, voters_of
from core.sim.voters.names import name_of_voters
from core.sim.voters.state import Decision, Leads, Voter, VotersRecord
from core.trace.ids import BrokerId, LeaderEpoch, Seq


def append(
    engine: Engine, voter: Voter, leads: Leads, names: Sequence[str], decision: Decision | None
) -> None:
    """A leader writes records, in one batch. With its own log alone they may be committed already."""
    numbers, seq = _write(engine, voter, names)
    if decision is not None:
        voters_of(engine).decisions[numbers[-1]] = decision
        leads.decisions.append(decision)
    _tell_followers(engine, leads)
    advance(engine, voter, leads, seq)


def _write(engine: Engine, voter: Voter, names: Sequence[str]) -> tuple[list[int], Seq]:
    numbers = list(engine.name_records(names, len(names)))
    replica = voter.replica
    engine.ledger.place(numbers, replica.partition.index, voter.id, voter.epoch, replica.leo)
    return numbers, logs.append(engine, replica, numbers, [voter.epoch] * len(numbers), None)


def _tell_followers(engine: Engine, leads: Leads) -> None:
    """Fetches that wait are answered."""
    for fetch in leads.parked:
        engine.after(0, FetchWaitIsOver(fetch))


def write_voters(engine: Engine, voter: Voter, leads: Leads, ids: tuple[BrokerId, ...]) -> None:
    """A leader writes who the voters are. They are it from now on, whether or not that is committed (3.9).

    A leader that is none of them resigns once a majority of them holds the record
    (RemoveVoterHandler.highWatermarkUpdated).
    """
    voters, offset = voters_of(engine), voter.replica.leo
    numbers, seq = _write(engine, voter, (name_of_voters(voter.epoch, offset),))
    voters.records.append(VotersRecord(offset, numbers[0], ids))
    leads.regroup(ids, voter.id)
    tell_voters(engine, voter, seq)
    if voter.id not in ids:
        due = partial(engine.after, 0, ResignDue(voter.id, voter.turn))
        voters.decisions[numbers[0]] = Decision(due, None)
    _tell_followers(engine, leads)
    advance(engine, voter, leads, seq)


def tell_voters(engine: Engine, voter: Voter, cause: Seq | None) -> None:
    """What a controller finds in its log of who the voters are."""
    voters = voters_of(engine)
    last = voters.last_record(voter)
    engine.journal.tell(
        "voters_changed",
        voter.id,
        voter.id,
        partition=voter.replica.partition.index,
        cause=cause,
        offset=-1 if last is None else last.offset,
        isr=voters.known_to(voter),
    )


def advance(engine: Engine, voter: Voter, leads: Leads, cause: Seq | None) -> None:
    """The high watermark of a leader moves to what a majority holds; decisions below it take effect."""
    replica = voter.replica
    own = (replica.leo,) if voter.id in voters_of(engine).known_to(voter) else ()
    hw = committed_end((*own, *leads.ends.values()), leads.epoch_start, leads.hw)
    if hw is None or hw == leads.hw:
        return
    before, leads.hw = replica.hw, hw
    seq = logs.move_hw(engine, replica, hw, cause)
    if seq is not None:
        mark(engine.ledger.committed, replica.numbers(before, hw), seq)
    voters = voters_of(engine)
    for offset, number in enumerate(replica.numbers(before, hw), before):
        decision = voters.decisions.pop(number, None)
        if decision is not None:
            _carry_out(engine, voter, leads, decision)
            voters.committed.append((offset + 1, len(engine.quorum.log)))
    if leads.image is None:
        activate(engine, voter, leads, seq)
    elif not leads.decisions:
        leads.image = take(engine)


def _carry_out(engine: Engine, voter: Voter, leads: Leads, decision: Decision) -> None:
    """What a controller has decided takes effect."""
    voters = voters_of(engine)
    if decision in leads.decisions:
        leads.decisions.remove(decision)
    engine.quorum.heard, voters.acting = voter.heard, voter.id
    decision.do()
    voters.acting = NOBODY


def activate(engine: Engine, voter: Voter, leads: Leads, cause: Seq | None) -> None:
    """The leader is the active controller once what was there before its epoch is committed.

    Every session begins anew.
    """
    leads.image = take(engine)
    engine.controller.epoch = voter.epoch
    engine.journal.tell(
        "controller_elected", voter.id, voter.id, cause=cause, partition=None, epoch=voter.epoch
    )
    for broker, registration in engine.quorum.registrations.items():
        if not registration.fenced:
            voter.heard[broker] = engine.now
            engine.after(engine.rules.session_timeout, BrokerSessionTimeout(broker, engine.now))


def last_epoch(voter: Voter) -> LeaderEpoch:
    """The epoch of the last record in a voter's log; of an empty one that of its snapshot, or 0.

    KafkaMetadataLog.lastFetchedEpoch.
    """
    if voter.replica.epochs:
        return voter.replica.epochs[-1]
    return LeaderEpoch(next(reversed(voter.snapshots)).epoch if voter.snapshots else 0)
