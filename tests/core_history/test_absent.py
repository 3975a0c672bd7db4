"""A broker that has deleted its log holds no replica: that is known, and is said."""

import pytest

from core.diagnose.verdict.check import diagnose
from core.history.open import open_history
from core.history.state import Role
from core.kafka.eras import era
from core.picture.marks import Text
from core.picture.timeline import TimelineView, lay_out
from tests.runs import simulated

A, B = 1, 2
MS = 1_000_000
pytestmark = pytest.mark.parametrize("era_id", ["0.10.2", "2.8", "4.1"])


def test_it_is_absent_from_the_deletion_to_the_next_log(era_id: str) -> None:
    """In reassignment B lets go, and A later; B gets a new log in between."""
    trace = simulated("reassignment", era(era_id))
    history = open_history(trace, 0)
    events = (trace.event(seq) for seq in range(len(trace)))
    deleted = {event.get("replica"): event.seq for event in events if event.kind == "log_deleted"}

    assert deleted.keys() == {A, B}
    for broker in (A, B):
        assert history.replicas[broker].role.at(deleted[broker] + 1) is Role.ABSENT
    assert history.replicas[A].role.values[-1] is Role.ABSENT
    assert history.replicas[B].role.values[-1] is Role.FOLLOWER


def test_a_new_log_begins_at_0_and_has_not_fallen(era_id: str) -> None:
    assert [one.check for one in diagnose(simulated("reassignment", era(era_id))).findings] == []


def test_no_lane_of_a_simulation_says_unknown(era_id: str) -> None:
    trace = simulated("reassignment", era(era_id))
    history, verdict = open_history(trace, 0), diagnose(trace).partitions[0]
    end = int(trace.columns["at"][-1])

    texts = [
        mark.text
        for mark in lay_out(TimelineView(history, verdict, None, (-MS, end + MS), 1400, 900)).marks()
        if isinstance(mark, Text)
    ]
    assert "no replica" in texts
    assert "unknown" not in texts
