"""The outcome of a run, and which switches carry the difference of two. Expected values: Kafka's tickets."""

from collections.abc import Callable

import pytest

from core.errors import CancelledError
from core.kafka.eras import era, with_switches
from core.sim.ablation import causes as module
from core.sim.ablation.causes import Flips, causes, first_change
from core.sim.ablation.minimal import minimal_sets, reduced
from core.sim.ablation.outcome import Aspect, LostRange, Unlike, outcome_of
from core.sim.ablation.settings import with_values
from core.sim.ablation.setup import Setup, factors_between, flipped, one_script, same_events, setup_of
from core.sim.library import scenario
from core.sim.scenario import parse_scenario
from core.sim.truth import Promise
from core.work import Work
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)


def setup(name: str, era_id: str, **switches: str) -> Setup:
    wanted = {switch.replace("_", "-"): value for switch, value in switches.items()}
    return Setup(scenario(name), with_switches(era(era_id), wanted))


def carried(left: Setup, right: Setup) -> dict[Aspect, list[list[str]]]:
    return {
        one.aspect: [[factor.name for factor in found.factors] for found in one.sets]
        for one in causes(left, right).carried
    }


class TestOutcome:
    def test_hw_loss_loses_m1_which_was_committed(self) -> None:
        outcome = outcome_of(simulated("hw-loss", era("0.10.2")))
        assert outcome.lost == (LostRange(0, Promise.COMMITTED, 1, 2),)
        assert (outcome.records_lost, outcome.diverged, outcome.leaderless_ms) == (1, (), 0)

    def test_with_leader_epochs_it_costs_nothing(self) -> None:
        outcome = outcome_of(simulated("hw-loss", era("0.11")))
        assert (outcome.records_lost, outcome.offsets_diverged, outcome.leaderless_ms) == (0, 0, 0)

    def test_hw_divergence_leaves_other_records_at_offset_2_of_a_and_b(self) -> None:
        outcome = outcome_of(simulated("hw-divergence", era("0.10.2")))
        assert outcome.diverged == (Unlike(0, (1, 2), 2, 3),)
        assert outcome.offsets_diverged == 1

    def test_neighbours_of_two_epochs_are_one_range(self) -> None:
        """s9 to 3.6: two committed records, written in one epoch or in two."""
        for era_id in ("3.5", "3.6"):
            lost = outcome_of(simulated("s9", era(era_id))).lost
            assert lost == (LostRange(0, Promise.COMMITTED, 1, 3),)

    def test_of_one_partition_alone(self) -> None:
        trace = simulated("hw-loss", era("0.10.2"))
        assert outcome_of(trace, 0).records_lost == 1
        assert outcome_of(trace, 1) == outcome_of(simulated("one-fetch", era("2.8")))

    def test_three_broker_loss_has_no_leader_for_most_of_a_minute_to_3_8(self) -> None:
        """KAFKA-12670: KRaft did not look at unclean.leader.election.enable."""
        assert outcome_of(simulated("three-broker-loss", era("3.7"))).leaderless_s > 50
        assert outcome_of(simulated("three-broker-loss", era("4.0"))).leaderless_s == 0


class TestMinimalSets:
    @pytest.mark.parametrize(
        ("turns", "sets"),
        [
            (lambda chosen: "a" in chosen, [{"a"}]),
            (lambda chosen: {"b", "d"} <= chosen, [{"b", "d"}]),
            (lambda chosen: "c" in chosen or {"a", "b"} <= chosen, [{"c"}, {"a", "b"}]),
            # Not monotone: c undoes what a does.
            (lambda chosen: "a" in chosen and "c" not in chosen, [{"a"}]),
            (lambda chosen: len(chosen) == 5, []),
        ],
    )
    def test_no_proper_subset_turns(
        self, turns: Callable[[frozenset[str]], bool], sets: list[set[str]]
    ) -> None:
        assert [set(one) for one in minimal_sets("abcde", turns)] == sets

    def test_leaving_out_finds_one_of_at_most_four(self) -> None:
        assert reduced("abcdef", lambda chosen: {"b", "e"} <= chosen) == {"b", "e"}
        assert reduced("abcdef", lambda chosen: len(chosen) >= 5) is None


