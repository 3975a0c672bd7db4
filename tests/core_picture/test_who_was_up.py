"""Who was up: by what the recordings of the course say of their brokers, and by nothing of their logs."""

from itertools import pairwise

import pytest

from core.compare.align import make_run
from core.history.state import History
from core.picture.marks import Box, Text
from core.picture.who_was_up import Activity, activities, who_was_up
from core.trace.times import parse_time
from tests.recordings.whole import sampled

# In k0102-hw-loss broker 1 led orders-0 and was killed; broker 2 led it from 03:29:18 on (controller.log).
# Broker 2 had been killed before, and began anew at 03:29:09.
KILLED, BACK, LEADS = (parse_time(f"2026-11-21T03:29:{second}Z") for second in ("05", "10.5", "20"))


@pytest.fixture(scope="module")
def history() -> History:
    return make_run(sampled("k0102-hw-loss"), "orders-0").history


def _at(history: History, broker: int, at: int) -> Activity:
    return next(one.activity for one in activities(history, broker) if one.first_ns <= at < one.end_ns)


@pytest.mark.slow
def test_who_led_followed_and_was_not_there(history: History) -> None:
    assert [_at(history, 2, at) for at in (KILLED, BACK, LEADS)] == [
        Activity.UNKNOWN,
        Activity.FOLLOWED,
        Activity.LED,
    ]
    assert _at(history, 1, KILLED) is Activity.LED


def test_each_broker_has_a_row_without_gaps_and_no_mark_of_its_log(history: History) -> None:
    picture = who_was_up(history, 300, 96)

    for broker in (1, 2):
        parts = list(activities(history, broker))
        assert all(one.end_ns == other.first_ns for one, other in pairwise(parts))
        assert all(one.activity is not other.activity for one, other in pairwise(parts))
    assert [one.text for one in picture.marks() if isinstance(one, Text)] == ["1", "2"]
    told = {one.fill for one in picture.marks() if isinstance(one, Box)}
    assert told == {"bg.lane", "text.2", "bg.sunken", ""}
