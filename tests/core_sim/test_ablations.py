"""docs/ablations.md: what each switch does, flipped alone. Made by this test, read by a person.

TIDEGAUGE_UPDATE_GOLDEN=1 writes it anew.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.kafka.eras import ERAS, Era, with_switches
from core.kafka.switches import SWITCHES, Switch
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.trace.trace import Trace
from tests.core_sim.costs import cost

TABLE = Path(__file__).parents[2] / "docs" / "ablations.md"
Begin = Callable[[Trace], Any]
Outcomes = dict[tuple[str, str, str], list[str]]
MANY = 8
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


class Ablations:
    """The runs as they are, kept, and what a flip changes."""

    def __init__(self, begin: Begin) -> None:
        self.begin = begin
        self.plain: dict[tuple[str, str], tuple[Trace, str]] = {}

    def as_it_is(self, name: str, era: Era) -> tuple[Trace, str]:
        if (name, era.id) not in self.plain:
            trace = simulate(scenario(name), era)
            self.plain[name, era.id] = (trace, cost(trace, self.begin))
        return self.plain[name, era.id]

    def flipped(self, switch: Switch, value: str) -> tuple[Outcomes, list[str]]:
        """The eras by (scenario, cost before, cost after), and the scenarios with another course only."""
        outcomes: Outcomes = {}
        courses: list[str] = []
        for name in scenario_ids():
            changed = False
            for era in ERAS:
                if getattr(era.switches, switch.field) == value:
                    continue
                before, cost_before = self.as_it_is(name, era)
                after = simulate(scenario(name), with_switches(era, {switch.name: value}))
                if equal(before, after):
                    continue
                changed = True
                cost_after = cost(after, self.begin)
                if cost_after != cost_before:
                    outcomes.setdefault((name, cost_before, cost_after), []).append(era.id)
            if changed and not any(name == told for told, _, _ in outcomes):
                courses.append(name)
        return outcomes, courses


@pytest.fixture
def ablations(start_replay: Begin) -> Ablations:
    return Ablations(start_replay)


def named(courses: list[str]) -> str:
    """The scenarios by name, or how many there are: a switch that every message shows is in all."""
    if len(courses) > MANY:
        return f"{len(courses)} scenarios"
    return ", ".join(f"`{name}`" for name in courses) or "-"


def rows(ablations: Ablations) -> Iterator[str]:
    for switch in SWITCHES:
        for value in switch.values:
            outcomes, courses = ablations.flipped(switch, value)
            told = [
                f"`{name}` in {span(eras)}: {before} → {after}"
                for (name, before, after), eras in outcomes.items()
            ]
            yield (f"| `{switch.name}` | {value} | {'<br>'.join(told) or '-'} | {named(courses)} |")


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_the_table_of_the_documentation_is_what_the_flips_give(ablations: Ablations) -> None:
    head = "| switch | set to | the outcome changes | only the course changes |\n| --- | --- | --- | --- |\n"
    text = INTRO + "\n" + head + "\n".join(rows(ablations)) + "\n"
    if os.environ.get("TIDEGAUGE_UPDATE_GOLDEN"):
        TABLE.write_text(text, encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == text


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
def test_a_fix_taken_out_alone_loses_again(
    switch: str, value: str, name: str, eras: str, start_replay: Begin
) -> None:
    rules = next(one for one in ERAS if one.id == eras)
    assert "lost" not in cost(simulate(scenario(name), rules), start_replay)
    without = with_switches(rules, {switch: value})
    assert "lost" in cost(simulate(scenario(name), without), start_replay)
