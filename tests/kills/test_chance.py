"""An operation is killed with its whole process group, wherever it is at a moment by chance."""

import pytest

from tests.kills.harness import Cases
from tests.kills.points import dice
from tests.kills.scenarios import SCENARIOS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kills")]


def test_a_kill_at_any_moment_loses_nothing_that_was_said_to_be_done(cases: Cases, *, every: bool) -> None:
    wrong: list[str] = []
    names = list(SCENARIOS)
    stopped, kills = 0, 500 if every else 2 * len(names)

    for number in range(kills):
        case = cases[names[number % len(names)]]
        moment = dice(f"kill {number}").random() * case.seconds
        outcome = case.perform(kill_after=moment)
        stopped += not outcome.finished
        told = f"kill {number}, {case.scenario.name} after {moment:.4f} s"
        wrong.extend(f"{told}: {text}" for text in case.complaints(outcome))

    print(f"{stopped} of {kills} were stopped before their end")  # noqa: T201 - the figure of `make fuzz`
    assert wrong == []
    assert stopped
