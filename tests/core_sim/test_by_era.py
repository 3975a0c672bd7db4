"""docs/scenarios-by-era.md: what each scenario costs in each era. Made by this test, read by a person.

TIDEGAUGE_UPDATE_GOLDEN=1 writes it anew.
"""

import os
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from core.kafka.eras import ERAS
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.trace.trace import Trace

TABLE = Path(__file__).parents[2] / "docs" / "scenarios-by-era.md"
Begin = Callable[[Trace], Any]
INTRO = """\
# What each scenario costs in each era

Made by tests/core_sim/test_by_era.py. Each scenario runs unchanged under the rules of each era.

- **lost**: records that were committed (below the high watermark of a leader at some moment) and that the
  last leader does not hold; of several partitions all together.
- **diverged**: offsets at which two running replicas hold different records at the end.
- **no leader**: seconds in which the controller's state named none. The time until a dead leader is noticed
  does not count.

A dash is none of the three. Where a record is lost in every era, no rule of truncation could have kept it: an
unclean election chose a log without it, or it was acknowledged before it was on a disk.
"""


def cost(trace: Trace, begin: Begin) -> str:
    lost, diverged = 0, 0
    for index in range(len(trace.partitions)):
        state = begin(trace)
        state.partition = index
        committed: dict[tuple[int, str], None] = {}
        for event in map(trace.event, range(len(trace))):
            state.apply(event)
            seen = state.replicas.get(state.name(event.get("replica") or -1))
            if seen is not None and seen.role == "leader" and event.kind in ("hw_moved", "became_leader"):
                committed.update(dict.fromkeys(enumerate(seen.records[: seen.hw])))
        up = [seen for seen in state.replicas.values() if seen.role != "down"]
        holders = [seen for seen in up if seen.role == "leader"] or list(state.replicas.values())
        last = max(holders, key=lambda seen: seen.epoch or 0).records
        lost += sum(last[offset : offset + 1] != [name] for offset, name in committed)
        diverged += len(
            {
                offset
                for one, other in combinations(up, 2)
                for offset, (mine, other_s) in enumerate(zip(one.log, other.log, strict=False))
                if mine != other_s
            }
        )
    seconds = leaderless_s(trace)
    parts = [
        f"{lost} lost" if lost else "",
        f"{diverged} diverged" if diverged else "",
        f"no leader {seconds} s" if seconds else "",
    ]
    return ", ".join(part for part in parts if part) or "-"


def leaderless_s(trace: Trace) -> int:
    """For how many seconds a partition had no leader, over all partitions."""
    since: dict[int, int] = {}
    total = 0
    end = int(trace.columns["at"][-1])
    for event in map(trace.event, range(len(trace))):
        if event.kind == "leaderless":
            since[event.values["partition"]] = event.at
        elif event.kind == "leader_elected" and event.values["partition"] in since:
            total += event.at - since.pop(event.values["partition"])
    total += sum(end - begun for begun in since.values())
    return round(total / 1_000_000_000)


def row_of(name: str, begin: Begin) -> list[str]:
    return [cost(simulate(scenario(name), rules), begin) for rules in ERAS]


def table(begin: Begin) -> str:
    lines = [
        f"| scenario | {' | '.join(rules.id for rules in ERAS)} |",
        f"| --- |{' --- |' * len(ERAS)}",
        *(f"| `{name}` | {' | '.join(row_of(name, begin))} |" for name in scenario_ids()),
    ]
    return INTRO + "\n" + "\n".join(lines) + "\n"


def test_the_table_of_the_documentation_is_what_the_runs_give(start_replay: Begin) -> None:
    text = table(start_replay)
    if os.environ.get("TIDEGAUGE_UPDATE_GOLDEN"):
        TABLE.write_text(text, encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("name", "costs"),
    [
        ("hw-loss", {"0.10.2": "1 lost"}),
        ("hw-loss-ten", {"0.10.2": "1 lost"}),
        ("unknown-epoch-loss", dict.fromkeys(("0.10.2", "0.11", "1.1", "2.0"), "1 lost")),
        ("stale-hw-isr", dict.fromkeys(("0.10.2", "0.11", "1.1", "2.0"), "1 lost")),
        ("stale-leader-truncation", dict.fromkeys(("0.10.2", "0.11", "1.1", "2.0"), "1 lost")),
        ("silent-divergence", dict.fromkeys(("0.11", "1.1"), "1 diverged")),
    ],
)
def test_who_loses_is_what_the_releases_say(name: str, costs: dict[str, str], start_replay: Begin) -> None:
    found = dict(zip((rules.id for rules in ERAS), row_of(name, start_replay), strict=True))
    bad = {rules: what for rules, what in found.items() if "lost" in what or "diverged" in what}
    assert bad == costs
