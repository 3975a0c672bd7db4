"""Tiered storage (KIP-405): an empty disk, a follower far behind, a stale local log start, deletions."""

from collections.abc import Callable
from typing import Any

import pytest

from core.kafka.eras import ERAS, Era, era, with_switches
from core.sim.library import scenario
from core.sim.run import play, simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Event, Trace
from core.trace.vocabulary import StopReason, TierDeletion
from tests.core_sim.test_clients import events
from tests.runs import simulated

pytestmark = pytest.mark.broad(3)

Replay = Callable[[Trace, int], Any]
A, B, C = 1, 2, 3
TIERED = tuple(one for one in ERAS if one.switches.tiered_storage != "none")
PLAIN = tuple(one for one in ERAS if one.switches.tiered_storage == "none")


def ids(one: Era) -> str:
    return one.id


def of(found: list[Event], replica: int) -> list[Event]:
    return [one for one in found if one.values["replica"] == replica]


def copied(trace: Trace, replica: int, step: int) -> int:
    """How many records a follower copied from its leader in a step."""
    found = of(events(trace, "appended", step=step), replica)
    return sum(one.values["offset"] - one.values["from_offset"] for one in found)


def refusals(trace: Trace, replica: int, step: int) -> list[int]:
    return [one.values["aux"] for one in of(events(trace, "fetch_failed", step=step), replica)]


def test_the_first_release_with_it_is_3_6() -> None:
    assert TIERED[0].id == "3.6"


class TestNewDisk:
    @pytest.mark.parametrize("one", TIERED, ids=ids)
    def test_two_records_are_copied_instead_of_eight(self, one: Era, replay: Replay) -> None:
        """ReplicaManager.handleOffsetOutOfRangeError, TierStateMachine.buildRemoteLogAuxState."""
        trace = simulated("tiered-new-disk", one)
        assert refusals(trace, C, 4) == [StopReason.OFFSET_MOVED_TO_TIERED_STORAGE]
        assert copied(trace, C, 4) == 2
        (moved,) = of(events(trace, "local_start_moved", step=4), C)
        assert moved.values["offset"] == 6
        seen = replay(trace, 4).replicas["C"]
        assert (seen.start, seen.leo, seen.hw) == (0, 8, 8)
        assert seen.entries == [(0, 0), (1, 3)]
        assert seen.records == [f"r{number}" for number in range(8)]

    @pytest.mark.parametrize("one", TIERED, ids=ids)
    def test_the_high_watermark_is_where_the_tier_ends_before_the_first_fetch(self, one: Era) -> None:
        """UnifiedLog.truncateFullyAndStartAt: updateHighWatermark(logEndOffset)."""
        trace = simulated("tiered-new-disk", one)
        hws = [each.values["hw"] for each in of(events(trace, "hw_moved", step=4), C)]
        assert hws == [6, 8]

    @pytest.mark.parametrize("one", TIERED, ids=ids)
    def test_a_consumer_reads_from_the_log_start(self, one: Era) -> None:
        trace = simulated("tiered-new-disk", one)
        (read,) = events(trace, "consumed", step=5)
        assert (read.values["from_offset"], read.values["offset"]) == (0, 8)
        assert not events(trace, "consumer_out_of_range")

    @pytest.mark.parametrize("one", PLAIN, ids=ids)
    def test_before_it_retention_deletes_for_all(self, one: Era, replay: Replay) -> None:
        trace = simulated("tiered-new-disk", one)
        assert not events(trace, "tier_copied", "tier_joined", "local_start_moved")
        assert refusals(trace, C, 4)[-1] == StopReason.OFFSET_OUT_OF_RANGE
        seen = replay(trace, 4).replicas["C"]
        assert (seen.start, seen.leo) == (6, 8)
        assert [epoch for epoch, _ in seen.entries] == ([] if one.id == "0.10.2" else [1])
        (read,) = events(trace, "consumed", step=5)
        assert read.values["from_offset"] == 6

    def test_without_the_setting_a_release_with_it_is_as_before(self) -> None:
        text = scenario("tiered-new-disk").text.replace('"remote.storage.enable" = true\n', "")
        trace = simulate(parse_scenario(text), era("4.1"))
        assert not events(trace, "tier_copied", "tier_joined", "local_start_moved")
        assert refusals(trace, C, 4) == [StopReason.OFFSET_OUT_OF_RANGE]

    def test_local_retention_deletes_nothing_that_is_not_copied(self) -> None:
        """UnifiedLog.deleteOldSegments: upperBoundOffset - 1 <= highestOffsetInRemoteStorage."""
        text = scenario("tiered-new-disk").text.replace("offset = 6", "offset = 2", 1)
        trace = simulate(parse_scenario(text), era("4.1"))
        starts = {one.values["replica"]: one.values["offset"] for one in events(trace, "local_start_moved")}
        assert starts == {A: 2, B: 2, C: 2}
        assert copied(trace, C, 4) == 6

    def test_nothing_above_the_last_stable_offset_is_copied(self) -> None:
        """RemoteLogManager.candidateLogSegments: the next segment begins at or below it."""
        text = scenario("tiered-new-disk").text.replace("offset = 6", "offset = 9", 1)
        assert not events(simulate(parse_scenario(text), era("4.1")), "tier_copied", "local_start_moved")


