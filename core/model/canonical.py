"""Symmetry over replicas: one state for all that differ in the names of brokers alone."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

from core.model.state import State, permuted


def canonical(replicas: int) -> Callable[[State], State]:
    """Gives of each state the least one of those that brokers' other names make of it."""
    orders = list(permutations(range(1, replicas + 1)))

    def least(state: State) -> State:
        return min((permuted(state, order) for order in orders), key=_key)

    return least


def _key(state: State) -> Any:  # noqa: ANN401 - nested tuples of integers
    """The state with its sets in order, so that any two can be compared."""
    return (
        tuple(
            (one.log, one.high_watermark, one.epoch, one.leader, sorted(one.isr)) for one in state.replicas
        ),
        sorted((one.epoch, one.leader, sorted(one.isr)) for one in state.requests),
        (state.quorum.leader, sorted(state.quorum.isr)),
    )
