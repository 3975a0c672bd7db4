"""Which broker a file belongs to: by what it says, then by its neighbours, then by its path."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final

import numpy as np

from core.trace.ids import UNSAID
from importers.lines.statements import Statements
from importers.merge.files import ReadFile, Role
from importers.options import broker_named

_PATH_ID: Final = re.compile(r"(?:broker|kafka|node|server|b)[-_.]?(\d{1,9})", re.IGNORECASE)
_ID: Final = re.compile(r"[0-9]{1,9}")
_ID_KEYS: Final = ("broker.id", "node.id")
_NOBODY: Final[Mapping[str, int]] = MappingProxyType({})
_MAJORITY: Final = 0.95
"""A file that several brokers wrote into belongs to none of them as a whole."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A broker, and how it was found: "content", "neighbour", "path", "stated" or "" for nobody."""

    broker: int | None
    how: str


def attribute(
    files: Sequence[ReadFile], stated: int | None = None, by_name: Mapping[str, int] = _NOBODY
) -> tuple[Owner, ...]:
    """The owner of each file, in the order given.

    `stated` is for files that nothing else decides; `by_name` has the brokers of files, as
    `ImportOptions.brokers` names them, and comes before all that they say.
    """
    directories = _directories(files)
    said = [_said(file) for file in files]
    by_folder: dict[str, set[int]] = {}
    for file, broker in zip(files, said, strict=True):
        if broker is not None and file.role is Role.LOG:
            by_folder.setdefault(str(PurePosixPath(file.path).parent), set()).add(broker)
    return tuple(
        Owner(named, "stated")
        if (named := broker_named(by_name, file.name)) is not None
        else _owner(file, broker, directories, by_folder, stated)
        for file, broker in zip(files, said, strict=True)
    )


def _owner(
    file: ReadFile,
    said: int | None,
    directories: Mapping[str, int],
    by_folder: Mapping[str, set[int]],
    stated: int | None,
) -> Owner:
    if said is not None:
        return Owner(said, "content")
    path = PurePosixPath(file.path)
    if file.role is not Role.LOG:
        for folder in path.parents:
            if str(folder) in directories:
                return Owner(directories[str(folder)], "content")
    # Who shares a file with others is nobody's neighbour.
    neighbours = by_folder.get(str(path.parent), set())
    if file.role is Role.LOG and not file.label and len(neighbours) == 1:
        return Owner(next(iter(neighbours)), "neighbour")
    for part in (*([file.label] if file.label else ()), *reversed(path.parts)):
        match = _PATH_ID.search(part)
        if match:
            return Owner(int(match[1]), "path")
    return Owner(stated, "stated" if stated is not None else "")


def _directories(files: Sequence[ReadFile]) -> dict[str, int]:
    """Folder -> broker, from the properties files in it."""
    found: dict[str, int] = {}
    for file in files:
        if file.role is Role.PROPERTIES:
            broker = _id_in(file.properties)
            if broker is not None:
                found[str(PurePosixPath(file.path).parent)] = broker
    return found


def _said(file: ReadFile) -> int | None:
    if file.role is Role.PROPERTIES:
        return _id_in(file.properties)
    if file.drafts is None:
        return None
    speakers = _speakers(file.drafts.drafts)
    for fact in file.drafts.facts:
        broker = _id_in({fact.name.removeprefix("config:"): fact.value})
        if broker is not None:
            speakers[broker] += 1
    if not speakers:
        return None
    broker, count = min(speakers.items(), key=lambda pair: (-pair[1], pair[0]))
    return broker if count >= _MAJORITY * speakers.total() else None


def _speakers(drafts: Statements) -> Counter[int]:
    """How often each broker says who it is."""
    said = drafts.columns["broker"]
    brokers, counts = np.unique(said[said != UNSAID], return_counts=True)
    return Counter(dict(zip(brokers.tolist(), counts.tolist(), strict=True)))


def _id_in(properties: Mapping[str, str]) -> int | None:
    for name in _ID_KEYS:
        value = properties.get(name, "")
        if _ID.fullmatch(value):
            return int(value)
    return None
