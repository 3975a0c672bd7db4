"""The one parser: bytes of a log to drafts. No state, no broker, no file: the same for desktop and Spark."""

import re
import zlib
from typing import Final

import numpy as np

from importers.drafts import MOST_EXAMPLES, Draft, Drafts, Example, Fact, Fate
from importers.kafka.grammar import RELEVANT, table
from importers.kafka.rule import LineRule, Message, Reading, key, wide_key
from importers.layout import Layout
from importers.records import Record, lines_before, records

_MOST_MESSAGE: Final = 1 << 20
"""A message is read up to here: a line can name ten thousand partitions, a damaged file can be one line."""
METADATA_TOPIC: Final = "__cluster_metadata"
"""The log of the metadata quorum is no replica of a partition: it has other rules, and lines of its own."""
CARRIED: Final = "carried_ns"
"""A fact: the time, UTC, of the container or journal beside a stamp without a zone."""
QUARTER: Final = 15 * 60 * 1_000_000_000
_METADATA: Final = METADATA_TOPIC.encode()
_KAFKA: Final = (b"kafka.", b"org.apache.kafka.", b"state.change.logger")


def parse(data: bytes, layout: Layout, *, first_line: int = 1, base: int = 0) -> Drafts:
    """Drafts of every record in `data`.

    `data` begins at byte `base` and line `first_line` of its file, and at a record (importers/records.py,
    `next_record`), or at the beginning of the file. Whoever cuts a file into ranges gets the same drafts.
    Nothing is raised for a bad line: it is counted.
    """
    counts = dict.fromkeys(Fate, 0)
    drafts: list[Draft] = []
    facts: list[Fact] = []
    examples: list[Example] = []
    stamps: list[int] = []
    places: list[int] = []
    lines: list[int] = []
    kafka = False
    shift: int | None = None
    before = lines_before(data, layout)
    counts[Fate.MALFORMED if b"\0" in data[: 1 << 16].split(b"[", 1)[0] else Fate.NOISE] += before
    for record in records(data, layout, first_line):
        reading, fate, rule = _read(record)
        counts[fate] += record.lines
        kafka = kafka or record.logger.startswith(_KAFKA)
        if fate in (Fate.UNRECOGNISED, Fate.MALFORMED) and len(examples) < MOST_EXAMPLES:
            examples.append(Example(fate, record.line, record.message[:400].decode("utf-8", "replace")))
        if record.local_ns is None:
            continue
        ahead = _ahead(record)
        if ahead is not None and ahead != shift:
            # Once, and again when the clocks are changed.
            shift = ahead
            facts.append(
                Fact(CARRIED, str(record.carried_ns), record.local_ns, base + record.start, record.line)
            )
        stamps.append(record.local_ns)
        places.append(base + record.start)
        lines.append(record.line)
        if reading is None or rule is None:
            continue
        mark = fingerprint(record.message)
        place = (record.local_ns, base + record.start, record.line)
        drafts += [Draft(*place, ordinal, mark, rule.name, said) for ordinal, said in enumerate(reading.said)]
        facts += [Fact(name, value, *place) for name, value in reading.facts]
    return Drafts(
        tuple(drafts),
        tuple(facts),
        counts,
        tuple(examples),
        np.array(stamps, dtype=np.int64),
        np.array(places, dtype=np.int64),
        np.array(lines, dtype=np.int64),
        kafka or bool(drafts) or any(fact.name != CARRIED for fact in facts),
    )


def fingerprint(message: bytes) -> int:
    """A number for a message, the same in every process and layout: two checksums side by side."""
    text = message.rstrip()
    return zlib.crc32(text) << 31 | zlib.adler32(text) >> 1


def _ahead(record: Record) -> int | None:
    """By how many quarters of an hour the stamp is ahead of what carried it; None where that is not said."""
    if record.carried_ns is None or record.local_ns is None:
        return None
    return round((record.local_ns - record.carried_ns) / QUARTER)


def _read(record: Record) -> tuple[Reading | None, Fate, LineRule | None]:
    """What a record states, its fate, and the rule that read it."""
    if record.local_ns is None or b"\0" in record.message:
        return None, Fate.MALFORMED, None
    message = record.message[:_MOST_MESSAGE]
    narrow, rules = key(message), table()
    found = rules.get(narrow)
    for candidates in (found,) if narrow.startswith("|") else (found, rules.get(wide_key(narrow))):
        if not candidates:
            continue
        text = message.decode("utf-8", "replace")
        for rule, pattern in candidates:
            match = pattern.fullmatch(text)
            if match is None or (rule.logger and record.logger and rule.logger.encode() not in record.logger):
                continue
            return _reading(rule, match, record)
    fate = Fate.UNRECOGNISED if RELEVANT.search(message) else Fate.NOISE
    return None, fate, None


def _reading(
    rule: LineRule, match: re.Match[str], record: Record
) -> tuple[Reading | None, Fate, LineRule | None]:
    """What the rule that fits makes of a record."""
    if rule.build is None:
        return None, Fate.NOISE, rule
    tail = record.tail[:_MOST_MESSAGE].decode("utf-8", "replace")
    try:
        reading = rule.build(Message(match, tail))
    except ValueError:
        # A number of thousands of digits, which Python refuses to read.
        return None, Fate.MALFORMED, rule
    if not all(said.fits() for said in reading.said):
        return None, Fate.MALFORMED, rule
    quorum = _METADATA in record.message
    if quorum and any(said.tp is not None and said.tp[0] == METADATA_TOPIC for said in reading.said):
        return None, Fate.NOISE, rule
    return reading, Fate.RECOGNISED, rule