class TestFarBehind:
    """C was down while the leader's disk moved on: its log ends at 4, the leader's disk begins at 6."""

    def text(self) -> str:
        plain = scenario("tiered-new-disk").text.replace("disk_replaced = true\n", "")
        whole = 'broker = "C"\nlog = [{ epoch = 0, count = 3 }, { epoch = 1, count = 5 }]\nhigh_watermark = 8'
        shorter = (
            'broker = "C"\nlog = [{ epoch = 0, count = 3 }, { epoch = 1, count = 1 }]\nhigh_watermark = 4'
        )
        assert whole in plain
        return (
            plain.replace(whole, shorter)
            .replace('isr = ["A", "B", "C"]', 'isr = ["A", "B"]')
            .replace("remote = { B = 8, C = 8 }", "remote = { B = 8, C = 4 }\ndown = { C = 1_000 }")
        )

    @pytest.mark.parametrize("one", TIERED, ids=ids)
    def test_it_drops_its_disk_and_begins_behind_the_tier(self, one: Era, replay: Replay) -> None:
        trace = simulate(parse_scenario(self.text()), one)
        assert refusals(trace, C, 4) == [StopReason.OFFSET_MOVED_TO_TIERED_STORAGE]
        assert copied(trace, C, 4) == 2, "r4 and r5 lie in the tier alone"
        seen = replay(trace, 4).replicas["C"]
        assert (seen.start, seen.leo) == (0, 8)
        assert seen.records == [f"r{number}" for number in range(8)]
        assert not play(parse_scenario(self.text()), one).truth.diverged


class TestStaleStart:
    def test_in_3_6_the_new_leader_says_out_of_range(self, replay: Replay) -> None:
        """KAFKA-15695: offsets between the stale and the true local log start are looked for on the disk."""
        trace = simulated("tiered-stale-start", era("3.6"))
        (said,) = events(trace, "consumer_out_of_range", step=8)
        assert (said.values["offset"], said.values["log_start"], said.values["leo"]) == (0, 0, 7)
        reasons = refusals(trace, B, 9)
        assert len(reasons) > 2
        assert set(reasons) == {StopReason.OFFSET_OUT_OF_RANGE}
        resets = events(trace, "fetch_offset_reset", step=9)
        assert {(one.values["from_offset"], one.values["offset"]) for one in resets} == {(0, 0)}
        assert replay(trace, 9).isr == ("C",)

    def test_in_3_6_a_restart_mends_it(self, replay: Replay) -> None:
        trace = simulated("tiered-stale-start", era("3.6"))
        assert refusals(trace, B, 11) == [StopReason.OFFSET_MOVED_TO_TIERED_STORAGE]
        seen = replay(trace, 11)
        assert (seen.replicas["B"].leo, sorted(seen.isr)) == (7, ["B", "C"])

    @pytest.mark.parametrize("one", [one for one in TIERED if one.id != "3.6"], ids=ids)
    def test_from_3_7_it_knows_its_start(self, one: Era, replay: Replay) -> None:
        trace = simulated("tiered-stale-start", one)
        (read,) = events(trace, "consumed", step=8)
        assert (read.values["from_offset"], read.values["offset"]) == (0, 7)
        assert refusals(trace, B, 9) == [StopReason.OFFSET_MOVED_TO_TIERED_STORAGE]
        assert copied(trace, B, 9) == 3
        assert sorted(replay(trace, 9).isr) == ["B", "C"]

    def test_the_switch_alone_tells(self) -> None:
        stale = with_switches(era("4.1"), {"tiered-storage": "start-kept"})
        assert events(simulated("tiered-stale-start", stale), "consumer_out_of_range", step=8)

    @pytest.mark.parametrize("one", ERAS, ids=ids)
    def test_nothing_is_lost_for_good(self, one: Era) -> None:
        played = play(scenario("tiered-stale-start"), one)
        assert not played.truth.lost
        assert not played.truth.diverged


