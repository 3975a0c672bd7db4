"""A disk that loses what was not synced: which files may be there after a power loss at a moment.

The model is that of POSIX, as SQLite's own crash tests have it: fsync of a file brings its bytes and its
length to the disk, fsync of a folder the names in it. What was not synced may be there or not, each write
and each name for itself; of a write only some sectors of 512 bytes may be there. Of two changes of one name
the later one is never there without the earlier.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

from tests.kills.calls import APPENDED, Call

SECTOR: Final = 512


@dataclass(slots=True, eq=False)
class _File:
    """One file, whatever its names: its bytes on the disk, and the changes since then, as (start, data).

    A change without data is a new length. `length` is what a reader sees now.
    """

    synced: bytes = b""
    changes: list[tuple[int, bytes | None]] = field(default_factory=list[tuple[int, "bytes | None"]])
    length: int = 0

    def write(self, start: int, data: bytes) -> None:
        begin = self.length if start == APPENDED else start
        self.changes.append((begin, data))
        self.length = max(self.length, begin + len(data))

    def cut(self, length: int) -> None:
        self.changes.append((length, None))
        self.length = length

    def sync(self) -> None:
        self.synced = applied(self.synced, self.changes)
        self.changes = []


Name = tuple[tuple[str, "_File | None"], ...]
"""One change of names in one step: what each of them stands for then."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a power loss finds: after so many calls, with so many steps said to be done."""

    calls: int
    did: tuple[int, ...]
    names: Mapping[str, _File]
    pending: tuple[Name, ...]
    files: Mapping[int, tuple[bytes, tuple[tuple[int, bytes | None], ...]]]
    """Bytes on the disk, and changes since, by identity of the file."""


def applied(before: bytes, changes: Sequence[tuple[int, bytes | None]]) -> bytes:
    """A file after these changes."""
    content = bytearray(before)
    for start, data in changes:
        end = start + len(data or b"")
        if len(content) < end or data is None:
            content.extend(bytes(max(0, end - len(content))))
        if data is None:
            del content[start:]
        else:
            content[start:end] = data
    return bytes(content)


def moments(folder: Path, before: Mapping[str, bytes], calls: Sequence[Call]) -> Iterator[Moment]:
    """The disk after each call that changes something below `folder`; `before` is there, and synced."""
    there = {name: _File(content, length=len(content)) for name, content in before.items()}
    synced, now = dict(there), dict(there)
    pending: list[Name] = []
    opened: dict[int, _File | str] = {}
    did: list[int] = []
    for number, call in enumerate(calls, start=1):
        if call.name == "writev" and call.handle == 1:
            words = call.data.decode().split()
            if words[0] == "did":
                did.append(int(words[1]))
        elif not _happens(call, folder, (synced, now), pending, opened):
            continue
        late = [one for step in pending for _, one in step if one is not None]
        yield Moment(
            number,
            tuple(did),
            dict(synced),
            tuple(pending),
            {
                key: (one.synced, tuple(one.changes))
                for key, one in {id(one): one for one in (*synced.values(), *late)}.items()
            },
        )


def _happens(
    call: Call,
    folder: Path,
    names: tuple[dict[str, _File], dict[str, _File]],
    pending: list[Name],
    opened: dict[int, "_File | str"],
) -> bool:
    """Take one call in; whether it changed something."""
    synced, now = names
    inside = Path(call.path).is_relative_to(folder)
    if call.failed:
        return False
    if call.name == "openat":
        opened[call.handle] = call.path
        if not inside or Path(call.path) == folder:
            return False
        made = call.path not in now and "O_CREAT" in call.flags
        if made:
            now[call.path] = _File()
            pending.append(((call.path, now[call.path]),))
        if call.path in now:
            opened[call.handle] = now[call.path]
            if "O_TRUNC" in call.flags:
                now[call.path].cut(0)
        return made or "O_TRUNC" in call.flags
    match call.name, opened.get(call.handle):
        case (("write" | "pwrite64"), _File() as file):
            file.write(call.start, call.data)
        case "ftruncate", _File() as file:
            file.cut(call.start)
        case (("fsync" | "fdatasync"), _File() as file):
            file.sync()
        case (("fsync" | "fdatasync"), str(path)) if Path(path) == folder:
            for step in pending:
                _rename(synced, step)
            pending.clear()
        case (("rename" | "unlink"), _) if inside:
            step: Name = ((call.path, None),)
            if call.name == "rename":
                step = (*step, (call.other, now[call.path]))
            _rename(now, step)
            pending.append(step)
        case _:
            assert not inside or call.name == "fallocate", call
            return False
    return True


def _rename(names: dict[str, _File], step: Name) -> None:
    for name, file in step:
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file


def outcomes(moment: Moment, chance: random.Random, more: int) -> Iterator[dict[str, bytes]]:
    """What may be there after a power loss at that moment, each file by its path.

    Nothing of what was not synced, and all of it; each change of names alone, and all but that one; the last
    write alone, missing, and torn; and `more` mixtures by chance.
    """
    steps, files = moment.pending, moment.files
    every = [(key, place) for key, (_, changes) in files.items() for place in range(len(changes))]
    no_steps, all_steps = [False] * len(steps), [True] * len(steps)
    yield _disk(moment, no_steps, set(), None)
    yield _disk(moment, all_steps, set(every), None)
    yield _disk(moment, all_steps, set(), None)
    yield _disk(moment, no_steps, set(every), None)
    for number in range(len(steps)):
        alone = [place == number for place in range(len(steps))]
        for chosen in (alone, [not one for one in alone]):
            yield _disk(moment, chosen, set(every), None)
    for last in every[-2:]:
        yield _disk(moment, all_steps, set(every) - {last}, None)
        yield _disk(moment, all_steps, {last}, None)
    for _ in range(more):
        yield _disk(
            moment,
            [chance.random() < 0.5 for _ in steps],
            {one for one in every if chance.random() < 0.7},
            chance,
        )


def _disk(
    moment: Moment, chosen: Sequence[bool], written: set[tuple[int, int]], torn: random.Random | None
) -> dict[str, bytes]:
    """The files with these changes of names and these writes; with `torn` some sectors of some writes."""
    names = dict(moment.names)
    late: set[str] = set()
    for step, there in zip(moment.pending, chosen, strict=True):
        touched = {name for name, _ in step}
        if there and not touched & late:
            _rename(names, step)
        else:
            late |= touched
    return {
        name: applied(
            moment.files[id(file)][0],
            [
                part
                for place, change in enumerate(moment.files[id(file)][1])
                if (id(file), place) in written
                for part in _sectors(change, torn)
            ],
        )
        for name, file in names.items()
    }


def _sectors(change: tuple[int, bytes | None], torn: random.Random | None) -> list[tuple[int, bytes | None]]:
    """All of a write, or in one of four cases some of its sectors."""
    start, data = change
    if data is None or torn is None or torn.random() < 0.75:
        return [change]
    cuts = [0, *range(SECTOR - start % SECTOR, len(data), SECTOR), len(data)]
    parts = [(start + begin, data[begin:end]) for begin, end in pairwise(cuts)]
    return [part for part in parts if torn.random() < 0.5]
