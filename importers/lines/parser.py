"""The one parser: bytes of a log to drafts. No state, no broker, no file: the same for desktop and Spark."""

import re
import zlib
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.trace.units import QUARTER_NS
from core.work import without_collector
from importers.kafka.drafts import MOST_EXAMPLES, Draft, Example, Fact, Fate
from importers.kafka.grammar import candidates_of, may_be_relevant
from importers.kafka.rule import LineRule, Message, Reading, key
from importers.limits import MOST_LINE_BYTES
from importers.lines.dropped import told_of_dropped
from importers.lines.layout import Layout
from importers.lines.parsed import Drafts, records_of
from importers.lines.plain import NO_MOMENT, Heads, heads_of
from importers.lines.records import Record, lines_before, records
from importers.lines.shapes import (
    KAFKA,
    MALFORMED,
    NOISE,
    OF_KAFKA,
    SINGLY,
    UNRECOGNISED,
    ZEROS,
    Read,
    Shapes,
    rules_out,
    shapes_of,
)
from importers.lines.statements import PLACE, Names, from_rows, in_order, rows_of
from importers.lines.torn import told_of_its_end

_NO_NUMBER: Final = b"0" * 4301
"""The shape of a number that is longer than `int` reads (sys.int_info.default_max_str_digits)."""
CARRIED: Final = "carried_ns"
"""A fact: the time, UTC, of the container or journal beside a stamp without a zone."""
_INFORMS: Final = re.compile(rb"(?i)\b(?:info|debug|trace)\b")
_WARNS: Final = re.compile(rb"(?i)\b(?:warn|warning|error|fatal)\b")
"""Levels as layouts write them. A line may say such a word otherwise: then it counts as one of that level."""
_AT_INFO: Final = re.compile(rb"INFO\b")
_SEARCHED: Final = re.compile(rb"(?i:truncat|isr|leader|offset|partition|epoch|warn|error|exception)")
"""Words for which people search logs."""
_LOOKED_AT: Final = 20_000
"""So many lines at INFO of a piece: in a log that is whole one of the first is of another kind."""
_FATES: Final = {NOISE: Fate.NOISE, UNRECOGNISED: Fate.UNRECOGNISED, MALFORMED: Fate.MALFORMED}


@dataclass(slots=True)
class _Found:
    """What was found so far."""

    counts: dict[Fate, int] = field(default_factory=lambda: dict.fromkeys(Fate, 0))
    drafts: list[Draft] = field(default_factory=list[Draft])
    facts: list[Fact] = field(default_factory=list[Fact])
    examples: list[Example] = field(default_factory=list[Example])
    kafka: bool = False
    rows: NDArray[np.int64] | None = None
    """Statements of lines whose shape has a template, as rows."""
    names: Names = field(default_factory=Names)

    def tell(self, fate: Fate, line: int, message: bytes) -> None:
        """Keep a line that was not understood, as long as they are few."""
        if fate in (Fate.UNRECOGNISED, Fate.MALFORMED) and len(self.examples) < MOST_EXAMPLES:
            self.examples.append(Example(fate, line, message[:400].decode("utf-8", "replace")))

    def take(self, reading: Reading, rule: LineRule, message: bytes, place: tuple[int, int, int]) -> None:
        """Keep what a record states."""
        if reading.said:
            mark = fingerprint(message)
            at, byte, line = place
            for ordinal, said in enumerate(reading.said):
                self.drafts.append(Draft(at, byte, line, ordinal, mark, rule.name, said))
        for name, value in reading.facts:
            self.facts.append(Fact(name, value, *place))


def parse(data: bytes, layout: Layout, *, first_line: int = 1, base: int = 0) -> Drafts:
    """Drafts of every record in `data`.

    `data` begins at byte `base` and line `first_line` of its file, and at a record (lines/records.py,
    `next_record`), or at the beginning of the file. Whoever cuts a file into ranges gets the same drafts.
    Nothing is raised for a bad line: it is counted.
    """
    return parse_piece(data, layout, first_line=first_line, base=base)[0]


