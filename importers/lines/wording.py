"""Which releases print a line in these words: the grammar's rules say it of each."""

from collections.abc import Iterator, Mapping
from itertools import groupby, islice
from typing import Final

from core.trace.trace import KeptLine, Trace
from importers.lines.layout import find_layout
from importers.lines.parser import rule_that_reads
from importers.lines.records import records

MOST_LINES: Final = 2_000
"""Of each source so many kept lines are looked at: the words of a release show in the first ones."""


def printed_in(trace: Trace) -> Mapping[tuple[int, int], tuple[str, str]]:
    """By source and line the first and the last release that print a line so; "" for no last one.

    Only lines that a rule of the grammar reads are there.
    """
    found: dict[tuple[int, int], tuple[str, str]] = {}
    for source, lines in groupby(trace.lines, key=lambda one: one.source):
        found |= {(source, line): releases for line, releases in _of_source([*islice(lines, MOST_LINES)])}
    return found


def _of_source(lines: list[KeptLine]) -> Iterator[tuple[int, tuple[str, str]]]:
    data = "".join(f"{one.text}\n" for one in lines).encode()
    layout = find_layout(data)
    if layout is None:
        return
    for record in records(data, layout):
        rule = rule_that_reads(record)
        if rule is not None:
            yield lines[record.line - 1].line, (rule.since, rule.until)
