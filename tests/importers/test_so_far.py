"""What an import tells of what it has read, before all of it is read."""

from itertools import pairwise
from pathlib import Path

from core.work import QUIET, Work
from importers.load import load
from importers.merge.files import ReadFile, Role
from importers.merge.so_far import Reading, ReadSoFar
from importers.options import ImportOptions

FIRST = """\
[2026-03-02 08:00:00,000] INFO Kafka version: 2.8.2 (org.apache.kafka.common.utils.AppInfoParser)
[2026-03-02 08:00:01,000] INFO [KafkaServer id=1] started (kafka.server.KafkaServer)
[2026-03-02 08:00:02,000] INFO [Log partition=orders-0, dir=/data] Truncating to offset 41 (kafka.log.Log)
[2026-03-02 08:00:03,000] INFO [Log partition=orders-0, dir=/data] Truncating to offset 40 (kafka.log.Log)
[2026-03-02 08:00:04,000] INFO [Log partition=clicks-1, dir=/data] Truncating to offset 7 (kafka.log.Log)
"""
SECOND = """\
[2026-03-02 08:00:01,000] INFO [KafkaServer id=2] started (kafka.server.KafkaServer)
[2026-03-02 08:00:05,000] INFO [Partition orders-0 broker=2] orders-0 starts at leader epoch 4 \
from offset 40 with high watermark 40. Previous leader epoch was 3. (kafka.cluster.Partition)
[2026-03-02 08:00:06,000] INFO [Partition orders-0 broker=2] orders-0 starts at leader epoch 5 \
from offset 40 with high watermark 40. Previous leader epoch was 4. (kafka.cluster.Partition)
"""


def told(folder: Path, options: ImportOptions | None = None) -> list[ReadSoFar]:
    """All that is told, with a log of two brokers each."""
    for broker, text in ((1, FIRST), (2, SECOND)):
        (folder / f"node-{broker}").mkdir()
        (folder / f"node-{broker}" / "server.log").write_text(text)
    found: list[object] = []
    load((folder,), options or ImportOptions(), Work(found=found.append))
    return [one for one in found if isinstance(one, ReadSoFar)]


def test_a_log_is_told_when_it_is_read_and_others_are_not_yet(tmp_path: Path) -> None:
    first, *_, last = told(tmp_path)

    assert [log.name for log in first.logs] == ["node-1/server.log"]
    assert (first.all_logs, first.whole) == (1, False)
    assert [log.name for log in last.logs] == ["node-2/server.log", "node-1/server.log"]
    assert (last.all_logs, last.lines, last.whole) == (2, 8, True)


def test_of_a_log_its_broker_release_times_and_lines_are_told(tmp_path: Path) -> None:
    (log,) = told(tmp_path)[0].logs

    assert (log.broker, log.release, log.lines, log.understood) == (1, "2.8.2", 5, 5)
    assert log.first is not None
    assert log.last == log.first + 4_000_000_000


def test_of_a_partition_its_cuts_and_leader_epochs_are_counted(tmp_path: Path) -> None:
    first, *_, last = told(tmp_path)

    assert first.partitions == (("orders-0", 0, 2), ("clicks-1", 0, 1))
    assert last.partitions == (("orders-0", 2, 2), ("clicks-1", 0, 1))
    assert (last.all_partitions, last.with_cuts) == (2, 2)


def test_topics_that_are_not_wanted_are_not_told(tmp_path: Path) -> None:
    last = told(tmp_path, ImportOptions(topic="click*"))[-1]

    assert [one.name for one in last.partitions] == ["clicks-1"]


def test_what_is_told_only_grows(tmp_path: Path) -> None:
    for before, after in pairwise(told(tmp_path)):
        assert after.lines >= before.lines
        assert after.all_partitions >= before.all_partitions
        assert after.with_cuts >= before.with_cuts


def test_what_was_read_is_told_while_a_large_file_is_read() -> None:
    """It would else be seen a minute late, where small files come before a large one."""
    now, found = [0.0], list[object]()
    so_far = Reading(Work(found=found.append), ImportOptions(), lambda: now[0])
    first, second = (ReadFile(name, "", 0, None, Role.PROPERTIES) for name in "ab")
    so_far.add([first])
    so_far.add([second])
    assert len(found) == 1

    now[0] = 1.0
    so_far.beside(QUIET).step(0, 0)
    so_far.beside(QUIET).step(0, 0)
    assert [one.others for one in found if isinstance(one, ReadSoFar)] == [1, 2]


def test_a_file_that_cannot_be_read_is_told_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "node-3").mkdir()
    (tmp_path / "node-3" / "server.log.gz").write_bytes(b"\x1f\x8b\x08\x00 no more of it")
    broken = told(tmp_path)[-1].logs[0]

    assert broken.name == "node-3/server.log.gz"
    assert broken.fault is not None
