"""Of equal keys, verdicts and states are equal: on recordings that end earlier and later."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.diagnose.verdict.check import judge_partitions
from core.history.state_rows import state_changes
from core.trace.by_partition import by_partition
from core.trace.part import part_of
from core.trace.trace import Trace
from importers.load import load
from spark.settled import Local, common_of, key_of, of_partition
from tests.archives import unpack_recording
from tests.spark.growing import STAMP, with_line

pytestmark = pytest.mark.spark


def judged(trace: Trace) -> Iterator[tuple[str, str, Local]]:
    """The name, the key and the verdict of each partition, alone as a worker has it."""
    common, rows = common_of(trace), by_partition(trace)
    for index, one in enumerate(trace.partitions):
        own = rows.seqs_of(index)
        alone = part_of(trace, np.union1d(own, [len(trace) - 1]))
        ((history, verdict),) = judge_partitions(alone, (index,))
        found = Local(of_partition(verdict, 0), tuple(state_changes(history)))
        yield str(one.tp), key_of(common, alone, index, len(own), ()), found


def test_a_line_of_one_partition_unsettles_it_alone(recordings: Path, tmp_path: Path) -> None:
    # A last row stands beside the next event: what was last of all before is unsettled by any line.
    tree = with_line(ended(recordings / "k0102-hw-loss", tmp_path / "k0102-hw-loss", 1))
    whole = {name: (key, found) for name, key, found in judged(load([tree]))}
    more = {name: (key, found) for name, key, found in judged(load([with_line(tree)]))}
    assert {name for name in whole if whole[name][0] != more[name][0]} == {"orders-0"}
    assert {name for name in whole if whole[name][1] != more[name][1]} <= {"orders-0"}


@pytest.mark.parametrize("name", ["k0102-hw-loss", "k0102-rolling-restart"])
def test_of_logs_that_go_further_equal_keys_have_equal_verdicts(name: str, tmp_path: Path) -> None:
    unpack_recording(name, tmp_path)
    known: dict[str, Local] = {}
    for part in (0.5, 0.7, 0.9, 1.0):
        for _, key, found in judged(load([ended(tmp_path / name, tmp_path / f"{part}", part)])):
            assert known.setdefault(key, found) == found


def ended(root: Path, place: Path, part: float) -> Path:
    """The logs of a recording as they were when so much of its records had been written."""
    logs = {one.relative_to(root): one.read_bytes() for one in root.glob("*/logs/*.log")}
    times = sorted(time for log in logs.values() for time in STAMP.findall(log))
    end = times[int(len(times) * part)] if part < 1 else b"~"
    for name, log in logs.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        stop = next((one.start() for one in STAMP.finditer(log) if one[1] >= end), len(log))
        (place / name).write_bytes(log[:stop])
    return place
