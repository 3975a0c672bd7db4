"""What should hold in every state, each with a sentence for somebody who uses Kafka."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from core.errors import QuestionError
from core.message import Listing, Message, message
from core.model.state import NO_LEADER, State

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Invariant(Generic[S]):
    """A name, whether it holds in a state, and what it means."""

    name: str
    holds: Callable[[S], bool]
    sentence: Message


def _has_all_below(state: State, leader: int, member: int) -> bool:
    """Whether `member` holds what `leader` holds below the leader's high watermark."""
    end = state.of(leader).high_watermark
    mine, others = state.of(leader).log[:end], state.of(member).log[:end]
    return len(mine) == end and mine == others


def _presuming(state: State) -> list[int]:
    return [one for one in range(1, len(state.replicas) + 1) if state.presumes(one)]


def weak_isr(state: State) -> bool:
    """WeakIsr."""
    return all(
        _has_all_below(state, leader, member)
        for leader in _presuming(state)
        for member in state.of(leader).isr
    )


def strong_isr(state: State) -> bool:
    """StrongIsr."""
    return all(
        _has_all_below(state, leader, member) for leader in _presuming(state) for member in state.quorum.isr
    )


def leader_in_isr(state: State) -> bool:
    """LeaderInIsr, corrected: the published one is false in the initial state, in which nobody leads."""
    return state.quorum.leader == NO_LEADER or state.quorum.leader in state.quorum.isr


def log_matching(state: State) -> bool:
    """LogMatchingBelowHw."""
    for place, one in enumerate(state.replicas):
        for other in state.replicas[:place]:
            end = min(one.high_watermark, other.high_watermark)
            if len(one.log) < end or one.log[:end] != other.log[:end]:
                return False
    return True


def isr_not_empty(state: State) -> bool:
    """IsrNotEmpty."""
    return bool(state.quorum.isr)


WEAK_ISR: Final = Invariant("WeakIsr", weak_isr, message("model.invariant.weak-isr"))
STRONG_ISR: Final = Invariant("StrongIsr", strong_isr, message("model.invariant.strong-isr"))
LEADER_IN_ISR: Final = Invariant("LeaderInIsr", leader_in_isr, message("model.invariant.leader-in-isr"))
LOG_MATCHING: Final = Invariant("LogMatchingBelowHw", log_matching, message("model.invariant.log-matching"))
ISR_NOT_EMPTY: Final = Invariant("IsrNotEmpty", isr_not_empty, message("model.invariant.isr-not-empty"))

INVARIANTS: Final = (WEAK_ISR, STRONG_ISR, LEADER_IN_ISR, LOG_MATCHING, ISR_NOT_EMPTY)
USUAL: Final = (WEAK_ISR, STRONG_ISR, LEADER_IN_ISR, LOG_MATCHING)
"""Those that are asked where none is named. IsrNotEmpty fails in every variant with as many epochs as
replicas: the controller of the model may remove the last member once nobody leads."""


def named(known: Sequence[Invariant[S]], name: str) -> Invariant[S]:
    """The one of `known` with this name. Raises QuestionError."""
    for one in known:
        if one.name == name:
            return one
    raise QuestionError(
        message("error.model.no-invariant", name=name),
        advice=message("error.model.known-invariants", names=Listing(tuple(one.name for one in known))),
    )