def parse_piece(
    data: bytes, layout: Layout, *, first_line: int, base: int
) -> tuple[Drafts, NDArray[np.int64] | None]:
    """The same, with the byte of `data` at which each line begins, where that was found on the way."""
    found = _Found()
    read = _plain if layout.plain else _carried
    with without_collector():
        before, stamps, places, lines, all_lines = read(data, layout, found, (first_line, base))
    found.counts[Fate.MALFORMED if b"\0" in data[: 1 << 16].split(b"[", 1)[0] else Fate.NOISE] += before
    rows = rows_of(found.drafts, found.names)
    if found.rows is not None:
        rows = in_order(np.concatenate([found.rows, rows])) if len(rows) else found.rows
    informs = _INFORMS.search(data) is not None
    broad = _has_another_line(data)
    said = bool(len(rows)) or any(fact.name != CARRIED for fact in found.facts)
    drafts = Drafts(
        from_rows(rows, found.names),
        tuple(found.facts),
        found.counts,
        tuple(found.examples),
        records_of(stamps, places, lines),
        found.kafka or said,
        informs,
        # Looked for only here: a log in order would be searched to its end.
        not informs and _WARNS.search(data) is not None,
        not broad and _AT_INFO.search(data) is not None,
        broad,
    )
    told = told_of_dropped(told_of_its_end(drafts, data, layout, base), data, layout, base)
    return told, all_lines


def _has_another_line(data: bytes) -> bool:
    """Whether one of the first lines at INFO has no word that people search for: a start, a setting."""
    at, left = data.find(b"INFO"), _LOOKED_AT
    while at >= 0 and left:
        left -= 1
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        if _SEARCHED.search(data, data.rfind(b"\n", 0, at) + 1, end) is None:
            return True
        at = data.find(b"INFO", end)
    return False


def fingerprint(message: bytes) -> int:
    """A number for a message, the same in every process and layout: two checksums side by side."""
    text = message.rstrip()
    return zlib.crc32(text) << 31 | zlib.adler32(text) >> 1


def fingerprints(messages: list[bytes]) -> NDArray[np.int64]:
    """The same for many messages without blanks behind them."""
    first = np.fromiter(map(zlib.crc32, messages), dtype=np.int64, count=len(messages))
    second = np.fromiter(map(zlib.adler32, messages), dtype=np.int64, count=len(messages))
    return first << 31 | second >> 1


_Columns: TypeAlias = tuple[
    int, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64] | None
]
"""Lines before the first record; stamp, byte and line of each record that has a stamp; where lines begin."""


def _plain(data: bytes, layout: Layout, found: _Found, place: tuple[int, int]) -> _Columns:
    """Records whose lines stand bare: those are looked at that a rule reads, or that nothing explains."""
    shapes = shapes_of(layout)
    heads = heads_of(data, shapes)
    first_line, base = place
    timed = heads.stamps != NO_MOMENT
    by_shape = timed & (heads.codes < SINGLY)
    fates = heads.codes % OF_KAFKA
    for code, fate in _FATES.items():
        found.counts[fate] += int(heads.heights[by_shape & (fates == code)].sum())
    found.kafka = bool((heads.codes[by_shape] >= OF_KAFKA).any())
    examples = np.flatnonzero(by_shape & (fates != NOISE))[:MOST_EXAMPLES]
    columns = (heads.codes, heads.starts, heads.ends, heads.lines, heads.heights, heads.stamps)
    told = timed & shapes.templates.known(heads.codes, heads.heights)
    if told.any():
        _by_columns(data, shapes, _some(heads, told), found, place)
    looked_at = ~by_shape & ~told
    looked_at[examples] = True
    rows = zip(*(column[looked_at].tolist() for column in columns), strict=True)
    for code, start, end, line, height, stamp in rows:
        read = None if stamp == NO_MOMENT else shapes.reads.get(code)
        if read is not None:
            found.kafka = found.kafka or read.kafka
            at = (stamp, base + start, first_line + line)
            _by_shape(data[start:end], read, found, at, height)
            continue
        record = next(records(data[start:end], layout, first_line + line))
        if stamp == NO_MOMENT or code >= SINGLY:
            _record(record, found, base + start)
        else:
            found.tell(_FATES[code % OF_KAFKA], record.line, record.message)
    own = heads if timed.all() else _some(heads, timed)
    return heads.before, own.stamps, own.starts + base, own.lines + first_line, heads.all_lines


def _some(heads: Heads, which: NDArray[np.bool_]) -> Heads:
    """Some of the records."""
    return Heads(
        heads.starts[which],
        heads.ends[which],
        heads.lines[which],
        heads.heights[which],
        heads.codes[which],
        heads.stamps[which],
        heads.before,
        heads.all_lines,
    )


