"""Times as text and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import QuestionError
from core.trace.times import clock, moment_words, parse_time, rfc3339, virtual_time


def test_a_known_moment() -> None:
    # date -u -d 2026-11-21T03:29:10 +%s gives 1795231750
    assert parse_time("2026-11-21T03:29:10.161Z") == 1_795_231_750_161_000_000
    assert rfc3339(1_795_231_750_161_000_000) == "2026-11-21T03:29:10.161000000Z"
    assert clock(1_795_231_750_161_999_999) == "03:29:10.161"


def test_a_simulation_has_seconds_and_no_date() -> None:
    assert virtual_time(12_005_000_000) == "12.005 s"
    assert virtual_time(0) == "0.000 s"
    assert moment_words(12_005_000_000, simulated=True) == "12.005 s"
    assert moment_words(1_795_231_750_161_000_000, simulated=False) == "2026-11-21 03:29:10.161 UTC"


def test_zones_and_commas() -> None:
    assert parse_time("2026-11-21 04:29:10,161+01:00") == parse_time("2026-11-21T03:29:10.161Z")
    assert parse_time("2026-11-20T22:29:10.161-0500") == parse_time("2026-11-21T03:29:10.161Z")


@given(st.integers(min_value=0, max_value=4_000_000_000_000_000_000))
def test_there_and_back(at: int) -> None:
    assert parse_time(rfc3339(at)) == at


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01T00:00:00Z", "", "47"])
def test_what_is_no_time_says_so(text: str) -> None:
    with pytest.raises(QuestionError, match="is not a time"):
        parse_time(text)
