"""What the workers find of each partition is what diagnosis on this machine finds, field by field."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import PartitionVerdict
from core.diagnose.verdict.summary import triage
from core.history.state_rows import StateChange
from core.trace.trace import Trace
from core.trace.units import MINUTE_NS
from core.work import QUIET
from gui.workspace.loading import load_partition
from importers.load import load
from importers.prepared.data_set import has_triage
from importers.prepared.triage import read_rows, read_triage
from spark.job import process
from spark.reconstruct import buckets
from tests.spark.compare import FOLDER, VERDICT, states_of

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([], ()),
        ([5], ((0, 1),)),
        ([4, 4, 4], ((0, 2), (2, 3))),
        ([1, 1, 90, 1, 1], ((0, 2), (2, 3), (3, 5))),
        ([0] * 251, ((0, 250), (250, 251))),
    ],
)
def test_neighbours_share_a_bucket_and_a_large_partition_has_its_own(
    sizes: list[int], expected: tuple[tuple[int, int], ...]
) -> None:
    assert buckets(sizes, 10) == expected


@pytest.fixture(scope="module")
def judged(session: SparkSession, recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording with a loss, its partitions in buckets of their own."""
    out = tmp_path_factory.mktemp("judged") / "out.parquet"
    process([recordings / "k0102-hw-loss"], out, master="local[2]", bucket_events=100)
    return out


@pytest.fixture(scope="module")
def imported(recordings: Path) -> Trace:
    return load([recordings / "k0102-hw-loss"])


def test_summaries_and_findings_are_those_of_the_local_import(judged: Path, imported: Trace) -> None:
    found = read_triage(judged)
    local = triage(imported, diagnose(imported))

    assert found == local
    assert sum(one.records_lost for one in found.summaries) == 325


def test_every_table_of_a_partition_is_its_verdict(judged: Path, imported: Trace) -> None:
    for verdict in diagnose(imported).partitions:
        for field in fields(PartitionVerdict):
            kind: Any = VERDICT.get(field.name)
            if kind is not None:
                table = FOLDER.get(field.name, field.name)
                rows = read_rows(judged, table, kind, verdict.partition)
                assert sorted(rows, key=repr) == sorted(getattr(verdict, field.name), key=repr), field.name


def test_states_are_those_of_the_history(judged: Path, imported: Trace) -> None:
    for index in range(len(imported.partitions)):
        assert read_rows(judged, "states", StateChange, index) == states_of(imported, index)


def test_minutes_count_all_events_and_findings_of_brokers(judged: Path, imported: Trace) -> None:
    rows = parquet.read_table(judged / "minutes").to_pylist()
    brokers = imported.columns["broker"]

    assert sum(row["events"] for row in rows) == int((brokers >= 0).sum())
    told = sum(len(finding.brokers) for finding in diagnose(imported).findings)
    assert sum(row["findings"] for row in rows) == told
    assert all(row["time"].value % MINUTE_NS == 0 for row in rows)


def test_the_window_opens_one_partition_of_it_the_worst_first(judged: Path, imported: Trace) -> None:
    assert has_triage(judged)
    loaded = load_partition(str(judged), "", False, None, None, QUIET)

    found = {
        str(imported.partitions[one.partition].tp): one
        for one in triage(imported, diagnose(imported)).summaries
    }
    history = loaded.content.runs[0].history
    opened = found[str(history.trace.partitions[history.partition].tp)]
    assert opened.records_lost == max(one.records_lost for one in found.values()) > 0
    assert 0 < len(loaded.traces[0]) < len(imported)
