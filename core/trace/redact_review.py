"""What a redacted export shows and what it hides, word by word: to be read before it is given away."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.message import message
from core.trace.known_words import is_known, is_number
from core.trace.redact import CALLED, FACT, Redaction
from core.trace.redact_cut import TOKEN
from core.trace.redact_seen import What, texts_of
from core.trace.trace import Trace
from core.words import said

_PARTS: Final = re.compile(r"[/\\]")
_EDGES: Final = "!#$%&*+,-.?@^_`~"
_MOST: Final = 400
"""Rows of one list in the text of a review; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Review:
    """What stays and what is replaced.

    `unknown` are words that stay and are none of Kafka's, `topics` those that were kept, `words` all others,
    each with how often it stands there, the commonest first. `numbers` is how many numbers stay, and how many
    different ones. `replaced` has the names of each kind with what they become; None are words of no kind.
    """

    unknown: tuple[tuple[str, int], ...]
    topics: tuple[tuple[str, int], ...]
    words: tuple[tuple[str, int], ...]
    numbers: tuple[int, int]
    replaced: tuple[tuple[What | None, tuple[tuple[str, str], ...]], ...]


def review_of(redaction: Redaction, hidden: Sequence[Trace], texts: Iterable[str] = ()) -> Review:
    """The review of traces that are redacted already, and of other texts that are shown with them."""
    counts = Counter[str]()
    for trace in hidden:
        facts = {key: value for key, value in trace.facts.items() if key != FACT}
        for text in (*texts_of(replace(trace, facts=facts)), *_partitions(trace)):
            counts.update(TOKEN.findall(text))
    for text in texts:
        counts.update(TOKEN.findall(text))
    topics = {one.tp.topic for trace in hidden for one in trace.partitions}
    given = {told for names in redaction.pseudonyms.values() for told in names.values()}
    given |= set(redaction.others.values())
    numbers, kept, known, unknown = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for token, count in counts.items():
        topic = token if token in topics else token.rpartition("-")[0]
        if any(_is_given(part, given) for part in _PARTS.split(token)):
            continue
        if is_number(token):
            numbers[token] += count
        elif topic in topics:
            kept[topic] += count
        else:
            (known if is_known(token) else unknown)[token] += count
    replaced: list[tuple[What | None, Mapping[str, str]]] = [
        (kind, redaction.pseudonyms[kind]) for kind in redaction.what
    ]
    replaced.append((None, redaction.others))
    return Review(
        _ordered(unknown),
        _ordered(kept),
        _ordered(known),
        (numbers.total(), len(numbers)),
        tuple((kind, tuple(sorted(names.items()))) for kind, names in replaced),
    )


def review_text(review: Review) -> str:
    """The review as lines, in the language spoken: first what stays and should be looked at."""
    return "\n".join(_lines(review))


def _lines(review: Review) -> Iterator[str]:
    total, distinct = review.numbers
    heads = (
        (review.unknown, said("redact.review.unknown", number=len(review.unknown))),
        (review.topics, said("redact.review.topics", number=len(review.topics))),
        (review.words, said("redact.review.words", number=len(review.words))),
    )
    for rows, head in heads:
        yield head
        yield from _some([f"{count:>9,}  {word}" for word, count in rows])
        yield ""
    yield said("redact.review.numbers", total=total, distinct=distinct)
    for kind, names in review.replaced:
        yield ""
        yield said("redact.review.replaced", kind=message(CALLED[kind]), number=len(names))
        yield from _some([f"  {name} → {told}" for name, told in names])


def _is_given(part: str, given: Collection[str]) -> bool:
    """Whether a piece of a token is a pseudonym, or a partition or a file that has one."""
    bare = part.strip(_EDGES)
    return bare in given or bare.rpartition("-")[0] in given or bare.partition(".")[0] in given


def _some(rows: Sequence[str]) -> Iterator[str]:
    yield from rows[:_MOST]
    if len(rows) > _MOST:
        yield f"  {said('redact.review.more', number=len(rows) - _MOST)}"


def _partitions(trace: Trace) -> Iterator[str]:
    return (str(one.tp) for one in trace.partitions)


def _ordered(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda row: (-row[1], row[0])))
