"""The table of all benches: what counts as worse, and what is kept."""

from typing import Any

import pytest

from tests.bench.every import page, regressions


def row(what: str, ratio: float | None, subject: str = "Diagnosis") -> dict[str, Any]:
    named = {"subject": subject, "what": what, "goal": "<= 1 s", "figure": "0.5 s"}
    return {**named, "met": True, "ratio": ratio, "cores": 2, "machine": "x86_64"}


@pytest.mark.parametrize(("now", "told"), [(1.0, 0), (1.19, 0), (1.21, 1), (None, 0)])
def test_a_ratio_a_fifth_above_that_of_before_is_worse(now: float | None, told: int) -> None:
    found = regressions([row("10 partitions (0.61 s)", now)], [row("10 partitions (0.52 s)", 1.0)])

    assert len(found) == told
    assert all("10 partitions" in line and "1.21" in line for line in found)


def test_another_subject_or_a_new_row_is_not_compared() -> None:
    before = [row("frames", 1.0), row("opening", None)]

    assert not regressions([row("frames", 9.0, "Window"), row("steps", 9.0), row("opening", 9.0)], before)


def test_the_page_has_a_line_a_row() -> None:
    lines = page([row("frames", 1.0), row("steps", None)]).splitlines()

    assert lines[-2] == "| frames | <= 1 s | 0.5 s | 1 | met | 2 | x86_64 |"
    assert lines[-1] == "| steps | <= 1 s | 0.5 s |  | met | 2 | x86_64 |"
