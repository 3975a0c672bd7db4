"""What each protection is for, by runs with it flipped. Expected: the tickets that brought them."""

import pytest

from core.errors import CancelledError
from core.kafka.eras import era, with_switches
from core.kafka.switches import SWITCHES
from core.sim.ablation.outcome import Outcome, outcome_of
from core.sim.ablation.protections import Ablation, ablate, costs_more
from core.sim.ablation.setup import Setup
from core.sim.library import scenario
from core.work import Work
from tests.runs import simulated

pytestmark = pytest.mark.broad(18)


def ablated(name: str, era_id: str) -> Ablation:
    return ablate(Setup(scenario(name), era(era_id)))


def sets(found: Ablation) -> list[set[str]]:
    return [{one.setting for one in chosen} for chosen in found.minimal_sets]


def test_every_other_value_of_every_switch_is_tried() -> None:
    found = ablated("one-fetch", "2.8")
    tried = [(one.switch.name, one.other) for one in found.protections]
    rules = era("2.8").switches
    assert tried == [
        (one.name, value) for one in SWITCHES for value in one.values if value != getattr(rules, one.field)
    ]


def test_each_costs_what_a_run_with_it_set_costs() -> None:
    found = ablated("s8", "4.1")
    for one in found.protections:
        rules = with_switches(era("4.1"), {one.switch.name: one.other})
        assert one.outcome == outcome_of(simulated("s8", rules))
        assert one.is_on == (getattr(era("4.1").switches, one.switch.field) == one.on)


def test_without_kip_101_hw_loss_loses_one_record_again() -> None:
    found = ablated("hw-loss", "2.8")
    assert (found.outcome.records_lost, found.outcome.offsets_diverged) == (0, 0)
    cost = {one.setting: one.outcome.records_lost for one in found.protections}
    assert cost["truncation=high-watermark"] == 1
    assert cost["epoch-entry=none"] == 1
    assert sum(cost.values()) == 2
    assert {"truncation=high-watermark"} in sets(found)


def test_a_committed_record_is_more_than_one_that_was_only_acknowledged() -> None:
    """KIP-966: below min.insync.replicas the high watermark stands, so that nobody reads what acks=1 has."""
    found = ablated("s9", "4.1")
    without = next(one for one in found.protections if one.setting == "hw-below-min-isr=moves")
    assert without.outcome.records_lost == found.outcome.records_lost == 1
    assert {"hw-below-min-isr=moves"} in sets(found)


def test_a_protection_that_is_not_there_yet_is_off() -> None:
    by_setting = {one.setting: one for one in ablated("hw-loss", "0.10.2").protections}
    kip_101 = by_setting["truncation=epoch-request"]
    assert (kip_101.is_on, kip_101.on, kip_101.off) == (False, "epoch-request", "high-watermark")
    assert kip_101.outcome.records_lost == 0


def test_two_of_which_neither_alone_does_anything() -> None:
    """KIP-279 matters only to a follower that asks: from 2.8 on it asks no more, and is safe by that too."""
    found = ablated("silent-divergence", "2.8")
    by_setting = {one.setting: one.outcome.offsets_diverged for one in found.protections}
    pair = {"truncation=epoch-request", "epoch-answer=offset"}
    assert [by_setting[one] for one in pair] == [0, 0]
    assert pair in sets(found)


@pytest.mark.parametrize("name", ["hw-loss", "s7", "silent-divergence", "stale-hw-isr"])
def test_each_minimal_set_costs_more_and_no_part_of_it_does(name: str) -> None:
    found = ablated(name, "2.8")
    assert found.minimal_sets
    for chosen in found.minimal_sets:
        rules = with_switches(era("2.8"), {one.switch.name: one.other for one in chosen})
        assert costs_more(outcome_of(simulated(name, rules)), found.outcome)
        assert all(one.is_on for one in chosen)
        assert len(chosen) == 1 or not any(costs_more(one.outcome, found.outcome) for one in chosen)


@pytest.mark.parametrize(
    ("one", "more"),
    [
        (Outcome(leaderless_ms=2_000), True),
        (Outcome(leaderless_ms=1_200), False),
        (Outcome(leaderless_ms=0), False),
        (Outcome(diverged=outcome_of(simulated("hw-divergence", era("0.10.2"))).diverged), True),
        (Outcome(lost=outcome_of(simulated("hw-loss", era("0.10.2"))).lost), True),
    ],
)
def test_what_costs_more(one: Outcome, *, more: bool) -> None:
    assert costs_more(one, Outcome(leaderless_ms=1_000)) == more


def test_it_stops_when_it_is_told_to() -> None:
    with pytest.raises(CancelledError):
        ablate(Setup(scenario("hw-loss"), era("2.8")), Work(stopped=lambda: True))
