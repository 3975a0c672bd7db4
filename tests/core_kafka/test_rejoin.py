"""How far back a replica cuts that begins to follow: logs whose common prefix is known, era by era."""

import pytest

from core.kafka.eras import era
from core.kafka.rejoin import FollowerLog, LeaderLog, Walk, rejoin
from core.trace.vocabulary import CutReason

EPOCH_REQUEST = ("2.0", "2.1", "2.4")
FETCH = ("2.8", "3.6", "4.1")


def walk(era_id: str, own: FollowerLog, leader: LeaderLog, *, unclean_allowed: bool = False) -> Walk:
    return rejoin(era(era_id).switches, own, leader, unclean_allowed=unclean_allowed)


@pytest.mark.parametrize("era_id", EPOCH_REQUEST)
def test_from_2_0_it_asks_again_until_it_meets_an_epoch_that_both_know(era_id: str) -> None:
    """KIP-279: it had led epochs 1 and 3, the leader 2 and 4; both took 12 records of epoch 0."""
    own = FollowerLog(((0, 0), (1, 12), (3, 20)), leo=30, hw=12)
    leader = LeaderLog(((0, 0), (2, 15), (4, 25)), start=0, leo=40)

    found = walk(era_id, own, leader)

    assert [(step.asked_epoch, step.said_epoch, step.to) for step in found.steps] == [(3, 2, 20), (1, 0, 12)]
    assert found.leo == 12


@pytest.mark.parametrize("era_id", FETCH)
def test_from_2_8_each_fetch_that_diverges_cuts_to_the_same_place(era_id: str) -> None:
    """KIP-595: the same logs as with requests, and the same common prefix."""
    own = FollowerLog(((0, 0), (1, 12), (3, 20)), leo=30, hw=12)
    leader = LeaderLog(((0, 0), (2, 15), (4, 25)), start=0, leo=40)

    found = walk(era_id, own, leader)

    assert [(step.asked_epoch, step.asked_offset, step.to) for step in found.steps] == [
        (3, 30, 20),
        (1, 20, 12),
    ]
    assert found.leo == 12


@pytest.mark.parametrize("era_id", FETCH)
def test_one_whose_epochs_are_not_known_cuts_to_its_high_watermark_and_fetches(era_id: str) -> None:
    """Partition.readRecords looks for a divergence only where a fetch names an epoch."""
    own = FollowerLog((), leo=25, hw=20)
    leader = LeaderLog(((3, 0),), start=0, leo=30)

    found = walk(era_id, own, leader)

    assert [(step.reason, step.to) for step in found.steps] == [(CutReason.LOCAL_HIGH_WATERMARK, 20)]
    assert (found.leo, found.exits) == (20, False)


@pytest.mark.parametrize("era_id", FETCH)
def test_below_the_leaders_log_start_it_begins_anew_even_where_epochs_diverge(era_id: str) -> None:
    """Partition.readRecords: OffsetOutOfRangeException "regardless of whether epochs are diverging"."""
    own = FollowerLog(((0, 0), (1, 30)), leo=50, hw=50)
    leader = LeaderLog(((0, 100), (2, 110)), start=100, leo=150)

    found = walk(era_id, own, leader)

    assert [(step.reason, step.said_offset, step.to) for step in found.steps] == [(CutReason.RESET, 100, 100)]
    assert (found.leo, found.exits) == (100, False)


@pytest.mark.parametrize("era_id", ["0.10.2", "1.1", "2.0"])
def test_to_2_0_0_a_fetch_beyond_the_leaders_log_ends_the_broker_unless_unclean_is_allowed(
    era_id: str,
) -> None:
    """KAFKA-7414. The leader lost its tail in a crash: no epoch tells, and the high watermark was 30."""
    own, leader = FollowerLog((), leo=30, hw=30), LeaderLog((), start=0, leo=20)

    stopped, cut = walk(era_id, own, leader), walk(era_id, own, leader, unclean_allowed=True)

    assert (stopped.leo, stopped.exits) == (30, True)
    assert (cut.leo, cut.exits, cut.steps[-1].to) == (20, False, 20)
    assert cut.steps[-1].reason is CutReason.LEADER_END


@pytest.mark.parametrize("era_id", ["2.1", "2.4", "2.8", "4.1"])
def test_from_2_0_1_it_is_cut_to_the_leaders_log_end_in_any_case(era_id: str) -> None:
    own, leader = FollowerLog((), leo=30, hw=30), LeaderLog((), start=0, leo=20)

    found = walk(era_id, own, leader)

    assert (found.leo, found.exits, found.steps[-1].to) == (20, False, 20)