class TestNamedCases:
    @pytest.mark.parametrize(
        ("name", "left", "right", "aspect", "switch"),
        [
            ("s8", "3.6", "3.7", Aspect.LOST, "hw-below-min-isr"),  # KAFKA-15583
            ("stale-hw-isr", "2.0", "2.1", Aspect.LOST, "isr-join"),  # KAFKA-7128, not isr-leave
            ("hw-loss", "2.8", "3.3", Aspect.LEADERLESS, "controller"),  # not session-timeout-ms
            ("s9", "3.7", "4.1", Aspect.LOST, "eligible-leaders"),  # KIP-966
            ("three-broker-loss", "3.7", "4.0", Aspect.LOST, "unclean-setting"),  # KAFKA-12670
            ("hw-loss", "0.10.2", "0.11", Aspect.LOST, "truncation"),  # KIP-101
            ("silent-divergence", "1.1", "2.0", Aspect.DIVERGED, "epoch-answer"),  # KIP-279
            ("s7", "2.0", "2.1", Aspect.LOST, "fencing"),  # KIP-320
        ],
    )
    def test_one_switch_carries_it(
        self, name: str, left: str, right: str, aspect: Aspect, switch: str
    ) -> None:
        assert carried(setup(name, left), setup(name, right))[aspect] == [[switch]]

    def test_the_fetch_finds_no_divergence_without_entries_in_the_epoch_cache(self) -> None:
        """From 0.10.2 to 2.8 two switches carry hw-loss: the newest truncation needs epoch entries."""
        found = carried(setup("hw-loss", "0.10.2"), setup("hw-loss", "2.8"))
        assert found == {Aspect.LOST: [["truncation", "epoch-entry"]]}

    def test_of_two_protections_that_suffice_each_alone_none_carries_it_alone(self) -> None:
        """Taken out of the safe run, the fence of KIP-320 is not missed, nor is KIP-101."""
        safe = {"truncation": "epoch-request", "fencing": "leader-epoch"}
        for name in ("s1", "s2"):
            assert outcome_of(setup(name, "0.10.2").run()).records_lost
            for switch, value in safe.items():
                assert not outcome_of(setup(name, "0.10.2", **{switch: value}).run()).records_lost
            found = carried(setup(name, "0.10.2"), setup(name, "0.10.2", **safe))
            assert found[Aspect.LOST] == [["truncation", "fencing"]]

    def test_the_first_event_that_kafka_15583_changes_is_the_leaders_high_watermark(self) -> None:
        left, right = setup("s8", "3.6"), setup("s8", "3.7")
        (one,) = causes(left, right).carried
        (found,) = one.sets
        assert found.left_seq is not None
        event = left.run().event(found.left_seq)
        assert (event.kind, event.get("replica")) == ("hw_moved", event.get("broker"))
        flipped = found.flipped.run()
        assert not any(
            flipped.event(seq).kind == "hw_moved" and flipped.event(seq).at == event.at
            for seq in range(len(flipped))
        )

    def test_equal_outcomes_have_no_cause(self) -> None:
        assert causes(setup("two-replica-sync", "2.1"), setup("two-replica-sync", "2.4")).carried == ()


class TestFlips:
    def test_settings_carry_a_difference_as_switches_do(self) -> None:
        text = scenario("acks-min-1").text
        other = text.replace('"min.insync.replicas" = 1', '"min.insync.replicas" = 2')
        left, right = (Setup(parse_scenario(one), era("3.7")) for one in (text, other))
        assert one_script(left, right)
        assert [(one.name, one.left, one.right) for one in factors_between(left, right)] == [
            ("min_isr", "1", "2")
        ]
        assert {tuple(names) for (names,) in carried(left, right).values()} == {("min_isr",)}

    def test_scripts_with_other_steps_are_not_one_script(self) -> None:
        assert not one_script(setup("hw-loss", "2.8"), setup("hw-divergence", "2.8"))

    def test_all_flipped_is_the_other_run(self) -> None:
        left, right = setup("unknown-epoch-loss", "2.0"), setup("unknown-epoch-loss", "3.5")
        flips = Flips(left, right)
        assert same_events(flips.trace(flips.every), right.run())
        assert not same_events(flips.trace(frozenset()), right.run())

    def test_a_trace_knows_its_setup(self) -> None:
        rules = with_switches(era("2.8"), {"truncation": "high-watermark"})
        trace = simulated("hw-loss", rules)
        known = setup_of(trace)
        assert known is not None
        assert known.era == rules
        assert same_events(known.run(), trace)

    def test_no_first_change_between_equal_runs(self) -> None:
        trace = simulated("hw-loss", era("2.8"))
        assert first_change(trace, trace, 0) == (None, None)

    def test_a_setting_that_moves_the_lines_of_the_script_changes_no_event(self) -> None:
        """It is written into the table of settings: all steps behind it stand a line further down."""
        shipped = scenario("acks-min-1")
        told = with_values(shipped, {"acks": "all"})
        assert [step.line for step in told.steps] != [step.line for step in shipped.steps]
        one, other = (Setup(script, era("2.8")).run() for script in (shipped, told))
        assert same_events(one, other)
        assert first_change(one, other, 0) == (None, None)

    def test_a_run_with_settings_flipped_says_them_in_its_script(self) -> None:
        shipped = scenario("elections")
        rules = era("2.4"), with_switches(era("2.4"), {"truncation": "leader-end"})
        told = with_values(shipped, {"unclean.leader.election.enable": "true"})
        left, right = Setup(shipped, rules[0]), Setup(told, rules[1])
        setting = next(one for one in factors_between(left, right) if one.kind == "setting")
        again = setup_of(flipped(left, right, {setting}).run())
        assert again is not None
        assert again.scenario.settings.unclean_election
        assert not again.era.overrides

    def test_it_tells_of_each_run_and_stops_when_it_is_told_to(self) -> None:
        told: list[int] = []
        causes(
            setup("s8", "3.3", hw_counts="isr"),
            setup("s8", "3.7"),
            0,
            Work(progress=lambda done, _total, _what: told.append(done)),
        )
        assert told == list(range(1, len(told) + 1))
        with pytest.raises(CancelledError):
            causes(setup("s8", "3.5", hw_counts="isr"), setup("s8", "3.7"), 0, Work(stopped=lambda: True))

    def test_what_was_answered_is_not_run_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        left, right = setup("s8", "3.6"), setup("s8", "3.7")
        first = causes(left, right)
        monkeypatch.setattr(module.Flips, "trace", None)
        assert causes(left, right) is first


def test_rules_under_which_brokers_ask_without_end_are_named_for_nothing() -> None:
    """Divergence found on the fetch, and no entry at the election: a follower asks again and again."""
    found = causes(setup("unknown-epoch-loss", "0.10.2"), setup("unknown-epoch-loss", "4.1"))
    sets = [one for carried_by in found.carried for one in carried_by.sets]
    assert sets
    assert all(len(one.flipped.run()) < 10_000 for one in sets)
