"""One partition of a large data set is opened without the rest: a hundredth of its bytes, in a second."""

from pathlib import Path

import numpy as np
import pytest
from pyspark.sql import SparkSession

import spark.dataset
from core.diagnose.verdict.summary import Triage
from core.trace.builder import checked, freeze
from core.trace.ids import BrokerId, TopicPartition
from core.trace.kept import KeptLines, kept_block
from core.trace.trace import DTYPES, EMPTY, Broker, Column, Origin, Partition, Source, Trace
from core.trace.vocabulary import NUMBER
from core.work import QUIET
from gui.workspace.loading import load_partition
from spark.dataset import write_dataset
from spark.reconstruct import JUDGED
from tests.calls import counting
from tests.counted import counted
from tests.spark.placed import placed

pytestmark = [pytest.mark.spark, pytest.mark.slow]

PARTITIONS = 20_000
EVENTS = 125
"""Of each partition: what a recording with real line rates has."""
BURST = 5
"""Events of one partition that follow each other."""
SOURCES = 300
WITH_LINE = 25
"""Every how manieth event comes from a log, the others from data directories, whose lines are not kept."""


@pytest.fixture(scope="module")
def trace() -> Trace:
    """Events of 20,000 partitions mixed at random; their numbers say little of each other, as bytes."""
    dice = np.random.default_rng(1)
    rows = PARTITIONS * EVENTS
    number = np.arange(rows)
    leo = dice.integers(0, 1 << 40, rows)
    line = np.where(number % WITH_LINE == 0, number + 1, 0)
    source = number * SOURCES // rows
    columns: dict[str, Column] = {name: np.full(rows, EMPTY[name]) for name in DTYPES}
    columns |= {
        "at": 1_700_000_000_000_000_000 + np.cumsum(dice.integers(0, 1 << 24, rows)),
        "kind": np.full(rows, NUMBER["log_loaded"]),
        "partition": np.repeat(dice.permutation(np.repeat(np.arange(PARTITIONS), EVENTS // BURST)), BURST),
        "broker": number % 3 + 1,
        "replica": number % 3 + 1,
        "leo": leo,
        "hw": leo - dice.integers(0, 1 << 20, rows),
        "log_start": dice.integers(0, 1 << 20, rows),
        "source": source,
        "position": dice.integers(0, 1 << 40, rows),
        "line": line,
    }
    blocks = [
        kept_block(one, mine, mine * 100, [f"line {at} of {dice.integers(1 << 60)}" for at in mine.tolist()])
        for one in range(SOURCES)
        for some in [line[(source == one) & (line > 0)]]
        for mine in np.array_split(some, max(len(some) // 256, 1))
    ]
    return freeze(
        "wide",
        Origin.IMPORTED,
        checked(columns),
        brokers=tuple(Broker(BrokerId(one)) for one in (1, 2, 3)),
        partitions=tuple(
            Partition(
                TopicPartition(f"topic-{number // 10:05}", number % 10), tuple(map(BrokerId, (1, 2, 3)))
            )
            for number in range(PARTITIONS)
        ),
        sources=tuple(Source(f"broker-{one}/server.log", f"{one:064x}", 1 << 30) for one in range(SOURCES)),
        isrs=(),
        facts={},
        lines=KeptLines(blocks),
        report={},
    )


def test_one_partition_of_twenty_thousand_is_a_hundredth_of_the_bytes(
    session: SparkSession, trace: Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found in the events is left out: it would take minutes, and make the set larger."""
    monkeypatch.setattr(spark.dataset, "reconstruct", lambda *_: (tmp_path / "out" / JUDGED).mkdir())
    (tmp_path / "out").mkdir()
    write_dataset(
        session,
        trace,
        tmp_path / "out",
        raw=placed(trace, tmp_path / "out"),
        provenance={},
        work=QUIET,
    )
    total = sum(file.stat().st_size for file in (tmp_path / "out").rglob("*") if file.is_file())
    load_partition(str(tmp_path / "out"), "topic-00007-3", False, Triage((), ()), None, QUIET)

    chosen = PARTITIONS // 2 + 4
    with counted() as read, counting() as calls:
        loaded = load_partition(
            str(tmp_path / "out"), str(trace.partitions[chosen].tp), False, Triage((), ()), None, QUIET
        )

    mine = np.flatnonzero(trace.columns["partition"] == chosen)
    (opened,) = loaded.traces
    assert opened.columns["leo"].tolist() == trace.columns["leo"][mine].tolist()
    own = set(trace.columns["line"][mine].tolist()) - {0}
    assert own <= {one.line for one in opened.lines}
    assert read.total() <= total / 100
    # Measured were 124,000: six a partition.
    assert calls.made < 500_000
