"""The simulator's speed and memory: `python -m tests.bench.simulator [ROWS]`, 10 million rows unless said."""

import resource
import sys
import time

from core.kafka.eras import era
from core.sim.run import simulate
from core.sim.scenario import parse_scenario
from core.trace.trace import Trace
from tests.bench.table import Measured, print_table

PARTITIONS = 50
GOAL_ROWS_A_SECOND = 200_000
GOAL_MEMORY = 1.25
"""Growth of the process as a multiple of the trace's own bytes: the logs of the replicas live beside it."""
_HEAD = f"""\
schema = 1
id = "bench"
title = {{ en = "hw-loss again and again", zh = "重复 hw-loss" }}
story = {{ en = "Each round is hw-loss in every partition.", zh = "每一轮都是所有分区的 hw-loss。" }}
[cluster]
brokers = ["A", "B"]
partitions = {PARTITIONS}
[settings]
"zookeeper.session.timeout.ms" = 3_000
"""
_STEP = '[[step]]\nlabel = { en = "step", zh = "步骤" }\n'


def hw_loss_repeated(rounds: int, records: int = 1_500) -> str:
    """A scenario: `rounds` times hw-loss in 50 partitions at once, with `records` written in each round.

    The follower dies and comes back; the leader dies before it has answered; then they change parts.
    """
    turns = list(range(PARTITIONS))
    last = PARTITIONS - 1
    parts = [_HEAD]
    for number in range(rounds):
        leader, follower = ("A", "B") if number % 2 == 0 else ("B", "A")
        parts += [
            f'do = "produce"\ncount = {records}\nacks = "all"\nevery_ms = 1\npartitions = {turns}\n',
            f'do = "crash"\nbroker = "{follower}"\ncontroller_fails_over = true\n',
            f'do = "start"\nbroker = "{follower}"\nuntil = "{follower} sends a fetch"\nwithin_ms = 9_000\n',
            f'do = "crash"\nbroker = "{leader}"\nuntil = "{follower} leads"\nwithin_ms = 60_000\n',
            f'do = "start"\nbroker = "{leader}"\n',
            f'do = "wait"\nuntil = "{leader} is in the ISR in partition {last}"\nwithin_ms = 60_000\n',
        ]
    return _STEP.join(parts)


def run(rounds: int, era_id: str) -> tuple[Trace, float]:
    """A run of so many rounds, and its CPU seconds."""
    script = parse_scenario(hw_loss_repeated(rounds))
    begun = time.process_time()
    trace = simulate(script, era(era_id))
    return trace, time.process_time() - begun


def bytes_of(trace: Trace) -> int:
    """What the trace itself holds: its columns, and the names of its records."""
    return sum(column.nbytes for column in trace.columns.values()) + sum(map(sys.getsizeof, trace.records))


def peak_bytes() -> int:
    """The most memory that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(rows: int) -> list[Measured]:
    """Speed in two eras, then memory in one long run of at least `rows` rows."""
    measured: list[Measured] = []
    for era_id in ("0.10.2", "2.8"):
        trace, seconds = run(8, era_id)
        speed = len(trace) / seconds
        measured.append(
            Measured(
                f"hw-loss in 50 partitions, {era_id}",
                f">= {GOAL_ROWS_A_SECOND:,} rows/s",
                f"{speed:,.0f} rows/s",
                speed >= GOAL_ROWS_A_SECOND,
            )
        )
    before = peak_bytes()
    # Each round of 0.10.2 has as many rows as the one before; later eras load an epoch cache that grows.
    trace, seconds = run(rows // 19_000, "0.10.2")
    growth = (peak_bytes() - before) / bytes_of(trace)
    speed = len(trace) / seconds
    measured.append(
        Measured(
            f"memory of a run of {len(trace):,} rows",
            f"<= {GOAL_MEMORY} x its trace",
            f"{growth:.2f} x, {speed:,.0f} rows/s",
            growth <= GOAL_MEMORY and speed >= GOAL_ROWS_A_SECOND,
        )
    )
    return measured


if __name__ == "__main__":
    sys.exit(print_table("simulator", measure(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)))
