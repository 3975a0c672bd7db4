"""The rules of tiered storage, with the numbers of Kafka's own comments and tests."""

import pytest

from core.kafka.switches import TieredStorage, TierExpiry
from core.kafka.tiers import (
    Deletion,
    RemoteSegment,
    copied_end,
    epoch_at,
    epoch_before,
    expired,
    first_in_tier,
    is_copied,
    is_missed,
    is_moved,
    is_of_lineage,
    local_end_deleted,
    local_start_of_new_log,
    segment_holding,
    with_records,
)
from core.trace.vocabulary import TierDeletion

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


@pytest.mark.parametrize("rule", ["start-kept", "start-set"])
def test_what_is_copied_is_found_along_the_own_epochs(rule: TieredStorage) -> None:
    known = (RemoteSegment(20, 86, CHAIN[:2]), RemoteSegment(86, 95, CHAIN[:3]))
    assert copied_end(rule, known, CHAIN, 120) == 95
    assert copied_end(rule, known, CHAIN[:2], 120) == 90, "epoch 3 is not of this log"
    assert copied_end(rule, known, ((7, 0),), 120) == 0
    assert copied_end(rule, (), CHAIN, 120) == 0


def test_3_6_takes_what_another_log_copied_for_its_own() -> None:
    """KAFKA-15241: the log of an unclean leader has epoch 1 to 88 alone, and 86 to 95 lies in the tier."""
    known, cut = (RemoteSegment(20, 95, CHAIN[:2]),), (*CHAIN[:2], (4, 88))
    assert copied_end("start-kept", known, cut, 120) == 95
    assert copied_end("start-set", known, cut, 120) == 88
    assert copied_end("start-set", known, CHAIN[:2], 91) == 91, "its log ends there"


def test_only_closed_segments_below_the_last_stable_offset_are_copied() -> None:
    assert [is_copied(end, start=4, last_stable=8) for end in (4, 5, 8, 9)] == [False, True, True, False]


def test_local_retention_stops_at_what_is_copied_and_committed() -> None:
    assert local_end_deleted(9, hw=8, copied=6) == 6
    assert local_end_deleted(9, hw=5, copied=6) == 5
    assert local_end_deleted(3, hw=8, copied=6) == 3


def test_the_epoch_of_an_offset() -> None:
    assert [epoch_at(CHAIN, offset) for offset in (19, 20, 89, 90, 200)] == [-1, 0, 1, 3, 4]


RULES: tuple[TierExpiry, ...] = ("leaks", "start-of-last", "start-of-highest")
COVERED, COVERING = RemoteSegment(10, 91, ((0, 0),)), RemoteSegment(5, 101, ((0, 0),))
"""S0 and S1 of the comment in RemoteLogLeaderEpochState: "offsets 10-90" and then "5-100"."""


def test_a_segment_that_covers_others_takes_their_place() -> None:
    """ "When the consumer request for segment with offset 95, it should get the segment S1 and not S0"."""
    assert segment_holding((COVERED, COVERING), 0, 95) == COVERING
    assert segment_holding((COVERED, COVERING), 0, 20) == COVERING
    assert segment_holding((COVERED, COVERING), 0, 4) is None
    longer = RemoteSegment(10, 201, ((0, 0),))
    assert segment_holding((COVERED, longer), 0, 95) == longer, "case-1: a duplicate"


def test_epochs_without_records_are_left_out() -> None:
    """The example in the comment of buildFilteredLeaderEpochMap."""
    given = ((0, 0), (1, 10), (2, 20), (3, 30), (4, 40), (5, 60), (6, 60), (7, 70))
    assert with_records(given) == ((0, 0), (1, 10), (2, 20), (3, 30), (4, 40), (6, 60), (7, 70))


def lineage(rule: TierExpiry, start: int, end: int, epochs: tuple[tuple[int, int], ...]) -> bool:
    """Whether a log of 100 records with epochs 1, 2 and 3 from 15, 21 and 32 on leads to a segment."""
    return is_of_lineage(rule, RemoteSegment(start, end, epochs), ((1, 15), (2, 21), (3, 32)), 100)


@pytest.mark.parametrize("rule", RULES)
def test_the_epochs_of_a_log_lead_to_a_segment(rule: TierExpiry) -> None:
    """isRemoteSegmentWithinLeaderEpochs: the entries are those of the log but for the first and the last."""
    assert lineage(rule, 15, 36, ((1, 15), (2, 21), (3, 32)))
    assert lineage(rule, 17, 21, ((1, 15),))
    assert not lineage(rule, 15, 36, ((1, 15), (2, 20), (3, 32))), "epoch 2 begins elsewhere"
    assert not lineage(rule, 15, 36, ((1, 15), (3, 32))), "epoch 2 is missing"
    assert not lineage(rule, 17, 22, ((1, 15),)), "it ends behind its epoch"
    assert not lineage(rule, 32, 101, ((3, 32),)), "it ends behind the log"
    assert not lineage(rule, 40, 50, ((4, 40),)), "the log has no epoch 4"


