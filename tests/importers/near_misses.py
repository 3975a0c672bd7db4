"""Lines that nearly are lines of Kafka, and how long they take.

Each is made of a sample of a rule: a part of it, a group of the pattern above all, is repeated until the
line is full, and its end is as it was, broken, or missing.
"""

import random
import re
import time
from collections.abc import Callable
from typing import Final

from importers.kafka.grammar import RULES

PARTS: Final = re.compile(r"\d+|[A-Za-z]+|[^A-Za-z\d]|\S+|[^,]+, ?|[^\[\]]+|[^ ]+ ")
PLAIN: Final = re.compile(rb"[^\n]*?\n")
TRIES: Final = 5


def near_miss(chance: random.Random, length: int) -> bytes:
    """A line of a rule in which one part is repeated until the line is full."""
    rule = chance.choice(RULES)
    sample = chance.choice(rule.samples).split("\n")[0]
    spans = [found.span() for found in PARTS.finditer(sample)]
    match = re.fullmatch(rule.pattern, sample)
    assert match is not None, rule.name
    groups = [match.span(at + 1) for at in range(match.re.groups) if match[at + 1]]
    begin, end = chance.choice(groups if groups and chance.random() < 0.4 else spans)
    if chance.random() < 0.3:
        end = min(len(sample), begin + chance.randint(1, len(sample)))
    unit = sample[begin:end] + chance.choice(["", " ", ",", ", ", ".", "-"])
    tail = chance.choice(
        [sample[end:], sample[end:-1], sample[end:] + "~", "", "~", sample[end:] + " (a.b.C)"]
    )
    count = max(1, (length - len(sample) - len(tail)) // len(unit))
    return (sample[:begin] + unit * count + tail).encode()[:length]


def seconds(work: Callable[[], object], enough: float = 0.0) -> float:
    """The least time of the processor that some work takes, of several tries."""
    least = float("inf")
    for _ in range(TRIES):
        start = time.thread_time()
        work()
        least = min(least, time.thread_time() - start)
        if least < enough:
            break
    return least


def yardstick(line: bytes) -> float:
    """The time that a step of the matcher for each byte of a line takes, in this run."""
    return seconds(lambda: PLAIN.match(line))
