"""A log cleaner takes records out of closed segments: what lies around them keeps its offsets.

The files of simulated runs are cleaned as Kafka does it (LogCleaner.cleanInto): batches of which no record is
kept are left out; log start, log end and leader epochs stay. Each replica is cleaned for itself.
"""

import os
import struct
from functools import cache
from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose
from core.history.open import open_history
from core.kafka.eras import era
from core.trace.ids import METADATA_TOPIC
from core.trace.trace import Trace
from tests.runs import simulated
from tests.trips import read_again

HEAD = struct.Struct(">qi")
"""The base offset of a batch, and how many bytes follow."""


def clean(segment: Path, gone: frozenset[int]) -> None:
    """Leave out the batches that begin at these offsets; the file is as old as before."""
    data, at = segment.read_bytes(), segment.stat().st_mtime_ns
    kept, place = b"", 0
    while place < len(data):
        base, size = HEAD.unpack_from(data, place)
        end = place + HEAD.size + size
        kept += b"" if base in gone else data[place:end]
        place = end
    assert len(kept) < len(data)
    segment.write_bytes(kept)
    os.utime(segment, ns=(at, at))


@cache
def as_written(name: str, era_id: str) -> Trace:
    """What is imported of the logs of a run."""
    return read_again(simulated(name, era(era_id)))


@cache
def compacted(name: str, era_id: str, brokers: tuple[int, ...], gone: frozenset[int]) -> Trace:
    """The same after the cleaners of some brokers have run."""

    def after(folder: Path) -> None:
        for broker in brokers:
            (segment,) = (folder / f"broker-{broker}" / "data" / "t-0").glob("*.log")
            clean(segment, gone)

    return read_again(simulated(name, era(era_id)), on_the_way=after)


def claims(trace: Trace) -> list[tuple[object, ...]]:
    """What is said to be lost, to differ, or to be wrong."""
    return [
        (
            str(trace.partitions[one.partition].tp),
            tuple((each.first_offset, each.end_offset) for each in one.losses),
            tuple(one.divergences),
            sorted(each.check for each in one.findings),
        )
        for one in diagnose(trace).partitions
    ]


CASES = [
    ("hw-loss", "2.8", (2,), frozenset({0})),
    ("overview", "4.1", (2,), frozenset({0, 1})),
    ("overview", "4.1", (1, 2, 3), frozenset({1})),
    ("disk-replaced", "4.1", (1,), frozenset({0, 1})),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "era_id", "brokers", "gone"), CASES)
def test_what_compaction_took_is_not_lost_and_no_difference(
    name: str, era_id: str, brokers: tuple[int, ...], gone: frozenset[int]
) -> None:
    assert claims(compacted(name, era_id, brokers, gone)) == claims(as_written(name, era_id))


@pytest.mark.parametrize(("name", "era_id", "brokers", "gone"), CASES)
def test_the_log_has_a_hole_there_and_the_same_ends(
    name: str, era_id: str, brokers: tuple[int, ...], gone: frozenset[int]
) -> None:
    read, whole = compacted(name, era_id, brokers, gone), as_written(name, era_id)
    place = next(number for number, one in enumerate(read.partitions) if one.tp.topic != METADATA_TOPIC)
    after, before = open_history(read, place).at(len(read)), open_history(whole, place).at(len(whole))
    for broker in brokers:
        held = {offset for one in after.replica(broker).runs for offset in range(one.start, one.end)}
        full = {offset for one in before.replica(broker).runs for offset in range(one.start, one.end)}
        assert held == full - gone
        assert after.replica(broker).leo == before.replica(broker).leo
        assert after.replica(broker).epochs == before.replica(broker).epochs
