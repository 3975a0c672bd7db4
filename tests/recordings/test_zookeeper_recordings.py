"""Every recording of a ZooKeeper cluster, whole: all that was lost is found, and what is said is so."""

import pytest

from tests.archives import recording_names
from tests.recordings.referee import (
    claimed,
    false_losses,
    invented_cuts,
    lost,
    outside,
    wrong_control,
    wrong_end,
    wrong_leaders,
)
from tests.recordings.whole import grouped, whole

ZOOKEEPER = [name for name in recording_names() if name.startswith(("k0", "k1", "k28"))]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", grouped(ZOOKEEPER))
def test_everything_that_was_lost_is_found_and_the_states_are_inside(name: str) -> None:
    truth, heard = whole(name).truth, whole(name).heard()
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
