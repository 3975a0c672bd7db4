"""No alarm where nothing is wrong: a finding of severity loss or danger there is a defect."""

from itertools import islice

import pytest

from core.diagnose.verdict.facts import Severity, Verdict
from core.kafka.eras import ERAS, Era
from core.sim.library import scenario_ids
from core.words import text
from tests.recordings.whole import grouped, whole
from tests.runs import diagnosed, played

HEALTHY = (
    "k0102-rolling-restart",
    "k28-rolling-restart",
    "k28-isr-flap",
    "k39-rolling-restart",
    "k39-isr-flap",
)


def alarms(said: Verdict) -> list[str]:
    return [text(one.message) for one in said.findings if one.severity is not Severity.NOTICE]


@pytest.mark.slow
@pytest.mark.parametrize("name", grouped(HEALTHY))
def test_a_healthy_cluster_raises_no_alarm(name: str) -> None:
    assert not any(whole(name).truth.get("lost", {}).values())
    assert alarms(whole(name).verdict) == []


def is_quiet(name: str, rules: Era) -> bool:
    truth = played(name, rules).truth
    return not truth.lost and not truth.diverged


@pytest.mark.slow
@pytest.mark.parametrize("name", scenario_ids())
def test_a_run_that_loses_nothing_raises_no_alarm(name: str) -> None:
    for rules in ERAS:
        if is_quiet(name, rules):
            assert (rules.id, alarms(diagnosed(name, rules))) == (rules.id, [])


@pytest.mark.slow
@pytest.mark.parametrize("rules", ERAS[::6], ids=lambda rules: rules.id)
def test_many_runs_lose_nothing(rules: Era) -> None:
    """In the oldest era, in one amid, and in the newest."""
    quiet = (name for name in scenario_ids() if is_quiet(name, rules))
    assert len(list(islice(quiet, 21))) == 21
