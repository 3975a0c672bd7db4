"""Diagnosis of much: one long partition, and very many short ones: `python -m tests.bench.diagnosis [SHARE]`.

SHARE (1 unless said) scales both, for a quick look.
"""

import sys
import time
from types import MappingProxyType

import numpy as np

from core.diagnose.verdict.check import diagnose
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import DTYPES, EMPTY, Broker, Column, Origin, Partition, Trace
from core.trace.vocabulary import NUMBER
from tests.bench.table import Measured, fixed_loop_s, print_table

EVENTS = 1_000_000
PARTITIONS = 100_000
GOAL_EVENTS_S = 2.0
GOAL_PARTITION_MS = 1.0
_SECOND = 1_000_000_000


def _blank(rows: int) -> dict[str, Column]:
    return {name: np.full(rows, EMPTY[name], dtype) for name, dtype in DTYPES.items()}


def _trace(columns: dict[str, Column], partitions: int, isrs: tuple[tuple[int, ...], ...]) -> Trace:
    brokers = tuple(Broker(BrokerId(one), "", "2.8.2") for one in (1, 2, 3))
    replicas = tuple(broker.broker_id for broker in brokers)
    return Trace(
        name="bench",
        origin=Origin.IMPORTED,
        columns=MappingProxyType(columns),
        brokers=brokers,
        partitions=tuple(Partition(TopicPartition("t", number), replicas) for number in range(partitions)),
        isrs=isrs,
    )


def long_partition(events: int, isr_every: int = 500) -> Trace:
    """A partition whose leader copies to two followers: log ends and high watermarks, ten ms apart.

    Every so many events the in-sync set changes: a follower leaves it, or comes back.
    """
    columns = _blank(events)
    turn = np.arange(events)
    columns["at"][:] = turn * (_SECOND // 100)
    columns["partition"][:] = 0
    columns["broker"][:] = columns["replica"][:] = 1 + turn % 3
    columns["kind"][:] = NUMBER["leo_sample"]
    columns["leo"][:] = turn // 3
    marks = turn % 7 == 6
    columns["kind"][marks] = NUMBER["hw_sample"]
    columns["hw"][marks] = np.maximum(turn[marks] // 3 - 2, 0)
    columns["leo"][marks] = EMPTY["leo"]
    first = np.arange(min(3, events))
    columns["kind"][first] = np.array([NUMBER["became_leader"], *[NUMBER["became_follower"]] * 2])[first]
    columns["leader"][first], columns["epoch"][first] = 1, 0
    columns["leo"][first] = 0
    moved = turn[(turn % isr_every == isr_every - 1) & (turn > 2)]
    columns["kind"][moved] = NUMBER["isr_committed"]
    for name in ("leo", "hw", "replica"):
        columns[name][moved] = EMPTY[name]
    columns["broker"][moved], columns["leader"][moved], columns["epoch"][moved] = 1, 1, 0
    columns["isr"][moved] = (turn[moved] // isr_every) % 2
    columns["partition_epoch"][moved] = 1 + turn[moved] // isr_every
    return _trace(columns, 1, ((1, 2), (1, 2, 3)))


_STORY = (
    # kind, replica, leader, epoch, leo, offset: a restart of the leader of a quiet partition
    ("became_leader", 1, 1, 0, 0, None),
    ("became_follower", 2, 1, 0, 0, None),
    ("became_follower", 3, 1, 0, 0, None),
    ("leo_sample", 1, None, None, 100, None),
    ("leader_elected", None, 2, 1, None, None),
    ("became_leader", 2, 2, 1, 98, None),
    ("became_follower", 3, 2, 1, 98, None),
    ("became_follower", 1, 2, 1, 100, None),
    ("truncated", 1, None, None, None, 98),
    ("leo_sample", 2, None, None, 120, None),
)


def many_partitions(partitions: int, *, alike: bool = True) -> Trace:
    """Partitions of ten events each: a leader changes, and the old one cuts what was not committed.

    Unless they are alike, each has other offsets.
    """
    each = len(_STORY)
    columns = _blank(each * partitions)
    # All partitions live at the same time: event by event, not one after the other.
    columns["at"][:] = np.repeat(np.arange(each) * _SECOND, partitions)
    columns["partition"][:] = np.tile(np.arange(partitions), each)
    for number, (kind, replica, leader, epoch, leo, offset) in enumerate(_STORY):
        rows = slice(number * partitions, (number + 1) * partitions)
        columns["kind"][rows] = NUMBER[kind]
        said = {"broker": replica or 1, "replica": replica, "leader": leader, "epoch": epoch}
        for name, value in {**said, "leo": leo, "offset": offset}.items():
            if value is not None:
                columns[name][rows] = value
    if not alike:
        for name in ("leo", "offset"):
            stated = columns[name] > 0
            columns[name][stated] += columns["partition"][stated]
    return _trace(columns, partitions, ())


def _seconds(trace: Trace) -> float:
    begun = time.process_time()
    verdict = diagnose(trace)
    seconds = time.process_time() - begun
    assert len(verdict.partitions) == len(trace.partitions)
    return seconds


def measure(share: float) -> list[Measured]:
    """Both, each beside its goal."""
    events, partitions = int(EVENTS * share), int(PARTITIONS * share)
    unlike = max(partitions // 20, 1)
    long, many = _seconds(long_partition(events)), _seconds(many_partitions(partitions))
    each = _seconds(many_partitions(unlike, alike=False))
    goal, most = GOAL_EVENTS_S * share, GOAL_PARTITION_MS * partitions / 1000
    loop = fixed_loop_s()
    return [
        Measured(
            f"{events:,} events of one partition",
            f"<= {goal:.1f} s",
            f"{long:.2f} s",
            long <= goal,
            long / loop,
        ),
        Measured(
            f"{partitions:,} alike partitions of 10 events",
            f"<= {GOAL_PARTITION_MS:.0f} ms each",
            f"{1000 * many / partitions:.2f} ms each",
            many <= most,
            many / loop,
        ),
        Measured(
            f"{unlike:,} partitions of 10 events, none alike",
            f"<= {GOAL_PARTITION_MS:.0f} ms each",
            f"{1000 * each / unlike:.2f} ms each",
            each <= GOAL_PARTITION_MS * unlike / 1000,
            each / loop,
        ),
    ]


if __name__ == "__main__":
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    raise SystemExit(print_table("Diagnosis", measure(scale)))
