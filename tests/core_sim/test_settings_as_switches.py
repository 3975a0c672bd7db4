"""Settings as switches: a script with one at another value carries it in its text."""

import pytest

from core.compare.script import rule_of
from core.kafka.eras import ERAS, era, with_switches
from core.kafka.held_words import HOLDS
from core.kafka.switches import SWITCHES
from core.sim.ablation.outcome import outcome_of
from core.sim.ablation.protections import ablate
from core.sim.ablation.settings import SETTINGS, value_of, with_setting, with_values
from core.sim.ablation.setup import Setup, one_script, setup_of
from core.sim.ablation.worst import worst_of
from core.sim.library import scenario, scenario_ids
from core.sim.scenario import parse_scenario
from core.words import text

pytestmark = pytest.mark.broad(4)


@pytest.mark.parametrize("name", scenario_ids())
def test_a_script_with_other_settings_says_so_in_its_text(name: str) -> None:
    script = scenario(name)
    for setting in SETTINGS:
        for value in setting.values:
            changed = with_values(script, {setting.name: value})
            again = parse_scenario(changed.text)
            assert again.settings == changed.settings == with_setting(script.settings, setting.name, value)
            assert value_of(Setup(again, era("2.8")), setting.name) == value
            assert one_script(Setup(script, era("2.8")), Setup(again, era("2.8")))
            lines = changed.text.splitlines()
            assert all(lines[step.line - 1].strip() == "[[step]]" for step in changed.steps)


def test_two_settings_at_once() -> None:
    changed = with_values(scenario("s8"), {"acks": "all", "min.insync.replicas": "1"})
    assert (changed.settings.acks, changed.settings.min_isr) == (-1, 1)


def test_acks_all_makes_every_producer_wait_and_acks_1_none() -> None:
    for value, acks in (("all", -1), ("1", 1)):
        trace = Setup(with_values(scenario("hw-loss"), {"acks": value}), era("2.8")).run()
        found = {one.get("aux") for one in map(trace.event, range(len(trace))) if one.kind == "produced"}
        assert found == {acks}


def test_a_run_with_other_settings_is_known_by_its_trace() -> None:
    setup = Setup(with_values(scenario("hw-loss"), {"unclean.leader.election.enable": "true"}), era("4.1"))
    again = setup_of(setup.run())
    assert again is not None
    assert value_of(again, "unclean.leader.election.enable") == "true"


@pytest.mark.parametrize(("era_id", "lost"), [("2.8", 1), ("4.0", 0)])
def test_min_insync_replicas_of_2_commits_nothing_with_one_copy(era_id: str, lost: int) -> None:
    """acks-min-1. To 3.6 a set that shrinks below it commits what stands there all the same (KAFKA-15583)."""
    found = ablate(Setup(scenario("acks-min-1"), era(era_id)))
    by_name = {one.switch.name: one for one in found.settings}
    assert [one.switch.name for one in found.settings] == [one.name for one in SETTINGS]
    assert found.outcome.records_lost == 1
    assert by_name["min.insync.replicas"].outcome.records_lost == lost
    assert not by_name["min.insync.replicas"].is_on
    assert by_name["acks"].is_on


def test_each_costs_what_a_run_of_the_changed_text_costs() -> None:
    for name, era_id in (("acks-min-1", "2.8"), ("three-broker-loss", "4.0"), ("hw-loss", "0.10.2")):
        for one in ablate(Setup(scenario(name), era(era_id))).settings:
            script = with_values(scenario(name), {one.switch.name: one.other})
            assert one.outcome == outcome_of(Setup(script, era(era_id)).run())


def test_every_value_of_every_switch_and_setting_is_told_in_words() -> None:
    assert {name: set(words) for name, words in HOLDS.items()} == {
        one.name: set(one.values) for one in (*SWITCHES, *SETTINGS)
    }
    said = [text(one) for words in HOLDS.values() for one in words.values()]
    assert len(set(said)) == len(said)


def test_the_rule_beside_a_run_is_that_of_its_switches() -> None:
    """Beside a 2.8 that cuts to its own high watermark stood what 2.8 does."""
    for rules in ERAS:
        assert rule_of(Setup(scenario("one-fetch"), rules).run()) == rules.rule
    old = with_switches(era("2.8"), {"truncation": "high-watermark"})
    assert rule_of(Setup(scenario("one-fetch"), old).run()) == era("0.10.2").rule
    none = with_switches(era("2.8"), {"truncation": "leader-end"})
    said = rule_of(Setup(scenario("one-fetch"), none).run())
    assert said is not None
    assert text(said) == "A follower cuts to its leader's log end (no release had this)."


def test_the_worst_of_the_old_rule_of_truncation_in_2_8_is_a_loss() -> None:
    """KIP-101: a switch that costs nothing anywhere has no worst."""
    found = worst_of("2.8", "truncation=high-watermark")
    assert found is not None
    assert found.aspect == "lost"
    assert found.after > found.before
    assert worst_of("2.8", "consumer-fetch=leader") is None
