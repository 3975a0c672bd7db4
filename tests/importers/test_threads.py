"""Logs that are read in several threads at once say what they say to one thread alone."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys, threading
from core.trace.digest import content_digest
from importers.load import load
from importers.samples import sample_path

sys.setswitchinterval(1e-5)
found, failed = [], []
threading.excepthook = failed.append

def read():
    trace = load([sample_path("k0102-hw-loss")])
    found.append((len(trace.brokers), content_digest(trace)))

threads = [threading.Thread(target=read) for _ in range(3)]
for one in threads:
    one.start()
for one in threads:
    one.join()
read()
brokers, digests = map(set, zip(*found))
print(len(failed), len(found), brokers, len(digests))
"""


@pytest.mark.slow
def test_threads_that_read_at_once_read_the_same() -> None:
    """A process of its own: what another test has read is known already, and is not learnt again."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )

    # The recording has three brokers (truth.json).
    assert run.stdout.split("\n")[0] == "0 4 {3} 1", run.stderr
