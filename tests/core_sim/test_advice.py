"""What `explain` advises for a simulated run is what its runs gave. Expected values: tickets, articles."""

import pytest

from core.errors import CancelledError
from core.kafka.eras import ERAS, era
from core.sim.ablation.advice import Advice, advice_messages, advise
from core.sim.ablation.outcome import outcome_of
from core.sim.ablation.setup import Setup
from core.sim.library import scenario, scenario_ids
from core.words import text
from core.work import Work
from gui.text.render import renderer
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)


def advised(name: str, era_id: str) -> Advice:
    found = advise(Setup(scenario(name), era(era_id)))
    assert found is not None
    return found


def told(name: str, era_id: str) -> list[str]:
    return [text(one) for one in advice_messages(advised(name, era_id))]


def helping(name: str, era_id: str) -> list[str]:
    return [one.what for one in advised(name, era_id).settings if one.prevents]


def test_a_run_that_loses_nothing_needs_no_advice() -> None:
    assert advise(Setup(scenario("hw-loss"), era("2.8"))) is None


def test_kip_101_prevents_hw_loss_and_no_setting_of_0_10_2_does() -> None:
    """domain.md: acks=all with min.insync.replicas=2 loses the same way."""
    found = told("hw-loss", "0.10.2")
    assert (
        found[0]
        == "Kafka 0.11 is the first later release in which this case loses nothing and no logs differ."
    )
    assert helping("hw-loss", "0.10.2") == []
    assert "acks=all with min.insync.replicas=2" in found[1]
    assert found[-1] == "Each was replayed: 17 runs of the script."


def test_hw_divergence_is_over_with_0_11_and_loses_by_the_unclean_election_all_the_same() -> None:
    """It was said: 2.0 or later (KIP-279), and no setting."""
    found = told("hw-divergence", "0.10.2")
    assert found[0] == "No release after 0.10.2 prevents this case by itself."
    assert found[1].startswith("From Kafka 0.11 on no logs differ in this case")
    assert "advice.setting.all" in helping("hw-divergence", "0.10.2")


def test_kafka_7128_prevents_stale_hw_isr() -> None:
    assert told("stale-hw-isr", "2.0")[0].startswith("Kafka 2.1 is the first later release")


def test_without_unclean_election_three_broker_loss_waits_for_a_leader() -> None:
    found = told("three-broker-loss", "4.0")
    assert any(
        "with 54 s without a leader: unclean.leader.election.enable=false" in sentence for sentence in found
    )


@pytest.mark.thinned(4)
@pytest.mark.parametrize("name", scenario_ids())
def test_the_release_and_the_settings_that_are_named_lose_nothing(name: str) -> None:
    for rules in ERAS:
        found = advise(Setup(scenario(name), rules))
        if found is None:
            continue
        first = found.first_release
        later = ERAS[ERAS.index(rules) + 1 :]
        for one in later if first is None else later[: later.index(first)]:
            outcome = outcome_of(simulated(name, one))
            assert outcome.records_lost or outcome.offsets_diverged
        if first is not None:
            outcome = outcome_of(simulated(name, first))
            assert (outcome.records_lost, outcome.offsets_diverged) == (0, 0)
        for tried in found.settings:
            whole = not tried.outcome.records_lost and not tried.outcome.offsets_diverged
            assert tried.prevents == whole
        sentences = list(advice_messages(found))
        assert all(renderer(language)(one) for one in sentences for language in ("en", "zh"))


def test_it_stops_when_it_is_told_to() -> None:
    with pytest.raises(CancelledError):
        advise(Setup(scenario("hw-loss"), era("0.10.2")), Work(stopped=lambda: True))
