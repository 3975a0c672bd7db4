"""One digest of states and verdict for each of many traces: `python -m tests.bench.digests KIND [SHARE]`.

No bench: run in two checkouts, `diff` of both outputs tells which traces are judged differently. KIND is
recordings, scenarios (each in every era, as a run and as the logs that it leaves) or incidents; SHARE, as
0/3, takes every third of them, from the first on. `--incidents N` says how many incidents.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from core.diagnose.verdict.check import diagnose, judge_partitions
from core.history.state_rows import state_changes
from core.kafka.eras import ERAS
from core.sim.library import scenario_ids
from core.trace.trace import Trace
from importers.load import load
from tests.archives import recording_names, unpack_recording
from tests.incidents import run_of
from tests.runs import simulated
from tests.trips import read_again, trip_names


def digest_of(trace: Trace) -> str:
    """The same for two traces whose partitions have the same verdicts, findings and states."""
    verdict = diagnose(trace)
    digest = hashlib.sha256(repr(verdict).encode())
    for history, alone in judge_partitions(trace, range(len(trace.partitions))):
        digest.update(repr(alone).encode())
        for change in state_changes(history):
            digest.update(repr(change).encode())
        for replica in history.replicas.values():
            told = (replica.log_start, replica.leo, replica.hw, replica.epochs, replica.runs, replica.remote)
            for steps in told:
                digest.update(repr((steps.cursors, tuple(steps.values))).encode())
    return digest.hexdigest()[:16]


def _traces(kind: str, incidents: int, share: slice) -> Iterator[tuple[str, Trace]]:
    """The traces of a kind, each with its name."""
    if kind == "recordings":
        for name in recording_names()[share]:
            with TemporaryDirectory() as folder:
                trace = load([unpack_recording(name, Path(folder))[0]])
            yield name, trace
    elif kind == "scenarios":
        pairs = ((name, era) for name in scenario_ids() for era in ERAS)
        for name, era in islice(pairs, share.start, None, share.step):
            run = simulated(name, era)
            yield f"{name} {era.id}", run
            if name in trip_names():
                yield f"{name} {era.id} as logs", read_again(run)
    else:
        for seed in range(incidents)[share]:
            run = run_of(seed)
            yield f"incident {seed}", run
            yield f"incident {seed} as logs", read_again(run, data=False)
            yield f"incident {seed} with data", read_again(run, data=True)


def main() -> None:
    """Print a line a trace."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("recordings", "scenarios", "incidents"))
    parser.add_argument("share", nargs="?", default="0/1")
    parser.add_argument("--incidents", type=int, default=100)
    chosen = parser.parse_args()
    first, step = map(int, chosen.share.split("/"))
    for name, trace in _traces(chosen.kind, chosen.incidents, slice(first, None, step)):
        sys.stdout.write(f"{digest_of(trace)} {name}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
