"""docs/fidelity-simulated.md: how much of a run comes back out of its logs. Made here, read by a person.

`make goldens` writes it anew.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TypeAlias

import pytest

from core.diagnose.verdict.facts import LossClass, PartitionVerdict
from core.history.open import open_history
from tests.core_sim_logs.test_round_trip import SHARE, TRIPS
from tests.goldens import updating
from tests.trips import ERA_IDS, Trip, classes, cuts, isr_sets, stronger, told, trip_names, trip_of

TABLE = Path(__file__).parents[2] / "docs" / "fidelity-simulated.md"
Score: TypeAlias = tuple[int, int, int]
"""Found, true, false."""
INTRO = """\
# What comes back out of simulated logs

Made by tests/core_sim_logs/test_fidelity_table.py. Each scenario is simulated in each era, written as the
logs and disks that real brokers would have left (`simulate --logs`), imported again and diagnosed. A cell is
*found/true*: how much of what the simulation knows was claimed from the logs alone. A dash: there was none.
A scenario that has none in any era is left out.

What is missing was not in the logs, and the tests hold that. To 0.10 a cut is printed whether or not records
go, no line says with how many records a leader took over, and no epochs are kept. What a machine loses with
its page cache is not printed by any release. Random incidents: docs/fidelity-incidents.md.
"""


def of_pairs(found: Counter[Hashable], true: Counter[Hashable]) -> Score:
    return (found & true).total(), true.total(), (found - true).total()


def cut_score(trip: Trip) -> Score:
    scores = [
        of_pairs(
            Counter((cut.broker, cut.to_offset) for cut in found.truncations),
            Counter(cuts(trip.run, index, shown=False).elements()),
        )
        for index, _, found in trip.pairs
    ]
    return added(scores)


def loss_score(trip: Trip) -> Score:
    """Committed records. Found is also what the disks still hold and the last leader has not."""
    scores: list[Score] = []
    for _, true, found in trip.pairs:
        held, claimed = classes(true), classes(found)
        strong = {offset for offset, one in held.items() if one is LossClass.COMMITTED}
        split = {offset for one in found.divergences for offset in range(one.first_offset, one.end_offset)}
        false = [one for one, kind in claimed.items() if one not in held or stronger(kind, held[one])]
        scores.append((len(strong & (set(claimed) | split)), len(strong), len(false)))
    return added(scores)


def leader_score(trip: Trip) -> Score:
    scores: list[Score] = []
    for index, true, found in trip.pairs:
        elected = {
            (event.values["epoch"], event.values["leader"])
            for event in told(trip.run, "leader_elected", "leaderless", partition=index)
        }
        claimed = {(term.epoch, term.leader) for term in found.leadership}
        known = {(term.epoch, term.leader) for term in true.leadership}
        scores.append((len(claimed & elected), len(elected), len(claimed - known)))
    return added(scores)


def isr_score(trip: Trip) -> Score:
    return added(
        [of_pairs(Counter(isr_sets(found)), Counter(isr_sets(true))) for _, true, found in trip.pairs]
    )


def epoch_score(trip: Trip) -> Score:
    """Entries of the epoch caches at the end."""
    scores: list[Score] = []
    for index, here in enumerate(trip.places):
        true = open_history(trip.run, index).at(len(trip.run))
        read = open_history(trip.read, here).at(len(trip.read))
        for replica in true.replicas:
            claimed = read.replica(replica.broker).epochs
            scores.append(of_pairs(Counter(claimed or ()), Counter(replica.epochs or ())))
    return added(scores)


def divergence_score(trip: Trip) -> Score:
    def places(verdict: PartitionVerdict) -> Counter[Hashable]:
        return Counter(
            (one.brokers, offset)
            for one in verdict.divergences
            for offset in range(one.first_offset, one.end_offset)
        )

    return added([of_pairs(places(found), places(true)) for _, true, found in trip.pairs])


def added(scores: list[Score]) -> Score:
    found, true, false = zip(*scores, strict=True)
    return sum(found), sum(true), sum(false)


MEASURES: dict[str, Callable[[Trip], Score]] = {
    "Cuts that removed records": cut_score,
    "Committed records that were lost": loss_score,
    "Offsets at which two logs differ at the end": divergence_score,
    "Leader epochs and their leaders": leader_score,
    "In-sync sets": isr_score,
    "Entries of the epoch caches at the end": epoch_score,
}


Rows = dict[str, dict[str, str]]
"""By measure and scenario."""


def rows_of(name: str) -> tuple[Rows, int]:
    """The rows of a scenario, and how much was claimed falsely of it."""
    made: Rows = {}
    false = 0
    for title, score in MEASURES.items():
        scores = [score(trip_of(name, which)) for which in ERA_IDS]
        cells = [f"{found}/{true}" if true else "-" for found, true, _ in scores]
        false += sum(wrong for _, _, wrong in scores)
        if set(cells) != {"-"}:
            made[title] = {name: f"| `{name}` | {' | '.join(cells)} |"}
    return made, false


def rows_in(text: str) -> Rows:
    """The rows of the table as it is written."""
    parts = re.findall(r"^## (.+)\n((?:\n|\|.*\n)*)", text, re.MULTILINE)
    return {
        title: {row[1]: row[0] for row in re.finditer(r"^\| `([\w-]+)` \|.*$", lines, re.MULTILINE)}
        for title, lines in parts
    }


def cells_of(row: str) -> list[str]:
    """What a row says of each era."""
    return row.strip("| ").split(" | ")[1:]


def table_of(rows: Rows) -> str:
    """The table with these rows. A false claim is an error, and never written down."""
    runs = len(trip_names()) * len(ERA_IDS)
    head = f"| scenario | {' | '.join(ERA_IDS)} |\n| --- |{' --- |' * len(ERA_IDS)}\n"
    sections = [
        f"## {title}\n\n{head}" + "\n".join(rows[title][name] for name in trip_names() if name in rows[title])
        for title in MEASURES
    ]
    return "\n".join([INTRO, f"False claims: 0 in {runs} runs.\n", *(f"{one}\n" for one in sections)])


@pytest.mark.parametrize("name", trip_names())
def test_the_rows_of_a_scenario_are_made_anew(name: str) -> None:
    """Each scenario in each era takes minutes: with `make goldens` alone; else the cells are sampled."""
    if updating():
        made, false = rows_of(name)
        assert false == 0
        known = rows_in(TABLE.read_text(encoding="utf-8"))
        others = {
            title: {one: row for one, row in known.get(title, {}).items() if one != name}
            for title in MEASURES
        }
        rows = {title: others[title] | made.get(title, {}) for title in MEASURES}
        TABLE.write_text(table_of(rows), encoding="utf-8")

    written = [rows[name] for rows in rows_in(TABLE.read_text(encoding="utf-8")).values() if name in rows]
    assert [row for row in written if len(cells_of(row)) != len(ERA_IDS)] == []


@pytest.mark.slow
@pytest.mark.thinned(SHARE)
@pytest.mark.parametrize("made", TRIPS)
def test_the_cells_of_the_documentation_are_what_the_trip_gives(made: tuple[str, str]) -> None:
    name, which = made
    scores = {title: score(trip_of(name, which)) for title, score in MEASURES.items()}
    written = {
        title: cells_of(rows[name])[ERA_IDS.index(which)] if name in rows else "-"
        for title, rows in rows_in(TABLE.read_text(encoding="utf-8")).items()
    }

    assert written == {
        title: f"{found}/{true}" if true else "-" for title, (found, true, _) in scores.items()
    }
    assert {title for title, (_, _, false) in scores.items() if false} == set()


def test_the_table_has_rows_of_scenarios_and_nothing_else() -> None:
    text = TABLE.read_text(encoding="utf-8")

    assert table_of(rows_in(text)) == text