def _by_columns(data: bytes, shapes: Shapes, heads: Heads, found: _Found, place: tuple[int, int]) -> None:
    """Records whose shapes have templates, all at once."""
    first_line, base = place
    rows, record, ordinal = shapes.templates.rows(data, heads.codes, heads.starts)
    begins, ends = shapes.templates.messages(heads.codes, heads.starts)
    texts = [data[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
    marks = fingerprints(texts)
    columns = (heads.stamps, heads.starts + base, heads.lines + first_line)
    rows[:, : len(PLACE)] = np.stack(
        [*(column[record] for column in columns), ordinal, marks[record]], axis=1
    )
    found.rows, found.names = rows, shapes.templates.names
    found.counts[Fate.RECOGNISED] += int(heads.heights.sum())
    found.kafka = found.kafka or any(shapes.reads[code].kafka for code in np.unique(heads.codes).tolist())


def _by_shape(text: bytes, read: Read, found: _Found, place: tuple[int, int, int], height: int) -> None:
    """A record of which the shape says how it is read."""
    message = text[read.begin : read.end]
    match = read.pattern.fullmatch(message.decode("utf-8", "replace"))
    tail = text[text.find(b"\n") + 1 :] if height > 1 else b""
    reading, fate = (None, Fate.MALFORMED) if match is None else _reading(read.rule, match, tail)
    found.counts[fate] += height
    if reading is None:
        found.tell(fate, place[2], message)
    else:
        found.take(reading, read.rule, message, place)


def _carried(data: bytes, layout: Layout, found: _Found, place: tuple[int, int]) -> _Columns:
    """Records of lines that are wrapped, learnt or objects: each is looked at."""
    first_line, base = place
    stamps: list[int] = []
    places: list[int] = []
    lines: list[int] = []
    shift: int | None = None
    for record in records(data, layout, first_line):
        ahead = _ahead(record)
        if record.local_ns is not None:
            at = (record.local_ns, base + record.start, record.line)
            if ahead is not None and ahead != shift:
                # Once, and again when the clocks are changed.
                shift = ahead
                found.facts.append(Fact(CARRIED, str(record.carried_ns), *at))
            for column, value in zip((stamps, places, lines), at, strict=True):
                column.append(value)
        _record(record, found, base + record.start)
    return lines_before(data, layout), _int64(stamps), _int64(places), _int64(lines), None


def _int64(values: list[int]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def _record(record: Record, found: _Found, byte: int) -> None:
    """A record for which all rules are tried that its beginning allows."""
    reading, fate, rule = _read(record)
    found.counts[fate] += record.lines
    found.kafka = found.kafka or record.logger.startswith(KAFKA)
    found.tell(fate, record.line, record.message)
    if reading is not None and rule is not None and record.local_ns is not None:
        found.take(reading, rule, record.message, (record.local_ns, byte, record.line))


def _ahead(record: Record) -> int | None:
    """By how many quarters of an hour the stamp is ahead of what carried it; None where that is not said."""
    if record.carried_ns is None or record.local_ns is None:
        return None
    return round((record.local_ns - record.carried_ns) / QUARTER_NS)


def _read(record: Record) -> tuple[Reading | None, Fate, LineRule | None]:
    """What a record states, its fate, and the rule that read it."""
    message = record.message
    if record.local_ns is None or _is_damaged(message):
        return None, Fate.MALFORMED, None
    candidates = candidates_of(key(message))
    text = message.decode("utf-8", "replace") if candidates else ""
    for rule, pattern in candidates:
        match = pattern.fullmatch(text)
        if match is not None and not rules_out(rule, record.logger):
            return *_reading(rule, match, record.tail), rule
    return None, Fate.UNRECOGNISED if may_be_relevant(message, record.logger) else Fate.NOISE, None


def rule_that_reads(record: Record) -> LineRule | None:
    """The rule of the grammar that a record fits, noise too; None where there is none."""
    return _read(record)[2]


def _is_damaged(message: bytes) -> bool:
    """Whether a message is too long, has bytes that no text has, or digits that Python refuses to read."""
    if len(message) > MOST_LINE_BYTES or b"\0" in message:
        return True
    return len(message) > len(_NO_NUMBER) and _NO_NUMBER in message.translate(ZEROS)


def _reading(rule: LineRule, match: re.Match[str], tail: bytes) -> tuple[Reading | None, Fate]:
    """What the rule that fits makes of a record."""
    if rule.build is None:
        return None, Fate.NOISE
    try:
        lines = tail[:MOST_LINE_BYTES].decode("utf-8", "replace") if tail else ""
        reading = rule.build(Message(match, lines))
    except ValueError:
        # A number of thousands of digits, which Python refuses to read.
        return None, Fate.MALFORMED
    if not all(said.fits() for said in reading.said):
        return None, Fate.MALFORMED
    return reading, Fate.RECOGNISED
