"""How messages go while there is a quorum: to whom a broker takes for the controller, among voters."""

from typing import TypeAlias

from core.sim import network
from core.sim.controller import CONTROLLER
from core.sim.engine import Engine
from core.sim.messages import control, quorum
from core.sim.messages.kinds import Message, Sent
from core.sim.state import NOBODY
from core.sim.voters.images import voters_of
from core.sim.voters.requests import receive
from core.sim.voters.roles import RETRY_AFTER
from core.sim.voters.state import Voters
from core.trace.ids import BrokerId

_Asked: TypeAlias = (
    control.AlterPartition | control.BrokerHeartbeat | control.BrokerRegistration | control.UnfenceRequest
)
_Told: TypeAlias = (
    control.AlterPartitionAnswer
    | control.AlterPartitionRefused
    | control.AlterPartitionOutdated
    | control.BrokerRegistrationAnswer
    | control.Metadata
    | control.ShutdownAnswer
    | control.DeleteReplica
)


def send_over(engine: Engine, message: Sent, source: int, target: int) -> None:
    """Send a message.

    What voters and observers send each other is lost on a way that is cut: they wait for 2 s for an answer,
    and close the connection then (`controller.quorum.request.timeout.ms`). So is what a broker says again and
    again.
    """
    voters = voters_of(engine)
    if isinstance(message, quorum.SentOfQuorum):
        _send_or_lose(engine, message, source, target)
        return
    if isinstance(message, _Asked) and target == CONTROLLER:
        target = voters.observers[BrokerId(source)].leader
        if target == NOBODY:
            if isinstance(message, control.AlterPartition):
                engine.after(RETRY_AFTER, quorum.ControllerAwaited(message))
            return
        if not isinstance(message, control.AlterPartition):
            _send_or_lose(engine, message, source, target)
            return
    elif isinstance(message, _Told) and source == CONTROLLER:
        if isinstance(message, control.Metadata) and not _observes(voters, message):
            return
        source = voters.acting
    network.send_over(engine, message, source, target)


def _send_or_lose(engine: Engine, message: Sent, source: int, target: int) -> None:
    if (source, target) not in engine.world.cut:
        network.send_over(engine, message, source, target)


def _observes(voters: Voters, message: control.Metadata) -> bool:
    """Whether a broker fetches from the controller that has something to show it."""
    return voters.observers[message.broker.id].leader == voters.acting


def deliver(engine: Engine, message: Message, target: int) -> None:
    """Deal with what is due at a target: a broker's request is for the controller at which it arrives."""
    voter = voters_of(engine).members.get(BrokerId(target))
    if voter is not None and isinstance(message, _Asked):
        receive(engine, voter, message)
    else:
        network.deliver(engine, message, target)
