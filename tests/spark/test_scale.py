"""Logs of a hundred brokers with planted incidents: the losses rank first, and nothing healthy alarms."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.checks import CHECK
from core.diagnose.verdict.facts import Severity
from core.diagnose.verdict.summary import PartitionSummary, sort_key, triage
from core.trace.ids import METADATA_TOPIC
from core.trace.trace import Trace
from core.work import QUIET
from gui.workspace.loading import load_partition
from importers.load import load
from importers.prepared.data_set import load_prepared, read_manifest
from importers.prepared.triage import read_triage
from spark.job import process
from tests.bench import cluster_logs
from tests.bench.cluster_logs import BROKERS, HEALTHY, INCIDENTS, Planted, make_logs, plant, recording
from tests.counted import counted

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(1800)]
COPIES = 2


def named(trace: Trace) -> dict[str, PartitionSummary]:
    """What triage says of a trace's partitions, by name."""
    found = triage(trace, diagnose(trace))
    return {str(trace.partitions[one.partition].tp): one for one in found.summaries}


@pytest.mark.parametrize("name", [HEALTHY[0], HEALTHY[4], INCIDENTS[0], INCIDENTS[3]])
def test_a_recording_on_other_brokers_says_the_same(name: str, tmp_path: Path) -> None:
    """Ids, topics and times are changed everywhere, and nothing else is."""
    source = recording(name)
    for node, logs in source.nodes.items():
        for log, text in logs.items():
            place = tmp_path / "as-it-was" / f"{'broker' if node < BROKERS else 'controller'}-{node}" / log
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text)
    ids = {node: node + 40 if node < BROKERS else node + 900 for node in source.nodes}
    planted = plant(tmp_path / "made", source, 7, ids, COPIES, 100)

    was, made = load([tmp_path / "as-it-was"]), load([tmp_path / "made"])
    found, expected = named(made), named(was)
    assert {broker.broker_id for broker in made.brokers} <= set(ids.values())
    assert len(planted.partitions) == COPIES * len(source.partitions)
    # There is one quorum, whatever is copied.
    expected.pop(f"{METADATA_TOPIC}-0", None)
    for tp, one in expected.items():
        topic, number = tp.rsplit("-", 1)
        for copy in range(COPIES):
            other = found[f"{topic}_07_{copy:04d}-{number}"]
            assert (other.check, other.records_lost, other.findings) == (
                one.check,
                one.records_lost,
                one.findings,
            )
            assert [ids[broker] for broker in was.partitions[one.partition].replicas] == list(
                made.partitions[other.partition].replicas
            )


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """About 35 MB of a hundred brokers."""
    folder = tmp_path_factory.mktemp("hundred")
    make_logs(folder, 20_000_000, 1000)
    return folder


@pytest.fixture(scope="module")
def planted(logs: Path) -> tuple[Planted, ...]:
    """What was planted, as the file beside the logs says it."""
    return tuple(Planted(**one) for one in json.loads((logs / "planted.json").read_text("utf-8")))


@pytest.fixture(scope="module")
def found(session: SparkSession, logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set of them."""
    out = tmp_path_factory.mktemp("found") / "hundred.parquet"
    process([logs], out, master=str(session.sparkContext.master))
    return out


def test_the_same_seed_makes_the_same_logs(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 19 brokers: all incidents, a healthy recording and the quiet broker; elsewhere of a hundred."""
    assert len([one for one in logs.iterdir() if one.name.startswith("broker")]) == BROKERS
    monkeypatch.setattr(cluster_logs, "BROKERS", 19)
    one, other = (tmp_path / name for name in ("one", "other"))
    for folder in (one, other):
        make_logs(folder, 20_000_000, 1000)
    files, others = (sorted(file.relative_to(made) for file in made.rglob("*.*")) for made in (one, other))
    assert files == others
    assert len({file.parts[0] for file in files if file.parts[0].startswith("broker")}) == 19
    assert all((one / file).read_bytes() == (other / file).read_bytes() for file in files)


def test_every_planted_loss_ranks_above_every_healthy_partition(
    found: Path, planted: tuple[Planted, ...]
) -> None:
    trace = load_prepared(found)
    lost = {name for one in planted for name in one.lost}
    healthy = {name for one in planted if one.recording in HEALTHY for name in one.partitions}
    names = [str(partition.tp) for partition in trace.partitions]
    summaries = read_triage(found).summaries
    ranked = [
        names[one.partition] for one in sorted(summaries, key=lambda one: sort_key(one, names[one.partition]))
    ]
    alarms = [
        names[one.partition]
        for one in summaries
        if any(CHECK[check].severity is not Severity.NOTICE for check in one.findings)
    ]

    assert len(lost) == sum(len(recording(name).lost) for name in INCIDENTS) == 20
    assert set(ranked[: len(lost)]) == lost
    assert len(healthy) > 300
    assert not healthy & set(alarms)


def test_one_partition_is_opened_without_the_rest(found: Path, planted: tuple[Planted, ...]) -> None:
    triage_of_all = read_triage(found)
    (incident,) = (one for one in planted if one.recording == INCIDENTS[0])
    name, other = incident.lost[:2]
    load_partition(str(found), other, False, triage_of_all, None, QUIET)
    with counted() as read:
        loaded = load_partition(str(found), name, False, triage_of_all, None, QUIET)

    # The manifest and the dictionaries are read whole; of a set this small they are a good part.
    files = read_manifest(found)["files"]
    rows = sum(facts["bytes"] for file, facts in files.items() if file.startswith(("events/", "lines/")))
    assert sum(size for file, size in read.items() if "/events/" in file or "/lines/" in file) < rows / 4

    trace = loaded.traces[0]
    kept = {(line.source, line.line) for line in trace.lines}
    columns = trace.columns
    told = {
        (source, line)
        for source, line in zip(columns["source"].tolist(), columns["line"].tolist(), strict=True)
        if source >= 0 and line > 0
    }
    assert told
    assert told & {(line.source, line.line) for line in load_prepared(found).lines} <= kept
