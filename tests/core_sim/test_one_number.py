"""What a partition lost is one number on every surface: scenarios of every era, random incidents."""

from itertools import product

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Severity
from core.history.open import open_history
from core.kafka.eras import ERAS, Era
from core.picture.cuts import cuts_of
from core.sim.translations import scenario_ids
from core.trace.trace import Trace
from tests.incidents import read_again, run_of
from tests.numbers import disagreements
from tests.runs import simulated

pytestmark = pytest.mark.broad(4)

SEVERAL_EPOCHS = 104
"""A seed of an incident in which one cut removes lost records of two leader epochs."""


def wrong(trace: Trace) -> dict[str, list[str]]:
    """What surfaces disagree in, by partition with losses."""
    return {
        str(trace.partitions[verdict.partition].tp): bad
        for verdict in diagnose(trace).partitions
        if any(one.severity is not Severity.NOTICE for one in verdict.losses)
        if (bad := disagreements(open_history(trace, verdict.partition), verdict))
    }


@pytest.mark.thinned(12)
@pytest.mark.parametrize(("name", "rules"), list(product(scenario_ids(), ERAS)), ids=str)
def test_in_scenarios(name: str, rules: Era) -> None:
    assert wrong(simulated(name, rules)) == {}


@pytest.mark.thinned(20)
@pytest.mark.parametrize("seed", range(500))
def test_in_random_incidents(seed: int) -> None:
    run = run_of(seed)

    assert wrong(run) == {}
    assert wrong(read_again(run, data=False)) == {}


def test_a_cut_of_several_epochs_shows_all_that_it_took() -> None:
    run = run_of(SEVERAL_EPOCHS)
    cuts = [cut for verdict in diagnose(run).partitions for cut in cuts_of(verdict)]

    assert any(len({part.loss.epoch for part in cut.lost}) > 1 for cut in cuts)
    assert wrong(run) == {}
