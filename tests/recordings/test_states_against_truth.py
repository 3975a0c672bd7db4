"""Every sample of the truth lies inside the bands, whatever part of the evidence was given."""

import shutil
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.history.open import open_history
from core.history.state import Band, History
from importers.load import load
from tests.archives import unpack_sample
from tests.recordings.conftest import Recording, read_recording

pytestmark = pytest.mark.broad(3)

BEFORE, AFTER = 50_000_000, 100_000_000
"""Samples are polls: from this long before to this long after, in ns, the hull of the bands counts."""


def hull(history: History, broker: int, value: str, at: int) -> tuple[int | None, int | None]:
    """The lowest lower and the highest upper bound around a time; None where one of the bands has none."""
    times = history.trace.columns["at"]
    lows: list[int | None] = []
    highs: list[int | None] = []
    for moment in (at - BEFORE, at, at + AFTER):
        state = history.at(bisect_right(times, moment)).replica(broker)
        band: Band = state.leo if value == "leo" else state.hw
        lows.append(band.lo)
        highs.append(band.hi)
    low = None if None in lows else min(one for one in lows if one is not None)
    high = None if None in highs else max(one for one in highs if one is not None)
    return low, high


def samples(recording: Recording) -> Iterator[tuple[str, int, str, int, int]]:
    """(partition, broker, "leo" or "hw", time, true value)."""
    for sample in recording.truth["samples"]:
        if sample.get("tp") is None or sample.get("replica") is None:
            continue
        for value in ("leo", "hw"):
            if sample.get(value) is not None:
                yield sample["tp"], sample["replica"], value, sample["at_ns"], sample[value]


def outside(recording: Recording, histories: dict[str, History]) -> tuple[list[object], int, int]:
    """The samples that lie outside of their bands, how many bands are open, how many samples there are."""
    misses: list[object] = []
    unknown = count = 0
    for tp, broker, value, at, true in samples(recording):
        history = histories.get(tp)
        if history is None or broker not in history.replicas:
            continue
        low, high = hull(history, broker, value, at)
        count += 1
        unknown += low is None or high is None
        if (low is not None and true < low) or (high is not None and true > high):
            misses.append((tp, broker, value, at, true, low, high))
    return misses, unknown, count


def test_every_true_value_is_inside_its_band(recording: Recording) -> None:
    misses, unknown, count = outside(recording, recording.histories)

    assert count > 2000
    assert misses == []
    assert unknown <= 0.05 * count


@pytest.mark.parametrize("name", ["k0102-hw-loss", pytest.param("k28-epoch-fix", marks=pytest.mark.slow)])
@pytest.mark.parametrize("brokers", ["1", "2", "3", "2,3", "1,2,3 without data"])
def test_part_of_the_evidence_never_makes_a_false_claim(name: str, brokers: str, tmp_path: Path) -> None:
    folder = unpack_sample(name, tmp_path)
    given, _, without = brokers.partition(" without ")
    for path in folder.glob("broker-*"):
        if path.name.removeprefix("broker-") not in given.split(","):
            shutil.rmtree(path)
    if without:
        for path in folder.glob("*/data*"):
            shutil.rmtree(path)

    trace = load([folder])
    histories = {str(p.tp): open_history(trace, number) for number, p in enumerate(trace.partitions)}
    misses, unknown, count = outside(read_recording(name), histories)

    assert misses == []
    assert unknown < count
