"""From an event to the text that proves it: file, line, byte and the raw line, with its neighbours."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.trace.ids import NO_INDEX
from core.trace.kept import KeptLines
from core.trace.trace import KeptLine, Trace


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where an event was read.

    `line` is None in binary files (a segment), `byte` counts in the unpacked member.

    `text` is the raw line as it was kept; "" where none was kept.
    """

    file: str
    line: int | None
    byte: int
    text: str


def evidence_of(trace: Trace, seq: int) -> Evidence | None:
    """The evidence of an event, or None where it has no source.

    Raises IndexError for a seq outside the trace.

    In a simulation the source is the scenario: the line is that of the step, the byte where that line begins.
    """
    event = trace.event(seq)
    if event.source == NO_INDEX or event.source >= len(trace.sources):
        return None
    line = event.line or None
    kept = _kept(trace, event.source, event.line) if line is not None else None
    byte = event.position if kept is None else kept.byte
    return Evidence(trace.sources[event.source].path, line, byte, "" if kept is None else kept.text)


def evidence_list(trace: Trace, seqs: Iterable[int]) -> list[dict[str, Any]]:
    """[{"file", "line", "byte", "text"}], strongest first; events without a source are left out."""
    found: list[dict[str, Any]] = []
    for seq in seqs:
        one = evidence_of(trace, seq)
        if one is not None:
            found.append({"file": one.file, "line": one.line, "byte": one.byte, "text": one.text})
    return found


def neighbours(trace: Trace, seq: int, each_side: int = 2) -> tuple[KeptLine, ...]:
    """The kept line of an event with up to `each_side` kept lines of the same file before and after it.

    In order.
    """
    event = trace.event(seq)
    if event.source == NO_INDEX or not event.line:
        return ()
    index = _place(trace, event.source, event.line)
    around = trace.lines[max(index - each_side, 0) : index + each_side + 1]
    near = (
        line for line in around if line.source == event.source and abs(line.line - event.line) <= each_side
    )
    return tuple(near)


def _place(trace: Trace, source: int, line: int) -> int:
    """Where (source, line) is or would be among the kept lines, which are ordered by it."""
    if isinstance(trace.lines, KeptLines):
        return trace.lines.place(source, line)
    return bisect_left(trace.lines, (source, line), key=lambda kept: (kept.source, kept.line))


def _kept(trace: Trace, source: int, line: int) -> KeptLine | None:
    index = _place(trace, source, line)
    if index < len(trace.lines) and (trace.lines[index].source, trace.lines[index].line) == (source, line):
        return trace.lines[index]
    return None
