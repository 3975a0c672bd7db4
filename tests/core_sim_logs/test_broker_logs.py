"""The files themselves: layout, wording by release, bytes of segments, and what is refused."""

import re

import pytest

from core.errors import QuestionError
from core.kafka.crc32c import crc32c
from core.kafka.eras import era, with_switches
from core.sim.library import scenario
from core.sim.logs.broker_logs import broker_logs
from core.sim.logs.tables import LINES
from core.sim.logs.wording import lines_of
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from importers.disk.segments import read_segment
from tests.runs import simulated
from tests.trips import ERA_IDS

HEAD = re.compile(
    r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\] (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) \S.* \([\w.$]+\)"
)


def run_of(name: str, which: str, **switches: str) -> Trace:
    return simulated(name, with_switches(era(which), switches))


@pytest.fixture(scope="module", params=ERA_IDS)
def loss(request: pytest.FixtureRequest) -> Trace:
    return run_of("hw-loss", request.param)


def text_of(files: dict[str, bytes] | object, path: str) -> str:
    assert isinstance(files, dict)
    return files[path].decode()


@pytest.mark.parametrize("which", ERA_IDS)
def test_each_release_has_one_wording_of_a_line(which: str) -> None:
    assert lines_of(era(which).release, LINES)


def test_two_wordings_for_one_release_are_refused() -> None:
    first = LINES[0]

    with pytest.raises(ValueError, match=first.name):
        lines_of("4.0.0", (first, first))


def test_lines_have_the_stock_layout_and_times_never_go_back(loss: Trace) -> None:
    for path, content in broker_logs(loss).items():
        if "/logs/" not in path:
            continue
        heads = [line for line in content.decode().splitlines() if line.startswith("[20")]
        assert [line[1:24] for line in heads] == sorted(line[1:24] for line in heads), path
        for line in heads:
            assert HEAD.fullmatch(line) or line.endswith("KafkaConfig values: "), line


def test_the_lines_of_the_loss_are_those_of_a_real_one() -> None:
    """Findings of the lab, section 1: the load, the cut to the own high watermark, the new fetch offset."""
    files = broker_logs(run_of("hw-loss", "0.10.2"))
    lines = [line[26:] for line in text_of(files, "broker-2/logs/server.log").splitlines()]
    told = [
        line for line in lines if line.startswith(("INFO Completed", "INFO Truncating", "INFO [ReplicaF"))
    ]

    loaded = "INFO Completed load of log t-0 with 1 log segments and log end offset 2 in 1 ms (kafka.log.Log)"
    cut, fetching = told[told.index(loaded) :][2:4]
    assert cut == "INFO Truncating log t-0 to offset 1. (kafka.log.Log)"
    assert fetching == (
        "INFO [ReplicaFetcherManager on broker 2] Added fetcher for partitions List([t-0, initOffset 1 to "
        "broker BrokerEndPoint(1,127.0.0.1,19092)] ) (kafka.server.ReplicaFetcherManager)"
    )
    clean = "Some broker in ISR is alive for [t,0]. Select 2 from ISR 2 to be the leader."
    assert clean in text_of(files, "broker-4/logs/controller.log")
    reset = "WARN [ReplicaFetcherThread-0-2], Replica 1 for partition t-0 reset its fetch offset from 2 to "
    assert reset + "current leader 2's latest offset 1" in text_of(files, "broker-1/logs/server.log")


@pytest.mark.parametrize(
    ("name", "which", "path", "said"),
    [
        # ReplicaManager.makeFollowers and PartitionState.toString of 1.1.1.
        (
            "isr-shrink",
            "1.1",
            "broker-2/logs/state-change.log",
            "isr=1,2,3, zkVersion=0, replicas=1,2,3, isNew=true) correlation id 1 from controller 4 epoch",
        ),
        # AbstractFetcherManager.addFetcherForPartitions of 2.1.1: the high watermark is the first offset.
        (
            "leader-failover-consistent",
            "2.1",
            "broker-3/logs/server.log",
            "BrokerEndPoint(id=2, host=127.0.0.1:19093) for partitions Map(t-0 -> (offset=1, leaderEpoch=1))",
        ),
        # Partition.makeLeader of 2.4.1.
        (
            "leader-failover-consistent",
            "2.4",
            "broker-2/logs/server.log",
            "t-0 starts at leader epoch 1 from offset 3 with high watermark 1. Previous leader epoch was 0.",
        ),
        # LeaderAndIsrRequest.json of 2.4.1; the partition is not named behind it any more.
        (
            "isr-shrink",
            "2.4",
            "broker-2/logs/state-change.log",
            "addingReplicas=[], removingReplicas=[], isNew=true) correlation id 1 from controller 4 epoch 1",
        ),
        # Partition.expandIsr and updateIsr of 2.4.1.
        (
            "isr-rejoin",
            "2.4",
            "broker-1/logs/server.log",
            "ISR updated to [1,2] and zkVersion updated to [2]",
        ),
    ],
)
def test_releases_between_say_it_as_their_source_does(name: str, which: str, path: str, said: str) -> None:
    assert said in text_of(broker_logs(run_of(name, which)), path)


