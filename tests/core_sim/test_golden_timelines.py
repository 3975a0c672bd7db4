"""Each scenario in each era, as a text that a person has read line by line.

An era that behaves as the one before it has no text of its own: it is held to the nearest older one.
So a new era adds only what it changes. `make goldens` writes the texts anew; read the difference.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.kafka.eras import ERAS, era, with_switches
from core.sim.library import scenario_ids
from core.trace.trace import Trace
from tests.core_sim.rounds import QUICK
from tests.goldens import updating
from tests.runs import simulated

pytestmark = pytest.mark.broad(4)

GOLDEN = Path(__file__).parent.parent / "golden" / "sim"
AFTER = ("two-replica-sync", "three-replica-sync", "hw-loss", "one-fetch", "hw-is-min")
WAYS = {"": {}, "-after": {"fetch-answer-hw": "after"}, "-log-end": {"visible": "log-end"}}
"""What a run's name may end with, and the switches that this stands for."""
RUNS = [
    *((name, one.id, "") for name in scenario_ids() for one in ERAS),
    *((name, one.id, "-after") for name in AFTER for one in ERAS),
    *(("leader-failover-consistent", one.id, "-log-end") for one in ERAS),
]
SLOW = pytest.mark.slow


def body(text: str) -> str:
    """All but the first line, which names the era."""
    return text.partition("\n")[2]


def golden_of(name: str, era_id: str, way: str) -> Path:
    return GOLDEN / f"{name}-{era_id}{way}.txt"


def older_golden(name: str, era_id: str, way: str) -> Path | None:
    """The text of the nearest older era that has one."""
    ids = [one.id for one in ERAS]
    older = (golden_of(name, known, way) for known in reversed(ids[: ids.index(era_id)]))
    return next((path for path in older if path.exists()), None)


def update(path: Path, text: str, older: Path | None) -> None:
    if older is not None and body(older.read_text(encoding="utf-8")) == body(text):
        path.unlink(missing_ok=True)
    else:
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "era_id", "way"),
    [pytest.param(*run, marks=() if run[1] in QUICK or golden_of(*run).exists() else SLOW) for run in RUNS],
)
def test_a_run_reads_as_it_was_read(
    name: str, era_id: str, way: str, timeline: Callable[[Trace], str]
) -> None:
    rules = with_switches(era(era_id), WAYS[way])
    text = timeline(simulated(name, rules))
    path, older = golden_of(name, era_id, way), older_golden(name, era_id, way)
    if updating():
        update(path, text, older)
    held_to = path if path.exists() else older
    assert held_to is not None, "no golden text for this run"
    assert body(text) == body(held_to.read_text(encoding="utf-8"))


def test_there_is_no_golden_without_a_run() -> None:
    runs = {f"{name}-{era_id}{way}" for name, era_id, way in RUNS}
    if updating():
        for path in GOLDEN.glob("*.txt"):
            if path.stem not in runs:
                path.unlink()
    assert {path.stem for path in GOLDEN.glob("*.txt")} <= runs
