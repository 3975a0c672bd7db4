"""The recordings: the truth read by the test, the program given only what an engineer would have."""

import json
import tarfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import PartitionVerdict
from core.history.open import open_history
from core.history.state import History
from core.trace.trace import Trace
from tests.recordings.whole import sampled

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Recording:
    """A recording as the program sees it, beside its truth."""

    truth: dict[str, Any]
    trace: Trace
    verdicts: dict[str, PartitionVerdict]
    histories: dict[str, History]


@cache
def read_recording(name: str) -> Recording:
    """The sample imported and diagnosed once for all tests."""
    with tarfile.open(HERE / f"{name}.tar.xz") as archive:
        member = archive.extractfile(f"{name}/truth.json")
        assert member is not None
        truth = json.load(member)
    trace = sampled(name)
    verdict = diagnose(trace)
    names = [str(partition.tp) for partition in trace.partitions]
    return Recording(
        truth=truth,
        trace=trace,
        verdicts=dict(zip(names, verdict.partitions, strict=True)),
        histories={name: open_history(trace, number) for number, name in enumerate(names)},
    )


@pytest.fixture(params=["k0102-hw-loss", "k28-epoch-fix"])
def recording(request: pytest.FixtureRequest) -> Recording:
    return read_recording(request.param)


@pytest.fixture
def the_loss() -> Recording:
    return read_recording("k0102-hw-loss")


@pytest.fixture
def the_fix() -> Recording:
    return read_recording("k28-epoch-fix")
