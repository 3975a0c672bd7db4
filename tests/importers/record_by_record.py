"""A reference for the parser: each record is cut out by its head, and every rule is tried on it."""

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import cast

import numpy as np

from importers.kafka.drafts import MOST_EXAMPLES, Draft, Example, Fact, Fate
from importers.kafka.grammar import may_be_relevant, table
from importers.kafka.rule import LineRule, Message, Reading, key, wide_key
from importers.lines.dropped import told_of_dropped
from importers.lines.layout import STOCK
from importers.lines.parsed import Drafts, records_of
from importers.lines.parser import fingerprint
from importers.lines.records import Record, lines_before, records
from importers.lines.statements import Statements
from importers.lines.torn import CUT_OFF


def parse_singly(data: bytes) -> Drafts:
    """What `parse` gives for a whole log in the stock layout."""
    counts = dict.fromkeys(Fate, 0)
    drafts: list[Draft] = []
    facts: list[Fact] = []
    examples: list[Example] = []
    timed: list[Record] = []
    kafka = False
    preamble = data[: 1 << 16].split(b"[", 1)[0]
    counts[Fate.MALFORMED if b"\0" in preamble else Fate.NOISE] += lines_before(data, STOCK)
    for record in records(data, STOCK):
        reading, fate, rule = _read(record)
        counts[fate] += record.lines
        kafka = kafka or record.logger.startswith((b"kafka.", b"org.apache.kafka.", b"state.change.logger"))
        if fate in (Fate.UNRECOGNISED, Fate.MALFORMED):
            examples.append(Example(fate, record.line, record.message[:400].decode("utf-8", "replace")))
        if record.local_ns is not None:
            timed.append(record)
            place = (record.local_ns, record.start, record.line)
            mark = fingerprint(record.message)
            for ordinal, said in enumerate(reading.said):
                drafts.append(Draft(*place, ordinal, mark, rule, said))
            facts += [Fact(name, value, *place) for name, value in reading.facts]
    last = timed[-1] if timed and not data.endswith(b"\n") else None
    alone = last is not None and b"\n" not in data[last.start :]
    if last is not None and not (alone and last.logger):
        drafts = [one for one in drafts if not alone or one.byte != last.start]
        facts = [one for one in facts if not alone or one.byte != last.start]
        facts.append(Fact(CUT_OFF, "", last.local_ns or 0, last.start, last.line))
    words = set(re.split(rb"\W+", data.lower()))
    informs = bool(words & {b"info", b"debug", b"trace"})
    at_info = [text.split(b"INFO", 1)[1].lower() for text in data.split(b"\n") if b"INFO" in text]
    searched = (
        b"truncat",
        b"isr",
        b"leader",
        b"offset",
        b"partition",
        b"epoch",
        b"warn",
        b"error",
        b"exception",
    )
    found = Drafts(
        cast("Statements", tuple(drafts)),
        tuple(facts),
        counts,
        tuple(examples[:MOST_EXAMPLES]),
        records_of(
            np.array([record.local_ns for record in timed], dtype=np.int64),
            np.array([record.start for record in timed], dtype=np.int64),
            np.array([record.line for record in timed], dtype=np.int64),
        ),
        kafka or bool(drafts) or bool(facts),
        informs,
        not informs and bool(words & {b"warn", b"warning", b"error", b"fatal"}),
        bool(at_info) and all(any(word in text for word in searched) for text in at_info),
        any(not any(word in text for word in searched) for text in at_info),
    )
    return told_of_dropped(found, data, STOCK, 0)


def _read(record: Record) -> tuple[Reading, Fate, str]:
    if record.local_ns is None or b"\0" in record.message:
        return Reading(), Fate.MALFORMED, ""
    message = record.message[: 1 << 20]
    narrow = key(message)
    for rule, pattern in (*table().get(narrow, ()), *table().get(wide_key(narrow), ())):
        match = pattern.fullmatch(message.decode("utf-8", "replace"))
        if match is None or (rule.logger and record.logger and rule.logger.encode() not in record.logger):
            continue
        return *_made(rule, Message(match, record.tail[: 1 << 20].decode("utf-8", "replace"))), rule.name
    return Reading(), Fate.UNRECOGNISED if may_be_relevant(message, record.logger) else Fate.NOISE, ""


def _made(rule: LineRule, message: Message) -> tuple[Reading, Fate]:
    if rule.build is None:
        return Reading(), Fate.NOISE
    try:
        reading = rule.build(message)
    except ValueError:
        return Reading(), Fate.MALFORMED
    if not all(said.fits() for said in reading.said):
        return Reading(), Fate.MALFORMED
    return reading, Fate.RECOGNISED


def assert_same(one: Drafts, other: Drafts) -> None:
    """Two results, part by part, so that a failure names the part and its first difference."""
    for part in fields(Drafts):
        mine, its = getattr(one, part.name), getattr(other, part.name)
        if part.name == "records":
            mine, its = (list(zip(*columns.values(), strict=True)) for columns in (mine, its))
        if isinstance(mine, (np.ndarray, Sequence)):
            mine, its = list(mine), list(its)
            first = next((pair for pair in zip(mine, its, strict=False) if pair[0] != pair[1]), None)
            assert first is None, f"{part.name}: {first[0]} is not {first[1]}"
        assert mine == its, part.name
