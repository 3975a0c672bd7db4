"""The smallest sets of things that turn something, by trying them. Nothing here knows of runs."""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import Final, TypeVar

MOST: Final = 4
"""Beyond so many members of a set the search stops: fifteen subsets are what a person can still follow."""

T = TypeVar("T")


def minimal_sets(
    candidates: Sequence[T], turns: Callable[[frozenset[T]], bool], most: int = MOST
) -> tuple[frozenset[T], ...]:
    """All sets of at most `most` candidates that turn it, and of which no proper subset does.

    The smallest first, within one size in the order of the candidates.
    """
    found: list[frozenset[T]] = []
    for size in range(1, min(most, len(candidates)) + 1):
        for members in combinations(candidates, size):
            chosen = frozenset(members)
            if not any(known < chosen for known in found) and turns(chosen):
                found.append(chosen)
    return tuple(found)


def reduced(
    candidates: Collection[T], turns: Callable[[frozenset[T]], bool], most: int = MOST
) -> frozenset[T] | None:
    """A set that turns it and of which no proper subset does, made from all of the candidates by leaving out.

    None where it would have more than `most` members. All candidates together must turn it.
    """
    chosen = list(candidates)
    for one in candidates:
        fewer = [other for other in chosen if other != one]
        if fewer and turns(frozenset(fewer)):
            chosen = fewer
    if len(chosen) > most:
        return None
    smallest = minimal_sets(chosen, turns, most)
    return smallest[0] if smallest else None
