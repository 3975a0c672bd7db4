"""Snapshots of the metadata log (KIP-630): written, deleted with the log below, sent in place of records.

What is expected stands in KafkaMetadataLog, ReplicatedLog and KafkaRaftClient at 3.3.2, 3.6.2, 3.7.0 and
3.9.0-rc3, and in apache/kafka PR 13845 (KAFKA-15078, 3.6).
"""

import pytest

from core.kafka.eras import Era, era, with_switches
from core.sim.library import scenario
from core.sim.run import play
from core.sim.scenario import parse_scenario
from core.trace.trace import Event, Trace
from core.trace.vocabulary import CutReason
from tests.core_sim.test_clients import events
from tests.core_sim.test_sc_quorum import KRAFT, QUORUM, A, K, L, M, ids, leaders
from tests.runs import simulated

pytestmark = pytest.mark.broad(6)

N = 6
COPIED = tuple(one for one in KRAFT if one.id in ("3.3", "3.5"))
"""To 3.5: an empty log is copied from a leader that has all of it."""
SENT = tuple(one for one in KRAFT if one not in COPIED)
NAME = "metadata-snapshot"


def of(trace: Trace, kind: str, who: int, step: int | None = None) -> list[Event]:
    told = [one for one in events(trace, kind, step=step) if one.get("partition") == QUORUM]
    return [one for one in told if one.get("replica") == who]


def logs_of(trace: Trace) -> dict[int, tuple[int, int]]:
    """By controller where its log begins and ends, after the run."""
    found = {who: [0, 0] for who in (K, L, M, N)}
    for seq in range(len(trace)):
        one = trace.event(seq)
        if one.get("partition") != QUORUM or one.get("replica") not in found:
            continue
        mine = found[one.values["replica"]]
        if one.kind == "log_start_moved":
            mine[0] = one.values["log_start"]
        elif one.kind == "log_reset":
            mine[:] = [one.values["offset"]] * 2
        elif one.kind in ("appended", "truncated", "log_loaded"):
            mine[1] = one.values["leo"]
    return {who: (start, end) for who, (start, end) in found.items()}


@pytest.mark.parametrize("one", KRAFT, ids=ids)
class TestBack:
    """M, which was down for long."""

    def test_it_is_given_the_latest_snapshot_of_its_leader(self, one: Era) -> None:
        """Below the log start of K: its log is dropped whole, and begins and ends with the snapshot."""
        trace = simulated(NAME, one)
        (first, last) = of(trace, "snapshot_written", K)
        (start,) = of(trace, "log_start_moved", K)
        (loaded,) = of(trace, "log_loaded", M)
        (reset,) = of(trace, "log_reset", M)
        assert loaded.values["leo"] < first.values["offset"] < last.values["offset"]
        assert reset.position == loaded.position == 11
        assert reset.values["offset"] == start.values["log_start"] == last.values["offset"]
        assert (reset.values["from_offset"], reset.values["aux"]) == (loaded.values["leo"], CutReason.RESET)

    def test_its_high_watermark_is_the_snapshots_end(self, one: Era) -> None:
        """UnifiedLog.truncateFullyAndStartAt; it holds nothing that is not committed."""
        trace = simulated(NAME, one)
        (reset,) = of(trace, "log_reset", M)
        moved = of(trace, "hw_moved", M, step=11)[0]
        assert (moved.values["hw"], moved.at) == (reset.values["offset"], reset.at)

    def test_it_goes_on_with_records_from_there(self, one: Era) -> None:
        trace = simulated(NAME, one)
        (reset,) = of(trace, "log_reset", M)
        appended = of(trace, "appended", M, step=11)
        assert appended[0].values["from_offset"] == reset.values["offset"]
        assert not of(trace, "truncated", M)

    def test_with_l_dead_it_is_half_of_the_majority(self, one: Era) -> None:
        """A is elected by what K and M hold; M has none of the records below the snapshot."""
        trace = simulated(NAME, one)
        assert leaders(trace) == [(1, K)]
        elected = events(trace, "leader_elected", step=13)
        assert [each.values["leader"] for each in elected] == [A]
        found = logs_of(trace)
        assert found[M] == found[K]
        assert found[M][0] > 0

    def test_each_deletes_up_to_its_own_snapshot(self, one: Era) -> None:
        """L hears of a high watermark later than K, by up to 500 ms: its snapshot may end below."""
        trace = simulated(NAME, one)
        for who in (K, L):
            (start,) = of(trace, "log_start_moved", who)
            assert start.values["log_start"] == of(trace, "snapshot_written", who)[-1].values["offset"]
        assert not of(trace, "snapshot_written", M)
        assert not of(trace, "log_start_moved", M)

    def test_by_the_switch_alone(self, one: Era) -> None:
        """Without snapshots every log begins at 0, and M is given the records."""
        trace = simulated(NAME, with_switches(one, {"metadata-snapshot": "none"}))
        assert not events(trace, "snapshot_written")
        assert not of(trace, "log_reset", M)
        assert {start for start, _ in logs_of(trace).values()} == {0}
        assert logs_of(trace)[M] == logs_of(trace)[K]


