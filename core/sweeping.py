"""What dead processes left on the disk: removed, put back, or told of at the next start.

Each process enters what it makes before it makes it (core/leftovers.py). Here the entries of processes that
are dead are read. What becomes of an entry depends on its kind:

- `part`: a file or folder NAME.0123456789abcdef.part is removed.
- `scratch`: a folder tidegauge-…0123456789abcdef is removed. If a person's notes are in a document in it, it
  stays, and `found_documents` lists the document.
- `former`: a folder NAME.0123456789abcdef.old, which is being replaced. It is put back where nothing stands
  at its place, and removed where the folder that was to replace it does. Else it stays and is told of.
- `resume`: a folder .NAME.parsed with what `process` has read, from which the same command goes on. It stays
  and is told of; without anything in it, it is removed.
- `lock`: a lock file .NAME.lock is removed where nobody holds it.

Entries are not trusted: the file may be damaged, or somebody may have written into it. Only what has one of
these names, lies in the folder that was entered without a symbolic link on the way, and belongs to this user
is touched.
"""

import json
import os
import re
import socket
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from core.file_lock import HeldError, holder_of, take
from core.leftovers import (
    ENTRIES,
    LOCK,
    SIDE_FILES,
    VERSION,
    Scratch,
    discard,
    enter,
    is_same,
)
from core.state_folder import making_folder

_TOKEN: Final = "[0-9a-f]{16}"  # noqa: S105 - no secret
_REGISTER: Final = re.compile(rf"({_TOKEN})({re.escape(ENTRIES)}|{re.escape(LOCK)})")
_FORMS: Final[Mapping[str, re.Pattern[str]]] = {
    "part": re.compile(rf".+\.{_TOKEN}\.part", re.DOTALL),
    "scratch": re.compile(rf"tidegauge-([a-z]+-)?{_TOKEN}"),
    "former": re.compile(rf".+\.{_TOKEN}\.old", re.DOTALL),
    "resume": re.compile(r"\..+\.parsed", re.DOTALL),
    "lock": re.compile(r"\..+\.lock", re.DOTALL),
}
_LONGEST: Final = 16 << 20
"""Bytes of a register that are read: some ten thousands of entries."""
_MOST: Final = 1_000
"""Registers that one start reads."""
_CROWDED: Final = 100
"""So many registers: an entry on a disk that is not there is given up."""


@dataclass(frozen=True, slots=True)
class Left:
    """What was left and stays. `kind` is that of its entry, `target` what it was made for."""

    kind: str
    path: Path
    target: Path


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that a dead process held in a temporary folder, with a person's notes in it.

    `name` is what the person knew it by, "" for nothing. `modified_ns` is when it was written last (ns, UTC).
    """

    path: Path
    name: str
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did. `told` stays, and was not told of before."""

    removed: tuple[Path, ...] = ()
    put_back: tuple[Path, ...] = ()
    told: tuple[Left, ...] = ()


@dataclass(slots=True)
class _Entry:
    number: int
    kind: str
    path: Path
    target: Path
    identity: tuple[int, int] | None = None
    told: bool = False
    documents: dict[Path, str] = field(default_factory=dict[Path, str])


@dataclass(slots=True)
class _Dead:
    """The register of a dead process, which is locked while it is looked at."""

    file: Path
    entries: dict[int, _Entry]
    crowded: bool

    def say(self, line: Mapping[str, Any]) -> None:
        flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        with suppress(OSError):
            handle = os.open(self.file, flags)
            try:
                os.write(handle, b"\n" + json.dumps(line).encode())
            finally:
                os.close(handle)

    def settle(self, entry: _Entry) -> None:
        """Nothing of this entry needs to be done any more."""
        del self.entries[entry.number]
        self.say({"done": entry.number})


@dataclass(slots=True)
class _Doing:
    """What a sweep has done so far. `all_of_it`: also what is kept for a next run."""

    all_of_it: bool = False
    removed: list[Path] = field(default_factory=list[Path])
    put_back: list[Path] = field(default_factory=list[Path])
    stays: list[Left] = field(default_factory=list[Left])
    told: list[Left] = field(default_factory=list[Left])


def sweep() -> Swept:
    """Remove or put back what dead processes left, and tell what stays, once.

    Without anything left it looks into one folder, and that is all.
    """
    return _done(_Doing())


def clean() -> Swept:
    """The same, and remove what `process` keeps for its next run.

    What holds a person's work stays and is `told`: documents with notes, and former versions of folders.
    """
    return _done(_Doing(all_of_it=True))


