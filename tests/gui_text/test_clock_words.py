"""What must be added to a clock, as a person says it."""

from typing import Any

import pytest

from core.trace.units import HOUR_NS, SECOND_NS
from gui.commands.report_text import print_report
from gui.text.clock_words import duration, to_be_added
from gui.text.spoken import worded


def test_differences_of_clocks_as_a_person_says_them() -> None:
    told = [duration(value) for value in (0, 37_000_000, -2 * SECOND_NS, HOUR_NS, 1_500_000, -7)]

    assert told == ["0", "+37 ms", "−2 s", "+1 h", "+1.5 ms", "−7 ns"]


@pytest.mark.parametrize(
    ("lo", "hi", "words"),
    [
        (-35_000_000, 79_000_000, "−35 ms to +79 ms"),
        (None, 2 * SECOND_NS, "at most +2 s"),
        (-2 * SECOND_NS, None, "at least −2 s"),
    ],
)
def test_the_bounds_of_a_clock(lo: int | None, hi: int | None, words: str) -> None:
    row: dict[str, Any] = {"add_ns": {"lo": lo, "hi": hi}}
    told = to_be_added(row)

    assert told is not None
    assert worded(told) == words


def test_a_clock_that_nothing_bounds() -> None:
    assert to_be_added({"add_ns": {"lo": None, "hi": None}}) is None


def test_a_terminal_says_what_is_added_to_the_clock_of_a_broker(capsys: pytest.CaptureFixture[str]) -> None:
    broker = {
        "broker": 2,
        "version": "4.1.2",
        "files": 1,
        "from": None,
        "to": None,
        "zones": [],
        **dict.fromkeys(("recognised", "noise", "unrecognised", "malformed"), 0),
    }
    clocks = [
        {"clock": "records 2", "add_ns": {"lo": SECOND_NS, "hi": None}},
        {"clock": "broker 2", "add_ns": {"lo": -35_000_000, "hi": 79_000_000}},
    ]

    print_report({"files": 1, "lines": 1, "by_broker": [broker], "clocks": clocks})

    said = capsys.readouterr().out
    assert "−35 ms to +79 ms" in said
    assert "at least" not in said