@pytest.mark.parametrize("one", COPIED, ids=ids)
def test_to_3_5_an_empty_log_is_copied(one: Era) -> None:
    """K has a snapshot, and its whole log still."""
    trace = simulated(NAME, one)
    assert [each.values["aux"] for each in of(trace, "log_reset", N)] == [CutReason.RECOVERY]
    assert of(trace, "appended", N, step=6)[0].values["from_offset"] == 0
    sent = simulated(NAME, with_switches(one, {"metadata-snapshot": "empty-log-too"}))
    assert [each.values["aux"] for each in of(sent, "log_reset", N)] == [CutReason.RECOVERY, CutReason.RESET]


@pytest.mark.parametrize("one", SENT, ids=ids)
def test_from_3_6_on_it_is_given_the_snapshot(one: Era) -> None:
    """KAFKA-15078."""
    trace = simulated(NAME, one)
    (first, _) = of(trace, "snapshot_written", K)
    (wiped, given) = of(trace, "log_reset", N)
    assert (wiped.values["aux"], given.values["aux"]) == (CutReason.RECOVERY, CutReason.RESET)
    assert given.values["offset"] == first.values["offset"]
    assert not of(trace, "appended", N, step=6)


@pytest.mark.parametrize("one", KRAFT, ids=ids)
def test_nothing_is_lost_for_any_luck(one: Era) -> None:
    for seed in range(1, 6):
        played = play(scenario(NAME), one, seed=seed)
        assert not [fate for fate in played.truth.fates() if fate.lost and fate.committed is not None]


HEAD = """
schema = 1
id = "x"
title = "x"
story = "x"
cluster.brokers = ["A", "B"]
[quorum]
voters = ["K", "L", "M"]
observers = ["N"]
"""


def asked(release: str, *steps: tuple[str, str, int]) -> Trace:
    """A run with these steps: what is done, its keys, how long it lasts."""
    told = [f'[[step]]\ndo = "{do}"\n{keys}\nfor_ms = {ms}\n' for do, keys, ms in steps]
    return play(parse_scenario(HEAD + "".join(told)), era(release)).trace


ALL = 'controllers = ["K", "L", "M", "N"]'


class TestAlone:
    def test_one_snapshot_deletes_nothing(self) -> None:
        """KafkaMetadataLog.cleanSnapshots: snapshots.size < 2."""
        trace = asked("4.1", ("snapshot", ALL, 10), ("clean-metadata", ALL, 10))
        assert len(events(trace, "snapshot_written")) == 4
        assert not events(trace, "log_start_moved")

    def test_none_twice_of_one_name(self) -> None:
        trace = asked("4.1", ("snapshot", ALL, 10), ("snapshot", ALL, 10))
        assert {one.position for one in events(trace, "snapshot_written")} == {1}

    def test_one_that_is_down_writes_none(self) -> None:
        trace = asked("4.1", ("crash", 'broker = "M"', 10), ("snapshot", ALL, 10))
        assert {one.values["replica"] for one in events(trace, "snapshot_written")} == {K, L, N}

    def test_it_starts_where_its_log_began(self) -> None:
        """And knows no high watermark above that, until its leader says it."""
        trace = asked(
            "4.1",
            ("snapshot", ALL, 10),
            ("crash", 'broker = "B"', 12_000),
            ("snapshot", ALL, 10),
            ("clean-metadata", ALL, 10),
            ("crash", 'broker = "M"', 10),
            ("start", 'broker = "M"', 2_000),
        )
        (moved,) = of(trace, "log_start_moved", M)
        (loaded,) = of(trace, "log_loaded", M)
        (hw,) = of(trace, "hw_loaded", M)
        start = moved.values["log_start"]
        assert (loaded.values["log_start"], loaded.values["leo"], hw.values["hw"]) == (start, start, start)
        assert not of(trace, "log_reset", M)

    def test_an_epoch_older_than_the_snapshots_is_enough(self) -> None:
        """M ends in epoch 1; the only snapshot is of a later epoch, and its leader has the whole log."""
        elected = 'broker = "K"\nuntil = "the quorum has a new leader"\nwithin_ms = 30_000'
        told = "".join(
            f'[[step]]\ndo = "{do}"\n{keys}\n'
            for do, keys in (
                ("crash", 'broker = "N"'),
                ("crash", elected),
                ("wait", "for_ms = 1_000"),
                ("snapshot", 'controllers = ["L", "M"]'),
                ("start", 'broker = "N"\nfor_ms = 5_000'),
            )
        )
        trace = play(parse_scenario(HEAD + told), era("3.3")).trace
        (reset,) = of(trace, "log_reset", N)
        assert reset.values["aux"] == CutReason.RESET
        assert not events(trace, "log_start_moved")
        assert of(trace, "became_follower", N)[-1].position == 5

    def test_who_votes_goes_with_the_snapshot(self) -> None:
        """3.9, KIP-853: N is a voter by a record that M never had; the snapshot has it."""
        trace = asked(
            "4.1",
            ("crash", 'broker = "M"', 10),
            ("add-voter", 'controller = "N"', 1_000),
            ("snapshot", 'controllers = ["K", "L"]', 10),
            ("crash", 'broker = "B"', 12_000),
            ("snapshot", 'controllers = ["K", "L"]', 10),
            ("clean-metadata", 'controllers = ["K", "L"]', 10),
            ("start", 'broker = "M"', 2_000),
        )
        assert of(trace, "log_reset", M)
        told = [tuple(trace.isrs[each.values["isr"]]) for each in of(trace, "voters_changed", M)]
        assert told == [(K, L, M, N)]
