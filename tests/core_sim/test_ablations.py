"""docs/ablations.md: what each switch does, flipped alone. Made by this test, read by a person.

`make goldens` writes it anew.
"""

import re
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from core.kafka.eras import ERAS, with_switches
from core.kafka.eras import era as era_of
from core.kafka.switches import SWITCHES, Switch
from core.sim.library import scenario_ids
from core.trace.trace import Trace
from tests.core_sim.conftest import begin
from tests.core_sim.costs import cost
from tests.goldens import updating
from tests.runs import simulated

TABLE = Path(__file__).parents[2] / "docs" / "ablations.md"
Outcomes = dict[tuple[str, str, str], list[str]]
MANY = 8
HEAD = ("| switch | set to | the outcome changes | only the course changes |", "| --- | --- | --- | --- |")
INTRO = """\
# What each switch does, flipped alone

Made by tests/core_sim/test_ablations.py. Every scenario runs in every era as it is, and once more with one
switch set to another value.

- **the outcome changes**: the scenario costs something else, in the terms of
  [scenarios-by-era.md](scenarios-by-era.md). The change is
  told for the first era in which it is so; the eras are those with just that change.
- **only the course changes**: some event differs, and the cost is the same.

A switch without an outcome is one of speed, of visibility, or of who is told what: it matters in the course.
"""


def equal(one: Trace, other: Trace) -> bool:
    return len(one) == len(other) and all(
        np.array_equal(one.columns[name], other.columns[name]) for name in one.columns
    )


def span(eras: list[str]) -> str:
    """The eras in few words: "0.11 to 2.8, 3.6"."""
    order = [era.id for era in ERAS]
    parts: list[list[str]] = []
    for era in eras:
        if parts and order.index(era) == order.index(parts[-1][-1]) + 1:
            parts[-1].append(era)
        else:
            parts.append([era])
    return ", ".join(part[0] if len(part) == 1 else f"{part[0]} to {part[-1]}" for part in parts)


@cache
def as_it_is(name: str, era: str) -> tuple[Trace, str]:
    trace = simulated(name, era_of(era))
    return trace, cost(trace, begin)


def flipped(switch: Switch, value: str) -> tuple[Outcomes, list[str]]:
    """The eras by (scenario, cost before, cost after), and the scenarios with another course only."""
    outcomes: Outcomes = {}
    courses: list[str] = []
    for name in scenario_ids():
        changed = False
        for era in ERAS:
            if getattr(era.switches, switch.field) == value:
                continue
            before, cost_before = as_it_is(name, era.id)
            after = simulated(name, with_switches(era, {switch.name: value}))
            if equal(before, after):
                continue
            changed = True
            cost_after = cost(after, begin)
            if cost_after != cost_before:
                outcomes.setdefault((name, cost_before, cost_after), []).append(era.id)
        if changed and not any(name == told for told, _, _ in outcomes):
            courses.append(name)
    return outcomes, courses


def named(courses: list[str]) -> str:
    """The scenarios by name, or how many there are: a switch that every message shows is in all."""
    if len(courses) > MANY:
        return f"{len(courses)} scenarios"
    return ", ".join(f"`{name}`" for name in courses) or "-"


def rows(switch: Switch) -> list[str]:
    made: list[str] = []
    for value in switch.values:
        outcomes, courses = flipped(switch, value)
        told = [
            f"`{name}` in {span(eras)}: {before} → {after}"
            for (name, before, after), eras in outcomes.items()
        ]
        made.append(f"| `{switch.name}` | {value} | {'<br>'.join(told) or '-'} | {named(courses)} |")
    return made


def in_the_table(switch: str) -> list[str]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith(f"| `{switch}` |")]


@pytest.mark.slow
@pytest.mark.thinned(3)
@pytest.mark.parametrize("switch", SWITCHES, ids=lambda one: one.name)
def test_the_rows_of_the_documentation_are_what_the_flips_give(switch: Switch) -> None:
    made = rows(switch)
    if updating():
        found = {one.name: made if one == switch else in_the_table(one.name) for one in SWITCHES}
        TABLE.write_text("\n".join([INTRO, *HEAD, *chain(*found.values())]) + "\n", encoding="utf-8")
    assert in_the_table(switch.name) == made


def test_the_table_has_the_rows_of_every_switch_and_no_other() -> None:
    switches = [[switch.name] * len(switch.values) for switch in SWITCHES]
    rows_of = re.findall(r"^\| `([\w-]+)` \|", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows_of == list(chain(*switches))


@pytest.mark.parametrize(
    ("switch", "value", "name", "eras"),
    [
        # KIP-101: the cut to the own high watermark is what loses, whatever else is newer.
        ("truncation", "high-watermark", "hw-loss", "2.8"),
        # KAFKA-7415: a leader without an entry for its own epoch cannot answer.
        ("epoch-entry", "first-write", "unknown-epoch-loss", "2.1"),
        # KAFKA-7128: a stale high watermark lets a follower in too early.
        ("isr-join", "high-watermark", "stale-hw-isr", "2.1"),
        # KIP-320: a request of an old epoch is answered by a leader that is none any more.
        ("fencing", "none", "stale-leader-truncation", "2.1"),
        # KIP-903: a request from the life before the disk was replaced is taken.
        ("isr-eligible", "not-fenced", "disk-replaced", "3.5"),
        # KIP-966: the last replica standing, and an election that is clean only if nothing was committed
        # after the eligible one had left (KAFKA-15583).
        ("eligible-leaders", "off", "s8", "4.1"),
        ("hw-below-min-isr", "moves", "s9", "4.1"),
    ],
)
def test_a_fix_taken_out_alone_loses_again(switch: str, value: str, name: str, eras: str) -> None:
    rules = era_of(eras)
    assert "lost" not in cost(simulated(name, rules), begin)
    without = with_switches(rules, {switch: value})
    assert "lost" in cost(simulated(name, without), begin)
