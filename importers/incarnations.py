"""Topics that were deleted and made again under the same name: which of them an event is about."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from importers.items import Item
from importers.metadata_replay import METADATA_RULE

_ANEW = frozenset({"log_created", "partition_created"})
"""What is made now is of the topic that exists now."""
_Partition = tuple[str, int]


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
        if said.tp is not None and said.topic_id is not None:
            ids = made.setdefault(said.tp[0], {})
            ids[said.topic_id] = min(ids.get(said.topic_id, item.at), item.at)
    return Incarnations(
        {
            topic: tuple(sorted((at, one) for one, at in ids.items()))
            for topic, ids in made.items()
            if len(ids) > 1
        }
    )


def with_ids(chains: Sequence[Sequence[Item]], known: Incarnations) -> tuple[tuple[Item, ...], ...]:
    """The chains with an id at each event of a topic that had more than one, and at no other.

    A broker goes on with the log that it has until a line names another, or makes one anew: what it loads at
    a start may be of a topic that is long gone.
    """
    if not known.made:
        return tuple(tuple(_without(item) for item in chain) for chain in chains)
    numbered = [(number, place) for number, chain in enumerate(chains) for place in range(len(chain))]
    numbered.sort(key=lambda pair: (chains[pair[0]][pair[1]].at, pair))
    current: dict[tuple[int | None, _Partition], str] = {}
    found = [list(chain) for chain in chains]
    for number, place in numbered:
        item = chains[number][place]
        found[number][place] = _resolved(item, known, current)
    return tuple(tuple(chain) for chain in found)


def _without(item: Item) -> Item:
    return item if item.said.topic_id is None else replace(item, said=replace(item.said, topic_id=None))


def _resolved(item: Item, known: Incarnations, current: dict[tuple[int | None, _Partition], str]) -> Item:
    said = item.said
    if said.tp is None or said.tp[0] not in known.made:
        return _without(item)
    if said.topic_id is not None:
        if item.rule != METADATA_RULE:
            current[item.broker, said.tp] = said.topic_id
        return item
    key = (item.broker, said.tp)
    if key not in current or said.kind in _ANEW:
        current[key] = known.at(said.tp[0], item.at)
    return replace(item, said=replace(said, topic_id=current[key]))
