"""What every bench prints: goals, figures, verdicts, beside a fixed loop."""

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

RESULTS = "TIDEGAUGE_BENCH"
"""The environment variable that names the file to which rows are added as JSON, one a line."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure and its goal, both as text, and whether the goal is met.

    `ratio` is the figure against a peer of the same run, or against the fixed loop, the less the better: what
    a later run is held to.
    """

    what: str
    goal: str
    figure: str
    met: bool
    ratio: float | None = None


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
    if RESULTS in os.environ:
        with Path(os.environ[RESULTS]).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps({"subject": subject, **asdict(row)}) + "\n" for row in rows)
    return 0 if all(row.met for row in rows) else 1
