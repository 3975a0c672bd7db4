"""A comparison as text for a ticket: what was compared, where the runs part, by which rule, with evidence."""

from collections.abc import Iterator

from core.compare.cause_words import (
    aspect_message,
    change_message,
    first_messages,
    responsible_messages,
)
from core.compare.comparison import Comparison, Difference, PairCauses
from core.message import Names, Sentences, message
from core.trace.evidence import evidence_of
from core.words import text


def ticket_text(comparison: Comparison) -> str:
    """Markdown. The first difference comes first; the others only follow from it."""
    return "\n".join(_lines(comparison)) + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    runs = Names(tuple(run.title for run in comparison.runs))
    yield f"## {text(message('compare.ticket.title', runs=runs))}"
    yield ""
    for number, run in enumerate(comparison.runs, start=1):
        trace = run.history.trace
        partition = str(trace.partitions[run.history.partition].tp)
        named = message("compare.ticket.run", title=run.title, partition=partition, trace=trace.name)
        said = Sentences((named,) if run.rule is None else (named, run.rule))
        yield f"{number}. {text(message('compare.ticket.sentences', sentences=said))}"
    yield ""
    first = comparison.first
    if first is None:
        yield text(message("compare.ticket.alike"))
        return
    yield f"### {text(message('compare.ticket.first'))}"
    yield ""
    yield from _difference(comparison, first)
    yield ""
    yield from (text(message("compare.ticket.rule", rule=rule)) for rule in first.rules)
    for pair in comparison.causes:
        yield from _causes(comparison, pair)
    later = comparison.differences[1:]
    if later:
        yield ""
        yield f"### {text(message('compare.ticket.follows'))}"
        for one in later:
            yield ""
            yield from _difference(comparison, one)


def _causes(comparison: Comparison, pair: PairCauses) -> Iterator[str]:
    yield from (f"- {text(one)}" for one in first_messages(pair))
    yield ""
    yield f"### {text(message('cause.title'))}"
    yield ""
    if not pair.carried:
        yield text(message("cause.same"))
    for aspect, sets in pair.carried:
        yield text(aspect_message(aspect, pair, comparison.runs[pair.runs[0]]))
        yield ""
        yield from (f"- {text(one)}" for one in responsible_messages(sets))
        yield from (f"  - {text(change_message(one.change))}" for one in sets)


def _difference(comparison: Comparison, one: Difference) -> Iterator[str]:
    yield text(one.decision)
    yield ""
    for run, answer, seq in zip(one.runs, (one.left, one.right), one.seqs, strict=True):
        said = text(message("compare.ticket.answer", title=comparison.runs[run].title, answer=answer))
        yield f"- {said}"
        found = None if seq is None else evidence_of(comparison.runs[run].history.trace, seq)
        if found is not None:
            place = found.file if found.line is None else f"{found.file}:{found.line}"
            yield f"  - `{place}`" + (f" `{found.text}`" if found.text else "")