def test_3_6_does_not_know_a_segment_in_which_the_log_begins() -> None:
    """KAFKA-16511: of epoch 0, of which the log has nothing any more, and from below its first entry."""
    for rule, known in zip(RULES, (False, True, True), strict=True):
        assert lineage(rule, 10, 36, ((0, 5), (1, 12), (2, 21), (3, 32))) is known
        assert lineage(rule, 12, 18, ((1, 12),)) is known


def overlapping(rule: TierExpiry, old_end: int = 7) -> tuple[list[tuple[int, int]], int]:
    """What is deleted of 0 to 3, 3 to 5, and 2 to 7, copied by another leader, and where the log begins."""
    one, two = ((1, 0),), ((1, 0), (2, 6))
    tier = (RemoteSegment(0, 3, one), RemoteSegment(3, 5, one), RemoteSegment(2, 7, two))
    found = expired(rule, tier, two, log_start=0, leo=8, old_end=old_end)
    assert {reason for _, reason in found.deletions} <= {TierDeletion.RETENTION}
    return [(segment.start, segment.end) for segment, _ in found.deletions], found.log_start


def test_overlapping_segments_leave_the_log_start_low_to_3_7() -> None:
    """KAFKA-16890: by their starts, and the end of each is taken."""
    every = [(0, 3), (2, 7), (3, 5)]
    assert [overlapping(rule) for rule in RULES] == [(every, 5), (every, 5), (every, 7)]


@pytest.mark.parametrize("rule", RULES)
def test_retention_stops_at_the_first_segment_that_it_keeps(rule: TierExpiry) -> None:
    assert overlapping(rule, 6) == ([(0, 3)], 3), "2 to 7 is kept, so what comes behind it is, too"
    assert overlapping(rule, 2) == ([], 0)


@pytest.mark.parametrize("rule", RULES)
def test_what_lies_below_the_log_start_goes(rule: TierExpiry) -> None:
    """isSegmentBreachByLogStartOffset: of its first epoch, or earlier ones, and wholly below."""
    below, across = RemoteSegment(0, 4, ((0, 0), (1, 2))), RemoteSegment(4, 8, ((1, 2),))
    found = expired(rule, (below, across), ((1, 5),), log_start=5, leo=9, old_end=0)
    assert found == ((Deletion(below, TierDeletion.LOG_START),), 5)


@pytest.mark.parametrize("rule", RULES)
def test_what_no_epoch_leads_to_goes_without_moving_the_log_start(rule: TierExpiry) -> None:
    """deleteLogSegmentsDueToLeaderEpochCacheTruncation: its epochs are earlier than the first entry."""
    earlier, both = RemoteSegment(0, 4, ((0, 0), (1, 2))), RemoteSegment(4, 6, ((1, 2), (3, 5)))
    found = expired(rule, (earlier, both), ((3, 0),), log_start=0, leo=1, old_end=0)
    assert found == ((Deletion(earlier, TierDeletion.NO_EPOCH),), 0)
    assert expired(rule, (earlier,), (), log_start=0, leo=0, old_end=0) == ((), 0), "it knows no epoch"


@pytest.mark.parametrize("rule", RULES)
def test_what_no_epoch_leads_to_is_found_by_the_epochs_that_are_left(rule: TierExpiry) -> None:
    """earliestEntry is asked after handleLogStartOffsetUpdate, which drops epoch 1 here."""
    old, other = RemoteSegment(0, 4, ((1, 0),)), RemoteSegment(2, 8, ((1, 2),))
    found = expired(rule, (old, other), ((1, 0), (2, 4)), log_start=0, leo=9, old_end=4)
    assert found.log_start == 4
    assert found.deletions == (
        Deletion(old, TierDeletion.RETENTION),
        Deletion(other, TierDeletion.NO_EPOCH),
    ), "the leader's epoch 1 ends at 4, so 2 to 8 is of another log"


def test_a_new_leader_finds_its_log_start_in_the_tier() -> None:
    """KAFKA-15351: the first segment of the earliest epoch that has one; else the local log start."""
    tier = (RemoteSegment(90, 95, CHAIN[:3]), RemoteSegment(86, 90, CHAIN[:3]))
    assert first_in_tier(tier, CHAIN, 97) == 86
    assert first_in_tier(tier, ((3, 90), (4, 98)), 97) == 90
    assert first_in_tier(tier, ((5, 100),), 100) == 100
