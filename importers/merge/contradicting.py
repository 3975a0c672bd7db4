"""Logs that cannot be of one history, by what they state of leaders, in-sync sets and leader epochs.

A leader epoch of a partition has one leader, and a state of a partition (zkVersion, with KRaft partition
epoch) has one in-sync set, whoever tells of it and by whichever clock. The leader epoch of a partition never
falls. What states otherwise is of another cluster, or of a topic that had the name before.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import PurePosixPath
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.message import Message, Value
from core.trace.ids import METADATA_TOPIC, UNSAID
from core.trace.vocabulary import NUMBER
from importers.lines.items import distinct
from importers.lines.statements import NONE, Names, Statements
from importers.merge.files import ReadFile, Role

_DECIDED: Final = [
    NUMBER[kind]
    for kind in (
        "partition_created", "leader_and_isr_sent", "leader_and_isr_received", "metadata_applied",
        "metadata_sent", "partition_state", "leader_elected", "became_leader", "became_follower",
        "isr_committed",
    )
]  # fmt: skip
"""Kinds that state what the controller has decided; what is proposed or refused may be otherwise."""
_STATED: Final = (("leader", "epoch"), ("isr", "partition_epoch"))
"""What is stated, and the number that has one value of it."""
_KAFKAS: Final = re.compile(r"kafka|server|state-change|controller|log-cleaner")
_CREATED: Final = NUMBER["log_created"]
_DELETED: Final = NUMBER["log_deleted"]
_Key: TypeAlias = tuple[str, str, int, int]
"""What is stated ("leader", "isr" or "epoch"), topic, partition, and its leader or partition epoch."""
_Value: TypeAlias = tuple[int, ...]
_Stated: TypeAlias = Mapping[_Key, Mapping[_Value, int]]
"""The line that has a value first."""
Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two lines that cannot both be of one history. `files` are their numbers, the lower one first."""

    key: _Key
    values: tuple[_Value, _Value]
    files: Pair
    lines: tuple[int, int]

    def told(self, number: int, files: Sequence[ReadFile]) -> Message:
        """Why file `number` is left out, if the other one is read."""
        mine = self.files.index(number)
        other = 1 - mine
        what, topic, partition, epoch = self.key
        ids = {"epoch": "report.epoch-falls", "leader": "report.other-leader", "isr": "report.other-set"}
        values: dict[str, Value] = {
            "partition": f"{topic}-{partition}",
            "epoch": epoch,
            "line": self.lines[mine],
            "value": _named(self.values[mine]),
            "other": self.lines[other],
            "kept": files[self.files[other]].name,
            "instead": _named(self.values[other]),
        }
        return Message(ids[what], tuple(values.items()))


def written_as(file: ReadFile) -> tuple[str, str]:
    """The folder of a log, and what somebody put in front of the name that Kafka gives to it: old-server.log.

    All of the name where Kafka's is not in it.
    """
    path = PurePosixPath(file.path)
    found = _KAFKAS.search(path.name)
    return str(path.parent), path.name if found is None else path.name[: found.start()]


def contradictions(files: Sequence[ReadFile]) -> Mapping[Pair, Contradiction]:
    """By numbers of two logs, the lower one first, what they contradict each other in: the first such thing.

    Not where they agree on more topics than they contradict each other in: then topics were made anew. Topics
    that one process shows to have been made anew are not asked.
    """
    told = [_told(file) for file in files]
    if _all_agree([part for part in told if part is not None]):
        return {}
    stated = [{} if part is None else _stated(part) for part in told]
    anew = frozenset[str]().union(_made_anew(files), *map(_of_two, stated))
    said: dict[_Key, dict[_Value, list[int]]] = {}
    for number, own in enumerate(stated):
        for key, values in own.items():
            for value in values if key[1] not in anew else ():
                said.setdefault(key, {}).setdefault(value, []).append(number)
    pairs: dict[Pair, _Compared] = {}
    for key, values in said.items():
        for one, other in combinations(values, 2):
            for a, b in product(values[one], values[other]):
                pairs.setdefault((min(a, b), max(a, b)), _Compared()).apart.append(key)
    if pairs:
        _add_agreements(said, pairs)
    return {
        pair: _first(pair, compared.apart, stated)
        for pair, compared in pairs.items()
        if compared.of_two_histories()
    }


@dataclass(slots=True)
class _Compared:
    """What two logs state otherwise, and in which topics they state the same."""

    apart: list[_Key] = field(default_factory=list[_Key])
    agreed: set[str] = field(default_factory=set[str])

    def of_two_histories(self) -> bool:
        topics = {topic for _, topic, _, _ in self.apart}
        return len(topics) >= len(self.agreed - topics)


def _add_agreements(
    said: Mapping[_Key, Mapping[_Value, Sequence[int]]], pairs: Mapping[Pair, _Compared]
) -> None:
    """The topics of which two logs state the same, but for what all topics state when they are made."""
    for (_, topic, _, number), values in said.items():
        for logs in values.values() if number else ():
            for pair in combinations(logs, 2):
                if pair in pairs:
                    pairs[pair].agreed.add(topic)


