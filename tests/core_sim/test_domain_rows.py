"""Every number of the domain's walk-throughs, with the golden and the step that shows it: domain_rows.md."""

import re
from pathlib import Path

import pytest

from core.sim.library import MEANT, scenario_ids

pytestmark = pytest.mark.broad(3)

GOLDEN = Path(__file__).parent.parent / "golden" / "sim"
WALKS = (
    "visibility", "hw-is-min", "one-fetch", "two-replica-sync", "three-replica-sync", "fetch-purgatory",
    "isr-shrink", "isr-rejoin", "leader-failover-consistent", "leader-dies-hw7", "hw-loss", "hw-loss-ten",
    "epoch-fix-loss", "hw-divergence", "epoch-fix-divergence", "elections", "acks", "overview",
)  # fmt: skip
"""The ids of the domain's table, in its order."""


def read_rows() -> list[tuple[str, str, str, int, str]]:
    """(walk-through, what it says, golden, step, line) of every row of the page."""
    rows: list[tuple[str, str, str, int, str]] = []
    walk = ""
    for line in (Path(__file__).parent / "domain_rows.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            walk = line.removeprefix("## ")
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[2].isdigit():
            rows.append((walk, cells[0], cells[1], int(cells[2]), cells[3]))
    return rows


ROWS = read_rows()


def lines_of(golden: str, step: int) -> list[str]:
    """The lines of a step, with single spaces; of several partitions all together."""
    found: list[str] = []
    current = -1
    for line in (GOLDEN / f"{golden}.txt").read_text(encoding="utf-8").splitlines():
        begun = re.match(r"step (\d+):", line)
        if begun:
            current = int(begun[1])
        elif current == step:
            found.append(" ".join(line.split()))
    return found


def pattern(wanted: str) -> str:
    """`...` is anything, `$` the end of the line; the rest stands, from one end of a word to another."""
    parts = [re.escape(part.strip()) for part in wanted.removesuffix("$").split("...")]
    return r"(?<!\S)" + r".*(?<!\S)".join(parts) + ("$" if wanted.endswith("$") else r"(?![\w.])")


@pytest.mark.parametrize(
    ("says", "golden", "step", "wanted"), [pytest.param(*row[1:], id=f"{row[0]}: {row[1]}") for row in ROWS]
)
def test_a_golden_shows_the_number(says: str, golden: str, step: int, wanted: str) -> None:
    lines = lines_of(golden, step)
    assert any(re.search(pattern(wanted), line) for line in lines), f"{says}: not in step {step} of {golden}"


def test_every_walk_through_has_rows_and_can_be_replayed() -> None:
    assert tuple(dict.fromkeys(row[0] for row in ROWS)) == WALKS
    assert {*scenario_ids(), *MEANT} >= set(WALKS)
