"""Times as a person chose to see them; what is kept is UTC."""

import datetime as dt
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest

from core.trace.times import (
    ahead,
    clock,
    day,
    from_shown,
    in_zone,
    moment_words,
    parse_time,
    rfc3339,
    utc_clock,
    zone_words,
)

BERLIN, KOLKATA, NEW_YORK = (ZoneInfo(name) for name in ("Europe/Berlin", "Asia/Kolkata", "America/New_York"))
HOUR = 3600 * 1_000_000_000
SUMMER, WINTER = (parse_time(text) for text in ("2026-07-01T22:30:00.161Z", "2026-11-21T03:29:10.161Z"))


def moments() -> Iterator[int]:
    """Every quarter of an hour around the nights in which Berlin changes its clocks in 2026."""
    for start in ("2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z"):
        first = parse_time(start)
        yield from range(first, first + 10 * HOUR, HOUR // 4)


@pytest.mark.parametrize(
    ("zone", "at", "words"),
    [
        (dt.UTC, WINTER, "2026-11-21 03:29:10.161 UTC"),
        (BERLIN, WINTER, "2026-11-21 04:29:10.161 +01:00"),
        (BERLIN, SUMMER, "2026-07-02 00:30:00.161 +02:00"),
        (KOLKATA, WINTER, "2026-11-21 08:59:10.161 +05:30"),
        (NEW_YORK, WINTER, "2026-11-20 22:29:10.161 −05:00"),
    ],
)
def test_a_moment_is_shown_in_the_zone_with_its_date_and_offset(zone: dt.tzinfo, at: int, words: str) -> None:
    with in_zone(zone):
        assert moment_words(at, simulated=False) == words
        assert f"{day(at)} {clock(at)} {zone_words(at)}" == words
        assert moment_words(12_005_000_000, simulated=True) == "12.005 s"


def test_what_is_kept_is_utc_whatever_is_shown() -> None:
    with in_zone(KOLKATA):
        assert rfc3339(WINTER) == "2026-11-21T03:29:10.161000000Z"
        assert utc_clock(WINTER) == "03:29:10.161"
    assert clock(WINTER) == "03:29:10.161"


def test_a_shown_time_leads_back_to_its_moment_but_in_the_hour_that_comes_twice() -> None:
    twice = range(parse_time("2026-10-25T00:00:00Z"), parse_time("2026-10-25T01:00:00Z"))
    with in_zone(BERLIN):
        for at in moments():
            back = from_shown(at + ahead(at))
            assert back == (at + HOUR if at in twice else at)


def test_the_zone_of_the_machine() -> None:
    with in_zone(None):
        at = parse_time("2026-01-15T12:00:00Z")
        local = dt.datetime.fromtimestamp(at // 1_000_000_000).astimezone().utcoffset()
        assert ahead(at) == int((local or dt.timedelta()).total_seconds()) * 1_000_000_000
