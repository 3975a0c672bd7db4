"""Redacted lines stay evidence: the grammar reads the same kinds and numbers in them, and nothing new."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, cast

import pytest

from core.trace.known_words import known_words
from core.trace.redact import USUAL, What, redaction_of
from core.trace.trace import Trace
from importers.kafka.drafts import Said
from importers.lines.layout import STOCK
from importers.lines.parsed import Drafts
from importers.lines.parser import parse
from importers.load import load
from tests.recordings.conftest import HERE

pytestmark = pytest.mark.broad(6)

RECORDINGS = ("k0102-hw-loss", "k28-epoch-fix", "k28-trace", "k41-trace", "k41-txn", "k43-elr")
WORDS = re.compile(r"[A-Za-z]+")
FOLDER = re.compile(r"/[^\s,)\]]+")


@cache
def read_trace(name: str) -> Trace:
    return load([HERE / f"{name}.tar.xz"])


def drafts_of(trace: Trace) -> Drafts:
    return parse("\n".join(line.text for line in trace.lines).encode(), STOCK)


def statements(drafts: Drafts, topics: dict[str, str]) -> list[tuple[Any, ...]]:
    """What every line states, with topics by their new names; marks of text alone are left out."""
    return [
        (draft.line, draft.ordinal, draft.rule, *values_of(draft.said, topics)) for draft in drafts.drafts
    ]


def values_of(said: Any, topics: dict[str, str]) -> tuple[Any, ...]:
    tp = None if said.tp is None else (topics.get(said.tp[0], said.tp[0]), said.tp[1])
    texts = ("tp", "sends", "receives", "topic_id")
    return (tp, *(getattr(said, one.name) for one in fields(Said) if one.name not in texts))


@pytest.mark.slow
@pytest.mark.parametrize("what", [USUAL, tuple(What)], ids=["topics kept", "topics hidden"])
@pytest.mark.parametrize("name", RECORDINGS)
def test_every_redacted_line_states_what_it_stated(name: str, what: tuple[What, ...]) -> None:
    trace = read_trace(name)
    redaction = redaction_of([trace], what)
    before, after = drafts_of(trace), drafts_of(redaction.trace(trace))
    topics = dict(redaction.pseudonyms.get(What.TOPICS, {}))

    assert before.counts == after.counts
    assert len(before.drafts) > 100
    assert statements(before, topics) == statements(after, {})


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDINGS)
def test_numbers_and_the_words_of_the_grammar_stay_in_their_lines(name: str) -> None:
    """Line by line: the numbers of a message in their order, but for addresses and ids, which are longer."""
    trace = read_trace(name)
    hidden = redaction_of([trace]).trace(trace)
    number = re.compile(r"(?<![\w.@$/-])-?\d{1,19}(?![\w.@-])")
    said = kept = 0
    for before, after in zip(trace.lines, hidden.lines, strict=True):
        assert number.findall(before.text) == number.findall(after.text), before.text
        words = [word for word in WORDS.findall(FOLDER.sub("", before.text)) if word.lower() in known_words()]
        said += len(words)
        kept += sum(1 for word in words if word in after.text)
    assert kept > 0.98 * said


def keys_of(value: Any) -> list[str]:
    """The keys of a report, in all depths."""
    if isinstance(value, Mapping):
        rows = cast("Mapping[str, Any]", value)
        return [*rows, *(key for one in rows.values() for key in keys_of(one))]
    if isinstance(value, list | tuple):
        return [key for one in cast("Sequence[Any]", value) for key in keys_of(one)]
    return []


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDINGS)
def test_the_report_keeps_its_keys(name: str) -> None:
    trace = read_trace(name)
    assert keys_of(redaction_of([trace]).trace(trace).report) == keys_of(trace.report)


@pytest.mark.parametrize("name", RECORDINGS)
def test_few_words_of_kafkas_real_lines_are_unknown(name: str) -> None:
    """Of these recordings only ids and hashes are no words of Kafka's."""
    trace = read_trace(name)
    redaction = redaction_of([trace])
    # "truth" is a file of the recording, which has no name of Kafka's.
    others = redaction.others.keys() - {"truth"} - {one.tp.topic for one in trace.partitions}
    assert {one for one in others if one.isalpha() and one.islower() and len(one) > 3} == set()
