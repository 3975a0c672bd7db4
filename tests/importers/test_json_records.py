"""The time of a log line that is a JSON object."""

import pytest

from importers.lines.json_records import json_time
from importers.lines.layout import find_layout
from importers.lines.records import records

SECOND = 1_795_231_750
"""2026-11-21 03:29:10 UTC, as `date -u -d '2026-11-21 03:29:10' +%s` says."""


@pytest.mark.parametrize("part", [0, 161_000_000, 999_999_999])
def test_an_instant_is_whole_seconds_and_nanoseconds_of_the_next(part: int) -> None:
    """JsonLayout of Log4j 2 prints both; the part is from 0 to 999,999,999."""
    ns, _ = json_time({"instant": {"epochSecond": SECOND, "nanoOfSecond": part}})

    assert ns == SECOND * 10**9 + part


@pytest.mark.parametrize("part", [-1, 1_000_000_000])
def test_what_is_no_part_of_a_second_is_no_time(part: int) -> None:
    assert json_time({"instant": {"epochSecond": SECOND, "nanoOfSecond": part}}) == (None, "")


def handmade(second: int, logger: str, message: str) -> str:
    """A line of `{"ts":"%d{ISO}","level":"%p","logger":"%c","message":"%m","thread":"%t"}%n`, Log4j 1."""
    stamp = f"2026-11-21T03:29:{second:02d}.161+0000"
    return f'{{"ts":"{stamp}","level":"INFO","logger":"{logger}","message":"{message}","thread":"main"}}\n'


CONFIG = "KafkaConfig values: \n\tadvertised.listeners = null\n\tlisteners = PLAINTEXT://:9092\n"
CUT = "[Log partition=orders-0, dir=/data] Truncating to offset 206"
QUOTED = 'Unable to read "/data/x\\y", {"code":3} came back'


def test_an_object_that_a_pattern_printed_has_its_message_as_it_stands() -> None:
    """A cluster of 3.7.2: half of the lines of server.log stand within messages."""
    texts = [(10, "kafka.server.KafkaConfig", CONFIG), (11, "kafka.log.Log", CUT), (12, "kafka.X", QUOTED)]
    data = "".join(handmade(*one) for one in texts).encode()
    layout = find_layout(data)
    assert layout is not None

    found = list(records(data, layout))

    assert [(one.message, one.logger, one.local_ns) for one in found] == [
        (message.split("\n")[0].encode(), logger.encode(), (SECOND + second - 10) * 10**9 + 161_000_000)
        for second, logger, message in texts
    ]
    assert [one.line for one in found] == [1, 5, 6]
    assert found[0].tail == CONFIG.split("\n", 1)[1].encode()


def test_a_message_may_have_a_line_that_ends_as_an_object_does() -> None:
    """A settings file that a broker prints; four keys of the pattern stand behind the message."""
    message = 'Read "settings":\n\t{"a": 1}\n\tdone'
    keys = '"thread":"main","host":"b1","pid":7,"env":"prod"'
    lines = handmade(10, "kafka.X", message).replace('"thread":"main"', keys)
    data = (lines + handmade(11, "kafka.log.Log", CUT) * 3).encode()
    layout = find_layout(data)
    assert layout is not None

    found = list(records(data, layout))

    assert [(one.message, one.line) for one in found] == [
        (b'Read "settings":', 1),
        *((CUT.encode(), line) for line in (4, 5, 6)),
    ]
    assert found[0].tail == b'\t{"a": 1}\n\tdone'


def test_a_line_that_is_no_object_of_a_pattern_has_no_time() -> None:
    data = (handmade(10, "kafka.log.Log", CUT) * 4 + '{"ts":"2026-11-21T03:29:10.161+0000"\n').encode()
    layout = find_layout(data)
    assert layout is not None

    assert [one.local_ns is None for one in records(data, layout)] == [False] * 4 + [True]
