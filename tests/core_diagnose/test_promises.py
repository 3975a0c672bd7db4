"""The promises of replication: broken in one story, kept or not to be judged in one close by."""

import pytest

from core.diagnose.verdict.case import open_case
from core.diagnose.verdict.check import diagnose_partition
from core.diagnose.verdict.promises import Judgement, judge
from core.history.open import open_history
from core.history.state import History
from core.kafka.eras import era
from tests.runs import simulated
from tests.stories import Story

Holds = bool | None
"""None: not to be judged."""


def judged(history: History) -> dict[str, Judgement]:
    case, verdict = open_case(history), diagnose_partition(history)
    return {one.promise: one for one in judge(case, verdict.losses, verdict.divergences)}


@pytest.mark.parametrize(("second", "holds"), [(2, False), (1, True)])
def test_two_leaders_of_one_epoch(second: int, holds: Holds) -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("became_leader", second, leader=second, epoch=0, leo=0, hw=0)

    assert judged(story.history())["one-leader-per-epoch"].holds is holds
    told = [one.check for one in diagnose_partition(story.history()).findings]
    assert ("broken-promise" in told) is not holds


@pytest.mark.parametrize(("era_id", "holds"), [("0.10.2", False), ("2.8", True)])
def test_a_leader_without_what_was_committed(era_id: str, holds: Holds) -> None:
    history = open_history(simulated("hw-loss", era(era_id)), 0)

    assert judged(history)["committed-record-kept"].holds is holds


@pytest.mark.parametrize(("era_id", "holds"), [("0.10.2", False), ("2.8", True)])
def test_logs_that_differ_below_both_high_watermarks(era_id: str, holds: Holds) -> None:
    history = open_history(simulated("hw-divergence", era(era_id)), 0)

    assert judged(history)["logs-agree-below-high-watermark"].holds is holds


def test_what_the_evidence_does_not_reach_is_not_judged() -> None:
    story = Story("2.8.2")
    story.process("broker_starting", 2)
    story.add("log_loaded", 2, leo=254)

    assert {one.holds for one in judged(story.history()).values()} == {None}


@pytest.mark.parametrize(("value", "holds"), [(30, False), (50, None)])
def test_a_high_watermark_of_a_leader_that_falls(value: int, holds: Holds) -> None:
    story = Story("2.8.2")
    story.begin()
    story.add("leo_sample", 1, leo=60)
    story.add("hw_sample", 1, hw=40)
    story.add("hw_moved", 1, hw=value)

    assert judged(story.history())["high-watermark-of-leader-rises"].holds is holds
