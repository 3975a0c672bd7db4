"""No alarm where nothing is wrong: a finding of severity loss or danger there is a defect."""

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Severity, Verdict
from core.kafka.eras import ERAS, Era
from core.sim.library import scenario_ids
from core.words import text
from importers.load import load
from tests.archives import unpack_recording
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
@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_cluster_raises_no_alarm(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder, truth = unpack_recording(name, tmp_path_factory.mktemp("healthy"))

    assert not any(truth.get("lost", {}).values())
    assert alarms(diagnose(load([folder]))) == []


@pytest.mark.slow
@pytest.mark.parametrize("rules", ERAS, ids=lambda rules: rules.id)
def test_a_run_that_loses_nothing_raises_no_alarm(rules: Era) -> None:
    quiet = 0
    for name in scenario_ids():
        truth = played(name, rules).truth
        if not truth.lost and not truth.diverged:
            quiet += 1
            assert alarms(diagnosed(name, rules)) == [], name
    assert quiet > 20