def stays() -> tuple[Left, ...]:
    """Sweep, and give all that stays, whether it was told of before or not. No two are the same path."""
    doing = _Doing()
    _done(doing)
    return tuple({left.path: left for left in doing.stays}.values())


def _done(doing: _Doing) -> Swept:
    for dead in _dead():
        for entry in tuple(dead.entries.values()):
            if _is_settled(entry, dead, doing):
                dead.settle(entry)
    told = doing.stays if doing.all_of_it else doing.told
    return Swept(tuple(doing.removed), tuple(doing.put_back), tuple({one.path: one for one in told}.values()))


def found_documents() -> tuple[FoundDocument, ...]:
    """Documents with notes that dead processes held in temporary folders, the newest first."""
    found: list[FoundDocument] = []
    for dead in _dead():
        for entry in dead.entries.values():
            for path, name in _documents(entry).items():
                found.append(FoundDocument(path, name, path.stat().st_mtime_ns))
    return tuple(sorted(found, key=lambda one: one.modified_ns, reverse=True))


def adopt(document: Path) -> Scratch | None:
    """Take over the temporary folder of a found document: this process goes on with it.

    It is offered to nobody else then, unless this process dies, too. None where another process was quicker.
    """
    for dead in _dead():
        for entry in tuple(dead.entries.values()):
            documents = _documents(entry)
            if document in documents:
                scratch = Scratch(entry.path, enter(entry.path, entry.kind))
                for path, name in documents.items():
                    scratch.keep(path, name)
                dead.settle(entry)
                return scratch
    return None


def discard_document(document: Path) -> None:
    """Remove a found document, and its folder if no other one is in it."""
    for dead in _dead():
        for entry in tuple(dead.entries.values()):
            if document in _documents(entry):
                del entry.documents[document]
                dead.say({"forget": str(document.relative_to(entry.path)), "of": entry.number})
                discard(document)
                if _is_settled(entry, dead, _Doing()):
                    dead.settle(entry)


def _dead() -> Iterator[_Dead]:
    """The registers of dead processes, one after the other; one that lists nothing any more is removed."""
    folder = making_folder()
    try:
        if not _is_safe(folder):
            return
        names = {match[1] for file in folder.iterdir() if (match := _REGISTER.fullmatch(file.name))}
    except OSError:
        return
    for name in sorted(names)[:_MOST]:
        try:
            lock = take(folder / f"{name}{LOCK}")
        except (HeldError, OSError):
            continue
        try:
            file = folder / f"{name}{ENTRIES}"
            entries = _entries(file)
            if entries is None:
                continue
            dead = _Dead(file, entries, len(names) > _CROWDED)
            yield dead
            if not dead.entries:
                with suppress(OSError):
                    file.unlink(missing_ok=True)
        finally:
            lock.release()


def _is_safe(folder: Path) -> bool:
    """Whether nobody else can write into it. Raises OSError where it does not exist."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def _entries(file: Path) -> dict[int, _Entry] | None:
    """What is entered, by its number; None where it is not for this machine or this version to judge."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(file, flags)
    except FileNotFoundError:
        return {}
    except OSError:
        return None
    with os.fdopen(handle, "rb") as opened:
        if not _is_mine(os.fstat(handle)) or not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        lines = [line for text in opened.read(_LONGEST).split(b"\n") if (line := _line(text)) is not None]
    header = next((line for line in lines if "tidegauge" in line), {"tidegauge": VERSION})
    if header["tidegauge"] != VERSION or header.get("host", socket.gethostname()) != socket.gethostname():
        return None
    entries: dict[int, _Entry] = {}
    for line in lines:
        _read(line, entries)
    return entries


