"""Brokers observe the metadata quorum: they fetch its log, and its leader is their controller (KIP-595)."""

from typing import Final

from core.sim.controller import CONTROLLER
from core.sim.engine import Engine
from core.sim.messages.control import Metadata
from core.sim.messages.quorum import FetchWaitIsOver, ObserverFetch, ObserverFetchAnswer, ObserverFetchDue
from core.sim.state import NOBODY, Broker
from core.sim.voters.images import voters_of
from core.sim.voters.roles import REQUEST_TIMEOUT
from core.sim.voters.state import Leads, Observer, Voter
from core.trace.ids import BrokerId

_WAIT_MAX: Final = 500_000_000
_BACKOFF: Final = 20_000_000


def observe(engine: Engine, broker: Broker, leader: BrokerId = NOBODY, epoch: int = -1) -> None:
    """A broker begins to fetch the metadata log: from the leader that it knows, or from any voter."""
    voters_of(engine).observers[broker.id] = Observer(leader, epoch, served_at=engine.now)
    _fetch(engine, broker.id)


def _fetch(engine: Engine, broker: BrokerId) -> None:
    voters = voters_of(engine)
    observer = voters.observers[broker]
    late = engine.now - observer.served_at >= voters.fetch_timeout
    target = observer.leader
    if target == NOBODY or observer.asks_any or late:
        voters.draws += 1
        place = engine.chance.below(len(voters.members), "observer", broker, voters.draws)
        target = tuple(voters.members)[place]
    observer.token = engine.token()
    engine.send(ObserverFetch(target, broker, observer.epoch, observer.token), broker, target)
    engine.after(REQUEST_TIMEOUT, ObserverFetchDue(broker, observer.token, unanswered=True))


def on_due(engine: Engine, message: ObserverFetchDue) -> None:
    """A broker fetches again, from any voter if it had no answer."""
    observer = voters_of(engine).observers[message.broker]
    if engine.brokers[message.broker].up and observer.token == message.token:
        observer.asks_any = message.unanswered
        _fetch(engine, message.broker)


def on_fetch(engine: Engine, message: ObserverFetch) -> None:
    """A leader shows a broker what is committed; the fetch waits there. Another voter says who leads."""
    voter = voters_of(engine).members[message.to]
    leads = voter.leads
    if not voter.up:
        engine.after(_BACKOFF, ObserverFetchDue(message.broker, message.token, unanswered=True))
    elif leads is None or voter.epoch != message.epoch:
        _tell(engine, voter, message, serves=False)
    else:
        _show(engine, voter, engine.brokers[message.broker])
        leads.observers.append(message)
        engine.after(_WAIT_MAX, FetchWaitIsOver(message))


def _show(engine: Engine, voter: Voter, broker: Broker) -> None:
    voters = voters_of(engine)
    entries = voters.entries_at(voter.replica.hw)
    if entries > broker.offered:
        voters.acting = voter.id
        engine.send(Metadata(broker, entries), CONTROLLER, broker.id)
        voters.acting = NOBODY


def answer(engine: Engine, voter: Voter, leads: Leads, fetch: ObserverFetch) -> None:
    """A broker's fetch has waited: it is answered, if it still waits."""
    if fetch in leads.observers:
        leads.observers.remove(fetch)
        _tell(engine, voter, fetch, serves=True)


def _tell(engine: Engine, voter: Voter, fetch: ObserverFetch, *, serves: bool) -> None:
    told = ObserverFetchAnswer(fetch.broker, voter.epoch, voter.leader, serves=serves, token=fetch.token)
    engine.send(told, voter.id, fetch.broker)


def on_answer(engine: Engine, message: ObserverFetchAnswer) -> None:
    """A broker learns who leads, if the answer is of a later epoch than it knows."""
    observer = voters_of(engine).observers[message.broker]
    if not engine.brokers[message.broker].up or observer.token != message.token:
        return
    observer.asks_any = False
    is_later = message.epoch > observer.epoch
    if is_later or (message.epoch == observer.epoch and observer.leader == NOBODY):
        observer.leader, observer.epoch = message.leader, message.epoch
    if message.serves or (is_later and message.leader != NOBODY):
        observer.served_at = engine.now
        _fetch(engine, message.broker)
    else:
        engine.after(_BACKOFF, ObserverFetchDue(message.broker, message.token, unanswered=False))
