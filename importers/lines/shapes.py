"""Lines by their shape, which is the line with every digit as 0: what a line is, most often its shape says.

Brokers print a few thousand shapes millions of times. Whether a line begins a record, whose logger it names,
and which rule fits it is found out once for each shape; numbers are read from the line itself.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from threading import local
from typing import Final

from importers.kafka.blanks import is_blind, parts_of
from importers.kafka.grammar import candidates_of, may_be_relevant
from importers.kafka.rule import LineRule, key
from importers.lines.arrangements import split_ending
from importers.lines.layout import Layout
from importers.lines.templates import Templates, templates_of

ZEROS: Final = bytes.maketrans(b"123456789", b"000000000")
"""For `bytes.translate`: a text to its shape. Places in the shape are places in the text."""
KAFKA: Final = (b"kafka.", b"org.apache.kafka.", b"state.change.logger")
"""How the loggers of Kafka's own classes begin."""

CONTINUES, NOISE, UNRECOGNISED, MALFORMED = range(4)
"""What a line is, if its shape alone says it; with `OF_KAFKA` added, its logger is Kafka's own."""
OF_KAFKA: Final = 4
SINGLY: Final = 8
"""Digits may decide, or the line is long: it must be looked at for itself."""
_FIRST_READ: Final = 9
_MOST_LENGTH: Final = 4096
_MOST_BYTES: Final = 1 << 24
_MOST_SHAPES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Read:
    """How lines of a shape are read: the rule that fits, where the message lies, whether Kafka prints it."""

    rule: LineRule
    pattern: re.Pattern[str]
    begin: int
    end: int
    kafka: bool


class Shapes(dict[bytes, int]):
    """The codes of shapes of one layout, found out when they are first asked for; it grows to a limit.

    A code is one of the constants above, or the number of an entry of `reads`.
    """

    def __init__(self, layout: Layout) -> None:
        """Nothing known yet. `layout` is one whose records are cut out by their heads alone."""
        super().__init__()
        self.reads: dict[int, Read] = {}
        self.templates = Templates()
        self._head = layout.pattern()
        self._numbers = count(_FIRST_READ)
        self._bytes = 0

    @property
    def full(self) -> bool:
        """Whether it grows no more: what is not in it is looked at singly; who comes next begins anew."""
        return self._bytes > _MOST_BYTES or len(self) > _MOST_SHAPES

    def __missing__(self, shape: bytes) -> int:
        """The code of a shape that was not asked for yet."""
        head = self._head.match(shape)
        if len(shape) > _MOST_LENGTH or self.full:
            return CONTINUES if head is None else SINGLY
        code = CONTINUES if head is None else self._code(shape, head.end())
        self._bytes += len(shape)
        self[shape] = code
        return code

    def _code(self, shape: bytes, begin: int) -> int:
        message, logger = split_ending(shape[begin:].rstrip(b"\r"))
        kafka = logger.startswith(KAFKA)
        if b"\0" in message:
            return MALFORMED + OF_KAFKA * kafka
        narrow = key(message)
        if _has_digit(narrow):
            return SINGLY
        text = message.decode("utf-8", "replace")
        for rule, pattern in candidates_of(narrow):
            if not _blind_to_digits(rule):
                loose = _loosened(rule)
                if loose is None or loose.fullmatch(text):
                    return SINGLY
                continue
            if pattern.fullmatch(text) is None or rules_out(rule, logger):
                continue
            if rule.build is None:
                return NOISE + OF_KAFKA * kafka
            return self._read(Read(rule, pattern, begin, begin + len(message), kafka), message)
        return (UNRECOGNISED if may_be_relevant(message, logger) else NOISE) + OF_KAFKA * kafka

    def _read(self, read: Read, message: bytes) -> int:
        """The code of a shape whose lines a rule reads."""
        number = next(self._numbers)
        # What is not ASCII has its digits at other places in the text than in the line.
        match = read.pattern.fullmatch(message.decode()) if message.isascii() else None
        found = None if match is None else templates_of(read.rule, match, read.begin)
        self.reads[number] = read
        place = read.begin, read.begin + len(message.rstrip())
        self.templates.add(number, read.rule.name, found, place)
        return number


class _Known(local):
    """The shapes of some layouts that a thread knows.

    A shape is learnt in several steps: two threads that learnt into the same tables would read false values.
    """

    def __init__(self) -> None:
        self.of = lru_cache(maxsize=8)(Shapes)


_KNOWN: Final = _Known()


def shapes_of(layout: Layout) -> Shapes:
    """The shapes of a layout that this thread knows so far; anew where there were too many."""
    shapes = _KNOWN.of(layout)
    if shapes.full:
        _KNOWN.of.cache_clear()
        shapes = _KNOWN.of(layout)
    return shapes


def rules_out(rule: LineRule, logger: bytes) -> bool:
    """Whether a rule does not hold for a logger; a line without logger passes."""
    return bool(rule.logger and logger and rule.logger.encode() not in logger)


def _has_digit(text: str) -> bool:
    return any(one in "0123456789" for one in text)


@lru_cache(maxsize=4096)
def _blind_to_digits(rule: LineRule) -> bool:
    """Whether a rule fits all lines of a shape or none."""
    return is_blind(rule.pattern) and not _has_digit(rule.logger)


@lru_cache(maxsize=256)
def _loosened(rule: LineRule) -> re.Pattern[str] | None:
    """A pattern that names digits, with any digit for each: lines of a shape that it does not fit do not fit.

    None where that cannot be said: what must not follow would be loosened too, and an escape is not a digit.
    """
    if _has_digit(rule.logger) or re.search(r"\(\?<?!|\\[xuU\d]", rule.pattern):
        return None
    parts = parts_of(rule.pattern)
    return re.compile(
        "".join(part if at % 2 else re.sub("[0-9]", r"\\d", part) for at, part in enumerate(parts))
    )