def _line(text: bytes) -> dict[str, Any] | None:
    """One line of a register; None for what is damaged."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", line) if isinstance(line, dict) else None


def _read(line: Mapping[str, Any], entries: dict[int, _Entry]) -> None:
    """Take one line in. A line of another shape says nothing."""
    match line:
        case {"enter": int(number), "kind": str(kind), "path": str(path)} if _is_form(kind, path):
            target = line.get("target", path)
            if isinstance(target, str) and _is_plain(target):
                entries[number] = _Entry(number, kind, Path(path), Path(target))
        case {"done": int(number)}:
            entries.pop(number, None)
        case {"of": int(number)} if number in entries:
            _read_more(line, entries[number])
        case _:
            pass


def _read_more(line: Mapping[str, Any], entry: _Entry) -> None:
    match line:
        case {"device": int(device), "inode": int(inode)}:
            entry.identity = (device, inode)
        case {"told": True}:
            entry.told = True
        case {"keep": str(document), "name": str(name)} if _is_inside(document):
            entry.documents[entry.path / document] = name
        case {"forget": str(document)}:
            entry.documents.pop(entry.path / document, None)
        case _:
            pass


def _is_plain(path: str) -> bool:
    """Whether it is an absolute path that says nothing twice."""
    return _is_normal(path) and Path(path).is_absolute()


def _is_inside(name: str) -> bool:
    """Whether it is a relative path that does not lead out of its folder."""
    return _is_normal(name) and not Path(name).anchor and ".." not in Path(name).parts


def _is_normal(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return "\0" not in path and os.path.normpath(path) == path


def _is_form(kind: str, path: str) -> bool:
    """Whether it is a name that we give to such things."""
    form = _FORMS.get(kind)
    return form is not None and _is_plain(path) and form.fullmatch(Path(path).name) is not None


def _is_mine(found: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or found.st_uid == os.getuid()


def _documents(entry: _Entry) -> dict[Path, str]:
    """The documents of a temporary folder that are still there, with their names."""
    if entry.kind != "scratch" or not entry.documents or not _may_touch(entry.path):
        return {}
    return {path: name for path, name in entry.documents.items() if _may_touch(path) and path.is_file()}


def _may_touch(path: Path) -> bool:
    """Whether there is a file or folder of this user, with no symbolic link at it or on the way to it."""
    try:
        found = path.lstat()
    except OSError:
        return False
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)) or not _is_mine(found):
        return False
    return os.path.realpath(path.parent) == str(path.parent)


def _is_settled(entry: _Entry, dead: _Dead, doing: _Doing) -> bool:
    """Do what is to be done for an entry; whether it needs no further look at a later start."""
    if not os.path.lexists(entry.path.parent):
        # Perhaps a disk that is not mounted now.
        return dead.crowded
    match entry.kind:
        case "part":
            there = [entry.path.with_name(entry.path.name + ending) for ending in SIDE_FILES]
            return not [path for path in there if not _removed(path, doing)]
        case "scratch":
            documents = _documents(entry)
            for path in documents:
                _stays(Left("document", path, path), entry, dead, doing)
            return not documents and _removed(entry.path, doing)
        case "former":
            return _former(entry, dead, doing)
        case "resume":
            return _resume(entry, dead, doing)
        case _:
            return _unlocked(entry, doing)


def _removed(path: Path, doing: _Doing) -> bool:
    """Remove what may be touched; whether there is nothing more to do."""
    if not _may_touch(path):
        return True
    if discard(path):
        doing.removed.append(path)
        return True
    return False


def _stays(left: Left, entry: _Entry, dead: _Dead, doing: _Doing) -> None:
    doing.stays.append(left)
    if not entry.told:
        doing.told.append(left)
        dead.say({"told": True, "of": entry.number})


def _former(entry: _Entry, dead: _Dead, doing: _Doing) -> bool:
    """The former version of a folder, and the place that it is for."""
    old, target = entry.path, entry.target
    name = old.name.rsplit(".", 2)[0]
    if not _may_touch(old) or target.parent != old.parent or not target.name.startswith(name):
        return True
    if not os.path.lexists(target):
        try:
            old.rename(target)
        except OSError:
            return False
        doing.put_back.append(target)
        return True
    if entry.identity is not None and is_same(target, *entry.identity):
        return _removed(old, doing)
    _stays(Left("former", old, target), entry, dead, doing)
    return False


def _resume(entry: _Entry, dead: _Dead, doing: _Doing) -> bool:
    """What `process` has read for a data set that it did not write."""
    folder = entry.path
    if not _may_touch(folder) or entry.identity is None or not is_same(folder, *entry.identity):
        return True
    try:
        guard = take(folder.with_name(f"{folder.name.removesuffix('.parsed')}{LOCK}"))
    except (HeldError, OSError):
        return False  # A run uses it now, or nothing can be written there.
    try:
        if doing.all_of_it or not any(folder.glob("*.arrow")):
            return _removed(folder, doing)
        _stays(Left("resume", folder, entry.target), entry, dead, doing)
        return False
    finally:
        guard.release()


def _unlocked(entry: _Entry, doing: _Doing) -> bool:
    """The lock file of a dead process."""
    if not _may_touch(entry.path) or (holder_of(entry.path) is None and entry.path.stat().st_size):
        return True
    with suppress(HeldError, OSError):
        take(entry.path).release()
        doing.removed.append(entry.path)
    return True
