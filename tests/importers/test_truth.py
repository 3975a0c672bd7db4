"""The two recordings, imported, against what really happened (truth.json) and against their own text."""

import json
import tarfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from core.trace.ids import Nanos
from core.trace.trace import Trace
from core.trace.units import HOUR_NS, SECOND_NS
from core.trace.vocabulary import NUMBER, Basis
from importers.load import load
from importers.merge.clock import Skew, nearest
from importers.options import ImportOptions
from importers.samples import SAMPLES, sample_path
from tests.in_words import gaps_of

pytestmark = pytest.mark.broad(3)

NAMES = ("k0102-hw-loss", "k28-epoch-fix")
TRUTHS = Path(__file__).parent.parent / "recordings"
MS = 1_000_000


@cache
def truth(name: str) -> dict:
    with tarfile.open(TRUTHS / f"{name}.tar.xz") as archive:
        stream = archive.extractfile(f"{name}/truth.json")
        assert stream is not None
        return json.load(stream)


@cache
def texts(name: str) -> dict[str, list[str]]:
    with tarfile.open(sample_path(name)) as archive:
        streams = ((info.name, archive.extractfile(info)) for info in archive if info.isfile())
        return {
            path: stream.read().decode("utf-8", "replace").split("\n") for path, stream in streams if stream
        }


@cache
def trace(name: str) -> Trace:
    return load([sample_path(name)])


def events(name: str, *kinds: str, partition: str | None = None) -> list:
    found = trace(name)
    numbers = [NUMBER[kind] for kind in kinds]
    index = None if partition is None else found.partition_index(partition)
    mask = np.isin(found.columns["kind"], numbers)
    if partition is not None:
        mask &= found.columns["partition"] == index
    return [found.event(int(seq)) for seq in np.flatnonzero(mask)]


@pytest.mark.parametrize("name", NAMES)
def test_no_line_about_replication_is_left_over(name: str) -> None:
    report = trace(name).report
    logs = [file for file in texts(name) if "/logs/" in file]

    assert report["unrecognised"] == 0
    assert report["malformed"] == 0
    assert len(gaps_of(report)) == 3  # the three brokers that were killed
    assert all("was not stopped cleanly" in gap for gap in gaps_of(report))
    lines = sum(len(texts(name)[file]) - (not texts(name)[file][-1]) for file in logs)
    assert report["lines"] == lines
    assert report["recognised"] + report["noise"] == lines


@pytest.mark.parametrize("name", NAMES)
def test_lines_without_a_rule_mention_no_partition(name: str) -> None:
    """Stronger than the words of the report: no line that names a topic of the recording lacks a rule."""
    from importers.kafka.grammar import table
    from importers.kafka.rule import key
    from importers.lines.layout import STOCK
    from importers.lines.records import records

    topics = [topic["name"].encode() for topic in truth(name)["topics"]]
    for path, lines in texts(name).items():
        if "/logs/" not in path:
            continue
        for record in records("\n".join(lines).encode(), STOCK):
            if any(topic in record.message for topic in topics):
                rules = table().get(key(record.message), ())
                text = record.message.decode()
                assert any(pattern.fullmatch(text) for _, pattern in rules), text


@pytest.mark.parametrize("name", NAMES)
def test_each_file_belongs_to_the_broker_of_its_folder(name: str) -> None:
    for source in trace(name).sources:
        assert source.path.startswith(f"{name}/broker-{source.broker}/"), source
    by = {row["file"]: row["found_by"] for row in trace(name).report["by_file"] if row["is"] == "log"}
    assert {by[file] for file in by if not file.endswith("log-cleaner.log")} == {"content"}


@pytest.mark.parametrize("name", NAMES)
def test_versions_partitions_and_replicas_are_those_of_the_cluster(name: str) -> None:
    real = truth(name)

    assert {broker.version for broker in trace(name).brokers} == {real["version"]}
    assert [int(broker.broker_id) for broker in trace(name).brokers] == sorted(
        int(b) for b in real["brokers"]
    )
    assert {str(partition.tp) for partition in trace(name).partitions} == set(real["final"])
    assignment = {topic["name"]: topic["assignment"] for topic in real["topics"]}
    for partition in trace(name).partitions:
        assert list(partition.replicas) == assignment[partition.tp.topic][partition.tp.partition]


