"""What a flip in the switchboard costs, for every scenario: `python -m tests.bench.switchboard`.

CPU time of the work beside the window: the flipped run, its diagnosis, and the comparison; at most 300 ms.
"""

import sys
import time

from core.kafka.eras import ERAS, with_switches
from core.kafka.switches import SWITCHES
from core.sim.ablation.setup import Setup
from core.sim.library import scenario, scenario_ids
from core.work import QUIET
from gui.workspace.simulating import Asked, replay

MOST_MS = 300


def main() -> int:
    """Print the dearest flip of each scenario; 1 where one costs more than it may."""
    dearest: list[tuple[float, str, str]] = []
    for name in scenario_ids():
        costs: list[tuple[float, str, str]] = []
        for one in ERAS[::3]:
            plain = Setup(scenario(name), one).run()
            for switch in SWITCHES[::4]:
                other = next(value for value in switch.values if value != getattr(one.switches, switch.field))
                asked = Asked(scenario(name), (with_switches(one, {switch.name: other}),), beside=plain)
                begun = time.process_time()
                replay(asked, QUIET)
                costs.append((1000 * (time.process_time() - begun), name, asked.eras[0].name))
        dearest.append(max(costs))
        sys.stdout.write(f"{name:28} {dearest[-1][0]:6.0f} ms  {dearest[-1][2]}\n")
        sys.stdout.flush()
    return int(max(dearest)[0] > MOST_MS)


if __name__ == "__main__":
    raise SystemExit(main())
