"""How a broker left its directories, and what lies in them beside live replicas: an effect or a line each."""

from pathlib import Path

import pytest

from core.trace.trace import Trace
from importers.load import load
from tests.importers.test_segments import new
from tests.in_words import gaps_of

HEX = "0f16e07cea784958a91f77488c4018b6"
ID, OTHER = "p3mFxbNZRjSN5673ktRmxg", "rG8y5QKRRDmZnUEKkYbUJA"


def log_of(*lines: tuple[str, str]) -> str:
    return "".join(f"[2026-11-21 {at},000] INFO {text}\n" for at, text in lines)


STARTED = "[KafkaServer id=1] starting (kafka.server.KafkaServer)"
CLEAN = "Skipping recovery for all logs in /data{} since clean shutdown file was found (kafka.log.LogManager)"
UNCLEAN = "Attempting recovery for all logs in /data{} since no clean shutdown file was found (kafka.log.X)"


def kinds_of(tmp_path: Path, *left: str) -> tuple[list[str], Trace]:
    logs = tmp_path / "broker-1"
    logs.mkdir()
    rows = [("03:00:00", STARTED), ("03:00:01", "Truncating log orders-0 to offset 206. (kafka.log.Log)")]
    rows += [("03:10:00", STARTED), *(("03:10:01", one) for one in left)]
    (logs / "server.log").write_text(log_of(*rows))
    trace = load([tmp_path])
    return [trace.event(seq).kind for seq in range(len(trace))], trace


def test_a_directory_left_clean_means_that_only_the_lines_of_the_stop_are_missing(tmp_path: Path) -> None:
    kinds, trace = kinds_of(tmp_path, CLEAN.format(1), CLEAN.format(2))

    assert "broker_crashed" not in kinds
    assert kinds.count("evidence_gap") == 1
    assert any("clean one" in gap for gap in gaps_of(trace.report))


@pytest.mark.parametrize("left", [(UNCLEAN.format(1),), (CLEAN.format(1), UNCLEAN.format(2)), ()])
def test_one_directory_without_the_marker_is_a_crash(left: tuple[str, ...], tmp_path: Path) -> None:
    kinds, trace = kinds_of(tmp_path, *left)

    assert kinds.count("broker_crashed") == kinds.count("evidence_gap") == 1
    assert any("not stopped cleanly" in gap for gap in gaps_of(trace.report))


def partition(folder: Path, name: str, topic_id: str, *, end: int) -> None:
    place = folder / name
    place.mkdir(parents=True)
    (place / "partition.metadata").write_text(f"version: 0\ntopic_id: {topic_id}\n")
    (place / f"{0:020}.log").write_bytes(b"".join(new(offset, 0) for offset in range(end)))


def test_directories_beside_a_live_replica_and_several_disks(tmp_path: Path) -> None:
    """A future copy, a deleted and a stray log are no replicas, whatever they hold; two disks, one broker."""
    for disk in ("data1", "data2"):
        (tmp_path / disk).mkdir()
        (tmp_path / disk / "meta.properties").write_text(f"version=1\nnode.id=1\ndirectory.id=id-of-{disk}\n")
        (tmp_path / disk / ".kafka_cleanshutdown").write_text('{"version":0,"brokerEpoch":211}')
    partition(tmp_path / "data1", "orders-0", ID, end=3)
    partition(tmp_path / "data2", "clicks-1", OTHER, end=4)
    partition(tmp_path / "data2", f"orders-0.{HEX}-future", ID, end=7)
    partition(tmp_path / "data1", f"clicks-1.{HEX}-stray", OTHER, end=9)
    partition(tmp_path / "data1", f"clicks-1.{HEX}-delete", OTHER, end=8)
    (tmp_path / "data1" / "log-start-offset-checkpoint").write_text("0\n1\norders 0 2\n")

    trace = load([tmp_path])
    told = [event for seq in range(len(trace)) if (event := trace.event(seq)).kind == "log_end_on_disk"]
    ends = {
        str(trace.partitions[event.values["partition"]].tp): (event.get("log_start"), event.get("leo"))
        for event in told
    }

    assert ends == {"orders-0": (2, 3), "clicks-1": (0, 4)}
    rows = {row["file"]: row for row in trace.report["by_file"]}
    assert {row["broker"] for row in rows.values()} == {1}
    aside = {row["set_aside"] for row in rows.values() if "set_aside" in row}
    assert aside == {"delete", "future", "stray"}
    assert rows["data1/.kafka_cleanshutdown"]["is"] == "clean shutdown marker"
    assert not any(row["copied_earlier"] for row in rows.values())
    assert any(row["is"] == "partition metadata" for row in rows.values())
