"""Of which cluster each log and data directory is: one import has the history of one cluster."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.errors import Facts, at
from core.message import Message, message
from core.trace.settings import CLUSTER_ID
from importers.kafka.drafts import Fact
from importers.kafka.life import CLUSTER, beginnings
from importers.lines.parsed import Drafts
from importers.lines.statements import NONE
from importers.merge.attribution import Owner, attribute
from importers.merge.files import ReadFile, Role, left_out
from importers.options import ImportOptions

_PROPERTY: Final = "cluster.id"
_BEGINNING: Final = -(1 << 62)
Unit: TypeAlias = tuple[str, str, int | None]
"""Logs that one process wrote: their folder, whose lines of a shared file they are, and the broker."""
Spans: TypeAlias = tuple[tuple[int, str], ...]
"""From which stamp, or from which byte of a file, on which cluster is stated."""


@dataclass(frozen=True, slots=True)
class _Places:
    """What logs and data directories state of clusters."""

    logs: Mapping[Unit, Spans]
    directories: Mapping[str, str]
    beneath: Mapping[str, frozenset[str]]
    """Folder -> all clusters that anything in it, at any depth, states."""


def of_one_cluster(files: Sequence[ReadFile], options: ImportOptions) -> tuple[ReadFile, ...]:
    """The files with what is of one cluster alone; what is of another is left out, with the reason.

    A broker id, a topic and an offset of another cluster are others, whatever their names: nothing follows
    from the one for the other. Where the files state several cluster ids, that of the data directories is
    kept, of several the one with most brokers, then lines. What states none is of the cluster that alone is
    stated in its folder, or in the nearest one around it; where there are several, it is left out.
    """
    stated = {fact.value for file in files for fact in _facts(file, CLUSTER)}
    held = {file.properties[_PROPERTY] for file in files if _is_directory(file)}
    if len(stated | held) <= 1:
        return tuple(files)
    owners = attribute(files, options.broker, options.brokers)
    units = [_unit(file, owner) for file, owner in zip(files, owners, strict=True)]
    places = _places(files, units)
    spans = [_spans(file, unit, places) for file, unit in zip(files, units, strict=True)]
    kept = _kept(files, spans, owners, held)
    return tuple(_within(file, its, kept) for file, its in zip(files, spans, strict=True))


def stated_cluster(files: Sequence[ReadFile]) -> Mapping[str, str]:
    """The fact of a trace which cluster its files are of; nothing where they state none, or several."""
    stated = {fact.value for file in files for fact in _facts(file, CLUSTER)}
    stated |= {file.properties[_PROPERTY] for file in files if _is_directory(file)}
    return {CLUSTER_ID: stated.pop()} if len(stated) == 1 else {}


def _facts(file: ReadFile, name: str) -> Iterator[Fact]:
    for fact in file.drafts.facts if file.drafts is not None else ():
        if fact.name == name:
            yield fact


def _is_directory(file: ReadFile) -> bool:
    """Whether this is the meta.properties of a data directory, with its cluster (since 0.10.1)."""
    return file.role is Role.PROPERTIES and bool(file.properties.get(_PROPERTY))


def _unit(file: ReadFile, owner: Owner) -> Unit:
    """A log of nobody stands for itself."""
    if owner.broker is None:
        return file.path, file.label, None
    return _folder(file), file.label, owner.broker


def _folder(file: ReadFile) -> str:
    return str(PurePosixPath(file.path).parent)


def _places(files: Sequence[ReadFile], units: Sequence[Unit]) -> _Places:
    directories = {_folder(file): file.properties[_PROPERTY] for file in files if _is_directory(file)}
    told: dict[Unit, list[tuple[int, str]]] = {}
    beneath: dict[str, set[str]] = {}
    for file, unit in zip(files, units, strict=True):
        own = _borders(file) if file.role is Role.LOG and file.drafts is not None else []
        told.setdefault(unit, []).extend((stamp, cluster) for stamp, _, cluster in own)
        named = {cluster for _, _, cluster in own}
        if _is_directory(file):
            named.add(file.properties[_PROPERTY])
        for folder in PurePosixPath(file.path).parents:
            beneath.setdefault(str(folder), set()).update(named)
    return _Places(
        {unit: tuple(sorted(found)) for unit, found in told.items()},
        directories,
        {folder: frozenset(found) for folder, found in beneath.items()},
    )


def _borders(file: ReadFile) -> list[tuple[int, int, str]]:
    """Stamp and byte of the first line of each life of which the log states the cluster, and that cluster.

    A process states its cluster before anything about partitions. So its life began at the first sign of a
    start behind the last line about a partition.
    """
    if file.drafts is None:
        return []
    columns = file.drafts.drafts.columns
    about = columns["byte"][columns["topic"] != NONE]
    found: list[tuple[int, int, str]] = []
    behind = -1
    begun = beginnings(file.drafts.facts)
    for fact in _facts(file, CLUSTER):
        before = int(np.searchsorted(about, fact.byte))
        last = max(behind, int(about[before - 1]) if before else -1)
        start = next((one for one in begun if last < one.byte < fact.byte), fact)
        found.append((start.local_ns, start.byte, fact.value))
        behind = fact.byte
    return found


def _spans(file: ReadFile, unit: Unit, places: _Places) -> Spans:
    """From which byte on a file is of which cluster; "" is not known."""
    if file.role is not Role.LOG or file.drafts is None:
        folders = [str(folder) for folder in PurePosixPath(file.path).parents]
        if file.place is not None and file.place.directory in places.directories:
            return ((0, places.directories[file.place.directory]),)
        return ((0, _around(folders, places)),)
    stated = places.logs.get(unit, ())
    if not stated:
        return ((0, _around([str(one) for one in PurePosixPath(file.path).parents], places)),)
    own = _borders(file)
    first = own[0][0] if own else _first(file.drafts)
    earlier = [cluster for stamp, cluster in stated if stamp < first or (not own and stamp == first)]
    begins = (0, earlier[-1] if earlier else stated[0][1])
    if own:
        return (begins, *((byte, cluster) for _, byte, cluster in own))
    return (begins, *_by_stamps(file.drafts, stated))


def _first(drafts: Drafts) -> int:
    return int(drafts.stamps[0]) if len(drafts.stamps) else _BEGINNING


def _by_stamps(drafts: Drafts, stated: Spans) -> Spans:
    """The same for a log that states no cluster, by the times of another log of its process."""
    tops = np.maximum.accumulate(drafts.stamps)
    starts = [(int(np.searchsorted(tops, stamp)), cluster) for stamp, cluster in stated]
    return tuple((int(drafts.bytes[row]), cluster) for row, cluster in starts if 0 < row < len(tops))


def _around(folders: Sequence[str], places: _Places) -> str:
    """The cluster that is stated in the nearest of some folders; "" where it has several."""
    named = next((found for folder in folders if (found := places.beneath.get(folder))), frozenset())
    return next(iter(named)) if len(named) == 1 else ""


def _kept(files: Sequence[ReadFile], spans: Sequence[Spans], owners: Sequence[Owner], held: set[str]) -> str:
    lines = Counter(dict.fromkeys(held, 0))
    brokers: dict[str, set[int]] = {}
    for file, its, owner in zip(files, spans, owners, strict=True):
        if file.drafts is None:
            continue
        for cluster in {cluster for _, cluster in its}:
            told = int(np.count_nonzero(_of(file.drafts.bytes, its, cluster)))
            lines[cluster] += told
            if told and owner.broker is not None:
                brokers.setdefault(cluster, set()).add(owner.broker)
    known = held or {cluster for cluster in lines if cluster}
    return min(known, key=lambda one: (-len(brokers.get(one, ())), -lines[one], one))


def _of(places: NDArray[np.int64], spans: Spans, cluster: str) -> NDArray[np.bool_]:
    """Which bytes are of a cluster."""
    starts = np.array([start for start, _ in spans])
    mine = np.array([named == cluster for _, named in spans])
    return mine[np.searchsorted(starts, places, side="right") - 1]


def _within(file: ReadFile, spans: Spans, kept: str) -> ReadFile:
    """A file without what is not of the cluster that is kept."""
    others = {cluster for _, cluster in spans} - {kept}
    if not others or file.role in (Role.IGNORED, Role.TOOL):
        return file
    why = _why(sorted(others), kept)
    if file.drafts is None or len(others) == len({cluster for _, cluster in spans}):
        return left_out(file, Facts(why, where=at(file.name)))
    drafts = file.drafts
    mine = _of(drafts.bytes, spans, kept)
    facts = np.array([fact.byte for fact in drafts.facts], dtype=np.int64)
    still = _of(facts, spans, kept).tolist()
    rest = replace(
        drafts,
        drafts=drafts.drafts.taken(_of(drafts.drafts.columns["byte"], spans, kept)),
        facts=tuple(fact for fact, one in zip(drafts.facts, still, strict=True) if one),
        records={name: column[mine] for name, column in drafts.records.items()},
    )
    return replace(file, drafts=rest, unused=(*file.unused, (int(np.count_nonzero(~mine)), why)))


def _why(others: Sequence[str], kept: str) -> Message:
    if others[0]:
        return message("report.other-cluster", other=others[0], kept=kept)
    return message("report.cluster-not-known", kept=kept)
