"""An operation is killed with its whole process group, wherever it is at a moment by chance."""

import pytest

from tests.kills.harness import Cases
from tests.kills.points import dice
from tests.kills.scenarios import SCENARIOS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kills")]
ALL = 500


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_kill_at_any_moment_loses_nothing_that_was_said_to_be_done(
    cases: Cases, name: str, *, every: bool
) -> None:
    case, chance = cases[name], dice(name)
    wrong: list[str] = []
    stopped, kills = 0, -(-ALL // len(SCENARIOS)) if every else 2

    for number in range(kills):
        moment = (number + chance.random()) / kills * case.seconds
        outcome = case.perform(kill_after=moment)
        stopped += not outcome.finished
        wrong.extend(f"kill {number} after {moment:.4f} s: {text}" for text in case.complaints(outcome))

    print(f"{name}: {stopped} of {kills} were stopped before their end")  # noqa: T201 - the figure of `make fuzz`
    assert wrong == []
    assert stopped or not every
