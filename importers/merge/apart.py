"""What is asked of each partition by itself: what is said of one tells nothing of the order of another.

An item as a value takes ten times the memory of its columns, and much of the time of an import, so they are
values part by part; the Spark pipeline has workers ask (spark/asking.py).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from importers.lines.items import Item, Items, distinct
from importers.lines.statements import NONE

PART_ITEMS: Final = 20_000
"""Items of a part, about."""
Question: TypeAlias = Callable[[Sequence[Item]], NDArray[np.int64]]
"""Rows of numbers from some items. A function of a module, which workers find by its name. It reads names of
rules; texts of all other columns it only compares, as a worker has numbers in their place."""
Ask: TypeAlias = Callable[[Items, Question], Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]]
"""Asks of all items, part by part. Gives the rising numbers of the items of each part, and the rows."""


def ask_here(items: Items, question: Question) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Ask in this process, one part after the other."""
    for numbers, told in by_partitions(items):
        yield numbers, question(told)


def by_partitions(items: Items, most: int = PART_ITEMS) -> Iterator[tuple[NDArray[np.int64], list[Item]]]:
    """Parts of about `most` items, as values. Each with its rising numbers."""
    order, edges = parts_of(items, most)
    sorted_items = items.taken(order).kept()
    for first, end in pairwise(edges):
        yield order[first:end], list(sorted_items.part(first, end))


def parts_of(items: Items, most: int) -> tuple[NDArray[np.int64], list[int]]:
    """All items part by part, by number, those of a part rising; and where parts begin, and the end.

    The first part is what is about no partition; then whole partitions come together. A topic of which
    several ids are told is never divided: only all of it shows that there were several.
    """
    topics = items.said.columns["topic"]
    numbers = np.where(_of_several(items), 0, items.said.columns["number"])
    order = np.lexsort((numbers, topics))
    ranked, numbers = topics[order], numbers[order]
    fresh = np.diff(ranked, prepend=NONE - 1) != 0
    fresh[1:] |= np.diff(numbers) != 0
    edges = [0]
    for begin, end in pairwise([*np.flatnonzero(fresh).tolist(), len(items)]):
        if begin > edges[-1] and (end - edges[-1] > most or ranked[edges[-1]] == NONE):
            edges.append(begin)
    if len(items):
        edges.append(len(items))
    for first, end in pairwise(edges):
        order[first:end].sort()
    return order, edges


def _of_several(items: Items) -> NDArray[np.bool_]:
    """Whether each is about a topic of which several ids are told."""
    topics, ids = (items.said.columns[name] for name in ("topic", "topic_id"))
    with_id = np.flatnonzero((topics != NONE) & (ids != NONE))
    topics_with_id = topics[with_id]
    named, count = np.unique(topics_with_id[distinct(topics_with_id, ids[with_id])], return_counts=True)
    return np.isin(topics, named[count > 1])
