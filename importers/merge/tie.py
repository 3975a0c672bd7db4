"""Whose clock a time is of, and what ties two clocks: a pair of statements of which one came first."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import UNSAID
from importers.disk.metadata_replay import METADATA_RULE
from importers.lines.items import Item, Items

Clock: TypeAlias = tuple[str, int]
"""("broker", 1): the stamps of its logs. ("records", 1): the stamps that it wrote into the metadata log."""


@dataclass(frozen=True, slots=True)
class Tie:
    """`before` on one clock was no later than `after` on another; both in ns as these clocks show them."""

    one: Clock
    before: int
    other: Clock
    after: int


def clock_of(item: Item) -> Clock | None:
    """Whose clock an item's time is."""
    if item.broker is None:
        return None
    return "records" if item.rule == METADATA_RULE else "broker", item.broker


def clocks_in(items: Items) -> tuple[list[Clock], NDArray[np.int64]]:
    """The clocks whose times items have, and for each item the number of its clock, UNSAID for none."""
    logged = [at for at, text in enumerate(items.said.texts) if text == METADATA_RULE]
    known = items.broker != UNSAID
    codes = 2 * items.broker[known] + np.isin(items.said.columns["rule"][known], logged)
    found, number = np.unique(codes, return_inverse=True)
    clock_of = np.full(len(items), UNSAID)
    clock_of[known] = number
    return [("records" if code % 2 else "broker", code // 2) for code in found.tolist()], clock_of


def code_of(clock: Clock) -> int:
    """A clock as a number."""
    what, number = clock
    return 2 * number + (what == "records")


def tied_by(before: Item, after: Item) -> Iterator[Tie]:
    """The tie of two statements of which the first came first; none where it is not known whose they are."""
    one, other = clock_of(before), clock_of(after)
    if one is not None and other is not None:
        yield Tie(one, before.at, other, after.at)


def keep_first(found: dict[Clock, Item], clock: Clock, item: Item) -> None:
    """Keep a statement as the first on its clock, unless an earlier one is known."""
    known = found.get(clock)
    if known is None or item.at < known.at:
        found[clock] = item
