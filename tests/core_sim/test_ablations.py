"""docs/ablations.md: what each switch does, flipped alone. Made by this test, read by a person.

`make goldens` writes it anew, and with it the worst scenario of each flip, which the switchboard shows.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from core.kafka.eras import ERAS, Era, with_switches
from core.kafka.eras import era as era_of
from core.kafka.switches import SWITCHES, Switch
from core.sim.ablation.outcome import Aspect, Outcome, outcome_of
from core.sim.ablation.settings import SETTINGS, value_of, with_setting
from core.sim.ablation.setup import Setup
from core.sim.ablation.worst import FILE, worst_of
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.trace.trace import Trace
from tests.core_sim.conftest import begin
from tests.core_sim.costs import cost
from tests.goldens import updating
from tests.runs import simulated

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "ablations.md"
WORST = ROOT / "core" / "sim" / "ablation" / FILE
Outcomes = dict[tuple[str, str, str], list[str]]
Costs = dict[tuple[str, str], tuple[Outcome, Outcome]]
"""What a scenario costs in an era before and after a flip that changes some event."""
Figures = list[str | int]
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


EACH_SWITCH = pytest.mark.parametrize(
    "switch",
    [
        pytest.param(one, id=one.name, marks=pytest.mark.xdist_group(f"flips of {one.name}"))
        for one in SWITCHES
    ],
)
"""One worker has all tests of a switch: it makes the flips once."""


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


@cache
def flipped(
    switch: Switch, value: str, names: Sequence[str], eras: Sequence[Era] = ERAS
) -> tuple[Outcomes, list[str], Costs]:
    """The eras by (scenario, cost before, cost after), the scenarios with another course only, and costs.

    Of some scenarios in some eras.
    """
    outcomes: Outcomes = {}
    costs: Costs = {}
    courses: list[str] = []
    for name in names:
        changed = False
        for era in eras:
            if getattr(era.switches, switch.field) == value:
                continue
            before, cost_before = as_it_is(name, era.id)
            after = simulated(name, with_switches(era, {switch.name: value}))
            if equal(before, after):
                continue
            changed = True
            costs[(name, era.id)] = (outcome_of(before), outcome_of(after))
            cost_after = cost(after, begin)
            if cost_after != cost_before:
                outcomes.setdefault((name, cost_before, cost_after), []).append(era.id)
        if changed and not any(name == told for told, _, _ in outcomes):
            courses.append(name)
    return outcomes, courses, costs


def named(courses: list[str]) -> str:
    """The scenarios by name, or how many there are: a switch that every message shows is in all."""
    if len(courses) > MANY:
        return f"{len(courses)} scenarios"
    return ", ".join(f"`{name}`" for name in courses) or "-"


def told(outcomes: Outcomes) -> list[str]:
    """What a row says of each scenario whose outcome changes."""
    return [
        f"`{name}` in {span(eras)}: {before} → {after}" for (name, before, after), eras in outcomes.items()
    ]


def rows(switch: Switch) -> list[str]:
    made: list[str] = []
    for value in switch.values:
        outcomes, courses, _ = flipped(switch, value, scenario_ids())
        changes = "<br>".join(told(outcomes)) or "-"
        made.append(f"| `{switch.name}` | {value} | {changes} | {named(courses)} |")
    return made


def in_the_table(switch: str) -> list[str]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith(f"| `{switch}` |")]


def parts(outcome: Outcome) -> tuple[int, int, int]:
    """Records lost, offsets at which logs differ, seconds without a leader: the worst first."""
    return outcome.records_lost, outcome.offsets_diverged, outcome.leaderless_s


def worst(costs: Costs, era_id: str) -> Figures | None:
    """The scenario in which a flip costs most more, what of, and how much before and after."""
    found: tuple[tuple[int, ...], Figures] | None = None
    for name in scenario_ids():
        if (name, era_id) not in costs:
            continue
        before, after = map(parts, costs[(name, era_id)])
        more = tuple(max(then - now, 0) for now, then in zip(before, after, strict=True))
        if any(more) and (found is None or more > found[0]):
            place = next(place for place, one in enumerate(more) if one)
            found = (more, [name, list(Aspect)[place], before[place], after[place]])
    return None if found is None else found[1]


def write_worst(made: dict[str, dict[str, Figures]], names: Iterable[str]) -> None:
    """Put the flips of these switches or settings in the place of the old ones."""
    old = json.loads(WORST.read_text(encoding="utf-8")) if WORST.exists() else {}
    names = set(names)
    table = {
        era.id: {
            **{flip: one for flip, one in old.get(era.id, {}).items() if flip.partition("=")[0] not in names},
            **made.get(era.id, {}),
        }
        for era in ERAS
    }
    lines = [
        f" {json.dumps(era_id)}: {{\n"
        + ",\n".join(f"  {json.dumps(flip)}: {json.dumps(flips[flip])}" for flip in sorted(flips))
        + "\n }"
        for era_id, flips in table.items()
    ]
    WORST.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def hold_worst(made: dict[str, dict[str, Figures]], flips: Iterable[str], eras: Sequence[Era] = ERAS) -> None:
    """What the program shows is what the runs give, also where no scenario is worse."""
    for flip in flips:
        for era in eras:
            one = worst_of(era.id, flip)
            shown = None if one is None else [one.scenario, one.aspect, one.before, one.after]
            assert shown == made.get(era.id, {}).get(flip), (era.id, flip)


def worst_by_era(by_flip: dict[str, Costs]) -> dict[str, dict[str, Figures]]:
    return {
        era.id: {
            flip: figures for flip, costs in by_flip.items() if (figures := worst(costs, era.id)) is not None
        }
        for era in ERAS
    }


@pytest.mark.slow
@pytest.mark.thinned(5)
@EACH_SWITCH
def test_the_worst_scenario_of_each_flip_is_what_the_flips_give(
    switch: Switch, request: pytest.FixtureRequest
) -> None:
    """In one era, the next switch in another; --every-case: in all of them."""
    place = SWITCHES.index(switch) % len(ERAS)
    eras = ERAS if request.config.getoption("--every-case") else ERAS[place : place + 1]
    names = scenario_ids()
    by_flip = {f"{switch.name}={value}": flipped(switch, value, names, eras)[2] for value in switch.values}
    made = worst_by_era(by_flip)
    if updating():
        write_worst(made, [switch.name])
    else:
        hold_worst(made, by_flip, eras)


@pytest.mark.slow
@pytest.mark.thinned(3)
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.name)
def test_the_worst_scenario_of_each_setting_is_what_the_runs_give(setting: Switch) -> None:
    by_flip: dict[str, Costs] = {f"{setting.name}={value}": {} for value in setting.values}
    for name in scenario_ids():
        script = scenario(name)
        for era in ERAS:
            now = value_of(Setup(script, era), setting.name)
            (value,) = (one for one in setting.values if one != now)
            changed = replace(script, settings=with_setting(script.settings, setting.name, value))
            before = outcome_of(simulated(name, era))
            by_flip[f"{setting.name}={value}"][(name, era.id)] = (before, outcome_of(simulate(changed, era)))
    made = worst_by_era(by_flip)
    if updating():
        write_worst(made, [setting.name])
    else:
        hold_worst(made, by_flip)


@pytest.mark.slow
@pytest.mark.thinned(5)
@EACH_SWITCH
def test_the_rows_of_the_documentation_are_what_the_flips_give(
    switch: Switch, request: pytest.FixtureRequest
) -> None:
    """What they say of a 15th of the scenarios, of the next switch of others; --every-case: of all."""
    if request.config.getoption("--every-case"):
        made = rows(switch)
        if updating():
            found = {one.name: made if one == switch else in_the_table(one.name) for one in SWITCHES}
            TABLE.write_text("\n".join([INTRO, *HEAD, *chain(*found.values())]) + "\n", encoding="utf-8")
        assert in_the_table(switch.name) == made
        return
    names = scenario_ids()[SWITCHES.index(switch) % 15 :: 15]
    for value, row in zip(switch.values, in_the_table(switch.name), strict=True):
        outcomes, courses, _ = flipped(switch, value, names)
        _, _, said, changes, only, _ = row.split("|")
        assert said.strip() == value
        parts = changes.strip().split("<br>")
        assert [one for one in parts if one.split("`")[1:2] in [[name] for name in names]] == told(outcomes)
        if "scenarios" not in only:
            assert [name for name in names if f"`{name}`" in only] == courses


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
