"""The rules of tiered storage, with the numbers of Kafka's own comments and tests."""

import pytest

from core.kafka.tiers import (
    RemoteSegment,
    copied_end,
    epoch_at,
    epoch_before,
    is_copied,
    is_missed,
    is_moved,
    local_end_deleted,
    local_start_of_new_log,
    segment_holding,
)

CHAIN = ((0, 20), (1, 85), (3, 90), (4, 98))
"""The leader epochs of the comment in TierStateMachine.buildRemoteLogAuxState: nothing was written in 2."""


@pytest.mark.parametrize(
    ("local_start", "epoch"),
    [(90, 1), (95, 3), (98, 3), (85, 0), (30, 0)],
)
def test_the_epoch_before_the_local_log_start(local_start: int, epoch: int) -> None:
    """For 90 the epoch of 89 is 1, "that will handle any gaps in epochs"."""
    assert epoch_before(CHAIN, 120, local_start) == epoch


def test_an_offset_is_moved_from_the_log_start_up_to_the_local_one() -> None:
    assert [is_moved(at, log_start=2, local_start=6) for at in (1, 2, 5, 6)] == [False, True, True, False]


def test_an_offset_is_missed_between_the_stale_and_the_true_start() -> None:
    assert [is_missed(at, local_start=2, disk_start=6) for at in (1, 2, 5, 6)] == [False, True, True, False]
    assert not is_missed(5, local_start=6, disk_start=6)


def test_3_6_keeps_the_local_start_when_a_log_begins_anew() -> None:
    assert local_start_of_new_log("start-kept", 0, 6) == 0
    assert local_start_of_new_log("start-set", 0, 6) == 6


def test_a_segment_has_the_epochs_of_its_own_records() -> None:
    assert RemoteSegment(86, 95, CHAIN[:3]).epochs == ((1, 86), (3, 90))
    assert [RemoteSegment(86, 95, CHAIN[:3]).end_of(epoch) for epoch in (1, 3)] == [90, 95]


def test_a_segment_is_found_by_epoch_and_offset() -> None:
    first, second = RemoteSegment(20, 86, CHAIN[:2]), RemoteSegment(86, 95, CHAIN[:3])
    known = (first, second)
    assert segment_holding(known, 0, 84) == first
    assert segment_holding(known, 1, 85) == first
    assert segment_holding(known, 1, 89) == second
    assert segment_holding(known, 3, 94) == second
    assert segment_holding(known, 1, 90) is None, "epoch 1 ends there"
    assert segment_holding(known, 2, 90) is None
    assert segment_holding(known, 0, 19) is None


def test_what_is_copied_is_found_along_the_own_epochs() -> None:
    known = (RemoteSegment(20, 86, CHAIN[:2]), RemoteSegment(86, 95, CHAIN[:3]))
    assert copied_end(known, CHAIN) == 95
    assert copied_end(known, CHAIN[:2]) == 90, "epoch 3 is not of this log"
    assert copied_end(known, ((7, 0),)) == 0
    assert copied_end((), CHAIN) == 0


def test_only_closed_segments_below_the_last_stable_offset_are_copied() -> None:
    assert [is_copied(end, start=4, last_stable=8) for end in (4, 5, 8, 9)] == [False, True, True, False]


def test_local_retention_stops_at_what_is_copied_and_committed() -> None:
    assert local_end_deleted(9, hw=8, copied=6) == 6
    assert local_end_deleted(9, hw=5, copied=6) == 5
    assert local_end_deleted(3, hw=8, copied=6) == 3


def test_the_epoch_of_an_offset() -> None:
    assert [epoch_at(CHAIN, offset) for offset in (19, 20, 89, 90, 200)] == [-1, 0, 1, 3, 4]
