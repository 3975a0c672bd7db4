"""What every bench prints: goals, figures, verdicts, beside a fixed loop."""

import sys
import time
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure and its goal, both as text, and whether the goal is met."""

    what: str
    goal: str
    figure: str
    met: bool


def fixed_loop_s() -> float:
    """CPU seconds of a loop that never changes: many small steps in Python, each with a little numpy."""
    begun = time.process_time()
    values = np.arange(64)
    for turn in range(200_000):
        values = (values * 31 + turn) & 0xFFFF
    assert values.shape == (64,)
    return time.process_time() - begun


def print_table(subject: str, rows: list[Measured]) -> int:
    """Print the rows below the fixed loop of this run. Gives the exit code: 1 where a goal is missed."""
    lines = [f"{subject} (fixed numpy loop of this run: {fixed_loop_s():.2f} s)"]
    lines += [
        f"  {row.what:44} goal {row.goal:22} {row.figure:30} {'ok' if row.met else 'MISSED'}" for row in rows
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if all(row.met for row in rows) else 1
