"""The log of the quorum's leader: what it appends, what is committed, and what takes effect with it."""

from collections.abc import Sequence

from core.kafka.raft import committed_end
from core.sim import replica as logs
from core.sim.engine import Engine
from core.sim.ledger import mark
from core.sim.messages.control import BrokerSessionTimeout
from core.sim.messages.quorum import FetchWaitIsOver
from core.sim.state import NOBODY
from core.sim.voters.images import take, voters_of
from core.sim.voters.state import Decision, Leads, Voter
from core.trace.ids import LeaderEpoch, Seq


def append(
    engine: Engine, voter: Voter, leads: Leads, names: Sequence[str], decision: Decision | None
) -> None:
    """A leader writes records, in one batch. With its own log alone they may be committed already."""
    numbers = list(engine.name_records(names, len(names)))
    replica = voter.replica
    engine.ledger.place(numbers, replica.partition.index, voter.id, voter.epoch, replica.leo)
    seq = logs.append(engine, replica, numbers, [voter.epoch] * len(numbers), None)
    if decision is not None:
        voters_of(engine).decisions[numbers[-1]] = decision
        leads.decisions.append(decision)
    for fetch in leads.parked:
        engine.after(0, FetchWaitIsOver(fetch))
    advance(engine, voter, leads, seq)


def advance(engine: Engine, voter: Voter, leads: Leads, cause: Seq | None) -> None:
    """The high watermark of a leader moves to what a majority holds; decisions below it take effect."""
    replica = voter.replica
    hw = committed_end((replica.leo, *leads.ends.values()), leads.epoch_start, leads.hw)
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
    """The epoch of the last record in a voter's log; 0 of an empty one."""
    return voter.replica.epochs[-1] if voter.replica.epochs else LeaderEpoch(0)