@pytest.mark.parametrize("name", NAMES)
def test_an_event_points_at_the_text_that_it_states(name: str) -> None:
    found = trace(name)
    for seq in range(len(found)):
        event = found.event(seq)
        path = found.sources[event.source].path
        if event.line:
            lines = texts(name)[path]
            assert (
                len("\n".join(lines[: event.line - 1]).encode()) + (event.line > 1) == event.position
                or event.line <= 2
            )
        if event.kind == "truncated":
            text = texts(name)[path][event.line - 1]
            assert f"to offset {event.values['offset']}" in text
            partition = found.partitions[event.values["partition"]]
            assert str(partition.tp) in text
            assert f"/broker-{event.values['replica']}/" in path


@pytest.mark.parametrize("name", NAMES)
def test_every_truncation_of_the_truth_has_its_line(name: str) -> None:
    for cut in truth(name)["truncations"]:
        lines = [
            event
            for event in events(name, "truncated", partition=cut["tp"])
            if event.values["replica"] == cut["replica"]
            and event.values["offset"] == cut["to"]
            and abs(event.at - cut["at_ns"]) < 100 * MS
        ]
        assert lines, cut


def test_the_leaders_end_that_cut_the_old_leader_is_stated() -> None:
    (reset,) = events("k0102-hw-loss", "fetch_offset_reset", partition="orders-0")

    assert reset.get("replica") == 1
    assert reset.get("leader") == 2
    assert (reset.get("from_offset"), reset.get("offset")) == (254, 206)


