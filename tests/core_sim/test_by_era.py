"""docs/scenarios-by-era.md: what each scenario costs in each era. Made by this test, read by a person.

`make goldens` writes it anew.
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.kafka.eras import ERAS
from core.sim.ablation.by_era import FILE, Cost, as_json, cost_of, costs_by_era
from core.sim.ablation.outcome import outcome_of
from core.sim.library import scenario_ids
from core.trace.trace import Trace
from tests.core_sim.costs import cost
from tests.goldens import updating
from tests.runs import simulated

TABLE = Path(__file__).parents[2] / "docs" / "scenarios-by-era.md"
CHIPS = Path(__file__).parents[2] / "core" / "sim" / "ablation" / FILE
Begin = Callable[[Trace], Any]
INTRO = """\
# What each scenario costs in each era

Made by tests/core_sim/test_by_era.py. Each scenario runs unchanged under the rules of each era.

- **lost**: records that were committed (below the high watermark of a leader at some moment) and that the
  last leader does not hold; of several partitions all together.
- **acknowledged lost**: the same of records that a producer had been told are written, and that were never
  committed.
- **diverged**: offsets at which two replicas hold different records at last, running or not. Where one of
  them holds nothing, as a cut inside a batch leaves it (`batch-truncation` in 0.11 and 1.1), is none.
- **no leader**: seconds in which the controller's state named none. The time until a dead leader is noticed
  does not count.

A dash is none of them. The chips beside a scenario in the program are the same numbers.

Where a record is lost in every era, no rule of truncation could have kept it: an unclean election chose a log
without it, or it was acknowledged before it was on a disk.

Cells that may surprise:

- `hw-loss`, `hw-loss-ten`, `consumer-out-of-range` from 3.3: a broker that was killed is fenced, and out of
  the in-sync set, before it may serve again. So it is not elected, nobody leads until the old leader is
  back, and nothing is lost. Brokers of 4.3 do the same (recordings/k43-failover).
- `hw-divergence`, `three-broker-loss` in 3.3 to 3.7: unclean elections are allowed, and a KRaft controller
  does not look at that before 3.9 (KAFKA-12670; seen with 3.7.2). Nobody leads until the last of the
  in-sync set is back.
- `s8`, `s9`: two records to 3.6, one in 3.7 and 4.0. Below `min.insync.replicas` the high watermark still
  moved to 3.6, so that consumers had seen m1 too (KAFKA-15583). In 0.10.2 the follower of `s8` keeps m0 on
  its disk, and exits.
- `disk-replaced` from 2.8 to 3.3 only: the leader asks the controller (2.7, KIP-497), and the request can
  be late; from 3.5 it names the life that it is about (KIP-903).
- Seconds without a leader follow the session timeout: 6 s to 2.4, 18 s in 2.8 (a dead leader is missed
  later, and so the partition is without one for less of the script), 9 s from the last heartbeat with
  KRaft.
