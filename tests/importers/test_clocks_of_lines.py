"""Clocks of twelve hours and dates that can be read in two ways: what they show, and what is refused."""

from pathlib import Path

import pytest

from core.errors import SourceError
from importers.lines.stamps import DAY_FIRST, MONTH_FIRST, nanos, order_of_days
from importers.load import load
from importers.options import ImportOptions
from tests.importers.test_backwards import cuts, read

HOUR = 3600 * 10**9


@pytest.mark.parametrize(
    ("shown", "hour"),
    [("12:00:00 AM", 0), ("1:00:00 am", 1), ("11:00:00AM", 11), ("12:00:00 PM", 12), ("01:00:00,000 PM", 13),
     ("11:00:00.000 pm", 23), ("23:00:00", 23)],
)  # fmt: skip
def test_a_clock_of_twelve_hours_says_which_half(shown: str, hour: int) -> None:
    """Twelve is the first hour of each half."""
    day = nanos("2026-11-21 00:00:00")
    assert day is not None

    for date in ("2026-11-21", "Nov 21, 2026", "21 Nov 2026", "21/11/2026"):
        assert nanos(f"{date} {shown}") == day + hour * HOUR


def test_a_half_of_no_such_hour_is_no_time() -> None:
    assert nanos("2026-11-21 13:00:00 PM") is None
    assert nanos("2026-11-21 00:10:00 AM") is None


def test_days_after_the_twelfth_tell_which_number_is_the_month() -> None:
    assert order_of_days(["05/11/2026", "21/11/2026"]) == DAY_FIRST
    assert order_of_days(["11/05/2026", "11/21/2026"]) == MONTH_FIRST
    assert order_of_days(["05/11/2026", "06/11/2026"]) is None
    assert order_of_days(["21/11/2026", "11/21/2026"]) is None
    assert nanos("05/11/2026 01:00:00", DAY_FIRST) == nanos("2026-11-05 01:00:00")
    assert nanos("05/11/2026 01:00:00", MONTH_FIRST) == nanos("2026-05-11 01:00:00")
    assert nanos("21/11/2026 01:00:00", MONTH_FIRST) is None


def test_dates_that_can_be_read_in_two_ways_are_refused(tmp_path: Path) -> None:
    line = "{} 03:29:1{},161 INFO Truncating log t-0 to offset 206. (kafka.log.Log)\n"
    (tmp_path / "0.log").write_text("".join(line.format("05/11/2026", number) for number in range(5)))

    with pytest.raises(
        SourceError, match=r"read in two ways.*05/11 may be in May or in November.*2026-11-05"
    ):
        load([tmp_path / "0.log"], ImportOptions(broker=1))

    with (tmp_path / "0.log").open("a") as file:
        file.write(line.format("13/11/2026", 1))
    assert len(load([tmp_path / "0.log"], ImportOptions(broker=1))) == 6


def test_a_clock_of_twelve_hours_that_does_not_say_which_half_is_refused(tmp_path: Path) -> None:
    noon = ("11:58:00", "12:59:58", "01:00:02", "01:00:03")

    with pytest.raises(SourceError, match=r"twelve hours: 12 is followed by 1 at line 3.*HH, not hh"):
        read(tmp_path, cuts(*(f"2026-11-21 {clock}" for clock in noon)))


@pytest.mark.parametrize(
    "stamps",
    [
        ("2026-11-21 12:59:58", "2026-11-21 13:00:00", "2026-11-21 01:00:02"),
        ("2026-11-20 00:10:00", "2026-11-21 12:59:58", "2026-11-21 01:00:02"),
        ("2026-11-21 12:59:58", "2026-11-21 02:00:02", "2026-11-21 02:00:03"),
        ("2026-11-22 12:59:58", "2026-11-21 01:00:02", "2026-11-21 01:00:03"),
    ],
)
def test_other_times_that_go_back_are_told_as_such(stamps: tuple[str, ...], tmp_path: Path) -> None:
    """An hour 13 or 0, another hour after twelve, another day: it may have more than twelve hours."""
    with pytest.raises(SourceError, match="Its times go back"):
        read(tmp_path, cuts(*stamps))


def test_from_twelve_to_one_on_the_next_day_is_a_day(tmp_path: Path) -> None:
    assert len(read(tmp_path, cuts("2026-11-21 12:59:58", "2026-11-22 01:00:02"))) == 2
