"""States a second of the explorer, and its memory: `python -m tests.bench.model`.

Each exploration runs in a process of its own, so that the peak of its memory is its own.
"""

import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

from core.model.fast_engine import FastEngine, world_of
from core.model.invariants import STRONG_ISR, WEAK_ISR
from core.model.plain_engine import explore
from core.model.state import Bounds
from core.model.variants import KIP_320
from tests.bench.table import Measured, print_table

GOAL: Final = 740_000
"""Distinct states a second."""
LARGEST_MIB: Final = 1024
ASKED: Final = (WEAK_ISR, STRONG_ISR)


def fast(bounds: Bounds, *, symmetry: bool) -> tuple[int, float, float]:
    """Distinct states, CPU seconds, peak of memory in MiB."""
    begun = time.process_time()
    found = FastEngine(bounds, KIP_320, symmetry=symmetry).explore(ASKED)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found.distinct, time.process_time() - begun, peak


def plain(bounds: Bounds) -> float:
    """CPU seconds of the plain engine."""
    begun = time.process_time()
    explore(world_of(bounds, KIP_320), ASKED)
    return time.process_time() - begun


def alone(work: Callable[[], tuple[int, float, float]]) -> tuple[int, float, float]:
    """What work gives in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        return pool.submit(work).result()


def large() -> tuple[int, float, float]:
    """737,794 states of three replicas and two fail-overs."""
    return fast(Bounds(3, 2, 2, 2), symmetry=False)


def orbits() -> tuple[int, float, float]:
    """The same with symmetry: 123,311."""
    return fast(Bounds(3, 2, 2, 2), symmetry=True)


def main() -> int:
    """Measure and print."""
    states, seconds, _peak = alone(large)
    speed = states / seconds
    classes, class_seconds, peak = alone(orbits)
    small = Bounds(3, 2, 2, 1)
    _states, fast_s, _peak = fast(small, symmetry=False)
    ratio = plain(small) / fast_s
    rows = [
        Measured(
            "kip-320 (3,2,2,2), states a second", f"{GOAL:,}", f"{speed:,.0f} of {states:,}", speed >= GOAL
        ),
        Measured(
            "with symmetry, peak of memory",
            f"{LARGEST_MIB} MiB",
            f"{peak:.0f} MiB, {classes:,} in {class_seconds:.2f} s",
            peak <= LARGEST_MIB,
        ),
        Measured("plain engine, times the fast one, (3,2,2,1)", "none", f"{ratio:.0f}", met=True),
    ]
    return print_table("explorer", rows)


if __name__ == "__main__":
    sys.exit(main())