"""


def row_of(name: str, begin: Begin) -> list[str]:
    """What a replay of the events counts, which knows nothing of acknowledgements."""
    return [cost(simulated(name, rules), begin) for rules in ERAS]


def cell(cost: Cost) -> str:
    parts = (
        (cost.committed, "{} lost"),
        (cost.acknowledged, "{} acknowledged lost"),
        (cost.diverged, "{} diverged"),
        (cost.leaderless_s, "no leader {} s"),
    )
    return ", ".join(text.format(number) for number, text in parts if number) or "-"


def table_of(rows: dict[str, str]) -> str:
    """The page with these rows, by scenario."""
    lines = [
        f"| scenario | {' | '.join(rules.id for rules in ERAS)} |",
        f"| --- |{' --- |' * len(ERAS)}",
        *(rows[name] for name in scenario_ids() if name in rows),
    ]
    return INTRO + "\n" + "\n".join(lines) + "\n"


def rows_in(text: str) -> dict[str, str]:
    """The rows of the page as it is written."""
    return {found[1]: found[0] for found in re.finditer(r"^\| `([\w-]+)` \|.*$", text, re.MULTILINE)}


def costs_of(name: str) -> dict[str, Cost]:
    return {rules.id: cost_of(outcome_of(simulated(name, rules))) for rules in ERAS}


@pytest.mark.slow
@pytest.mark.parametrize("name", scenario_ids())
def test_the_chips_of_a_scenario_are_what_its_runs_give(name: str) -> None:
    costs = costs_of(name)
    if updating():
        CHIPS.write_text(as_json({**kept_costs(), name: costs}), encoding="utf-8")
    assert kept_costs().get(name) == costs


def kept_costs() -> dict[str, dict[str, Cost]]:
    """The costs that the program brings along, by scenario and era."""
    raw = json.loads(CHIPS.read_text(encoding="utf-8"))
    return {name: {era: Cost(*numbers) for era, numbers in eras.items()} for name, eras in raw.items()}


def test_there_are_chips_for_each_scenario_in_each_era_and_neighbours_are_together() -> None:
    assert {name: set(eras) for name, eras in kept_costs().items()} == {
        name: {rules.id for rules in ERAS} for name in scenario_ids()
    }
    # KIP-101 in 0.11 keeps what 0.10.2 loses; with KRaft nobody leads until the old leader is back.
    found = [(one.first, one.last, one.lost > 0) for one in costs_by_era("hw-loss")]
    assert found[0] == ("0.10.2", "0.10.2", True)
    assert not any(loses for _, _, loses in found[1:])
    assert costs_by_era("no such scenario") == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", scenario_ids())
def test_the_row_of_a_scenario_is_what_its_runs_give(name: str, start_replay: Begin) -> None:
    costs = costs_of(name)
    row = f"| `{name}` | {' | '.join(map(cell, costs.values()))} |"
    # The replay knows nothing of acknowledgements, and counts divergences of running replicas, holes too.
    replayed = [
        re.sub(r"(, )?\d+ diverged", "", told).removeprefix(", ") or "-"
        for told in row_of(name, start_replay)
    ]
    assert [cell(replace(one, acknowledged=0, diverged=0)) for one in costs.values()] == replayed
    if updating():
        rows = rows_in(TABLE.read_text(encoding="utf-8"))
        TABLE.write_text(table_of({**rows, name: row}), encoding="utf-8")
    assert rows_in(TABLE.read_text(encoding="utf-8")).get(name) == row


def test_the_page_has_a_row_of_each_scenario_and_nothing_else() -> None:
    text = TABLE.read_text(encoding="utf-8")
    rows = rows_in(text)

    assert set(rows) == set(scenario_ids())
    assert table_of(rows) == text


@pytest.mark.parametrize(
    ("name", "costs"),
    [
        ("hw-loss", {"0.10.2": "1 lost"}),
        ("hw-loss-ten", {"0.10.2": "1 lost"}),
        ("unknown-epoch-loss", dict.fromkeys(("0.10.2", "0.11", "1.1", "2.0"), "1 lost")),
        ("stale-hw-isr", dict.fromkeys(("0.10.2", "0.11", "1.1", "2.0"), "1 lost")),
        ("stale-leader-truncation", dict.fromkeys(("0.10.2", "0.11", "1.1", "2.0"), "1 lost")),
        ("silent-divergence", dict.fromkeys(("0.11", "1.1"), "1 diverged")),
        ("disk-replaced", dict.fromkeys(("2.8", "3.3"), "3 lost")),
    ],
)
def test_who_loses_is_what_the_releases_say(name: str, costs: dict[str, str], start_replay: Begin) -> None:
    found = dict(zip((rules.id for rules in ERAS), row_of(name, start_replay), strict=True))
    bad = {rules: what for rules, what in found.items() if "lost" in what or "diverged" in what}
    assert bad == costs


@pytest.mark.parametrize("name", ["s8", "s9"])
def test_the_last_replica_standing_loses_in_every_era_without_eligible_leaders(
    name: str, start_replay: Begin
) -> None:
    found = dict(zip(ERAS, row_of(name, start_replay), strict=True))
    kept = [rules for rules, what in found.items() if "lost" not in what]
    assert kept == [rules for rules in ERAS if rules.switches.eligible_leaders == "on"]


def test_as_many_lost_tails_as_min_isr_lose_in_every_era(start_replay: Begin) -> None:
    assert all("1 lost" in what for what in row_of("s10", start_replay))
