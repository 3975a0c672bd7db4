"""The quorum before the first step: the first voter leads, all hold the same log, all is committed."""

from core.sim import quorum
from core.sim import replica as logs
from core.sim.engine import Engine
from core.sim.ledger import mark
from core.sim.voters.commits import activate
from core.sim.voters.fetches import WAIT_MAX
from core.sim.voters.images import voters_of
from core.sim.voters.names import name_of_change, names_of
from core.sim.voters.observers import observe
from core.sim.voters.roles import begin_leading, call_others, draw, follow, wait
from core.sim.voters.state import Voter
from core.trace.ids import LeaderEpoch

_EPOCH = LeaderEpoch(1)


def begin(engine: Engine) -> None:
    """Brokers are registered, controllers run, and every log holds the records of that."""
    quorum.begin(engine)
    voters = voters_of(engine)
    first, *others = voters.members.values()
    first.epoch = _EPOCH
    entries = engine.quorum.log
    names = (name_of_change(_EPOCH, 0), *names_of(engine, entries, 0, (_EPOCH, 1)))
    numbers = list(engine.name_records(names))
    first.heard = engine.quorum.heard
    for voter in voters.members.values():
        _start(engine, voter)
    leads = begin_leading(engine, first)
    engine.ledger.place(numbers, voters.partition.index, first.id, _EPOCH, 0)
    logs.append(engine, first.replica, numbers, [_EPOCH] * len(numbers), None)
    for voter in others:
        left = draw(engine, voter, WAIT_MAX)
        follow(engine, voter, first.id, _EPOCH, left)
        voter.has_fetched = True
        wait(engine, voter, voters.fetch_timeout - WAIT_MAX + left)
        logs.append(engine, voter.replica, numbers, [_EPOCH] * len(numbers), None)
    leads.hw = len(numbers)
    leads.ends = {one.id: len(numbers) for one in others}
    leads.regroup(voters.configured, first.id)
    leads.caught_up = {one.id for one in others}
    voters.committed.append((len(numbers), len(entries)))
    for voter in voters.members.values():
        seq = logs.move_hw(engine, voter.replica, len(numbers), None)
        if seq is not None and voter is first:
            mark(engine.ledger.committed, numbers, seq)
    activate(engine, first, leads, None)
    call_others(engine, first, leads)
    for broker in engine.brokers.values():
        observe(engine, broker, first.id, _EPOCH)


def _start(engine: Engine, voter: Voter) -> None:
    started = engine.journal.tell("broker_started", voter.id, voter.id, cause=None, partition=None)
    index = voter.replica.partition.index
    engine.journal.tell("log_created", voter.id, voter.id, partition=index, cause=started, leo=0, log_start=0)
