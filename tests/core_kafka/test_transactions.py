"""The last stable offset and what leaders take, as KIP-98 and KIP-890 tell it."""

import pytest

from core.history.stable import stable_ends
from core.kafka.transactions import (
    Taken,
    Transaction,
    epoch_of_marker,
    last_stable_offset,
    takes_batch,
)

OPEN = Transaction(1, 0, first=4)
ENDED = Transaction(2, 0, first=2, marker=6)


@pytest.mark.parametrize(
    ("hw", "stable"),
    # 2..6 is over once its marker at 6 is below the high watermark; 4 stays open.
    [(2, 2), (3, 2), (6, 2), (7, 4), (9, 4)],
)
def test_readers_stop_before_the_first_transaction_whose_marker_is_not_committed(
    hw: int, stable: int
) -> None:
    assert last_stable_offset(hw, 0, (OPEN, ENDED)) == stable
    assert stable_ends((OPEN, ENDED)).at(hw) == stable


def test_without_transactions_it_is_the_high_watermark_and_never_below_the_log_start() -> None:
    assert last_stable_offset(7, 0, ()) == 7
    assert last_stable_offset(7, 5, (OPEN,)) == 5


def test_a_later_transaction_that_ends_first_does_not_free_an_earlier_one() -> None:
    both = (Transaction(1, 0, first=0), Transaction(2, 0, first=1, marker=2))
    assert last_stable_offset(3, 0, both) == stable_ends(both).at(3) == 0


@pytest.mark.parametrize(
    ("rule", "epoch", "open_here", "open_there", "taken"),
    [
        ("trusted", 0, False, False, Taken.YES),
        ("verified", 0, False, False, Taken.NOT_IN_TRANSACTION),
        ("verified", 0, False, True, Taken.YES),
        ("verified", 0, True, False, Taken.YES),
        ("trusted", -1, True, True, Taken.FENCED),
        ("new-epoch", -1, False, False, Taken.FENCED),
    ],
)
def test_a_late_batch_is_taken_refused_or_fenced(
    rule: str, epoch: int, *, open_here: bool, open_there: bool, taken: Taken
) -> None:
    found = takes_batch(
        rule,  # pyright: ignore[reportArgumentType]
        epoch=epoch,
        latest_epoch=0,
        open_here=open_here,
        open_at_coordinator=open_there,
    )
    assert found is taken


def test_a_marker_raises_the_producer_epoch_from_4_0_and_always_when_the_coordinator_aborts() -> None:
    assert epoch_of_marker("trusted", 3) == 3
    assert epoch_of_marker("new-epoch", 3) == 4
    assert epoch_of_marker("trusted", 3, timed_out=True) == 4
