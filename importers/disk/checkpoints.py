"""Small text files of a data directory: checkpoints, leader epochs, properties."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.message import Count, Message, message

HW_FILE: Final = "replication-offset-checkpoint"
OFFSET_FILES: Final[Mapping[str, str]] = {
    HW_FILE: "hw_checkpointed",
    "recovery-point-offset-checkpoint": "flushed",
    "log-start-offset-checkpoint": "log_start_moved",
}
"""`0`, count, then `topic partition offset` a line. File name -> the kind of event that an entry is."""
EPOCH_FILE: Final = "leader-epoch-checkpoint"
_MOST_ENTRIES: Final = 1_000_000
_ENTRY: Final = re.compile(rb"(\S+) (\d{1,9}) (\d{1,18})")
_COUNT: Final = re.compile(rb"\d{1,18}")
_EPOCH_ENTRY: Final = re.compile(rb"(\d{1,9}) (\d{1,18})")
_PROPERTY: Final = re.compile(r"\s*([\w.\-]+)\s*[=:]\s*+(.*)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an offset checkpoint, with its place in the file."""

    topic: str
    partition: int
    offset: int
    line: int
    byte: int


@dataclass(frozen=True, slots=True)
class EpochEntry:
    """One line of leader-epoch-checkpoint: `epoch` began at `start_offset` on this replica."""

    epoch: int
    start_offset: int
    line: int
    byte: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The entries that can be read, and what cannot be believed, None if all can."""

    entries: tuple[Entry, ...] = ()
    epochs: tuple[EpochEntry, ...] = ()
    doubt: Message | None = None
    whole: bool = True
    """Whether these are all entries: a broker writes such a file anew and renames it, so a part is of a copy.

    One without a byte is what a copy left, or one that its broker has made and not yet written.
    """


def read_offsets(data: bytes) -> Checkpoint:
    """An offset checkpoint. The count in its second line is compared with the lines, never trusted."""
    entries: list[Entry] = []
    bad = 0
    rows, count = _rows(data)
    for line, byte, text in rows:
        match = _ENTRY.fullmatch(text)
        if match is None:
            bad += 1
            continue
        entries.append(Entry(match[1].decode("utf-8", "replace"), int(match[2]), int(match[3]), line, byte))
    doubt = _doubt(count, len(entries), bad, data)
    return Checkpoint(entries=tuple(entries), doubt=doubt, whole=bool(data.strip()) and not doubt)


def read_epochs(data: bytes) -> Checkpoint:
    """A leader-epoch-checkpoint. The count is compared, never trusted."""
    epochs: list[EpochEntry] = []
    bad = 0
    rows, count = _rows(data)
    for line, byte, text in rows:
        match = _EPOCH_ENTRY.fullmatch(text)
        if match is None:
            bad += 1
            continue
        epochs.append(EpochEntry(int(match[1]), int(match[2]), line, byte))
    doubt = _doubt(count, len(epochs), bad, data)
    return Checkpoint(epochs=tuple(epochs), doubt=doubt, whole=bool(data.strip()) and not doubt)


def read_properties(data: bytes) -> Mapping[str, str]:
    """A Java properties file, as far as brokers write them: one `key=value` a line, # comments."""
    found: dict[str, str] = {}
    for text in data.decode("utf-8", "replace").splitlines()[:10_000]:
        match = _PROPERTY.fullmatch(text)
        if match and not text.lstrip().startswith(("#", "!")):
            found[match[1]] = match[2].rstrip()
    return found


def _rows(data: bytes) -> tuple[list[tuple[int, int, bytes]], bytes]:
    """The lines after version and count, with number and byte; and the count as it stands there.

    Every line ends with a newline (CheckpointFile.write): what is without one may be half a number.
    """
    rows: list[tuple[int, int, bytes]] = []
    byte, count = 0, b""
    for number, raw in enumerate(data.splitlines(keepends=True)[: _MOST_ENTRIES + 2], start=1):
        text = raw.strip()
        if number == 2:
            count = text
        elif number > 2 and text and raw.endswith(b"\n"):
            rows.append((number, byte, text))
        byte += len(raw)
    return rows, count


def _doubt(count: bytes, found: int, bad: int, data: bytes) -> Message | None:
    if not data.strip():
        return None
    if bad:
        return message("report.checkpoint.no-entries", count=Count(bad))
    if not data.endswith(b"\n"):
        return message("report.checkpoint.ends-in-line")
    if not _COUNT.fullmatch(count) or int(count) != found:
        announced = count[:20].decode("utf-8", "replace")
        return message("report.checkpoint.count", announced=announced, found=found)
    return None
