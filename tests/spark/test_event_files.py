"""Files of events as workers write them, each by itself: what is read back is what was ordered."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyarrow import dataset, parquet

from core.errors import DocumentError
from core.trace.builder import freeze
from core.trace.digest import BLOCK, added, content_digest
from core.trace.ids import TopicPartition
from core.trace.trace import DTYPES, EMPTY, Column, Origin, Partition, Source, Trace
from core.trace.vocabulary import NUMBER
from importers.contract.told import Names
from importers.prepared.data_set import EVENTS, event_schema, trace_columns
from importers.prepared.rows import EVENT_NAMES, Rows, stored_schema
from spark.event_files import EVENT_GROUP, FILE_EVENTS, Lot, Task, lot_of, wrote
from spark.publish import shared_of
from spark.shelf import Shelf
from tests.in_words import in_words
from tests.spark.compare import assert_same_columns

pytestmark = pytest.mark.spark

MANY = 2 * FILE_EVENTS + 100
"""Events of the partition that has most: it alone is in several files."""


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Events of brokers, of a partition with very many, of one with few, and of one without any, mixed."""
    dice = np.random.default_rng(1)
    owner = dice.permutation(np.repeat([-1, 0, 2], [EVENT_GROUP + 3, MANY, 50])).astype(np.int32)
    columns: dict[str, Column] = {name: np.full(len(owner), EMPTY[name], DTYPES[name]) for name in DTYPES}
    columns |= {
        "at": np.arange(len(owner)) // 3,
        "kind": np.full(len(owner), NUMBER["hw_moved"]),
        "partition": owner,
        "hw": dice.integers(0, 1 << 40, len(owner)),
        "cause": np.where(owner == 0, np.arange(len(owner)) // 2, EMPTY["cause"]),
        "source": np.zeros(len(owner)),
        "line": np.arange(len(owner)) % 5,
    }
    return freeze(
        "mixed",
        Origin.IMPORTED,
        columns,
        brokers=(),
        partitions=tuple(Partition(TopicPartition("t", number)) for number in range(3)),
        sources=(Source("server.log", "ab" * 32, 7),),
        isrs=(),
        facts={},
        lines=(),
        report={},
    )


def write(trace: Trace, folder: Path) -> tuple[Lot, list[Task], int]:
    """What the driver and the workers do, the last file first."""
    (folder / EVENTS).mkdir()
    names = Names(trace.partitions, trace.sources, trace.isrs)
    with Shelf(folder, ".rows") as shelf:
        lot, tasks = lot_of(trace, shelf)
        found = [wrote(shared_of(trace, folder), lot, names, task) for task in reversed(tasks)]
    assert [one.fault for one in found if one.fault is not None] == []
    assert [one.name for one in folder.iterdir()] == [EVENTS]
    return lot, list(tasks), added(int.from_bytes(one.rows) for one in found)


def test_events_come_back_and_their_digest_is_the_sum_of_the_files(trace: Trace, tmp_path: Path) -> None:
    _, tasks, rows = write(trace, tmp_path)
    files = sorted((tmp_path / EVENTS).glob("*"))
    assert [one.name for one in files] == [f"part-{number:05}.parquet" for number in range(len(tasks))]
    stored = dataset.dataset(files, schema=stored_schema(EVENTS, event_schema(), EVENT_NAMES))
    seqs, columns = trace_columns(Rows(stored, EVENT_NAMES, event_schema()).to_table())
    assert seqs.tolist() == list(range(len(trace)))
    assert_same_columns(columns, trace.columns)
    assert content_digest(trace, rows) == content_digest(trace)
    assert content_digest(replace(trace, origin=Origin.PREPARED), rows) != content_digest(trace)


def test_a_partition_with_most_of_all_events_is_in_several_files_and_its_ordinals_go_on(
    trace: Trace, tmp_path: Path
) -> None:
    _, tasks, _ = write(trace, tmp_path)
    inside = [task.first - (EVENT_GROUP + 3) for task in tasks[1:]]
    assert len(inside) > 1
    assert all(0 < place < MANY and place % BLOCK == 0 for place in inside)
    table = dataset.dataset(tmp_path / EVENTS).to_table(["topic", "partition", "ordinal", "_partition"])
    assert table.column("ordinal").to_pylist() == [
        *[None] * (EVENT_GROUP + 3),
        *range(MANY),
        *range(50),
    ]
    # What every reader needs is in row groups without anything else.
    read = parquet.ParquetFile(tmp_path / EVENTS / "part-00000.parquet")
    owners = [read.read_row_group(at, ["_partition"]).column(0).to_pylist() for at in range(3)]
    assert [(len(one), set(one)) for one in owners] == [
        (EVENT_GROUP, {None}),
        (3, {None}),
        (EVENT_GROUP, {0}),
    ]


def test_a_trace_without_events_has_one_file_with_all_columns(trace: Trace, tmp_path: Path) -> None:
    empty = replace(trace, columns={name: column[:0] for name, column in trace.columns.items()})
    _, _, rows = write(empty, tmp_path)
    assert content_digest(empty, rows) == content_digest(empty)
    read = parquet.read_table(tmp_path / EVENTS / "part-00000.parquet")
    assert (read.num_rows, read.schema) == (0, stored_schema(EVENTS, event_schema(), EVENT_NAMES))


def test_a_worker_that_cannot_write_says_why(trace: Trace, tmp_path: Path) -> None:
    with Shelf(tmp_path, ".rows") as shelf:
        lot, tasks = lot_of(trace, shelf)
        answer = wrote(
            shared_of(trace, tmp_path / "gone"), lot, Names(trace.partitions, trace.sources, ()), tasks[0]
        )
    assert answer.fault is not None
    assert "No such file" in in_words(DocumentError.of(answer.fault)).why
