"""Documents of many events: writing one, and opening one partition of it: `python -m tests.bench.documents`.

Writing is held against `executemany` of the same events as plain rows, in a table without an index.
`--events` says how many events the largest document has.
"""

import argparse
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

import numpy as np

from core.history.open import open_history
from core.trace.ids import NO_INDEX, BrokerId, TopicPartition
from core.trace.trace import DTYPES, Broker, Partition, Trace
from core.trace.vocabulary import NUMBER
from db.document import create, open_document
from tests.bench.diagnosis import many_partitions
from tests.bench.table import Measured, fixed_loop_s, print_table

_EACH = 1_000
"""Events of a partition."""
_BROKERS = 100
GOAL_WRITE = 10.0
GOAL_OPEN_MS = 50.0
GOAL_BYTES = 0.35
GOAL_ALIKE = 1.2


def cluster(events: int) -> Trace:
    """A cluster of a hundred brokers whose partitions have a thousand events each: log ends that rise.

    A fiftieth of all events concern brokers: they register, one after the other, all the time.
    """
    partitions = max(events // _EACH, 1)
    small = many_partitions(1)
    turn = np.arange(events)
    columns = {name: np.full(events, small.columns[name][0], dtype) for name, dtype in DTYPES.items()}
    owner = turn % partitions
    columns["at"][:] = turn * 1_000_000
    columns["partition"][:] = owner
    columns["kind"][:] = NUMBER["leo_sample"]
    holder = (owner + turn // partitions % 3) % _BROKERS + 1
    columns["broker"][:] = columns["replica"][:] = holder
    columns["leo"][:] = turn // partitions
    columns["leader"][:] = columns["epoch"][:] = -(2**63)
    of_brokers = turn % 50 == 7
    columns["partition"][of_brokers] = NO_INDEX
    columns["kind"][of_brokers] = NUMBER["broker_registered"]
    columns["leo"][of_brokers] = -(2**63)
    columns["broker"][of_brokers] = columns["replica"][of_brokers] = turn[of_brokers] // 50 % _BROKERS + 1
    return replace(
        small,
        columns=MappingProxyType(columns),
        brokers=tuple(Broker(BrokerId(one), "", "2.8.2") for one in range(1, _BROKERS + 1)),
        partitions=tuple(
            Partition(
                TopicPartition("t", number),
                tuple(BrokerId((number + one) % _BROKERS + 1) for one in range(3)),
            )
            for number in range(partitions)
        ),
    )


def _cpu_s(call: Callable[[], object]) -> float:
    begun = time.process_time()
    call()
    return time.process_time() - begun


def _plain_rows(trace: Trace, file: Path) -> float:
    """CPU seconds of `executemany` for the events of a trace, from columns to the end of the transaction."""
    names = ", ".join(f'"{name}" INTEGER' for name in DTYPES)
    places = ", ".join("?" * len(DTYPES))
    connection = sqlite3.connect(file)
    connection.execute(f"CREATE TABLE event ({names})")

    def insert() -> None:
        rows = zip(*(values.tolist() for values in trace.columns.values()), strict=True)
        connection.executemany(f"INSERT INTO event VALUES ({places})", rows)  # noqa: S608 - question marks
        connection.commit()

    spent = _cpu_s(insert)
    connection.close()
    return spent


def _opened_ms(file: Path, partition: str) -> float:
    """CPU of one partition of a document, from the file to its history, the least of three."""

    def opened() -> None:
        with open_document(file) as document:
            trace = document.partition_trace(None, partition)
            index = trace.partition_index(partition)
            assert index is not None
            open_history(trace, index)

    return 1000 * min(_cpu_s(opened) for _ in range(3))


def measure(events: int) -> list[Measured]:
    """Writing against plain rows, and opening in a document a tenth as large and in the whole one."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        small, large = cluster(events // 10), cluster(events)
        written = _cpu_s(lambda: create(place / "small.tide", [small]))
        plain = _plain_rows(small, place / "plain.db")
        create(place / "large.tide", [large])
        size = (place / "small.tide").stat().st_size / (place / "plain.db").stat().st_size
        few, many = (_opened_ms(place / f"{name}.tide", "t-17") for name in ("small", "large"))
    return [
        Measured(
            f"writing {len(small):,} events, against executemany",
            f">= {GOAL_WRITE:.0f} x",
            f"{plain / written:.1f} x ({written:.2f} s)",
            plain >= GOAL_WRITE * written,
            written / plain,
        ),
        Measured(
            "bytes, against plain rows", f"<= {GOAL_BYTES} x", f"{size:.2f} x", size <= GOAL_BYTES, size
        ),
        Measured(
            f"one partition of {len(large):,} events",
            f"<= {GOAL_OPEN_MS:.0f} ms",
            f"{many:.0f} ms",
            many <= GOAL_OPEN_MS,
            many / 1000 / fixed_loop_s(),
        ),
        Measured(
            f"the same, against one of {len(small):,}",
            f"<= {GOAL_ALIKE} x",
            f"{many / few:.2f} x ({few:.0f} ms)",
            many <= GOAL_ALIKE * few,
            many / few,
        ),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=10_000_000)
    raise SystemExit(print_table("Documents", measure(parser.parse_args().events)))
