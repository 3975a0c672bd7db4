"""What a flip in the switchboard costs, by scenario: `python -m tests.bench.switchboard [SCENARIO...]`.

CPU time of the work beside the window: the flipped run, its diagnosis, and the comparison; at most 300 ms.
Every switch is flipped to each of its values and every setting to its other one, in eras that take turns;
`--every` takes all eras. Flips of an era that give the same events cost the same: one of them is measured.
The line of a scenario is its dearest flip, and its ratio to the fixed loop of this run.
"""

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.kafka.eras import ERAS
from core.kafka.switches import SWITCHES, Switch
from core.sim.ablation.outcome import Outcome
from core.sim.ablation.protections import Protection
from core.sim.ablation.settings import SETTING, SETTINGS, value_of
from core.sim.ablation.setup import Setup
from core.sim.library import scenario, scenario_ids
from core.sim.run import simulate
from core.trace.trace import Trace
from core.work import QUIET
from gui.workspace.simulating import Asked, replay
from gui.workspace.switchboard import Board, Effect, Row
from tests.bench.table import Measured, fixed_loop_s, print_table

MOST_MS = 300
_VALUES = tuple((switch, value) for switch in (*SWITCHES, *SETTINGS) for value in switch.values)
AGAIN = 5
"""So many flips of a scenario are measured twice."""


@dataclass(frozen=True, slots=True, order=True)
class Cost:
    """What a flip took, ms of CPU, and how many events both runs have."""

    ms: float
    flip: str
    events: int


def flips(name: str, *, every: bool) -> Iterator[tuple[Setup, Row]]:
    """Each row of the switchboard, in the next era or in all."""
    script = scenario(name)
    for turn, (switch, value) in enumerate(_VALUES, start=1):
        for era in ERAS if every else (ERAS[turn % len(ERAS)],):
            setup = Setup(script, era)
            row = _row_of(setup, switch, value)
            if row is not None:
                yield setup, row


def rows_of_run(setup: Setup) -> list[Row]:
    """All rows of the switchboard of one run, as if no flip cost anything."""
    rows = (_row_of(setup, switch, value) for switch, value in _VALUES)
    return [row for row in rows if row is not None]


def _row_of(setup: Setup, switch: Switch, value: str) -> Row | None:
    """The row that flips a switch or a setting to a value; None where it has that."""
    of_script = switch.name in SETTING
    now = value_of(setup, switch.name) if of_script else getattr(setup.era.switches, switch.field)
    if now == value:
        return None
    one = Protection(switch, now, value, is_on=True, outcome=Outcome(), acts=True)
    return Row((one,), Outcome(), Effect.NOTHING)


def unlike(name: str, *, every: bool) -> Iterator[tuple[str, Asked, int]]:
    """The flips that give other events than one before them in their era, with the events of both runs."""
    plain: dict[str, Trace] = {}
    known: set[tuple[str, bytes]] = set()
    for setup, row in flips(name, every=every):
        era = setup.era.id
        if era not in plain:
            plain[era] = setup.run()
        asked = Board(plain[era], setup).flip(row, "en")
        trace = simulate(asked.script, asked.eras[0], seed=asked.seed)
        key = (era, _events_of(trace))
        if key not in known:
            known.add(key)
            yield f"{era}+{row.protections[0].setting}", asked, len(plain[era]) + len(trace)


def _events_of(trace: Trace) -> bytes:
    found = hashlib.sha256(repr(trace.isrs).encode())
    for column in trace.columns.values():
        found.update(column.tobytes())
    return found.digest()


def dearest(name: str, *, every: bool) -> tuple[Cost, int]:
    """The flip of a scenario that takes most, and how many were measured.

    The dearest few are measured once more, and the lesser time counts: others use the machine, too.
    """
    costs: list[tuple[Cost, Asked]] = []
    for flip, asked, events in unlike(name, every=every):
        costs.append((Cost(ms_of(asked), flip, events), asked))
    few = sorted(costs, key=lambda one: one[0], reverse=True)[:AGAIN]
    return max(Cost(min(one.ms, ms_of(asked)), one.flip, one.events) for one, asked in few), len(costs)


def ms_of(asked: Asked) -> float:
    """What a flip takes beside the window, ms of CPU."""
    begun = time.process_time()
    replay(asked, QUIET)
    return 1000 * (time.process_time() - begun)


def main(chosen: Sequence[str], *, every: bool) -> int:
    """Print the dearest flip of each scenario, then those that cost too much; 1 where one does."""
    loop_ms = 1000 * fixed_loop_s()
    begun = time.process_time()
    found: list[tuple[Cost, str]] = []
    measured = 0
    sys.stdout.write(f"{'scenario':28} {'CPU':>7} {'of the loop':>11} {'events':>7}  dearest flip\n")
    for name in chosen:
        cost, count = dearest(name, every=every)
        found.append((cost, name))
        measured += count
        sys.stdout.write(
            f"{name:28} {cost.ms:4.0f} ms {cost.ms / loop_ms:11.2f} {cost.events:7}  {cost.flip}\n"
        )
        sys.stdout.flush()
    spent_s = time.process_time() - begun
    sys.stdout.write(f"{len(found)} scenarios, {measured} flips measured, {spent_s:.0f} s of CPU\n")
    costs = [(cost.ms, f"{name} {cost.flip}") for cost, name in found]
    return print_dearest("a flip in the switchboard", costs, loop_ms)


def print_dearest(title: str, found: Sequence[tuple[float, str]], loop_ms: float) -> int:
    """Print what costs too much, by ms and what was flipped, else the dearest; 1 where something does."""
    rows = sorted((one for one in found if one[0] > MOST_MS), reverse=True) or [max(found)]
    return print_table(
        title,
        [Measured(what, f"{MOST_MS} ms", f"{ms:.0f} ms", ms <= MOST_MS, ms / loop_ms) for ms, what in rows],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("scenarios", nargs="*", default=scenario_ids())
    parser.add_argument("--every", action="store_true")
    options = parser.parse_args()
    raise SystemExit(main(options.scenarios, every=options.every))
