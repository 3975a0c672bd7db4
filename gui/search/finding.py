"""What is found among the events and raw lines of what is open. Values only; it runs beside the window."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.errors import QuestionError, because
from core.message import message
from core.trace.evidence import evidence_of
from core.trace.ids import NO_INDEX, UNSAID
from core.trace.kind_words import kind_words
from core.trace.times import clock, virtual_time
from core.trace.trace import Origin, Trace
from core.trace.vocabulary import NAME, NUMBER
from core.work import QUIET, Work
from gui.workspace.content import Content
from gui.workspace.event_rows import event_line

MOST: Final = 2_000
"""Hits that are listed; all are counted."""
_AT_ONCE: Final = 20_000
_OFFSETS: Final = ("offset", "from_offset", "leo", "hw", "log_start")


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for. All that is given must hold; a query without anything finds nothing.

    `text` is looked for in raw lines and in the names of events, without regard to case; in a simulation,
    which has no lines, in all that an event says. `offset` is stated by an event, or lies in its range.
    """

    text: str = ""
    regex: bool = False
    kind: str = ""
    offset: int | None = None
    epoch: int | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is asked for."""
        return self == Query(regex=self.regex)


@dataclass(frozen=True, slots=True)
class Hit:
    """An event, or a raw line that gave none (`seq` None, `position` that of the last event before it)."""

    run: int
    seq: int | None
    position: int
    place: str
    time: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """The first hits in the order of positions, and how many there are."""

    hits: tuple[Hit, ...]
    total: int


def kinds_of(content: Content) -> tuple[str, ...]:
    """The kinds of events that occur, by name."""
    return tuple(
        sorted(
            {
                NAME[int(number)]
                for run in content.runs
                for number in np.unique(run.history.trace.columns["kind"][run.history.seqs])
            }
        )
    )


def find(content: Content, query: Query, work: Work = QUIET) -> Found:
    """All hits. Raises QuestionError for a pattern that is none, CancelledError from `work`."""
    test = _test(query)
    if query.empty:
        return Found((), 0)
    places: list[tuple[int, int, int, int]] = []
    for run, one in enumerate(content.runs):
        trace = one.history.trace
        seqs = _filtered(trace, one.history.seqs, query)
        lines: tuple[int, ...] = ()
        if query.text:
            seqs, lines = _with_text(trace, seqs, test, work)
        places.extend((content.position_of(run, int(seq) + 1), 0, run, int(seq)) for seq in seqs)
        if (query.kind, query.offset, query.epoch) == ("", None, None):
            places.extend((_before(content, run, number), 1, run, number) for number in lines)
    places.sort()
    return Found(tuple(_hit(content, *place) for place in places[:MOST]), len(places))


def _test(query: Query) -> Callable[[str], bool]:
    if query.regex:
        try:
            pattern = re.compile(query.text, re.IGNORECASE)
        except re.error as error:
            raise QuestionError(message("error.find.no-pattern"), why=because(error)) from error
        return lambda text: pattern.search(text) is not None
    wanted = query.text.lower()
    return lambda text: wanted in text.lower()


def _filtered(trace: Trace, seqs: NDArray[np.int64], query: Query) -> NDArray[np.int64]:
    """The events that have the kind, the offset and the epoch."""
    columns = trace.columns
    if query.kind:
        seqs = seqs[columns["kind"][seqs] == NUMBER[query.kind]]
    if query.epoch is not None:
        seqs = seqs[columns["epoch"][seqs] == query.epoch]
    if query.offset is not None:
        said = np.zeros(len(seqs), dtype=bool)
        for name in _OFFSETS:
            said |= columns[name][seqs] == query.offset
        one, other = columns["from_offset"][seqs], columns["offset"][seqs]
        both = (one != UNSAID) & (other != UNSAID)
        within = (np.minimum(one, other) <= query.offset) & (query.offset < np.maximum(one, other))
        seqs = seqs[said | (both & within)]
    return seqs


def _with_text(
    trace: Trace, seqs: NDArray[np.int64], test: Callable[[str], bool], work: Work
) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """The events with the text, and the places of the lines with it that gave no event at all."""
    if trace.origin is Origin.SIMULATED:
        kept: list[int] = []
        for place, seq in enumerate(seqs.tolist()):
            if place % _AT_ONCE == 0:
                work.step(place, len(seqs), message("progress.find.events"))
            if test(f"{event_line(trace, trace.event(seq))} {trace.event(seq).kind.replace('_', ' ')}"):
                kept.append(seq)
        return np.array(kept, dtype=np.int64), ()
    found: list[int] = []
    keys: list[int] = []
    for place, line in enumerate(trace.lines):
        if place % _AT_ONCE == 0:
            work.step(place, len(trace.lines), message("progress.find.lines"))
        if test(line.text):
            found.append(place)
            keys.append(line.source << 32 | line.line)
    columns = trace.columns
    mine = columns["source"].astype(np.int64) << 32 | columns["line"]
    numbers = [
        number for name, number in NUMBER.items() if test(name.replace("_", " ")) or test(kind_words(name))
    ]
    hit = np.isin(mine[seqs], keys) | np.isin(columns["kind"][seqs], numbers)
    without = ~np.isin(np.array(keys, dtype=np.int64), mine)
    return seqs[hit], tuple(place for place, alone in zip(found, without, strict=True) if alone)


def _before(content: Content, run: int, number: int) -> int:
    """The position of the last event here that comes from the same file and not from a later line."""
    history = content.runs[run].history
    trace = history.trace
    line = trace.lines[number]
    source, lines = trace.columns["source"][history.seqs], trace.columns["line"][history.seqs]
    seqs = history.seqs[(source == line.source) & (lines <= line.line)]
    return content.position_of(run, int(seqs[-1]) + 1) if len(seqs) else 0


def _hit(content: Content, position: int, alone: int, run: int, number: int) -> Hit:
    trace = content.runs[run].history.trace
    if alone:
        line = trace.lines[number]
        return Hit(run, None, position, f"{trace.sources[line.source].path}:{line.line}", "", line.text)
    event = trace.event(number)
    words = " ".join(event_line(trace, event).split()[2:])
    if trace.origin is Origin.SIMULATED or event.source == NO_INDEX:
        return Hit(run, number, position, "", virtual_time(event.at), words)
    found = evidence_of(trace, number)
    where = "" if found is None else found.file if found.line is None else f"{found.file}:{found.line}"
    text = found.text if found is not None and found.text else words
    return Hit(run, number, position, where, clock(event.at), text)
