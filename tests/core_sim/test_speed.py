"""The simulator's speed and memory, as ratios with wide bounds; `make bench` measures them with goals."""

import json
import subprocess
import sys

import numpy as np
import pytest

from core.trace.trace import Trace
from core.trace.vocabulary import KIND
from tests.bench.simulator import PARTITIONS, run
from tests.bench.table import fixed_loop_s


def count(kind: str, trace: Trace) -> int:
    return int(np.count_nonzero(trace.columns["kind"] == KIND[kind].number))


@pytest.mark.slow
def test_hw_loss_in_50_partitions_is_not_slow() -> None:
    trace, seconds = run(4, "0.10.2")
    per_100_000_rows = seconds / len(trace) * 100_000

    # Measured: 1.2 to 1.5 times the loop.
    assert per_100_000_rows <= 6 * fixed_loop_s()
    # And it is the loss: every round, every partition is cut below what was acknowledged.
    assert count("condition_not_met", trace) == 0
    assert count("truncated", trace) >= 4 * PARTITIONS


MEASURE = """
import json, sys
from tests.bench.simulator import bytes_of, peak_bytes, run
run(1, "2.8")
before = peak_bytes()
trace, _ = run(int(sys.argv[1]), "2.8")
print(json.dumps([len(trace), (peak_bytes() - before) / bytes_of(trace)]))
"""


@pytest.mark.slow
def test_a_long_run_holds_little_more_than_its_trace() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURE, "30"], capture_output=True, text=True, check=True)
    rows, growth = json.loads(done.stdout)

    assert rows > 400_000
    # Twice would be a copy beside the blocks.
    assert growth < 1.6
