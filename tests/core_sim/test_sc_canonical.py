"""The canonical losses S1 to S7 and two tickets, at message level: which era loses what.

The eras are those of the releases that closed each hole: KIP-101 (0.11) for S1 and S2, KIP-320 (2.1) for S7,
KIP-903 (3.5) for KAFKA-14139.
"""

from collections.abc import Callable
from typing import Any

import pytest

from core.diagnose.verdict.check import diagnose
from core.history.open import open_history
from core.history.state import Role
from core.kafka.eras import ERAS, era, with_switches
from core.sim.library import MEANT, other_names, scenario, scenario_ids
from core.trace.trace import Event, Trace
from core.trace.vocabulary import CutReason, Election, StopReason
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

Replay = Callable[[Trace, int], Any]
ALL_ERAS = tuple(one.id for one in ERAS)
TO_2_0 = ("0.10.2", "0.11", "1.1", "2.0")
END = 99
LEADER_END, AHEAD, COUNT = 1239740602, 1239742830, 2228
"""KAFKA-3919: 2011 recovers to the first, 2012 cuts to the second, "2,228 records ahead"."""


def run(name: str, era_id: str, **switches: str) -> Trace:
    wanted = {switch.replace("_", "-"): value for switch, value in switches.items()}
    return simulated(name, with_switches(era(era_id), wanted))


def events(trace: Trace, *kinds: str, step: int | None = None) -> list[Event]:
    found = (trace.event(seq) for seq in range(len(trace)))
    return [one for one in found if one.kind in kinds and (step is None or one.position == step)]


def records(state: Any) -> dict[str, list[str]]:
    return {name: seen.records for name, seen in state.replicas.items()}


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("s3", "unknown-epoch-loss"),
        ("s4", "silent-divergence"),
        ("s5", "stale-hw-isr"),
        ("s6", "stale-leader-truncation"),
    ],
)
def test_a_number_means_the_story_that_is_there(number: str, name: str) -> None:
    assert scenario(number).id == name
    assert other_names(name) == (number,)
    assert not set(MEANT) & set(scenario_ids())


@pytest.mark.parametrize("era_id", ALL_ERAS)
class TestS1:
    def test_m0_is_lost_to_0_10_only(self, era_id: str, replay: Replay) -> None:
        held = records(replay(run("s1", era_id), END))
        assert held["A"] == held["B"] == (["m1"] if era_id == "0.10.2" else ["m0", "m1"])

    def test_no_election_is_unclean(self, era_id: str) -> None:
        ways = {one.values["aux"] for one in events(run("s1", era_id), "leader_elected")}
        assert Election.UNCLEAN not in ways


def test_s1_cuts_an_acknowledged_record_from_a_member_of_the_isr(replay: Replay) -> None:
    trace = run("s1", "0.10.2")
    (told,) = events(trace, "acknowledged", step=7)
    assert told.values["aux"] == -1
    (cut,) = events(trace, "truncated", step=9)
    assert (cut.values["replica"], cut.values["offset"]) == (2, 0)
    assert cut.values["aux"] == CutReason.LOCAL_HIGH_WATERMARK
    before = replay(trace, 8)
    assert (before.replicas["A"].hw, before.replicas["B"].hw) == (1, 0)
    assert before.isr == ("A", "B")


@pytest.mark.parametrize("era_id", ALL_ERAS)
def test_s2_diverges_below_both_high_watermarks_to_0_10_only(era_id: str, replay: Replay) -> None:
    trace = run("s2", era_id)
    state = replay(trace, END)
    held = records(state)
    told = len(events(trace, "acknowledged", step=7))
    if era_id == "0.10.2":
        assert (held["A"], held["B"]) == (["m0"], ["m1"])
        assert (state.replicas["A"].hw, state.replicas["B"].hw) == (1, 1)
    else:
        # From 2.1 B, in another epoch, does not count: m0 was never acknowledged, and goes as designed.
        assert told == (era_id in TO_2_0)
        assert held["A"] == held["B"] == (["m0", "m1"] if told else ["m1"])


class TestS7:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_m0_is_lost_where_requests_name_no_epoch(self, era_id: str, replay: Replay) -> None:
        held = records(replay(run("s7", era_id), END))
        assert ("m0" in held["C"]) == (era_id not in TO_2_0)

    def test_epochs_of_records_alone_do_not_save_it(self, replay: Replay) -> None:
        trace = run("s7", "2.8", fencing="none")
        (refused,) = events(trace, "fetch_failed", step=12)
        assert refused.values["aux"] == StopReason.OFFSET_OUT_OF_RANGE
        (cut,) = events(trace, "truncated", step=12)
        assert (cut.values["replica"], cut.values["from_offset"], cut.values["offset"]) == (3, 1, 0)
        assert replay(trace, 12).isr == ("A", "C")
        assert "m0" not in records(replay(trace, END))["C"]


