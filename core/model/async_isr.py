"""The model of AlterPartition (KIP-497): the leader asks the controller to change the in-sync replicas.

Broker 1 leads. Until the controller has answered, the high watermark counts everybody in the old set or in a
proposed one. The published model has no end: offsets and versions are bounded here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Final, NamedTuple, TypeAlias

from core.message import message
from core.model.actions import Step
from core.model.invariants import Invariant
from core.model.plain_engine import World, itself
from core.model.state import MOST_OF_OTHERS, MOST_REPLICAS, refuse_outside

LEADER: Final = 1


class Proposal(NamedTuple):
    """In-sync replicas, and the version of the partition: of a request the version that it was made at."""

    isr: frozenset[int]
    version: int


class LeaderView(NamedTuple):
    """What the leader knows: in-sync replicas, those it waits for, and where each log ends."""

    isr: frozenset[int]
    version: int
    pending_isr: frozenset[int]
    """Empty where it waits for nothing."""
    pending_version: int
    ends: tuple[int, ...]

    @property
    def high_watermark(self) -> int:
        """The least end among all that are in sync or may be."""
        return min(self.ends[one - 1] for one in self.isr | self.pending_isr)


class AsyncState(NamedTuple):
    """The four variables; requests and updates only grow, and may arrive late, never, or twice."""

    controller: Proposal
    leader: LeaderView
    requests: frozenset[Proposal]
    updates: frozenset[Proposal]


@dataclass(frozen=True, slots=True)
class AsyncBounds:
    """How large the world is."""

    replicas: int
    offsets: int
    """The largest log end offset."""
    versions: int
    """The largest version; the first one is 0."""

    def __post_init__(self) -> None:
        allowed = (
            ("--replicas", self.replicas, 1, MOST_REPLICAS),
            ("--log-size", self.offsets, 0, MOST_OF_OTHERS),
            ("--epochs", self.versions, 0, MOST_OF_OTHERS),
        )
        refuse_outside(allowed)


AsyncSteps: TypeAlias = Iterator[tuple[Step, AsyncState]]


def initial(bounds: AsyncBounds) -> AsyncState:
    """Empty logs, everybody in sync, nothing asked."""
    everybody = frozenset(range(1, bounds.replicas + 1))
    view = LeaderView(everybody, 0, frozenset(), -1, (0,) * bounds.replicas)
    return AsyncState(Proposal(everybody, 0), view, frozenset(), frozenset())


def steps(state: AsyncState, bounds: AsyncBounds) -> AsyncSteps:
    """All that can happen next, within bounds."""
    if state.controller.version < bounds.versions:
        yield from _controller_removes(state)
        yield from _controller_accepts(state)
    yield from _leader_proposes(state)
    yield from _leader_learns(state)
    yield from _ends_move(state, bounds)


def _decided(state: AsyncState, isr: frozenset[int]) -> AsyncState:
    decided = Proposal(isr, state.controller.version + 1)
    return state._replace(controller=decided, updates=state.updates | {decided})


def _controller_removes(state: AsyncState) -> AsyncSteps:
    """The controller takes a broker for dead; the leader stays."""
    for broker in sorted(state.controller.isr - {LEADER}):
        yield Step("controller-removes", broker), _decided(state, state.controller.isr - {broker})


def _controller_accepts(state: AsyncState) -> AsyncSteps:
    """A request is accepted if it was made at the version that the controller still has."""
    for request in _in_order(state.requests):
        if request.version == state.controller.version:
            yield (
                Step("controller-accepts", LEADER, epoch=request.version),
                _decided(state, request.isr),
            )


def _in_order(proposals: frozenset[Proposal]) -> list[Proposal]:
    return sorted(proposals, key=lambda one: (one.version, sorted(one.isr)))


def _leader_proposes(state: AsyncState) -> AsyncSteps:
    """The leader asks to remove a member, or to add a broker that has reached the high watermark."""
    own = state.leader
    for broker in range(2, len(own.ends) + 1):
        if broker in own.isr:
            yield Step("leader-asks-to-remove", LEADER, broker), _asked(state, own.isr - {broker})
        elif own.ends[broker - 1] >= own.high_watermark:
            yield Step("leader-asks-to-add", LEADER, broker), _asked(state, own.isr | {broker})


def _asked(state: AsyncState, isr: frozenset[int]) -> AsyncState:
    own = state.leader
    waiting = own._replace(pending_isr=own.pending_isr | isr, pending_version=own.version)
    return state._replace(leader=waiting, requests=state.requests | {Proposal(isr, own.version)})


def _leader_learns(state: AsyncState) -> AsyncSteps:
    """The leader takes what the controller decided, if it is newer, and waits for nothing more."""
    for update in _in_order(state.updates):
        if update.version > state.leader.version:
            learnt = state.leader._replace(
                isr=update.isr, version=update.version, pending_isr=frozenset(), pending_version=-1
            )
            yield Step("leader-learns", LEADER, epoch=update.version), state._replace(leader=learnt)


def _ends_move(state: AsyncState, bounds: AsyncBounds) -> AsyncSteps:
    """The leader writes a record, or a follower copies one."""
    ends = state.leader.ends
    for place, end in enumerate(ends):
        limit = bounds.offsets if place == 0 else ends[0]
        if end < limit:
            longer = (*ends[:place], end + 1, *ends[place + 1 :])
            step = (
                Step("leader-appends", LEADER) if place == 0 else Step("follower-copies", place + 1, LEADER)
            )
            yield step, state._replace(leader=state.leader._replace(ends=longer))


def valid_high_watermark(state: AsyncState) -> bool:
    """ValidHighWatermark."""
    mark = state.leader.high_watermark
    return all(state.leader.ends[one - 1] >= mark for one in state.controller.isr)


ASYNC_INVARIANTS: Final = (
    Invariant("ValidHighWatermark", valid_high_watermark, message("model.invariant.valid-high-watermark")),
)


def world_of(bounds: AsyncBounds, *, symmetry: bool = False) -> World[AsyncState]:
    """For the plain engine. Followers alone may change their names."""
    same: Callable[[AsyncState], AsyncState] = _canonical(bounds.replicas) if symmetry else itself
    return World(initial(bounds), lambda state: steps(state, bounds), same)


def _canonical(replicas: int) -> Callable[[AsyncState], AsyncState]:
    orders = [(LEADER, *order) for order in permutations(range(2, replicas + 1))]

    def least(state: AsyncState) -> AsyncState:
        return min((_permuted(state, order) for order in orders), key=_key)

    return least


def _permuted(state: AsyncState, to: tuple[int, ...]) -> AsyncState:
    def isr(brokers: frozenset[int]) -> frozenset[int]:
        return frozenset(to[one - 1] for one in brokers)

    def proposals(many: frozenset[Proposal]) -> frozenset[Proposal]:
        return frozenset(Proposal(isr(one.isr), one.version) for one in many)

    own = state.leader
    ends = dict(zip(to, own.ends, strict=True))
    view = own._replace(
        isr=isr(own.isr),
        pending_isr=isr(own.pending_isr),
        ends=tuple(ends[broker] for broker in range(1, len(to) + 1)),
    )
    controller = Proposal(isr(state.controller.isr), state.controller.version)
    return AsyncState(controller, view, proposals(state.requests), proposals(state.updates))


def _key(state: AsyncState) -> tuple[object, ...]:
    own = state.leader
    return (
        (state.controller.version, sorted(state.controller.isr)),
        (own.ends, own.version, sorted(own.isr), sorted(own.pending_isr), own.pending_version),
        [(one.version, sorted(one.isr)) for one in _in_order(state.requests)],
        [(one.version, sorted(one.isr)) for one in _in_order(state.updates)],
    )