def _first(pair: Pair, apart: Sequence[_Key], stated: Sequence[_Stated]) -> Contradiction:
    """That whose lines stand first."""
    one, other = (stated[number] for number in pair)
    found = min(
        (line, at, key, value, another)
        for key in apart
        for (value, line), (another, at) in product(one[key].items(), other[key].items())
        if value != another
    )
    line, at, key, value, another = found
    return Contradiction(key, (value, another), pair, (line, at))


def _told(file: ReadFile) -> Statements | None:
    """What a log tells of the controller's decisions; None for other files."""
    if file.role is not Role.LOG or file.drafts is None:
        return None
    told = file.drafts.drafts
    columns = told.columns
    return told.taken(np.flatnonzero(np.isin(columns["kind"], _DECIDED) & (columns["topic"] != NONE)))


def _all_agree(told: Sequence[Statements]) -> bool:
    """Whether nothing is stated in two ways, as in most clusters, found without a value of each statement."""
    names = Names()
    for what, number in _STATED:
        tables: list[NDArray[np.int64]] = [np.empty((0, 5), np.int64)]
        for part in told:
            table = _table(part, number, what)
            topics, topic_of = np.unique(table[:, 0], return_inverse=True)
            texts = [names.text(part.texts[one]) for one in topics.tolist()]
            table[:, 0] = np.array(texts, np.int64)[topic_of]
            if what == "isr":
                sets, set_of = np.unique(table[:, 3], return_inverse=True)
                lists = [names.members(sorted(part.lists[one])) for one in sets.tolist()]
                table[:, 3] = np.array(lists, np.int64)[set_of]
            tables.append(table)
        keys = np.concatenate(tables).T[:4]
        if len(distinct(*keys[:3])) < len(distinct(*keys)):
            return False
    return True


def _stated(part: Statements) -> _Stated:
    """What a log states of leaders and sets, with the first line that does."""
    found: dict[_Key, dict[_Value, int]] = {}
    for what, number in _STATED:
        for topic, partition, epoch, one, line in _table(part, number, what).tolist():
            value = tuple(sorted(part.lists[one])) if what == "isr" else (one,)
            key = what, part.texts[topic], partition, epoch
            found.setdefault(key, {}).setdefault(value, line)
    return found


def _of_two(stated: _Stated) -> frozenset[str]:
    """The topics in which a log contradicts itself."""
    return frozenset(topic for (_, topic, _, _), values in stated.items() if len(values) > 1)


def _table(told: Statements, number: str, value: str) -> NDArray[np.int64]:
    """Rows of topic, partition, epoch and value, each combination once, and the line that has it first.

    A leader below 0 is none, or one of a topic that is being deleted. The metadata log itself is left out.
    """
    columns = told.columns
    own = [at for at, text in enumerate(told.texts) if text == METADATA_TOPIC]
    known = (columns[number] >= 0) & (columns[number] != UNSAID) & (columns[value] >= 0)
    rows = np.flatnonzero(known & ~np.isin(columns["topic"], own))
    table = [columns[name][rows].astype(np.int64) for name in ("topic", "number", number, value, "line")]
    return np.stack(table, axis=1)[np.sort(distinct(*table[:-1]))]


def _made_anew(files: Sequence[ReadFile]) -> frozenset[str]:
    """The topics that a process shows to have been made anew: by two ids, or by a log that went and came."""
    deleted: dict[tuple[str, str, str, int], int] = {}
    created: dict[tuple[str, str, str, int], int] = {}
    found: set[str] = set()
    for file in files:
        if file.role is not Role.LOG or file.drafts is None:
            continue
        columns, texts = file.drafts.drafts.columns, file.drafts.drafts.texts
        place = written_as(file)
        for kind, times, later in ((_DELETED, deleted, min), (_CREATED, created, max)):
            rows = np.flatnonzero((columns["kind"] == kind) & (columns["topic"] != NONE))
            named = [columns[name][rows].tolist() for name in ("topic", "number", "local_ns")]
            for topic, number, stamp in zip(*named, strict=True):
                key = (*place, texts[topic], number)
                times[key] = later(times.get(key, stamp), stamp)
        found |= _with_several_ids(file.drafts.drafts)
    return frozenset(found | {key[2] for key, stamp in deleted.items() if created.get(key, stamp) > stamp})


def _with_several_ids(told: Statements) -> set[str]:
    columns = told.columns
    rows = np.flatnonzero((columns["topic"] != NONE) & (columns["topic_id"] != NONE))
    ids = np.unique(np.stack([columns["topic"][rows], columns["topic_id"][rows]]), axis=1)
    return {told.texts[topic] for topic, count in Counter(ids[0].tolist()).items() if count > 1}


def _named(value: _Value) -> str:
    return ", ".join(map(str, value))