class TestDiskReplaced:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_the_empty_disk_leads_from_alter_isr_to_broker_epochs(self, era_id: str, replay: Replay) -> None:
        trace = run("disk-replaced", era_id)
        joined = "B" in replay(trace, 5).isr
        assert replay(trace, 5).replicas["B"].records == []
        assert joined == (era_id in ("2.8", "3.3"))
        held = records(replay(trace, END))
        assert held["A"] == held["B"] == (["n"] if joined else ["m0", "m1", "m2", "n"])

    def test_the_rule_of_3_5_alone_keeps_them(self, replay: Replay) -> None:
        trace = run("disk-replaced", "3.3", isr_eligible="same-broker-epoch")
        assert records(replay(trace, END))["A"] == ["m0", "m1", "m2", "n"]

    @pytest.mark.parametrize("era_id", ["2.8", "3.3"])
    def test_diagnosis_finds_the_three_and_the_disk(self, era_id: str) -> None:
        (lost,) = diagnose(run("disk-replaced", era_id)).partitions[0].losses
        assert (lost.first_offset, lost.end_offset, lost.loss_class) == (0, 3, "committed")
        # The new disk alone loses nothing that others hold: that it was let into the set with it does.
        assert lost.cause == "stale-isr"


class TestKafka3919:
    def test_the_figures_of_the_ticket(self, replay: Replay) -> None:
        trace = run("kafka-3919", "0.10.2")
        recovered, cut = events(trace, "truncated")
        assert (recovered.values["offset"], cut.values["offset"]) == (LEADER_END, AHEAD)
        assert cut.values["offset"] - recovered.values["offset"] == COUNT
        (refused,) = events(trace, "fetch_failed")
        assert (refused.values["offset"], refused.values["aux"]) == (AHEAD, StopReason.OFFSET_OUT_OF_RANGE)
        state = replay(trace, END)
        one, other = state.replicas["2011"], state.replicas["2012"]
        unlike = [
            offset
            for offset in range(one.start, one.leo)
            if one.names(offset, offset + 1) != other.names(offset, offset + 1)
        ]
        assert (unlike[0], unlike[-1] + 1, len(unlike)) == (LEADER_END, AHEAD, COUNT)

    @pytest.mark.parametrize("era_id", ALL_ERAS[1:])
    def test_with_epochs_they_agree_and_the_2228_are_gone(self, era_id: str, replay: Replay) -> None:
        trace = run("kafka-3919", era_id)
        held = records(replay(trace, END))
        assert held["2011"] == held["2012"]
        assert f"o{LEADER_END}" not in held["2011"]
        assert f"o{LEADER_END - 1}" in held["2011"]

    def test_no_billion_records_are_made(self) -> None:
        assert len(run("kafka-3919", "0.10.2").records) == 2850 + 2300

    def test_diagnosis_finds_the_divergence(self) -> None:
        (unlike,) = diagnose(run("kafka-3919", "0.10.2")).partitions[0].divergences
        assert (unlike.first_offset, unlike.end_offset) == (LEADER_END, AHEAD)


OVER_ZOOKEEPER = tuple(one.id for one in ERAS if one.switches.controller == "zookeeper")


class TestReassignment:
    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_the_leader_epoch_rises_three_times_over_zookeeper_and_once_over_kraft(
        self, era_id: str, replay: Replay
    ) -> None:
        """A leads all along. Three is what recordings/k28-isr-flap shows; KRaft raises it with a removal."""
        trace = run("reassignment", era_id)
        assert replay(trace, 2).leader == "A"
        assert replay(trace, 2).epoch == (3 if era_id in OVER_ZOOKEEPER else 1)
        led = [one.values["epoch"] for one in events(trace, "became_leader") if one.position < 3]
        assert led == ([0, 1, 2, 3] if era_id in OVER_ZOOKEEPER else [0, 1])

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_three_are_in_sync_before_the_old_one_goes(self, era_id: str) -> None:
        trace = run("reassignment", era_id)
        sets = [set(trace.isrs[one.values["isr"]]) for one in events(trace, "isr_committed", step=1)]
        assert {1, 2, 3} in sets
        assert sets[-1] == {1, 3}

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_the_old_ones_delete_and_the_new_ones_hold_all(self, era_id: str, replay: Replay) -> None:
        trace = run("reassignment", era_id)
        assert [one.values["replica"] for one in events(trace, "log_deleted")] == [2, 1]
        assert records(replay(trace, 2)) == {"A": ["m0", "m1", "m2"], "B": [], "C": ["m0", "m1", "m2"]}
        held = records(replay(trace, END))
        assert held["A"] == []
        assert held["B"] == held["C"] == ["m0", "m1", "m2", "m3", "m4"]
        assert replay(trace, END).leader == "C"

    @pytest.mark.parametrize("era_id", ALL_ERAS)
    def test_history_and_diagnosis_know_that_nothing_is_lost(self, era_id: str) -> None:
        trace = run("reassignment", era_id)
        assert diagnose(trace).partitions[0].losses == ()
        gone = open_history(trace, 0).at(len(trace)).replica(1)
        assert (gone.role, gone.leo.exact, gone.runs, gone.in_isr) == (Role.ABSENT, None, (), False)
