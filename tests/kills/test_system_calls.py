"""An operation is stopped at each of its writing system calls, or each of them fails."""

import pytest

from tests.kills.harness import Cases
from tests.kills.points import failures, kills, sample
from tests.kills.scenarios import SCENARIOS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kills")]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_kill_at_a_writing_call_loses_nothing_that_was_said_to_be_done(
    cases: Cases, name: str, *, every: bool
) -> None:
    case = cases[name]
    wrong: list[str] = []

    points = sample(kills(case), None if every else 3, name)
    for point in points:
        outcome = case.perform(**point.how)
        if outcome.finished:
            wrong.append(f"{point.label}: the operation was not stopped there")
        wrong.extend(f"{point.label}: {text}" for text in case.complaints(outcome))

    print(f"{name}: {len(points)} kills")  # noqa: T201 - the figure of `make fuzz`
    assert wrong == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_disk_that_is_full_or_broken_is_told_in_words_and_loses_nothing(
    cases: Cases, name: str, *, every: bool
) -> None:
    case = cases[name]
    wrong: list[str] = []

    points = sample(failures(case), None if every else 2, name)
    for point in points:
        outcome = case.perform(**point.how)
        if not outcome.finished or not all(outcome.refused.values()):
            wrong.append(f"{point.label}: {outcome}")
        wrong.extend(f"{point.label}: {text}" for text in case.complaints(outcome))

    print(f"{name}: {len(points)} failures")  # noqa: T201 - as above
    assert wrong == []
