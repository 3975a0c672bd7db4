"""k41-txn: the last stable offset of every sample lies inside its band.

The truth has no last stable offset of its own. It follows from the high watermark of a sample and from what
the driver wrote in which transaction: a record's value says how its transaction ended, and an offset without
a value is a marker. KIP-98: readers stop before the first transaction whose marker is not below the
high watermark.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from core.history.open import open_history
from core.history.state import History
from core.trace.trace import Trace
from importers.load import load
from tests.archives import unpack_recording

pytestmark = pytest.mark.broad(3)

BEFORE, AFTER = 50_000_000, 100_000_000


@dataclass(frozen=True)
class Recorded:
    """The recording without its truth, imported, beside its truth."""

    truth: dict[str, Any]
    trace: Trace
    histories: dict[str, History]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folder, truth = unpack_recording("k41-txn", tmp_path_factory.mktemp("txn"))
    trace = load([folder])
    names = {str(one.tp): number for number, one in enumerate(trace.partitions)}
    return Recorded(truth, trace, {name: open_history(trace, number) for name, number in names.items()})


LEFT_OPEN, OTHERS = "left open", ("committed", "aborted", "across the failover")


def transactions(replicas: Mapping[str, Any]) -> list[tuple[int, int]]:
    """(first offset, offset of the marker) of each transaction in the log at the end.

    Two were open at once: the one left open was ended last, by the coordinator after its timeout.
    """
    (records, *_) = (one["records"] for one in replicas.values())
    found: list[tuple[int, int]] = []
    first: dict[str, int] = {}
    for offset, _, value in records:
        kind = (
            None if value is None else next((one for one in (LEFT_OPEN, *OTHERS) if value.endswith(one)), "")
        )
        if kind is None:
            ended = next((one for one in first if one != LEFT_OPEN), LEFT_OPEN)
            found.append((first.pop(ended), offset))
        elif kind:
            first.setdefault(kind, offset)
    assert not first
    return found


def test_the_transactions_of_the_truth_are_those_of_the_driver(recorded: Recorded) -> None:
    """Six of pay-1 before the kill, one after it, one of pay-2 that timed out."""
    final = recorded.truth["final"]["transfers-0"]["replicas"]
    assert transactions(final) == [
        (40, 44),
        (45, 47),
        (48, 52),
        (53, 55),
        (56, 60),
        (61, 63),
        (70, 75),
        (64, 76),
    ]


def stable(hw: int, known: list[tuple[int, int]]) -> int:
    return min([hw, *(first for first, marker in known if first < hw <= marker)])


def hull(history: History, broker: int, at: int) -> tuple[int | None, int | None]:
    times = history.trace.columns["at"]
    states = (history.at(bisect_right(times, at + near)).replica(broker) for near in (-BEFORE, 0, AFTER))
    bands = [state.lso for state in states]
    lows = [band.lo for band in bands]
    highs = [band.hi for band in bands]
    return (
        None if None in lows else min(one for one in lows if one is not None),
        None if None in highs else max(one for one in highs if one is not None),
    )


def samples(recorded: Recorded) -> list[tuple[str, int, int, int]]:
    """(partition, broker, time, true last stable offset) of each sample with a high watermark."""
    known = {tp: transactions(one["replicas"]) for tp, one in recorded.truth["final"].items()}
    return [
        (one["tp"], one["replica"], one["at_ns"], stable(one["hw"], known[one["tp"]]))
        for one in recorded.truth["samples"]
        if one.get("hw") is not None and one.get("tp") in known
    ]


def test_every_true_last_stable_offset_is_inside_its_band(recorded: Recorded) -> None:
    misses: list[object] = []
    below = 0
    for tp, broker, at, true in samples(recorded):
        low, high = hull(recorded.histories[tp], broker, at)
        if low is None or true < low or (high is not None and true > high):
            misses.append((tp, broker, at, true, low, high))
        hw = recorded.histories[tp].at(bisect_right(recorded.trace.columns["at"], at)).replica(broker).hw
        below += high is not None and (hw.hi is None or high < hw.hi)

    assert len(samples(recorded)) >= 100
    assert misses == []
    assert below, "somewhere it is known to be below the high watermark"


def test_at_the_end_no_transaction_is_open(recorded: Recorded) -> None:
    state = recorded.histories["transfers-0"].at(len(recorded.trace))
    assert [(one.lso.exact, one.hw.exact) for one in state.replicas] == [(79, 79)] * 3
