"""Every bench, one after the other, as one table: `python -m tests.bench.every [SUBJECT...] [--write]`.

A ratio that is more than a fifth above that of docs/benchmarks.json fails; a goal that is missed is told and
fails as well. With `--write` the figures of this run go there and into docs/benchmarks.md; subjects that were
not measured keep theirs. `--with` gives each bench its options, as in `diagnosis --with 0.3`.
"""

import argparse
import json
import os
import platform
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.processes import cores
from tests.bench.table import RESULTS

SUBJECTS = ("model", "simulator", "importers", "documents", "diagnosis", "window", "spark_scale")
DOCS = Path(__file__).parents[2] / "docs"
KEPT = DOCS / "benchmarks.json"
PAGE = DOCS / "benchmarks.md"
WORSE = 1.2
"""A ratio so many times that of before is a regression."""
_INTRO = """\
# Benchmarks

Made by `python -m tests.bench.every --write`; the figures as JSON: [benchmarks.json](benchmarks.json).
What each bench measures: [tests/bench/README.md](../tests/bench/README.md). The ratio is the figure against
a peer of the same run, or against a fixed loop, the less the better: `make bench` fails where one is more
than a fifth above the one here, and where a goal is missed.

"""
_COLUMNS = ("what", "goal", "figure", "ratio", "verdict", "cores", "machine")
_HEAD = f"| {' | '.join(_COLUMNS)} |\n|{' --- |' * len(_COLUMNS)}\n"

Row = Mapping[str, Any]


def key_of(row: Row) -> tuple[str, str]:
    """Subject and what is measured, without the figures in brackets."""
    return row["subject"], re.sub(r" \([^)]*\)", "", row["what"])


def regressions(now: Iterable[Row], before: Iterable[Row]) -> list[str]:
    """A line for each ratio that is worse by more than a fifth."""
    known = {key_of(row): row["ratio"] for row in before if row["ratio"] is not None}
    found: list[str] = []
    for row in now:
        old, new = known.get(key_of(row)), row["ratio"]
        if old is not None and new is not None and new > WORSE * old:
            found.append(f"{row['subject']}, {key_of(row)[1]}: {new:.3g}, it was {old:.3g}")
    return found


def page(rows: Iterable[Row]) -> str:
    """The table as Markdown."""
    lines = [
        f"| {row['what']} | {row['goal']} | {row['figure']} | {_short(row['ratio'])} "
        f"| {'met' if row['met'] else 'missed'} | {row['cores']} | {row['machine']} |\n"
        for row in rows
    ]
    return _INTRO + _HEAD + "".join(lines)


def _short(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3g}"


def measured(subjects: Iterable[str], options: list[str]) -> list[Row]:
    """The rows of some benches, each run in a process of its own."""
    machine = {"cores": cores(), "machine": f"{platform.machine()}, Python {platform.python_version()}"}
    with TemporaryDirectory() as folder:
        results = Path(folder) / "results"
        results.touch()
        for subject in subjects:
            subprocess.run(
                [sys.executable, "-m", f"tests.bench.{subject}", *options],
                env={**os.environ, RESULTS: str(results)},
                check=False,
            )
        lines = results.read_text(encoding="utf-8").splitlines()
    return [{**json.loads(line), **machine} for line in lines]


def main() -> int:
    """Measure, compare, and write where that was asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("subjects", nargs="*", default=SUBJECTS, choices=(*SUBJECTS, []))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--with", dest="options", type=shlex.split, default=[])
    chosen = parser.parse_args()
    before: list[Row] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else []
    now = measured(chosen.subjects, chosen.options)
    worse = regressions(now, before)
    sys.stdout.writelines(f"worse than before: {line}\n" for line in worse)
    if chosen.write:
        subjects = {row["subject"] for row in now}
        kept = [row for row in before if row["subject"] not in subjects]
        rows = sorted([*kept, *now], key=lambda row: row["subject"])
        KEPT.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(page(rows), encoding="utf-8")
    return 1 if worse or not now or not all(row["met"] for row in now) else 0


if __name__ == "__main__":
    sys.exit(main())
