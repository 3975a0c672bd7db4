"""Every recording of a ZooKeeper cluster, whole: all that was lost is found, and what is said is so."""

from pathlib import Path

import pytest

from importers.load import load
from tests.archives import recording_names, unpack_recording
from tests.recordings.referee import (
    Heard,
    claimed,
    false_losses,
    invented_cuts,
    lost,
    outside,
    wrong_control,
    wrong_end,
    wrong_leaders,
)

ZOOKEEPER = [name for name in recording_names() if name.startswith(("k0", "k1", "k28"))]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ZOOKEEPER)
def test_everything_that_was_lost_is_found_and_the_states_are_inside(name: str, tmp_path: Path) -> None:
    folder, truth = unpack_recording(name, tmp_path)

    heard = Heard(load([folder]))
    misses, unknown, count = outside(truth, heard)

    assert heard.trace.report["unrecognised"] == 0, heard.trace.report["examples"]
    assert set(heard.verdicts) >= set(truth["final"])
    assert {tp: lost(truth, tp) - claimed(heard, tp, strong=False) for tp in truth["lost"]} == {
        tp: set() for tp in truth["lost"]
    }
    assert misses == []
    assert unknown <= 0.2 * count
    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert wrong_leaders(truth, heard) == []
    assert wrong_control(truth, heard) == []
    assert wrong_end(truth, heard) == []
