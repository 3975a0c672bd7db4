"""What a log knows of leader epochs after it has moved to another directory (KIP-113, KAFKA-15608)."""

from core.kafka.directories import can_move, entries_after_move, is_replaced
from core.kafka.epochs import NO_END, end_of_epoch
from core.kafka.eras import ERAS

HELD = ((1, 0), (1, 1), (4, 2))
"""(epoch, offset) of three records."""
BEFORE = ((1, 0), (2, 2), (4, 2), (5, 3))


def test_a_copy_knows_the_epochs_of_its_records() -> None:
    moved = entries_after_move("epochs-of-records", BEFORE, HELD, "replaces")
    assert moved == ((1, 0), (4, 2))


def test_the_end_of_an_epoch_that_began_without_a_record_is_unknown_then() -> None:
    """LeaderEpochFileCache.endOffsetFor: no entry is higher, and it is not the latest."""
    assert end_of_epoch(BEFORE, 3, 5, "lowest-start") == (5, 3)
    moved = entries_after_move("epochs-of-records", BEFORE, HELD, "replaces")
    assert end_of_epoch(moved, 3, 5, "lowest-start") == NO_END


def test_what_is_proposed_keeps_all_entries() -> None:
    assert entries_after_move("epochs-carried", BEFORE, HELD, "replaces") == BEFORE


def test_an_empty_log_knows_nothing() -> None:
    assert entries_after_move("epochs-of-records", ((3, 0),), (), "replaces") == ()


def test_a_log_that_begins_later_knows_its_first_epoch_from_there_on() -> None:
    held = ((1, 7), (1, 8), (2, 9))
    assert entries_after_move("epochs-of-records", ((1, 7), (2, 9)), held, "replaces") == ((1, 7), (2, 9))


def test_a_copy_takes_the_place_of_the_log_where_both_end_alike() -> None:
    assert is_replaced(copied_end=3, leo=3)
    assert not is_replaced(copied_end=2, leo=3)


def test_brokers_move_logs_from_1_1_on() -> None:
    assert [one.id for one in ERAS if not can_move(one.switches.directory_move)] == ["0.10.2", "0.11"]