def deleted(trace: Trace, *reasons: TierDeletion) -> list[tuple[int, int]]:
    """The remote segments that were deleted for one of these reasons, or for any, in order."""
    return [
        (one.values["from_offset"], one.values["offset"])
        for one in events(trace, "tier_deleted")
        if not reasons or one.values["aux"] in reasons
    ]


LOW = tuple(one for one in TIERED if one.switches.tier_expiry != "start-of-highest")
MENDED = tuple(one for one in TIERED if one not in LOW)


class TestOverlap:
    """RemoteLogManager.cleanupExpiredRemoteLogSegments at 3.6.2, 3.7.2, 3.8.0 and 4.1.1."""

    def test_3_8_mends_it(self) -> None:
        assert [one.id for one in LOW] == ["3.6", "3.7"]

    @pytest.mark.parametrize("one", TIERED, ids=ids)
    def test_all_three_segments_are_deleted_by_their_starts(self, one: Era) -> None:
        trace = simulated("tiered-overlap", one)
        assert deleted(trace) == deleted(trace, TierDeletion.RETENTION) == [(0, 3), (2, 7), (3, 5)]

    @pytest.mark.parametrize("one", LOW, ids=ids)
    def test_to_3_7_nobody_finds_the_log_start(self, one: Era, replay: Replay) -> None:
        """KAFKA-16890: the log begins at 5, the disk at 7."""
        trace = simulated("tiered-overlap", one)
        assert replay(trace, 8).replicas["B"].start == 5
        told = refusals(trace, C, 9)
        missing = [StopReason.OFFSET_MOVED_TO_TIERED_STORAGE, StopReason.REMOTE_STATE_MISSING]
        assert told[0] == StopReason.OFFSET_OUT_OF_RANGE
        assert told[1:] == missing * 3
        assert replay(trace, 9).isr == ("B",)
        asked = [each.values["offset"] for each in events(trace, "consumer_out_of_range", step=10)]
        assert asked == [0, 5, 5]
        assert not events(trace, "consumed", step=10)

    @pytest.mark.parametrize("one", MENDED, ids=ids)
    def test_from_3_8_the_log_begins_where_the_disk_does(self, one: Era, replay: Replay) -> None:
        trace = simulated("tiered-overlap", one)
        assert replay(trace, 8).replicas["B"].start == 7
        assert sorted(replay(trace, 9).isr) == ["B", "C"]
        (read,) = events(trace, "consumed", step=10)
        assert (read.values["from_offset"], read.values["offset"]) == (7, 8)

    @pytest.mark.parametrize("one", ERAS, ids=ids)
    def test_nothing_is_lost(self, one: Era) -> None:
        """What retention deletes is not."""
        assert not play(scenario("tiered-overlap"), one).truth.lost

    def test_the_switch_alone_tells(self) -> None:
        low = with_switches(era("4.1"), {"tier-expiry": "start-of-last"})
        assert len(events(simulated("tiered-overlap", low), "consumer_out_of_range")) == 3


