"""Snapshots of the metadata log (KIP-630). Cases: KafkaMetadataLogTest, KafkaRaftClientSnapshotTest."""

from core.kafka.raft import LogEnd, diverging_end
from core.kafka.snapshots import (
    kept_from,
    may_write,
    replaces_log,
    snapshot_to_fetch,
    start_after_cleaning,
)

FIRST, SECOND, THIRD = LogEnd(1, 10), LogEnd(2, 20), LogEnd(4, 30)


class TestWritten:
    def test_of_what_is_committed(self) -> None:
        """testCreateSnapshotLaterThanHighWatermark."""
        assert may_write("below-start", LogEnd(1, 10), (), log_start=0, hw=10)
        assert not may_write("below-start", LogEnd(1, 11), (), log_start=0, hw=10)

    def test_not_below_the_log_start(self) -> None:
        """testCreateSnapshotBeforeLogStartOffset: there it is just not made; at the log start it may be."""
        assert not may_write("below-start", LogEnd(1, 9), (FIRST,), log_start=10, hw=12)
        assert may_write("below-start", LogEnd(1, 10), (), log_start=10, hw=12)

    def test_once(self) -> None:
        """testCreateExistingSnapshot."""
        assert not may_write("below-start", FIRST, (FIRST,), log_start=0, hw=10)

    def test_of_nothing_there_is_none(self) -> None:
        assert not may_write("below-start", LogEnd(0, 0), (), log_start=0, hw=0)

    def test_to_2_8_there_are_none(self) -> None:
        assert not may_write("none", FIRST, (), log_start=0, hw=10)


class TestDeleted:
    """KafkaMetadataLogTest.testDeleteSnapshots, testSoftRetentionLimit, testReduceLogSize."""

    ALL = (FIRST, SECOND, THIRD)

    def test_up_to_the_snapshot_after_the_last_that_is_old(self) -> None:
        assert start_after_cleaning(self.ALL, old=1, log_start=0, hw=35) == 20
        assert start_after_cleaning(self.ALL, old=2, log_start=10, hw=35) == 30

    def test_never_the_last_one(self) -> None:
        """A soft limit: with one snapshot nothing is deleted, not even the log below it."""
        assert start_after_cleaning((FIRST,), old=1, log_start=0, hw=35) == 0
        assert start_after_cleaning(self.ALL, old=9, log_start=0, hw=35) == 30

    def test_not_above_the_high_watermark(self) -> None:
        """maybeIncrementLogStartOffset throws: after a start it is the log start until the leader says it."""
        assert start_after_cleaning(self.ALL, old=2, log_start=0, hw=25) == 20
        assert start_after_cleaning(self.ALL, old=2, log_start=10, hw=10) == 10

    def test_older_snapshots_go_with_it(self) -> None:
        assert kept_from(self.ALL, 20) == (SECOND, THIRD)
        assert kept_from(self.ALL, 15) == (SECOND, THIRD)
        assert kept_from(self.ALL, 0) == self.ALL


class TestSent:
    """KafkaMetadataLogTest.testValidate…, KafkaRaftClientSnapshotTest.testFetchRequest…."""

    HELD = (FIRST, SECOND)

    def test_below_the_log_start_the_latest(self) -> None:
        """testFetchRequestOffsetLessThanLogStart."""
        assert snapshot_to_fetch("below-start", self.HELD, 10, 9, 1) == SECOND
        assert snapshot_to_fetch("below-start", self.HELD, 10, 0, 0) == SECOND
        assert snapshot_to_fetch("below-start", self.HELD, 10, 11, 1) is None

    def test_at_the_log_start_its_epoch_counts(self) -> None:
        """testFetchRequestAtLogStartOffsetWithValidEpoch and …WithInvalidEpoch."""
        assert snapshot_to_fetch("below-start", self.HELD, 10, 10, 1) is None
        assert snapshot_to_fetch("below-start", self.HELD, 10, 10, 2) == SECOND

    def test_an_epoch_older_than_the_earliest_snapshot(self) -> None:
        """testFetchRequestWithLastFetchedEpochLessThanOldestSnapshot. The log has the offset."""
        assert snapshot_to_fetch("below-start", (SECOND,), 0, 12, 1) == SECOND
        assert snapshot_to_fetch("below-start", (SECOND,), 0, 12, 2) is None

    def test_an_empty_log_since_3_6(self) -> None:
        """KAFKA-15078, testFetchRequestOffsetAtZero: to 3.5 it is copied, where the leader has all of it."""
        assert snapshot_to_fetch("below-start", self.HELD, 0, 0, 0) is None
        assert snapshot_to_fetch("empty-log-too", self.HELD, 0, 0, 0) == SECOND
        assert snapshot_to_fetch("empty-log-too", (), 0, 0, 0) is None

    def test_without_snapshots_never(self) -> None:
        assert snapshot_to_fetch("none", self.HELD, 10, 9, 1) is None
        assert snapshot_to_fetch("below-start", (), 0, 9, 1) is None

    def test_an_epoch_between_snapshot_and_log_is_told_the_snapshots(self) -> None:
        """testFetchRequestTruncateToLogStart. The log has records of epoch 4 from 30 on."""
        assert diverging_end(((4, 30),), 40, 35, 3, oldest=LogEnd(2, 30)) == LogEnd(2, 30)
        assert diverging_end(((4, 30),), 40, 35, 3) == LogEnd(3, 30)
        assert diverging_end(((4, 30),), 40, 30, 2, oldest=LogEnd(2, 30)) is None


class TestTaken:
    def test_one_that_goes_further_drops_the_log(self) -> None:
        """testTruncateFullyToLatestSnapshot, testDoesntTruncateFully."""
        assert replaces_log(LogEnd(1, 10), LogEnd(1, 9))
        assert replaces_log(LogEnd(2, 5), LogEnd(1, 9))
        assert not replaces_log(LogEnd(1, 10), LogEnd(1, 10))
        assert not replaces_log(LogEnd(1, 10), LogEnd(2, 4))