FORK = """
schema = 1
id = "fork"
title = { en = "fork", zh = "fork" }
story = { en = "Each has an epoch that the other does not know.", zh = "各有一个对方不知道的 epoch。" }
[cluster]
brokers = ["A", "B"]
[start]
leader = "A"
epoch = 3
[[start.replica]]
broker = "A"
log = [{ epoch = 0, records = ["r0"] }, { epoch = 1, records = ["a"] }, { epoch = 3, records = ["c"] }]
high_watermark = 1
[[start.replica]]
broker = "B"
log = [{ epoch = 0, records = ["r0"] }, { epoch = 2, records = ["b"] }]
high_watermark = 1
[[step]]
label = { en = "B is killed", zh = "B" }
effect = { en = "gone", zh = "-" }
do = "crash"
broker = "B"
[[step]]
label = { en = "B starts", zh = "B" }
effect = { en = "asks twice", zh = "-" }
do = "start"
broker = "B"
for_ms = 2_000
"""


@pytest.mark.parametrize(("which", "follower"), [("2.0", "follower"), ("2.1", "replica"), ("2.4", "replica")])
def test_a_follower_that_does_not_know_the_answered_epoch_says_so(which: str, follower: str) -> None:
    """AbstractFetcherThread.getOffsetTruncationState of 2.0.0 and of 2.1.1 (KIP-279)."""
    files = broker_logs(simulate(parse_scenario(FORK, "fork.toml"), era(which)))

    said = (
        f"Based on {follower}'s leader epoch, leader replied with epoch 1 unknown to the {follower} for t-0. "
        "Will truncate to 1 and send another leader epoch request to the leader."
    )
    assert said in text_of(files, "broker-2/logs/server.log")


def test_only_brokers_of_the_era_keep_epochs() -> None:
    paths = {which: set(broker_logs(run_of("hw-loss", which))) for which in ERA_IDS}

    assert "broker-1/data/t-0/leader-epoch-checkpoint" not in paths["0.10.2"]
    assert "broker-1/data/log-start-offset-checkpoint" not in paths["0.10.2"]
    assert "broker-1/data/t-0/leader-epoch-checkpoint" in paths["0.11"] & paths["2.8"]
    assert "broker-1/data/t-0/partition.metadata" in paths["2.8"] - paths["0.11"]


def test_segments_hold_the_records_with_right_checksums(loss: Trace) -> None:
    files = broker_logs(loss)
    for broker in (1, 2):
        data = files[f"broker-{broker}/data/t-0/{0:020d}.log"]
        segment = read_segment(data, 0)
        assert segment.torn is None
        assert segment.batches
        assert [batch.first_offset for batch in segment.batches] == list(range(segment.end_offset))
        for batch in segment.batches:
            if batch.magic == 2:
                assert crc32c(data[batch.position + 21 : batch.position + batch.size]) == batch.crc
        assert b"m0" in data
        assert {batch.magic for batch in segment.batches} == {1 if loss.facts["era"] == "0.10.2" else 2}


@pytest.mark.parametrize("which", ERA_IDS)
def test_a_follower_has_the_bytes_of_its_leader(which: str) -> None:
    files = broker_logs(run_of("two-replica-sync", which))

    name = f"data/t-0/{0:020d}.log"
    assert files[f"broker-1/{name}"] == files[f"broker-2/{name}"]


def test_one_run_gives_the_same_bytes() -> None:
    assert broker_logs(run_of("hw-loss", "2.8")) == broker_logs(run_of("hw-loss", "2.8"))


def test_a_cut_to_the_high_watermark_by_a_later_release_names_the_old_protocol() -> None:
    files = broker_logs(run_of("hw-loss", "2.8", truncation="high-watermark"))

    assert "inter.broker.protocol.version=0.10.2\n" in text_of(files, "broker-1/config/server.properties")


def test_a_run_in_which_a_partition_moves_is_refused() -> None:
    with pytest.raises(QuestionError, match="moves to other brokers"):
        broker_logs(run_of("reassignment", "2.8"))


def test_another_controller_than_the_era_s_is_refused() -> None:
    with pytest.raises(QuestionError, match="controller=kraft"):
        broker_logs(run_of("hw-loss", "2.8", controller="kraft"))


@pytest.mark.parametrize("which", ["3.6", "4.1"])
def test_deletions_are_announced_before_the_log_begins_higher_and_done_after(which: str) -> None:
    """cleanupExpiredRemoteLogSegments: "About to delete", handleLogStartOffsetUpdate, then "Deleted"."""
    before, clean, after = scenario("tiered-forgotten").text.partition('do = "clean-tier"\n')
    copy = 'do = "copy-to-tier"\noffset = 1\nfor_ms = 10\n\n[[step]]\n'
    text = before + copy + clean + "offset = 1\n" + after
    files = broker_logs(simulate(parse_scenario(text), era(which)))
    lines = text_of(files, "broker-1/logs/server.log").splitlines()
    said = [line for line in lines if "remote log segment" in line or "Incremented log start" in line]
    announced, moved, done = said[-3:]
    assert "About to delete remote log segment" in announced
    assert "retention time" in announced
    assert "Incremented log start offset to 1 due to segment deletion" in moved
    assert "Deleted remote log segment" in done
    assert "leader-epoch-cache truncation" in done
    assert "epoch=3, startOffset=1" in done
