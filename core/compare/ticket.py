"""A comparison as text for a ticket: what was compared, where the runs part, by which rule, with evidence."""

from collections.abc import Iterator

from core.compare.comparison import Comparison, Difference
from core.trace.evidence import evidence_of


def ticket_text(comparison: Comparison) -> str:
    """Markdown, in English. The first difference comes first; the others only follow from it."""
    return "\n".join(_lines(comparison)) + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    yield f"## {' and '.join(run.title for run in comparison.runs)} compared"
    yield ""
    for number, run in enumerate(comparison.runs, start=1):
        trace = run.history.trace
        rule = f" {run.rule}" if run.rule else ""
        yield f"{number}. {run.title}: {trace.partitions[run.history.partition].tp} of {trace.name}.{rule}"
    yield ""
    first = comparison.first
    if first is None:
        yield "They decide alike."
        return
    yield "### First difference"
    yield ""
    yield from _difference(comparison, first)
    yield ""
    yield from (f"Rule: {rule}" for rule in first.rules)
    later = comparison.differences[1:]
    if later:
        yield ""
        yield "### What follows"
        for one in later:
            yield ""
            yield from _difference(comparison, one)


def _difference(comparison: Comparison, one: Difference) -> Iterator[str]:
    yield f"{one.decision}"
    yield ""
    for run, answer, seq in zip(one.runs, (one.left, one.right), one.seqs, strict=True):
        yield f"- {comparison.runs[run].title}: {answer}"
        found = None if seq is None else evidence_of(comparison.runs[run].history.trace, seq)
        if found is not None:
            place = found.file if found.line is None else f"{found.file}:{found.line}"
            yield f"  - `{place}`" + (f" `{found.text}`" if found.text else "")
