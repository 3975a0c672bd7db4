"""Topics that were deleted and made again under the same name: which of them an event is about."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.trace.vocabulary import NUMBER
from importers.disk.metadata_replay import METADATA_RULE, SNAPSHOT_RULE
from importers.lines.items import Item, Items, distinct, items_of
from importers.lines.statements import NONE

_CREATED: Final = NUMBER["log_created"]
_DELETED: Final = NUMBER["log_deleted"]
_MADE: Final = NUMBER["partition_created"]
_ANEW: Final = frozenset({_CREATED, _MADE})
"""What is made now is of the topic that exists now."""
_Row: TypeAlias = tuple[int, tuple[int, str, int], str | None, int, bool]
"""Time; broker, topic and number; id, kind, and whether the metadata log says it."""
_ZERO: Final = "A" * 22
"""Uuid.ZERO_UUID, where a topic has no id."""


@dataclass(frozen=True, slots=True)
class Incarnations:
    """Ids of the topics that had more than one, in the order in which they were made."""

    made: Mapping[str, tuple[tuple[int, str], ...]] = field(
        default_factory=dict[str, tuple[tuple[int, str], ...]]
    )
    by_time: frozenset[str] = frozenset()
    """Topics of a cluster without ids: the controller makes one of that name only when no replica is left."""

    def at(self, topic: str, moment: int) -> str:
        """The id of the topic of this name at a moment; of the first before it was made."""
        made = self.made[topic]
        return made[max(bisect_right([at for at, _ in made], moment) - 1, 0)][1]

    def rank(self, topic: str, topic_id: str) -> int:
        """The place of an id among those of its name; what no metadata log knows comes first."""
        ids = [one for _, one in self.made.get(topic, ())]
        return ids.index(topic_id) if topic_id in ids else -1


def incarnations(items: Iterable[Item]) -> Incarnations:
    """What the metadata log and lines with ids say of topics that had one name after the other.

    Without ids (before 2.8) the controller says it: it makes a partition whose log a broker has deleted.
    """
    made: dict[str, dict[str, int]] = {}
    plain: dict[tuple[str, int], list[tuple[int, bool]]] = {}
    for item in items:
        said = item.said
        if said.tp is not None and said.topic_id not in (None, _ZERO):
            ids = made.setdefault(said.tp[0], {})
            ids[said.topic_id] = min(ids.get(said.topic_id, item.at), item.at)
        elif said.tp is not None and said.kind in ("partition_created", "log_deleted"):
            plain.setdefault(said.tp, []).append((item.at, said.kind == "partition_created"))
    numbered = {topic: ats for topic, ats in _made_anew(plain).items() if topic not in made}
    known = {
        topic: tuple(sorted((at, one) for one, at in ids.items()))
        for topic, ids in made.items()
        if len(ids) > 1
    }
    for topic, ats in numbered.items():
        known[topic] = tuple((at, str(number)) for number, at in enumerate(ats, 1))
    return Incarnations(known, frozenset(numbered))


def _made_anew(said: Mapping[tuple[str, int], Iterable[tuple[int, bool]]]) -> dict[str, list[int]]:
    """By topic when each was made, of those that were made after a log of theirs had been deleted.

    `said` is when a partition was made (true) or a log of it deleted. A log that is deleted as its replica
    moves elsewhere is followed by no making (KafkaController.onNewPartitionCreation).
    """
    first: dict[str, int] = {}
    anew: dict[str, dict[int, int]] = {}
    for (topic, _), rows in said.items():
        gone, times = False, 0
        for at, made in sorted(rows):
            first[topic] = min(first.get(topic, at), at)
            if made and gone:
                times += 1
                known = anew.setdefault(topic, {})
                known[times] = min(known.get(times, at), at)
            gone = not made
    return {topic: [first[topic], *sorted(times.values())] for topic, times in anew.items()}


def with_new_ids(items: Items) -> Items:
    """The first items with each id of a topic; without ids what tells that one is made or deleted."""
    columns = items.said.columns
    of_topic = columns["topic"] != NONE
    named = np.flatnonzero((columns["topic_id"] != NONE) & of_topic)
    named = named[np.argsort(items.at[named], kind="stable")]
    named = named[distinct(columns["topic"][named], columns["topic_id"][named])]
    plain = np.isin(columns["kind"], (_MADE, _DELETED)) & (columns["topic_id"] == NONE) & of_topic
    return items.taken(np.sort(np.concatenate((named, np.flatnonzero(plain)))))


def with_ids(chains: Sequence[Sequence[Item]], known: Incarnations) -> tuple[Items, ...]:
    """The chains with an id at each event of a topic that had more than one, and at no other.

    A broker goes on with the log that it has until it drops it or makes one anew: what it loads at a start
    may be of a topic that is long gone. What it says before it names the id is of the id that it names next.
    """
    parts = [items_of(chain) for chain in chains]
    if not known.made:
        return tuple(map(_without_ids, parts))
    chosen = [np.flatnonzero(_of_topics(part, known)) for part in parts]
    found = iter(
        _ids([row for part, at in zip(parts, chosen, strict=True) for row in _rows(part, at)], known)
    )
    return tuple(
        _named_at(part, at, list(islice(found, len(at)))) for part, at in zip(parts, chosen, strict=True)
    )


def _of_topics(items: Items, known: Incarnations) -> NDArray[np.bool_]:
    """Whether each is about a topic that had more than one id."""
    topics = np.array([*(text in known.made for text in items.said.texts), False])
    return topics[items.said.columns["topic"]]


def _named_at(items: Items, at: NDArray[np.int64], ids: Sequence[str]) -> Items:
    """The items, with the ids of some of them, and no others."""
    texts = {text: number for number, text in enumerate(items.said.texts)}
    column = np.full(len(items), NONE)
    column[at] = [texts.setdefault(one, len(texts)) for one in ids]
    said = replace(items.said.moved(topic_id=column), texts=tuple(texts))
    return replace(items, said=said)


def _without_ids(items: Items) -> Items:
    none = np.broadcast_to(np.int32(NONE), len(items))
    return replace(items, said=items.said.moved(topic_id=none))


def _rows(items: Items, at: NDArray[np.int64]) -> Iterator[_Row]:
    """Some of the items. No object is made of each: they may be all events of a large log."""
    columns, texts = items.said.columns, (*items.said.texts, None)
    logged = [text in (METADATA_RULE, SNAPSHOT_RULE) for text in items.said.texts]
    return zip(
        items.at[at].tolist(),
        zip(
            items.broker[at].tolist(),
            [items.said.texts[one] for one in columns["topic"][at].tolist()],
            columns["number"][at].tolist(),
            strict=True,
        ),
        [texts[one] for one in columns["topic_id"][at].tolist()],
        columns["kind"][at].tolist(),
        [logged[one] for one in columns["rule"][at].tolist()],
        strict=True,
    )


def _ids(rows: Sequence[_Row], known: Incarnations) -> list[str]:
    """The id at each row. Rows of equal times are in the order of their chains."""
    found = [topic_id or "" for _, _, topic_id, _, _ in rows]
    held: dict[tuple[int, str, int], list[int]] = {}
    for number in sorted(range(len(rows)), key=lambda one: rows[one][0]):
        _, place, topic_id, _, logged = rows[number]
        if not logged or topic_id is None:
            held.setdefault(place, []).append(number)
    for (_, topic, _), numbers in held.items():
        if topic in known.by_time:
            for number in numbers:
                found[number] = known.at(topic, rows[number][0])
            continue
        for number, one in zip(numbers, _named([rows[at] for at in numbers], known, topic), strict=True):
            found[number] = one
    return found


def _named(rows: Sequence[_Row], known: Incarnations, topic: str) -> list[str]:
    """The id at each of what a broker itself says about one partition, in the order of time."""
    found: list[str] = []
    before: str | None = None
    for first, end in _logs([kind for _, _, _, kind, _ in rows]):
        said = [None if topic_id == _ZERO else topic_id for _, _, topic_id, _, _ in rows[first:end]]
        made = any(kind in _ANEW for _, _, _, kind, _ in rows[first:end])
        current = next((one for one in said if one is not None), None)
        if current is None:
            current = before if before is not None and not made else known.at(topic, rows[first][0])
        for one in said:
            current = current if one is None else one
            found.append(current)
        before = current
    return found


def _logs(kinds: Sequence[int]) -> list[tuple[int, int]]:
    """The stretches in which a broker has one log: it drops one, and makes the next one anew."""
    edges, fresh = [0], False
    for number, kind in enumerate(kinds):
        if kind == _CREATED and not fresh and number:
            edges.append(number)
        fresh = kind == _DELETED or (fresh and kind != _CREATED)
        if kind == _DELETED:
            edges.append(number + 1)
    return [(first, end) for first, end in pairwise([*edges, len(kinds)]) if first < end]
