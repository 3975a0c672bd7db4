"""What is known while sources are read: each log as it ends, and the partitions that were named until then.

Nothing of it is a verdict. A line that one log states another one may deny, copies of a line are not told
apart yet, and times are those that the files print: what happened is judged when all is read and in order.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from heapq import nlargest
from time import monotonic
from typing import Final, NamedTuple

import numpy as np

from core.errors import Facts
from core.message import Message
from core.trace.ids import UNSAID
from core.trace.vocabulary import NUMBER
from core.work import Teller, Work
from importers.kafka.drafts import MOST_ID, Fate
from importers.lines.statements import NONE, Statements
from importers.merge.attribution import attribute
from importers.merge.files import ReadFile, Role
from importers.options import ImportOptions, broker_named

MOST: Final = 200
"""Logs and partitions that are told: those that were read last, and those of which most is stated."""
_LED: Final = ("leader_elected", "became_leader")
_CUT: Final = ("truncated", "log_reset")
_CUTS: Final = np.isin(np.arange(max(NUMBER.values()) + 1), [NUMBER[kind] for kind in _CUT])
_OF_INTEREST: Final = _CUTS | np.isin(np.arange(len(_CUTS)), [NUMBER[kind] for kind in _LED])
"""By the number of a kind: whether it tells of a cut; of a cut or of a leader."""
_BITS: Final = 31
"""Of MOST_ID: numbers of partitions and epochs have no more."""


class LogSoFar(NamedTuple):
    """A log that was read to its end, or what could not be read.

    `first` and `last` are its times as printed, ns as if they were UTC. `understood` of `lines` were read or
    are known to say nothing new.
    """

    name: str
    broker: int | None
    release: str
    first: int | None
    last: int | None
    lines: int
    understood: int
    fault: Facts | None = None


class PartitionSoFar(NamedTuple):
    """A partition that was named: how many leader epochs and cuts logs state that were read until now."""

    name: str
    epochs: int
    cuts: int


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """All of it, and how much more there is: the newest logs first, partitions with the most cuts first.

    `others` are files of data directories, settings, and what nobody reads.
    """

    logs: tuple[LogSoFar, ...]
    all_logs: int
    others: int
    lines: int
    partitions: tuple[PartitionSoFar, ...]
    all_partitions: int
    with_cuts: int
    whole: bool
    """Whether every file was read."""


class Reading:
    """Keeps what the files say that were read, and tells it to whoever looks at the work."""

    def __init__(self, work: Work, options: ImportOptions, clock: Callable[[], float] = monotonic) -> None:
        """No file was read yet."""
        self._teller, self._options = Teller(work, clock), options
        self._logs: list[LogSoFar] = []
        self._all_logs = self._others = self._lines = 0
        self._whole = False
        self._told = True
        self._epochs: dict[tuple[str, int], set[int]] = {}
        self._cuts: Counter[tuple[str, int]] = Counter()

    def add(self, files: Iterable[ReadFile]) -> None:
        """These were read."""
        if not self._teller.is_heard:
            return
        for file in files:
            self._add(file)
        self._told = False
        self._tell()

    def beside(self, work: Work) -> Work:
        """The work to read a file with: of a large one what was read before it is told meanwhile."""
        if not self._teller.is_heard:
            return work

        def progress(done: int, total: int, what: Message | None) -> None:
            work.progress(done, total, what)
            self._tell()

        return replace(work, progress=progress)

    def _tell(self) -> None:
        if not self._told:
            self._teller.tell(self.known)

    def end(self) -> None:
        """All files were read."""
        self._whole = True
        self._teller.tell(self.known, last=True)

    def known(self) -> ReadSoFar:
        """What is known so far."""
        self._told = True
        most = nlargest(MOST, self._epochs, key=self._weight)
        most.sort(key=lambda tp: (-self._cuts[tp], -len(self._epochs[tp]), tp))
        partitions = [
            PartitionSoFar(f"{topic}-{number}", len(self._epochs[topic, number]), self._cuts[topic, number])
            for topic, number in most
        ]
        return ReadSoFar(
            tuple(reversed(self._logs)),
            self._all_logs,
            self._others,
            self._lines,
            tuple(partitions),
            len(self._epochs),
            len(self._cuts),
            self._whole,
        )

    def _weight(self, partition: tuple[str, int]) -> tuple[int, int]:
        return self._cuts[partition], len(self._epochs[partition])

    def _add(self, file: ReadFile) -> None:
        drafts = file.drafts
        if file.role is Role.LOG and drafts is not None and drafts.kafka:
            lines = sum(drafts.counts.values())
            understood = drafts.counts[Fate.RECOGNISED] + drafts.counts[Fate.NOISE]
            releases = [fact.value for fact in drafts.facts if fact.name == "version"]
            stamps = drafts.stamps
            span = (int(stamps.min()), int(stamps.max())) if len(stamps) else (None, None)
            release = releases[-1] if releases else ""
            broker = _owner(file, drafts.drafts, self._options)
            self._log(LogSoFar(file.name, broker, release, *span, lines, understood, file.fault))
            self._lines += lines
            self._state(drafts.drafts)
        elif file.fault is not None:
            self._log(LogSoFar(file.name, None, "", None, None, 0, 0, file.fault))
        else:
            self._others += 1
            if file.place is not None and file.place.tp is not None and self._wants(file.place.tp[0]):
                self._epochs.setdefault(file.place.tp, set())

    def _log(self, log: LogSoFar) -> None:
        self._all_logs += 1
        self._logs.append(log)
        del self._logs[:-MOST]

    def _wants(self, topic: str) -> bool:
        return self._options.topic is None or fnmatchcase(topic, self._options.topic)

    def _state(self, said: Statements) -> None:
        """What a log states of partitions."""
        columns = said.columns
        mine = np.flatnonzero(_OF_INTEREST[columns["kind"]] & (columns["topic"] != NONE))
        numbers, epochs = columns["number"][mine], columns["epoch"][mine]
        fits = (numbers >= 0) & (numbers <= MOST_ID) & (epochs < MOST_ID)
        mine, numbers, epochs = mine[fits], numbers[fits], np.maximum(epochs[fits], -1)
        topics, cut = columns["topic"][mine].astype(np.int64), _CUTS[columns["kind"][mine]]
        known, which = np.unique((topics << _BITS) + numbers, return_inverse=True)
        led = np.unique((which[~cut] << _BITS) + epochs[~cut] + 1).tolist()
        cuts = np.bincount(which[cut], minlength=len(known)).tolist()
        found: list[set[int]] = []
        for place, count in zip(known.tolist(), cuts, strict=True):
            topic = said.texts[place >> _BITS]
            wanted = self._wants(topic)
            found.append(self._epochs.setdefault((topic, place & MOST_ID), set()) if wanted else set())
            if count and wanted:
                self._cuts[topic, place & MOST_ID] += count
        for one in led:
            if one & MOST_ID:
                found[one >> _BITS].add(one & MOST_ID)


def _owner(file: ReadFile, said: Statements, options: ImportOptions) -> int | None:
    """Whose log it is, as far as it says so itself or its path does."""
    if broker_named(options.brokers, file.name) is None:
        speakers = said.columns["broker"]
        speakers = speakers[speakers != UNSAID]
        if len(speakers) and speakers.min() == speakers.max():
            return int(speakers[0])
    (owner,) = attribute((file,), options.broker, options.brokers)
    return owner.broker
