"""Remembering the static part of a picture while only the cursor moves.

A history holds arrays and has no hash, and it never changes: it is the same if it is the same object.
"""

import datetime as dt
from collections.abc import Callable
from functools import lru_cache
from operator import is_
from typing import Any, Generic, TypeVar

from core.trace.times import zone_shown

V = TypeVar("V")
R = TypeVar("R")


class Same(Generic[V]):
    """A key that is equal for the same objects, and carries what they were looked at with."""

    __slots__ = ("_hash", "objects", "value")

    def __init__(self, objects: tuple[object, ...], value: V) -> None:
        self.objects = objects
        self.value = value
        self._hash = hash(tuple(map(id, objects)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Same):
            return NotImplemented
        mine, others = self.objects, tuple[object, ...](other.objects)  # type: ignore[reportUnknownMemberType]
        return len(mine) == len(others) and all(map(is_, mine, others))


def keeping(most: int) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Keep so many of the last results, each for the zone in which times were shown.

    The objects are held by the keys, so an id cannot be used again meanwhile.
    """

    def keeper(function: Callable[..., R]) -> Callable[..., R]:
        @lru_cache(maxsize=most)
        def kept(_zone: dt.tzinfo | None, *keys: Any) -> R:  # noqa: ANN401 - what the function takes
            return function(*keys)

        def asked(*keys: Any) -> R:  # noqa: ANN401 - what the function takes
            return kept(zone_shown(), *keys)

        return asked

    return keeper


def remembered(function: Callable[..., R]) -> Callable[..., R]:
    """Keep the last few results."""
    return keeping(4)(function)
