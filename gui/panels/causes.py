"""What the inspector says of causes: what makes a difference, and what is responsible for the outcome."""

from collections.abc import Iterator

from core.compare.cause_words import (
    aspect_message,
    change_message,
    first_messages,
    responsible_messages,
)
from core.compare.comparison import Comparison, Difference
from core.message import message
from gui.text.spoken import worded


def cause_texts(comparison: Comparison, difference: Difference) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A title and sentences each, of the two runs of a difference. Nothing where they were not run again.

    What carries a difference is known of the first one.
    """
    for pair in comparison.causes:
        if pair.runs != difference.runs:
            continue
        first = next(one for one in comparison.differences if one.runs == pair.runs)
        if first is difference:
            for one in first_messages(pair):
                yield worded(one), ()
        lines = [] if pair.carried else [worded(message("cause.same"))]
        for aspect, sets in pair.carried:
            lines.append(worded(aspect_message(aspect, pair, comparison.runs[pair.runs[0]])))
            lines += [worded(one) for one in responsible_messages(sets)]
            lines += [worded(change_message(one.change)) for one in sets]
        yield worded(message("cause.title")), tuple(lines)
