"""One history is read: logs that contradict it are left out, and what lies with them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from core.errors import Facts, at
from core.message import Message, message
from importers.kafka.life import CLUSTER
from importers.merge.attribution import Owner, attribute
from importers.merge.contradicting import Contradiction, Pair, contradictions, written_as
from importers.merge.falling import falls
from importers.merge.files import ReadFile, Role, left_out
from importers.options import ImportOptions

_Group: TypeAlias = frozenset[int]
"""Numbers of logs that one process wrote."""
_NOT_OF_BROKERS: Final = (Role.IGNORED, Role.TOOL)


def of_one_history(files: Sequence[ReadFile], options: ImportOptions) -> tuple[ReadFile, ...]:
    """The files without what is of another cluster, or of topics from before they were made anew.

    Logs that state no cluster show it by what they state of leaders and in-sync sets
    (merge/contradicting.py), and by leader epochs that fall (merge/falling.py). Of two sides that contradict
    each other the one is read that states its cluster, or has data directories by it, or Kafka's own names,
    or more brokers, or more lines. What contradicts nothing is left out with the logs in the nearest folder
    around it, where all of those are.
    """
    owners = attribute(files, options.broker, options.brokers)
    apart = {**falls(files, owners), **contradictions(files)}
    if not apart:
        return tuple(files)
    groups = _groups(files, owners, apart)
    sides = _Sides(files, owners, groups, apart)
    gone = sides.left_out()
    beside = _beside(files, gone, sides.kept(gone))
    return tuple(
        left_out(file, Facts(why, where=at(file.name)))
        if (why := gone.get(number) or beside.get(number)) is not None and file.role not in _NOT_OF_BROKERS
        else file
        for number, file in enumerate(files)
    )


def _groups(
    files: Sequence[ReadFile], owners: Sequence[Owner], apart: Mapping[Pair, Contradiction]
) -> tuple[_Group, ...]:
    """Logs in one folder by one broker, as one process writes them; each alone where two contradict."""
    found: dict[tuple[tuple[str, str], str, int | None], set[int]] = {}
    for number, (file, owner) in enumerate(zip(files, owners, strict=True)):
        if file.role is Role.LOG and file.drafts is not None:
            place = (file.path, "") if owner.broker is None else written_as(file)
            found.setdefault((place, file.label, owner.broker), set()).add(number)
    groups: list[_Group] = []
    for group in found.values():
        if any(one in group and other in group for one, other in apart):
            groups += [frozenset({number}) for number in group]
        else:
            groups.append(frozenset(group))
    return tuple(groups)


@dataclass(frozen=True, slots=True)
class _Sides:
    """Which groups contradict which, and which of them are read."""

    files: Sequence[ReadFile]
    owners: Sequence[Owner]
    groups: tuple[_Group, ...]
    apart: Mapping[Pair, Contradiction]

    def left_out(self) -> Mapping[int, Message]:
        """Numbers of logs that contradict what is read, and why."""
        against = self._against()
        kept: list[_Group] = []
        gone: dict[int, Message] = {}
        for group in sorted(against, key=lambda one: self._weight(one, against), reverse=True):
            found = [contradiction for one in kept for contradiction in against[group].get(one, ())]
            if not found:
                kept.append(group)
            for number in group if found else ():
                own = next((one for one in found if number in one.files), None)
                first = next(one for one in found[0].files if one in group)
                gone[number] = _with(self.files[first]) if own is None else own.told(number, self.files)
        return gone

    def kept(self, gone: Mapping[int, Message]) -> frozenset[int]:
        """Numbers of the logs that contradict what is left out, or state their cluster."""
        named = {number for pair in self.apart for number in pair}
        return frozenset(
            number
            for group in self.groups
            if group & named or self._states_cluster(group)
            for number in group
            if number not in gone
        )

    def _against(self) -> dict[_Group, dict[_Group, list[Contradiction]]]:
        of = {number: group for group in self.groups for number in group}
        found: dict[_Group, dict[_Group, list[Contradiction]]] = {}
        for (one, other), contradiction in self.apart.items():
            found.setdefault(of[one], {}).setdefault(of[other], []).append(contradiction)
            found.setdefault(of[other], {}).setdefault(of[one], []).append(contradiction)
        return found

    def _weight(
        self, group: _Group, against: Mapping[_Group, Mapping[_Group, Sequence[Contradiction]]]
    ) -> tuple[bool, int, bool, int, int, int]:
        """What makes a group be read rather than those that it contradicts; of equal ones the first."""
        side = {group, *(one for other in against[group] for one in against[other])}
        brokers = {self.owners[number].broker for one in side for number in one} - {None}
        lines = sum(
            len(drafts.lines) for one in side for number in one if (drafts := self.files[number].drafts)
        )
        named = any(not written_as(self.files[number])[1] for number in group)
        states = any(map(self._states_cluster, side))
        return states, self._by_data(group), named, len(brokers), lines, -min(group)

    def _states_cluster(self, group: _Group) -> bool:
        found = (drafts for number in group if (drafts := self.files[number].drafts) is not None)
        return any(fact.name == CLUSTER for drafts in found for fact in drafts.facts)

    def _by_data(self, group: _Group) -> int:
        """How many folders around a group of logs are around a data directory of its broker, too."""
        number = min(group)
        mine = PurePosixPath(self.files[number].path).parent.parts
        depths = [
            _common(mine, PurePosixPath(file.path).parts)
            for file, owner in zip(self.files, self.owners, strict=True)
            if file.place is not None and owner.broker == self.owners[number].broker
        ]
        return max(depths, default=0)


def _common(some: Sequence[str], others: Sequence[str]) -> int:
    return next(
        (at for at, pair in enumerate(zip(some, others, strict=False)) if pair[0] != pair[1]), len(some)
    )


def _beside(
    files: Sequence[ReadFile], gone: Mapping[int, Message], kept: Collection[int]
) -> Mapping[int, Message]:
    """What lies with logs that are left out, and not nearer to any that is read."""
    out: dict[str, int] = {}
    for number in sorted(gone):
        for folder in _folders(files[number]):
            out.setdefault(folder, number)
    read = {folder for number in kept for folder in _folders(files[number])}
    found: dict[int, Message] = {}
    for number, file in enumerate(files):
        near = next((one for one in _folders(file) if one in out or one in read), None)
        if number not in kept and near in out and near not in read:
            found[number] = _with(files[out[near]])
    return found


def _with(file: ReadFile) -> Message:
    return message("report.beside-left-out", other=file.name)


def _folders(file: ReadFile) -> Iterator[str]:
    """What a file is in, the nearest first: names with the same beginning of another hand, then folders."""
    path = PurePosixPath(file.path)
    _, begin = written_as(file)
    if begin and begin != path.name:
        yield f"{begin}*"
    yield from map(str, path.parents)
