"""Evidence that was given and is not used, or that says less than it seems to.

Logs that were not read, lines of an unknown broker, logs without the level at which Kafka tells most, logs
with many lines on replication that no rule reads.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from core.history.own_lines import SERVER_LOG
from core.message import Message, message
from core.message_json import plain
from core.trace.ids import UNSAID
from importers.kafka.drafts import Fate
from importers.lines.items import Items
from importers.lines.parsed import Drafts
from importers.merge.files import ReadFile, Role
from importers.merge.gathered import Gathered

AS_ASKED: Final = "error.source.as-asked"
_FEW: Final = 0.01
"""Of the lines on replication; in logs of known releases that are whole there is none."""
_ROUND: Final = 100
"""What people ask `head` for. Brokers that do the same print as many lines by chance."""
_SOME: Final = 20
"""Fewer lines than these may be a part that somebody pasted."""


def left_out(gathered: Gathered, items: Items) -> list[dict[str, Any]]:
    """[{"file", "lines", "reason"}] as JSON values: `lines` is None where nobody counted them.

    Not what a person asked to leave out, and not files that hold nothing of a broker.
    """
    return [
        {"file": name, "lines": lines, "reason": plain(reason)}
        for name, lines, reason in (
            *_not_read(gathered),
            *_of_nobody(gathered, items),
            *_warnings_alone(gathered),
            *_searched(gathered),
            *_unrecognised(gathered),
        )
    ]


def _not_read(gathered: Gathered) -> Iterator[tuple[str, int | None, Message]]:
    """Files with a fault: not read, or not to their end; and records that were left out of the others."""
    for file in gathered.files:
        if file.fault is not None and file.fault.what.id != AS_ASKED:
            yield file.name, None, file.fault.what
        for lines, reason in file.unused:
            yield file.name, lines, reason


def _of_nobody(gathered: Gathered, items: Items) -> Iterator[tuple[str, int | None, Message]]:
    """Lines of logs that do not say which broker printed them."""
    nobody = np.flatnonzero(items.broker == UNSAID)
    if not len(nobody):
        return
    source, line = items.source[nobody], items.said.columns["line"][nobody]
    for number, file in enumerate(gathered.files):
        if file.role is Role.LOG:
            lines = np.unique(line[source == number])
            if len(lines):
                yield file.name, len(lines), message("report.nobodys")


def _warnings_alone(gathered: Gathered) -> Iterator[tuple[str, int | None, Message]]:
    """The logs, where none of them has a line below WARN: elections, cuts and log ends are told at INFO."""
    logs = tuple(_logs(gathered))
    if any(drafts.informs for _, drafts in logs):
        return
    for number, drafts in logs:
        if drafts.warns:
            yield gathered.files[number].name, None, message("report.warnings-alone")


def _searched(gathered: Gathered) -> Iterator[tuple[str, int | None, Message]]:
    """The server logs of brokers of which a search for words kept a part."""
    brokers = searched_brokers(gathered)
    for number, drafts in _logs(gathered):
        if gathered.owners[number].broker in brokers and drafts.narrow:
            yield gathered.files[number].name, None, message("report.searched-words")


def searched_brokers(gathered: Gathered) -> frozenset[int]:
    """The brokers in whose server logs every line at INFO has a word that people search for.

    A broker prints many others: of starts, stops, settings, clients. Of a few lines nothing is said.
    """
    lines: Counter[int] = Counter()
    others: set[int] = set()
    for number, drafts in _logs(gathered):
        broker = gathered.owners[number].broker
        if broker is None:
            continue
        if drafts.broad:
            others.add(broker)
        elif drafts.narrow and len(drafts.drafts.of_kinds(SERVER_LOG)):
            lines[broker] += len(drafts.stamps)
    return frozenset(broker for broker, count in lines.items() if count >= _SOME and broker not in others)


def of_one_length(files: Sequence[ReadFile]) -> frozenset[str]:
    """The paths of logs with as many lines as another one: `head -n 300` left them, or `tail`.

    Only round numbers count: two brokers may print as many lines.
    """
    paths: dict[int, dict[str, str]] = {}
    for file in files:
        if file.role is Role.LOG and file.drafts is not None and not file.label:
            lines = sum(file.drafts.counts.values())
            if lines and lines % _ROUND == 0:
                paths.setdefault(lines, {})[file.path] = file.sha256
    return frozenset(path for mine in paths.values() if len(set(mine.values())) > 1 for path in mine)


def _unrecognised(gathered: Gathered) -> Iterator[tuple[str, int | None, Message]]:
    """Lines on replication that no rule reads, in logs of which they are more than a few."""
    for number, lines in _not_understood(gathered):
        yield gathered.files[number].name, lines, message("report.unrecognised-lines")


def unread_lines(gathered: Gathered, items: Items) -> dict[int, int]:
    """By broker the number of these lines in logs in which it has lines."""
    found: Counter[int] = Counter()
    for number, lines in _not_understood(gathered):
        for broker in np.unique(items.broker[items.source == number]).tolist():
            if broker != UNSAID:
                found[broker] += lines
    return found


def _not_understood(gathered: Gathered) -> Iterator[tuple[int, int]]:
    """(number of the file, lines on replication that no rule reads) of logs with more than a few of them."""
    for number, drafts in _logs(gathered):
        lines, read = drafts.counts[Fate.UNRECOGNISED], drafts.counts[Fate.RECOGNISED]
        if lines > _FEW * (lines + read):
            yield number, lines


def _logs(gathered: Gathered) -> Iterator[tuple[int, Drafts]]:
    """The number of the file and the drafts of each log with records of Kafka."""
    for number, file in enumerate(gathered.files):
        if file.role is Role.LOG and file.drafts is not None and file.drafts.kafka:
            yield number, file.drafts
