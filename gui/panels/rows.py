"""The rows of the evidence drawer, as values."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from core.trace.evidence import evidence_of, neighbours
from core.trace.kind_words import kind_words
from core.trace.times import clock, virtual_time
from core.trace.trace import KeptLine, Origin, Trace
from gui.text.spoken import tr
from gui.workspace.content import Content

_OFFSETS = ("offset", "from_offset", "leo", "hw", "log_start")
_NUMBER = re.compile(r"(?<![\w.:/-])\d+(?![\w:/-])")


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One raw line. `seq` is the event that it gave, None for a neighbour that is there for its context."""

    run: int
    seq: int | None
    place: str
    """file:line, or file with the byte where there is no line"""
    time: str
    text: str
    landed: str
    block: str = ""
    """The text with all that belongs to it: of a script, the whole step."""
    captured: tuple[tuple[int, int], ...] = ()
    """Where the offsets that were read from it stand in `text`: begin and end of each."""

    def copied(self) -> str:
        """The line as Copy gives it."""
        return f"{self.place}\t{self.text}"


def rows_of(content: Content, evidence: tuple[tuple[int, int], ...]) -> tuple[EvidenceRow, ...]:
    """One row for each piece of evidence; the first has its neighbours around it."""
    rows: list[EvidenceRow] = []
    seen: set[tuple[int, str, str]] = set()
    for place, (run, seq) in enumerate(evidence):
        own = _row(content, run, seq)
        if place == 0:
            before, after = _around(content, run, seq)
            group = (*before, own, *after)
        else:
            group = (own,)
        for row in group:
            key = (row.run, row.place, row.text)
            if key not in seen:
                seen.add(key)
                rows.append(row)
    return tuple(rows)


def _row(content: Content, run: int, seq: int) -> EvidenceRow:
    trace = content.runs[run].history.trace
    found = evidence_of(trace, seq)
    event = trace.event(seq)
    when = virtual_time(event.at) if trace.origin == Origin.SIMULATED else clock(event.at)
    landed = kind_words(event.kind)
    if found is None:
        return EvidenceRow(run, seq, "", when, tr("rows.no-line-is-kept-for-this"), landed)
    name = found.file if found.line is None else f"{found.file}:{found.line}"
    if found.line is None and trace.origin != Origin.SIMULATED:
        name = f"{found.file} @ {found.byte:,}"
    block = found.text
    if trace.origin == Origin.SIMULATED:
        block = "\n".join((block, *(kept.text for kept in step_lines(trace, event.line))))
    values = {str(event.values[column]) for column in _OFFSETS if column in event.values}
    spans = captured(found.text, values) if trace.origin != Origin.SIMULATED else ()
    return EvidenceRow(run, seq, name, when, found.text, landed, block, spans)


def captured(text: str, values: Collection[str]) -> tuple[tuple[int, int], ...]:
    """Where any of the values stands as a number of its own, after the time at the beginning of a line."""
    start = text.find("]") + 1 if text.startswith("[") else 0
    found = (match.span() for match in _NUMBER.finditer(text, start) if match[0] in values)
    return tuple(found)


def step_lines(trace: Trace, line: int) -> tuple[KeptLine, ...]:
    """The lines of a script that belong to the table which begins at `line`, without comments."""
    found: list[KeptLine] = []
    for kept in trace.lines:
        if kept.line <= line:
            continue
        if kept.text.lstrip().startswith("["):
            break
        if kept.text.strip() and not kept.text.lstrip().startswith("#"):
            found.append(kept)
    return tuple(found)


def _around(
    content: Content,
    run: int,
    seq: int,
) -> tuple[list[EvidenceRow], list[EvidenceRow]]:
    trace = content.runs[run].history.trace
    line = trace.event(seq).line
    before: list[EvidenceRow] = []
    after: list[EvidenceRow] = []
    around = neighbours(trace, seq)
    if trace.origin == Origin.SIMULATED:
        # Of a script the whole step is told, not two lines of it.
        around = step_lines(trace, line)
    for kept in around:
        if kept.line != line:
            place = f"{trace.sources[kept.source].path}:{kept.line}"
            (before if kept.line < line else after).append(EvidenceRow(run, None, place, "", kept.text, ""))
    return before, after