class TestForgotten:
    """deleteLogSegmentsDueToLeaderEpochCacheTruncation: "needed for unclean leader election scenarios"."""

    @pytest.mark.parametrize("one", TIERED, ids=ids)
    def test_the_tier_is_emptied_and_the_log_start_stays(self, one: Era, replay: Replay) -> None:
        trace = simulated("tiered-forgotten", one)
        assert deleted(trace) == deleted(trace, TierDeletion.NO_EPOCH) == [(0, 4)]
        assert not events(trace, "log_start_moved")
        assert replay(trace, 9).replicas["A"].records == replay(trace, 9).replicas["B"].records == ["s0"]
        (out,) = events(trace, "consumer_out_of_range", step=9)
        assert out.values["offset"] == 5
        (read,) = events(trace, "consumed", step=9)
        assert (read.values["from_offset"], read.values["offset"]) == (0, 1)

    @pytest.mark.parametrize("one", TIERED, ids=ids)
    def test_committed_records_are_lost(self, one: Era) -> None:
        truth = play(scenario("tiered-forgotten"), one).truth
        assert sorted(truth.names[number] for number in truth.lost) == ["r0", "r1", "r2", "r3", "r4"]


class TestCleaning:
    """What is asked of texts that are close to those of the scenarios."""

    def cleaned(self, offset: int, *, rest: str = "") -> Trace:
        text = scenario("tiered-new-disk").text.replace("offset = 6", "offset = 3", 1)
        copied = '[[step]]\ndo = "copy-to-tier"\noffset = 6\nfor_ms = 10\n\n[[step]]\nlabel = "C crashes"'
        text = text.replace('[[step]]\nlabel = "C crashes"', copied, 1)
        clean = f'\n[[step]]\ndo = "clean-tier"\noffset = {offset}\nfor_ms = 2_000\n'
        return simulate(parse_scenario(text + clean + rest), era("4.1"))

    def test_retention_deletes_whole_segments_and_followers_hear_of_it(self, replay: Replay) -> None:
        """ReplicaFetcherThread.processPartitionData: maybeIncrementLogStartOffset."""
        trace = self.cleaned(5)
        assert deleted(trace) == [(0, 3)]
        starts = [
            (one.values["replica"], one.values["log_start"]) for one in events(trace, "log_start_moved")
        ]
        assert starts[0] == (A, 3)
        assert sorted(starts) == [(A, 3), (B, 3), (C, 3)]
        assert {seen.start for seen in replay(trace, 8).replicas.values()} == {3}
        assert [seen.entries for seen in replay(trace, 8).replicas.values()] == [[(1, 3)]] * 3

    def test_a_new_leader_that_has_not_heard_finds_the_log_start(self) -> None:
        """KAFKA-15351: its consumers are out of range until it has looked."""
        lost = """
[[step]]
do = "disconnect"
from = ["A"]
to = ["B", "C"]
for_ms = 0

[[step]]
do = "clean-tier"
offset = 6
for_ms = 0

[[step]]
do = "crash"
broker = "A"
until = "B leads"
within_ms = 60_000

[[step]]
do = "copy-to-tier"
offset = 7
for_ms = 10
"""
        trace = self.cleaned(5, rest=lost)
        found = of(events(trace, "log_start_moved"), B)
        assert [one.values["log_start"] for one in found] == [3, 6]
        assert found[-1].cause is not None
        assert trace.event(found[-1].cause).kind == "step"

    @pytest.mark.parametrize("one", TIERED, ids=ids)
    def test_what_was_copied_is_not_copied_again_when_it_is_deleted(self, one: Era) -> None:
        """RemoteLogLeaderEpochState.highestLogOffset: to 3.7 the log begins at 5, and was copied up to 7."""
        more = """
[[step]]
do = "copy-to-tier"
offset = 8
for_ms = 10
"""
        trace = simulate(parse_scenario(scenario("tiered-overlap").text + more), one)
        spans = [(each.values["from_offset"], each.values["offset"]) for each in events(trace, "tier_copied")]
        assert spans == [(0, 3), (3, 5), (2, 7), (7, 8)]

    def test_nothing_is_deleted_without_the_setting(self) -> None:
        text = scenario("tiered-overlap").text.replace('"remote.storage.enable" = true\n', "")
        assert not events(simulate(parse_scenario(text), era("4.1")), "tier_deleted", "tier_copied")
