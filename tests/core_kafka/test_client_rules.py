"""What clients may see and write, as ProducerStateManager (0.11 to 2.8) and Partition decide it."""

import pytest

from core.kafka.clients import (
    SequenceOutcome,
    in_range,
    prefers_follower,
    sequence_outcome,
    serves_reads,
    visible_end,
)


@pytest.mark.parametrize(("hw", "leo", "end"), [(8, 15, 8), (13, 13, 13), (254, 206, 206)])
def test_consumers_read_below_the_high_watermark_and_the_log_end(hw: int, leo: int, end: int) -> None:
    assert visible_end("high-watermark", hw=hw, leo=leo) == end
    assert visible_end("log-end", hw=hw, leo=leo) == leo


@pytest.mark.parametrize(("offset", "fits"), [(2, False), (3, True), (7, True), (8, True), (9, False)])
def test_the_log_end_itself_is_in_range(offset: int, *, fits: bool) -> None:
    assert in_range(offset, log_start=3, leo=8) == fits


def test_followers_serve_since_2_4_if_the_leader_knows_that_they_hold_the_offset() -> None:
    assert serves_reads("any-replica", leads=False)
    assert not serves_reads("leader", leads=False)
    assert [prefers_follower("any-replica", known_leo=leo, offset=5) for leo in (None, 4, 5)] == [
        False,
        False,
        True,
    ]
    assert not prefers_follower("leader", known_leo=9, offset=5)


@pytest.mark.parametrize(
    ("epoch", "first", "last", "expected"),
    [
        (0, 0, None, SequenceOutcome.NEXT),
        (0, 3, (0, 2), SequenceOutcome.NEXT),
        (0, 4, (0, 2), SequenceOutcome.GAP),
        (0, 1, (0, 2), SequenceOutcome.GAP),
        (1, 0, (0, 2), SequenceOutcome.NEXT),
        (1, 3, (0, 2), SequenceOutcome.GAP),
    ],
)
def test_numbers_follow_one_another_and_a_new_epoch_begins_with_0(
    epoch: int, first: int, last: tuple[int, int] | None, expected: SequenceOutcome
) -> None:
    for rule in ("refused", "starts-anew"):
        assert sequence_outcome(rule, epoch=epoch, first=first, last=last, known=False) == expected


def test_a_producer_of_which_the_log_holds_nothing() -> None:
    assert sequence_outcome("refused", epoch=0, first=2, last=None, known=False) == SequenceOutcome.UNKNOWN
    assert sequence_outcome("starts-anew", epoch=0, first=2, last=None, known=False) == SequenceOutcome.NEXT


def test_a_known_batch_is_a_duplicate() -> None:
    assert sequence_outcome("refused", epoch=0, first=1, last=(0, 2), known=True) == SequenceOutcome.DUPLICATE
