"""What a flip in the switchboard costs, for every scenario: `python -m tests.bench.switchboard`.

CPU time of the work beside the window: the flipped run, its diagnosis, and the comparison; at most 300 ms.
Every switch is flipped to each of its values and every setting to its other one, in eras that take turns;
`--every` takes all eras.
"""

import sys
import time
from collections.abc import Iterator

from core.kafka.eras import ERAS
from core.kafka.switches import SWITCHES
from core.sim.ablation.outcome import Outcome
from core.sim.ablation.protections import Protection
from core.sim.ablation.settings import SETTING, SETTINGS, value_of
from core.sim.ablation.setup import Setup
from core.sim.library import scenario, scenario_ids
from core.trace.trace import Trace
from core.work import QUIET
from gui.workspace.simulating import replay
from gui.workspace.switchboard import Board, Effect, Row

MOST_MS = 300


def flips(name: str, *, every: bool) -> Iterator[tuple[Setup, Row]]:
    """Each row of the switchboard, in the next era or in all."""
    script = scenario(name)
    turn = 0
    for switch in (*SWITCHES, *SETTINGS):
        for value in switch.values:
            turn += 1
            for era in ERAS if every else (ERAS[turn % len(ERAS)],):
                setup = Setup(script, era)
                now = (
                    value_of(setup, switch.name)
                    if switch.name in SETTING
                    else getattr(era.switches, switch.field)
                )
                if now != value:
                    one = Protection(switch, now, value, is_on=True, outcome=Outcome(), acts=True)
                    yield setup, Row((one,), Outcome(), Effect.NOTHING)


def main() -> int:
    """Print the dearest flip of each scenario; 1 where one costs more than it may."""
    dearest: list[tuple[float, str]] = []
    count = 0
    for name in scenario_ids():
        costs: list[tuple[float, str]] = []
        plain: dict[str, Trace] = {}
        for setup, row in flips(name, every="--every" in sys.argv):
            if setup.era.id not in plain:
                plain[setup.era.id] = setup.run()
            begun = time.process_time()
            replay(Board(plain[setup.era.id], setup).flip(row, "en"), QUIET)
            spent = 1000 * (time.process_time() - begun)
            costs.append((spent, f"{setup.era.id}+{row.protections[0].setting}"))
        dearest.append(max(costs))
        count += len(costs)
        sys.stdout.write(f"{name:28} {dearest[-1][0]:6.0f} ms  {dearest[-1][1]}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{count} flips, {max(dearest)[0]:.0f} ms at most\n")
    return int(max(dearest)[0] > MOST_MS)


if __name__ == "__main__":
    raise SystemExit(main())
