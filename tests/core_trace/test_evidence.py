"""From an event to its line, and the lines around it."""

import pytest

from core.trace.evidence import evidence_of, neighbours
from tests.stories import Story


def test_an_event_leads_to_its_line() -> None:
    story = Story()
    seq = story.process("broker_starting", 1)
    other = story.process("broker_started", 1)
    trace = story.trace()

    first = evidence_of(trace, seq)

    assert first is not None
    assert (first.file, first.line, first.byte, first.text) == (
        "server.log",
        1,
        20,
        "line 1: broker_starting",
    )
    assert evidence_of(trace, other) != first


def test_neighbours_are_the_lines_around_in_the_same_file() -> None:
    story = Story()
    for _ in range(9):
        story.process("broker_registered", 1)

    around = neighbours(story.trace(), 4)

    assert [line.line for line in around] == [3, 4, 5, 6, 7]
    assert [line.line for line in neighbours(story.trace(), 0)] == [1, 2, 3]


def test_an_event_without_a_source_has_no_evidence() -> None:
    story = Story()
    seq = story.builder.add(1, "broker_starting", broker=1, replica=1)
    trace = story.trace()

    assert evidence_of(trace, seq) is None
    assert neighbours(trace, seq) == ()
    with pytest.raises(IndexError):
        evidence_of(trace, 5)