def test_the_election_that_lost_records_is_said_to_be_clean() -> None:
    said = [
        (event.get("leader"), event.get("epoch"), event.get("aux"))
        for event in events("k0102-hw-loss", "leader_elected", partition="orders-0")
    ]

    assert said == [
        (1, 0, 1),
        (1, None, 1),
        (2, None, 2),
        (2, 1, None),
        (2, None, None),
        (1, None, None),
        (1, None, 3),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_leaders_of_all_epochs_are_stated(name: str) -> None:
    kinds = (
        "leader_elected",
        "leaderless",
        "leader_and_isr_sent",
        "leader_and_isr_received",
        "became_leader",
    )
    for sample in truth(name)["samples"]:
        if sample.get("leader_epoch") is None or sample.get("leader") is None:
            continue
        said = {
            event.get("leader")
            for event in events(name, *kinds, partition=sample["tp"])
            if event.get("epoch") == sample["leader_epoch"] and event.get("leader") is not None
        }
        assert said == {sample["leader"]}, sample


@pytest.mark.parametrize("name", NAMES)
def test_data_directories_say_how_it_ended(name: str) -> None:
    for tp, final in truth(name)["final"].items():
        ends = {event.get("replica"): event for event in events(name, "log_end_on_disk", partition=tp)}
        assert {str(replica) for replica in ends} == set(final["replicas"])
        for replica, real in final["replicas"].items():
            end = ends[int(replica)]
            assert (end.get("leo"), end.get("log_start")) == (real["leo"], real["log_start"])
            mine = [
                event
                for event in events(name, "batch_on_disk", "hw_checkpointed", "epoch_assigned", partition=tp)
                if event.get("replica") == int(replica) and "/data/" in trace(name).sources[event.source].path
            ]
            batches = [event for event in mine if event.kind == "batch_on_disk"]
            assert [event.get("from_offset") for event in batches] == [
                record[0] for record in real["records"]
            ]
            assert [event.get("epoch") for event in batches] == [record[1] for record in real["records"]]
            assert [event.get("hw") for event in mine if event.kind == "hw_checkpointed"] == [
                real["hw_checkpoint"]
            ]
            epochs = [
                [event.get("epoch"), event.get("offset")] for event in mine if event.kind == "epoch_assigned"
            ]
            assert epochs == (real["epoch_checkpoint"] or [])


@pytest.mark.parametrize("name", NAMES)
def test_equal_records_have_equal_checksums_on_every_replica(name: str) -> None:
    for tp in truth(name)["final"]:
        content: dict[int, set[int]] = {}
        for event in events(name, "batch_on_disk", partition=tp):
            content.setdefault(event.values["from_offset"], set()).add(event.values["aux"])
        assert all(len(found) == 1 for found in content.values())
        assert len({next(iter(found)) for found in content.values()}) == len(content)


@pytest.mark.parametrize("name", NAMES)
def test_a_loaded_log_ends_where_the_driver_last_saw_its_file_end(name: str) -> None:
    loads = [event for event in events(name, "log_loaded") if event.get("leo")]
    assert loads
    for event in loads:
        tp = str(trace(name).partitions[event.values["partition"]].tp)
        *_, last = (
            sample["leo"]
            for sample in truth(name)["samples"]
            if (sample.get("tp"), sample.get("replica")) == (tp, event.get("replica"))
            and sample["src"] in ("file", "disk")
            and sample["at_ns"] < event.at
        )
        assert event.get("leo") == last


@pytest.mark.parametrize("name", NAMES)
def test_brokers_that_were_killed_are_inferred_to_have_crashed_in_the_gap(name: str) -> None:
    kills = {(step["broker"], step["at_ns"]) for step in truth(name)["steps"] if step["do"] == "kill"}
    found = trace(name)
    crashes = events(name, "broker_crashed")
    gaps = events(name, "evidence_gap")

    assert len(crashes) == len(gaps) == len(kills) == 3
    for crash, gap in zip(crashes, gaps, strict=True):
        assert crash.basis is Basis.INFERRED
        (killed,) = [at for broker, at in kills if broker == crash.get("replica")]
        assert crash.at - MS <= killed <= crash.at + gap.values["aux"]
        starts = [
            event.at
            for event in events(name, "broker_starting")
            if event.get("replica") == crash.get("replica")
        ]
        assert crash.at < starts[-1]
    assert not events(name, "broker_stopped")
    assert found.columns["at"].max() <= max(step["at_ns"] for step in truth(name)["steps"]) + 1000 * MS


@pytest.mark.parametrize("name", NAMES)
def test_lines_of_a_file_keep_their_order_and_time_never_goes_back(name: str) -> None:
    found = trace(name)
    assert np.all(np.diff(found.columns["at"]) >= 0)
    for source, description in enumerate(found.sources):
        if "/logs/" in description.path:
            places = found.columns["position"][found.columns["source"] == source]
            assert np.all(np.diff(places) >= 0), description.path


@pytest.mark.parametrize("name", NAMES)
def test_an_epoch_is_applied_after_it_was_assigned_and_a_request_received_after_it_was_sent(
    name: str,
) -> None:
    found = trace(name)
    caused = [found.event(seq) for seq in range(len(found)) if found.event(seq).cause is not None]
    assert all(event.cause is not None and event.cause < event.seq for event in caused)
    assert bool(caused) == (name == "k0102-hw-loss")  # 2.8 prints counts of its requests, not partitions
    assigned: dict[tuple[int, int], int] = {}
    for seq in range(len(found)):
        event = found.event(seq)
        partition, epoch = event.get("partition"), event.get("epoch")
        if partition is None or epoch is None:
            continue
        if event.kind in ("leader_elected", "leaderless"):
            assigned.setdefault((partition, epoch), seq)
        if event.kind in ("became_leader", "became_follower", "leader_and_isr_received"):
            assert assigned.get((partition, epoch), -1) < seq


@pytest.mark.parametrize("name", NAMES)
def test_one_host_has_one_clock(name: str) -> None:
    for broker in (1, 2, 3):
        lo, hi = trace(name).facts[f"clock.broker-{broker}"].removesuffix(" ns").split("..")
        assert int(lo) <= 0 <= int(hi)


@pytest.mark.parametrize("name", NAMES)
def test_stdout_says_nothing_twice(name: str) -> None:
    files = trace(name).sources
    spoken = {files[int(source)].path for source in np.unique(trace(name).columns["source"])}

    assert not [path for path in spoken if path.endswith("kafkaServer.out")]
    repeated = [
        row["repeated"] for row in trace(name).report["by_file"] if row["file"].endswith("kafkaServer.out")
    ]
    assert all(repeated)


@pytest.mark.parametrize("name", NAMES)
def test_kept_lines_are_the_used_ones_with_two_neighbours(name: str) -> None:
    found = trace(name)
    kept = {(line.source, line.line): line for line in found.lines}
    assert list(kept) == sorted(kept)
    for (source, number), line in kept.items():
        assert line.text == texts(name)[found.sources[source].path][number - 1].rstrip("\r")
    used = {(event.source, event.line) for seq in range(len(found)) if (event := found.event(seq)).line}
    for source, number in used:
        last = len(texts(name)[found.sources[source].path]) - 1
        for neighbour in range(max(1, number - 2), min(last, number + 2) + 1):
            assert (source, neighbour) in kept


def test_checkpoints_of_a_snapshot_stand_at_their_time_as_lower_bounds() -> None:
    found = trace("k0102-hw-loss")
    early = [
        event
        for event in events("k0102-hw-loss", "hw_checkpointed", partition="orders-0")
        if "data-at-" in found.sources[event.source].path
    ]

    # The driver saw broker 2 write its checkpoint at 03:28:57.390; the follower then cut to 206.
    (written,) = [
        step["at_ns"] for step in truth("k0102-hw-loss")["steps"] if "just written" in str(step.get("text"))
    ]
    assert [(event.get("replica"), event.get("hw")) for event in early] == [(2, 206), (1, 254)]
    assert written <= early[0].at <= written + 1000 * MS
    assert all(found.columns["at_least"][event.seq] for event in early)


def test_a_stated_zone_moves_all_lines_and_no_file() -> None:
    plain = trace("k28-epoch-fix")
    moved = load([sample_path("k28-epoch-fix")], ImportOptions(zones={None: "+01:00"}))

    assert {source.zone_basis for source in plain.sources if source.path.endswith("server.log")} == {
        "inferred"
    }
    assert {source.zone_basis for source in moved.sources if source.path.endswith("server.log")} == {"stated"}
    started = [int(t.columns["at"][t.columns["kind"] == NUMBER["broker_started"]][0]) for t in (plain, moved)]
    assert started[0] - started[1] == 3600 * 1000 * MS


def test_a_topic_and_a_span_of_time_can_be_asked_for() -> None:
    start = Nanos(1_795_231_750_000 * MS)
    some = load([sample_path("k0102-hw-loss")], ImportOptions(topic="ord*", start=start, name="mine"))

    assert some.name == "mine"
    assert {partition.tp.topic for partition in some.partitions} == {"orders"}
    assert some.columns["at"].min() >= start


def test_settings_that_decide_about_replication_are_facts() -> None:
    facts = trace("k0102-hw-loss").facts

    assert facts["config.broker-1.unclean.leader.election.enable"] == "true"
    assert facts["config.broker-1.inter.broker.protocol.version"] == "0.10.2-IV0"
    assert trace("k28-epoch-fix").facts["config.broker-2.unclean.leader.election.enable"] == "false"


def test_the_samples_have_titles_and_no_truth_in_them() -> None:
    assert [sample.id for sample in SAMPLES] == [*NAMES, "k28-unclean-loss", "k43-elr"]
    for name in (sample.id for sample in SAMPLES):
        assert not [path for path in texts(name) if "truth" in path or "README" in path]


def test_a_skew_is_corrected_only_where_it_must_be() -> None:
    assert nearest(-5, 7) == 0
    assert nearest(None, 7) == 0
    assert nearest(30, 40) == 35
    assert nearest(-40, -30) == -35
    # Wider than what is corrected at least: the middle would say more than is known.
    assert nearest(3, 7) == 3
    assert nearest(-7, -3) == -3
    assert nearest(3, None) == 3
    assert nearest(None, -3) == -3
    # A zone is apart by whole quarters of an hour.
    assert nearest(2 * HOUR_NS - SECOND_NS, 2 * HOUR_NS + 9 * SECOND_NS) == 2 * HOUR_NS
    assert nearest(-2 * HOUR_NS - 9 * SECOND_NS, -2 * HOUR_NS - SECOND_NS) == -2 * HOUR_NS - 5 * SECOND_NS
    assert str(Skew(None, 7)) == "unbounded..7 ns"
