"""The strip between two runs.

Where their states agree, where they differ, and the first differing decision.
"""

from collections.abc import Iterator, Sequence

from core.compare.comparison import Comparison, Difference
from core.compare.decisions import ANSWER
from core.history.state import PartitionState
from core.message import Message, Value
from core.picture.axis import Columns
from core.picture.gutter import NARROW_GUTTER, NARROW_INSET
from core.picture.marks import Align, Box, Glyph, Line, Mark, Ref, Sign, Text
from core.picture.metrics import elide, text_width
from core.trace.broker_names import broker_name, short_name
from core.trace.trace import Trace
from core.words import said, text

STRIP = 32.0
_BLOCK = 16.0


def differing_brokers(comparison: Comparison, columns: Columns, upper: int, stop: int) -> tuple[int, ...]:
    """Brokers that differ between a run and the next at a stop. With two runs the comparison says it itself.

    With more it says who differs between any two: of those, the ones that differ in this pair at the
    column's end.
    """
    found = comparison.differing[stop]
    if len(comparison.runs) == 2 or not found or comparison.axis != "script":
        return found
    place = columns.column_of(stop)
    end = columns.heads[place + 1] - 1 if place + 1 < len(columns.heads) else len(comparison.stops) - 1
    cursors = comparison.stops[end].cursors
    left = comparison.runs[upper].history.at(cursors[upper])
    right = comparison.runs[upper + 1].history.at(cursors[upper + 1])
    return tuple(broker for broker in found if _held(left, broker) != _held(right, broker))


def _held(state: PartitionState, broker: int) -> object:
    for replica in state.replicas:
        if replica.broker == broker:
            return (replica.role, replica.leo.exact, replica.hw.exact)
    return None


def difference_spans(
    comparison: Comparison,
    columns: Columns,
    upper: int,
) -> Iterator[tuple[float, float, tuple[int, ...]]]:
    """(x0, x1, brokers) for each span in sight within one column that has the same differing brokers.

    Within a slot the state of its last stop counts.
    """
    heads = {columns.slots[head] for head in columns.heads}
    ends = [
        stop
        for stop in range(len(columns.slots))
        if stop + 1 == len(columns.slots) or columns.slots[stop + 1] != columns.slots[stop]
    ]
    states = [differing_brokers(comparison, columns, upper, stop) for stop in ends]
    start = 0
    for slot in range(1, len(ends) + 1):
        if slot < len(ends) and slot not in heads and states[slot] == states[start]:
            continue
        if columns.edges[start] < columns.edges[slot]:
            yield columns.edges[start], columns.edges[slot], states[start]
        start = slot


def _head(room: float, y: float) -> Text:
    """The name of the strip, before where its columns begin."""
    words = said("picture.agreement.head")
    if room >= NARROW_GUTTER:
        return Text(16, y, words, "text", 12, 600)
    return Text(NARROW_INSET, y, elide(words, room - NARROW_INSET - 2, 10, 600), "text", 10, 600)


def agreement(comparison: Comparison, columns: Columns, upper: int, y: float) -> tuple[Mark, ...]:
    """Thin line where both agree, solid block where they differ, the first difference named."""
    middle = y + STRIP / 2
    trace = comparison.runs[upper].history.trace
    marks: list[Mark] = [
        Box(0, y, columns.edges[-1], STRIP, fill="bg.window"),
        Line(((0, y + 0.5), (columns.edges[-1], y + 0.5)), "line.hair"),
        _head(columns.edges[0], middle + 4),
    ]
    first = first_between(comparison, upper)
    sentence = _sentence(columns, first, middle) if first and columns.sees(first.stop) else ()
    sentence_box = next((mark for mark in sentence if isinstance(mark, Box)), None)
    for x0, x1, brokers in difference_spans(comparison, columns, upper):
        covered = sentence_box is not None and x1 > sentence_box.x and x0 < sentence_box.x + sentence_box.w
        if not brokers:
            marks.append(Line(((x0 + 2, middle + 0.5), (x1 - 2, middle + 0.5)), "line.strong"))
            if x1 - x0 >= 24 and not covered:
                marks.append(
                    Text((x0 + x1) / 2, middle - 4, "=", "text.3", 10, mono=True, align=Align.CENTRE)
                )
            continue
        marks.append(Box(x0 + 0.5, middle - _BLOCK / 2, max(x1 - x0 - 1.5, 1.0), _BLOCK, fill="text"))
        for choice in _who_differs(trace, brokers, len(comparison.runs[upper].history.replicas)):
            if text_width(choice, 10, 600) + 6 <= x1 - x0 and not covered:
                marks.append(
                    Text((x0 + x1) / 2, middle + 3.5, choice, "text.inverse", 10, 600, align=Align.CENTRE)
                )
                break
    return (*marks, *sentence)


def _who_differs(trace: Trace, brokers: tuple[int, ...], replicas: int) -> tuple[str, ...]:
    """The words of a block, longest first."""
    if len(brokers) != 1:
        many = said("picture.agreement.some", differing=len(brokers), replicas=replicas)
        return (said("picture.agreement.both") if replicas == 2 else many, "≠")
    name = short_name(trace, brokers[0])
    short = () if name.isdigit() else (said("picture.agreement.one", who=name),)
    whole = broker_name(trace, brokers[0])
    return (said("picture.agreement.one", who=whole), *short, "≠")


def first_between(comparison: Comparison, upper: int) -> Difference | None:
    """The first difference between a run and the next one."""
    for difference in comparison.differences:
        if difference.runs == (upper, upper + 1):
            return difference
    return None


def difference_words(difference: Difference) -> str:
    """What differs in one line: who, and what each run did."""
    return _first(difference, difference.left, difference.right)


def difference_head(difference: Difference) -> str:
    """The same without the reasons."""
    return _first(difference, _done(difference.left), _done(difference.right))


def _done(answer: Message) -> Value:
    return dict(answer.values)["what"] if answer.id == ANSWER else answer


def _first(difference: Difference, left: Value, right: Value) -> str:
    return said("picture.difference.first", subject=difference.subject, left=left, right=right)


def _sentence(columns: Columns, first: Difference, middle: float) -> Sequence[Mark]:
    x = columns.slot(first.stop)[0]
    left, right = columns.edges[0], columns.edges[-1]
    full = difference_head(first)
    wide = text_width(full, 11, 600) + 40
    before = x - left - 8 >= min(wide, right - x - 8) or x - left - 8 >= wide
    room = (x - left - 8) if before else (right - x - 12)
    words = elide(full, room - 40, 11, 600)
    width = text_width(words, 11, 600) + 38
    start = x - 6 - width if before else x + 6
    ref = Ref("difference", 0, first.stop, -1, f"{difference_words(first)}. {text(first.decision)}")
    return (
        Box(start, middle - 12, width, 24, fill="bg.panel", edge="text", edge_width=1.4, radius=4, ref=ref),
        Sign(start + 16, middle, Glyph.DIFFERENCE, 17, "text", rank=5, ref=ref),
        Text(start + 30, middle + 4, words, "text", 11, 600, ref=ref),
    )


def difference_broker(comparison: Comparison, difference: Difference) -> int | None:
    """The broker whose lanes the first difference joins."""
    for run, seq in zip(difference.runs, difference.seqs, strict=True):
        if seq is not None:
            broker = comparison.runs[run].history.trace.event(seq).get("replica")
            if broker is not None:
                return broker
    return next(iter(comparison.differing[difference.stop]), None)
