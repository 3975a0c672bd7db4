"""Topics that were deleted and made again under the same name: which of them an event is about."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from importers.items import Item, Items, distinct, items_of
from importers.metadata_replay import METADATA_RULE, SNAPSHOT_RULE
from importers.statements import NONE

_ANEW = frozenset({"log_created", "partition_created"})
"""What is made now is of the topic that exists now."""
_Partition = tuple[str, int]
_ZERO: Final = "A" * 22
"""Uuid.ZERO_UUID, where a topic has no id."""


@dataclass(frozen=True, slots=True)
class Incarnations:
    """Ids of the topics that had more than one, in the order in which they were made."""

    made: Mapping[str, tuple[tuple[int, str], ...]] = field(
        default_factory=dict[str, tuple[tuple[int, str], ...]]
    )

    def at(self, topic: str, moment: int) -> str:
        """The id of the topic of this name at a moment; of the first before it was made."""
        made = self.made[topic]
        return made[max(bisect_right([at for at, _ in made], moment) - 1, 0)][1]

    def rank(self, topic: str, topic_id: str) -> int:
        """The place of an id among those of its name; what no metadata log knows comes first."""
        ids = [one for _, one in self.made.get(topic, ())]
        return ids.index(topic_id) if topic_id in ids else -1


def incarnations(items: Iterable[Item]) -> Incarnations:
    """What the metadata log and lines with ids say of topics that had one name after the other."""
    made: dict[str, dict[str, int]] = {}
    for item in items:
        said = item.said
        if said.tp is not None and said.topic_id not in (None, _ZERO):
            ids = made.setdefault(said.tp[0], {})
            ids[said.topic_id] = min(ids.get(said.topic_id, item.at), item.at)
    return Incarnations(
        {
            topic: tuple(sorted((at, one) for one, at in ids.items()))
            for topic, ids in made.items()
            if len(ids) > 1
        }
    )


def with_new_ids(items: Items) -> Items:
    """The first items with each id of a topic."""
    columns = items.said.columns
    named = np.flatnonzero((columns["topic_id"] != NONE) & (columns["topic"] != NONE))
    named = named[np.argsort(items.at[named], kind="stable")]
    return items.taken(named[distinct(columns["topic"][named], columns["topic_id"][named])])


def with_ids(chains: Sequence[Sequence[Item]], known: Incarnations) -> tuple[Items, ...]:
    """The chains with an id at each event of a topic that had more than one, and at no other.

    A broker goes on with the log that it has until it drops it or makes one anew: what it loads at a start
    may be of a topic that is long gone. What it says before it names the id is of the id that it names next.
    """
    if not known.made:
        return tuple(_without_ids(items_of(chain)) for chain in chains)
    parts = [items_of(chain) for chain in chains]
    chosen = [np.flatnonzero(_of_topics(part, known)) for part in parts]
    found = _with_ids([list(part.taken(at)) for part, at in zip(parts, chosen, strict=True)], known)
    return tuple(_named_at(*one) for one in zip(parts, chosen, found, strict=True))


def _of_topics(items: Items, known: Incarnations) -> NDArray[np.bool_]:
    """Whether each is about a topic that had more than one id."""
    topics = np.array([*(text in known.made for text in items.said.texts), False])
    return topics[items.said.columns["topic"]]


def _named_at(items: Items, at: NDArray[np.int64], named: Sequence[Item]) -> Items:
    """The items, with the ids of some of them, and no others."""
    texts = {text: number for number, text in enumerate(items.said.texts)}
    ids = [
        NONE if one.said.topic_id is None else texts.setdefault(one.said.topic_id, len(texts))
        for one in named
    ]
    column = np.full(len(items), NONE)
    column[at] = ids
    said = replace(items.said.moved(topic_id=column), texts=tuple(texts))
    return replace(items, said=said)


def _without_ids(items: Items) -> Items:
    none = np.full(len(items), NONE)
    return replace(items, said=items.said.moved(topic_id=none))


def _with_ids(chains: Sequence[Sequence[Item]], known: Incarnations) -> tuple[tuple[Item, ...], ...]:
    numbered = [(number, place) for number, chain in enumerate(chains) for place in range(len(chain))]
    numbered.sort(key=lambda pair: (chains[pair[0]][pair[1]].at, pair))
    found = [[_without(item) for item in chain] for chain in chains]
    held: dict[tuple[int | None, _Partition], list[tuple[int, int]]] = {}
    for number, place in numbered:
        item = chains[number][place]
        if item.said.tp is None or item.said.tp[0] not in known.made:
            continue
        if item.rule in (METADATA_RULE, SNAPSHOT_RULE) and item.said.topic_id is not None:
            found[number][place] = item
        else:
            held.setdefault((item.broker, item.said.tp), []).append((number, place))
    for (_, tp), places in held.items():
        items = [chains[number][place] for number, place in places]
        for (number, place), one in zip(places, _named(items, known, tp[0]), strict=True):
            said = chains[number][place].said
            found[number][place] = replace(chains[number][place], said=replace(said, topic_id=one))
    return tuple(tuple(chain) for chain in found)


def _without(item: Item) -> Item:
    return item if item.said.topic_id is None else replace(item, said=replace(item.said, topic_id=None))


def _named(items: Sequence[Item], known: Incarnations, topic: str) -> list[str]:
    """The id at each of a broker's own items about one partition, in the order of time."""
    found: list[str] = []
    before: str | None = None
    for first, end in _logs(items):
        said = [None if item.said.topic_id == _ZERO else item.said.topic_id for item in items[first:end]]
        made = any(item.said.kind in _ANEW for item in items[first:end])
        current = next((one for one in said if one is not None), None)
        if current is None:
            current = before if before is not None and not made else known.at(topic, items[first].at)
        for one in said:
            current = current if one is None else one
            found.append(current)
        before = current
    return found


def _logs(items: Sequence[Item]) -> list[tuple[int, int]]:
    """The stretches of items in which a broker has one log: it drops one, and makes the next one anew."""
    edges, fresh = [0], False
    for number, item in enumerate(items):
        if item.said.kind == "log_created" and not fresh and number:
            edges.append(number)
        fresh = item.said.kind == "log_deleted" or (fresh and item.said.kind != "log_created")
        if item.said.kind == "log_deleted":
            edges.append(number + 1)
    return [(first, end) for first, end in pairwise([*edges, len(items)]) if first < end]
