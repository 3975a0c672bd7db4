"""The state of a partition from one event to the next: what did not change is the very same object."""

import pytest

from core.history.open import open_history
from core.kafka.eras import era
from tests.bench.long_runs import long_run
from tests.runs import simulated


@pytest.mark.parametrize("name", ["hw-loss", "overview"])
def test_the_state_is_that_of_each_replica_in_whatever_order_one_asks(name: str) -> None:
    for rules in ("0.10.2", "2.8"):
        history = open_history(simulated(name, era(rules)), 0)
        forth = list(range(len(history.trace) + 1))
        for cursor in (*forth, *reversed(forth), *sorted(forth, key=lambda place: place * 7 % len(forth))):
            truth = tuple(replica.at(cursor) for replica in history.replicas.values())
            assert history.at(cursor).replicas == truth, cursor


def test_most_replicas_stay_the_same_for_a_step() -> None:
    history = open_history(long_run(3_000, 50), 0)
    first = 1_500
    before = [history.at(cursor) for cursor in (first - 2, first - 1, first)][-1]
    for cursor in range(first + 1, first + 40):
        now = history.at(cursor)
        pairs = zip(before.replicas, now.replicas, strict=True)
        moved = [new.broker for old, new in pairs if new is not old]
        # An event of this run is of one replica, and its leader may remember it.
        assert len(moved) <= 2, cursor
        assert [one.broker for one in now.replicas] == list(history.replicas)
        before = now
