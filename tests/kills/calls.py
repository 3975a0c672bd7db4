"""The writing system calls of a process, as strace tells of them."""

import ast
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

WRITING: Final = (
    "openat", "write", "pwrite64", "writev", "ftruncate", "fallocate", "fsync", "fdatasync", "rename",
    "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "link", "linkat", "symlink",
    "symlinkat", "copy_file_range", "sendfile",
)  # fmt: skip
"""All that change a file or a folder, or bring it to the disk. Of openat those that make a file count."""
APPENDED: Final = -1
"""Instead of a place in the file: wherever it ends."""
_LINE: Final = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+|\?)(.*)", re.DOTALL)
_BEGUN: Final = re.compile(r"(\d+) +(\w+)\((.*) <unfinished \.\.\.>")
_ENDED: Final = re.compile(r"(\d+) +<\.\.\. (\w+) resumed>(.*)", re.DOTALL)
_TEXT: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FOLDER: Final = {"unlinkat", "mkdirat", "renameat", "renameat2", "linkat", "symlinkat", "openat"}


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the how-manieth of its name (from 1) in its thread, which files it is about, and the data.

    `path` is what the kernel was told, or what the file was opened as; `other` the new name of a renaming.
    `start` is where in the file it writes, or the new length.
    """

    name: str
    number: int
    path: str
    handle: int = -1
    data: bytes = b""
    start: int = 0
    other: str = ""
    flags: str = ""
    failed: bool = False


@dataclass(slots=True)
class _Reading:
    counted: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    opened: dict[int, str] = field(default_factory=dict[int, str])
    at: dict[int, int] = field(default_factory=dict[int, int])


def read_calls(text: str) -> tuple[Call, ...]:
    """The calls of a report of strace, in the order in which they ended."""
    reading = _Reading()
    return tuple(call for line in _whole_lines(text) if (call := _call(line, reading)) is not None)


def _whole_lines(text: str) -> Iterator[str]:
    """Lines that another thread has cut in two are joined."""
    begun: dict[str, str] = {}
    for line in text.splitlines():
        if half := _BEGUN.fullmatch(line):
            begun[half[1]] = f"{half[1]} {half[2]}({half[3]}"
        elif rest := _ENDED.fullmatch(line):
            yield begun.pop(rest[1]) + rest[3]
        else:
            yield line


def _call(line: str, reading: _Reading) -> Call | None:
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    process, name, said, result, _why = found.groups()
    if name not in WRITING:
        return None
    reading.counted[process, name] += 1
    number, failed = reading.counted[process, name], result in {"?", "-1"}
    texts = [_bytes(one) for one in _TEXT.findall(said)]
    if name == "openat":
        path, handle = os.fsdecode(texts[0]), int(result.replace("?", "-1"))
        if not failed:
            reading.opened[handle], reading.at[handle] = path, APPENDED if "O_APPEND" in said else 0
        return Call(name, number, path, handle, flags=said, failed=failed)
    if name in _FOLDER or said.startswith('"'):
        names = [os.fsdecode(one) for one in texts]
        return Call(
            name, number, names[0], other=names[1] if len(names) > 1 else "", flags=said, failed=failed
        )
    return _on_a_file(Call(name, number, "", failed=failed), said, texts, reading)


def _on_a_file(call: Call, said: str, texts: list[bytes], reading: _Reading) -> Call:
    handle = int(re.split("[,)]", said, maxsplit=1)[0])
    path, data, start = reading.opened.get(handle, ""), b"".join(texts), 0
    match call.name:
        case "pwrite64":
            start = int(said.rsplit(",", 1)[1])
        case "write":
            start = reading.at.get(handle, 0)
            if not call.failed and start != APPENDED:
                reading.at[handle] = start + len(data)
        case "ftruncate":
            start = int(said.rsplit(",", 1)[1])
        case _:
            pass
    return Call(call.name, call.number, path, handle, data, start, flags=said, failed=call.failed)


def _bytes(quoted: str) -> bytes:
    value = ast.literal_eval(f'b"{quoted}"')
    assert isinstance(value, bytes)
    return value


def makes_a_file(call: Call) -> bool:
    """Whether an openat changes the disk."""
    return "O_CREAT" in call.flags or "O_TRUNC" in call.flags
