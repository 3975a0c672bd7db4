"""The time of a log line that is a JSON object."""

import pytest

from importers.lines.json_records import json_time

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
