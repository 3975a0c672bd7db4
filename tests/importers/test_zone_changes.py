"""A broker whose zone was changed between two lives: what it printed before and after has the right times."""

from datetime import UTC, datetime
from pathlib import Path

from importers.load import load
from importers.options import ImportOptions

START_MS = 1_795_230_000_000
"""2026-11-21 03:00:00 UTC."""
STAMP = "%Y-%m-%d %H:%M:%S"


def line(second: int, ahead_h: int, text: str) -> str:
    stamp = datetime.fromtimestamp(START_MS / 1000 + second + 3600 * ahead_h, UTC)
    return f"[{stamp:{STAMP}},000] INFO {text}\n"


def life(second: int, ahead_h: int) -> str:
    """A start, with the time in UTC that Kafka prints from 2.2 on."""
    told = f"Kafka startTimeMs: {START_MS + 1000 * second} (org.apache.kafka.common.utils.AppInfoParser)"
    return line(second - 1, ahead_h, "starting (kafka.server.KafkaServer)") + line(second, ahead_h, told)


def cut(second: int, ahead_h: int, offset: int) -> str:
    return line(second, ahead_h, f"Truncating log t-0 to offset {offset}. (kafka.log.Log)")


def cuts(folder: Path) -> list[tuple[int, int]]:
    """(seconds after the start, offset) of each cut."""
    trace = load([folder], ImportOptions(broker=1))
    events = [trace.event(seq) for seq in range(len(trace))]
    return [
        (one.at // 10**9 - START_MS // 1000, one.values["offset"])
        for one in events
        if one.kind == "truncated"
    ]


def test_what_a_broker_prints_in_two_zones_is_said_once(tmp_path: Path) -> None:
    """The console begins with the second life: to it alone, all is two hours ahead."""
    second = life(60, 2) + cut(70, 2, 2)
    (tmp_path / "server.log").write_text(life(0, 0) + cut(10, 0, 1) + second)
    (tmp_path / "kafkaServer.out").write_text(second)

    assert cuts(tmp_path) == [(10, 1), (70, 2)]


def test_a_zone_that_is_behind_afterwards(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(life(0, 2) + cut(10, 2, 1) + life(60, -1) + cut(70, -1, 2))

    assert cuts(tmp_path) == [(10, 1), (70, 2)]


def test_a_log_that_shows_no_zone_changes_with_the_others(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(life(0, 0) + cut(10, 0, 1) + life(60, 2))
    (tmp_path / "other.log").write_text(cut(11, 0, 2) + cut(71, 2, 3))

    assert cuts(tmp_path) == [(10, 1), (11, 2), (71, 3)]


def test_logs_of_one_broker_in_two_zones_at_one_time_are_no_change(tmp_path: Path) -> None:
    """The console is an hour ahead all along."""
    (tmp_path / "server.log").write_text(life(0, 0) + cut(10, 0, 1) + life(60, 0) + cut(70, 0, 2))
    (tmp_path / "kafkaServer.out").write_text(life(0, 1) + cut(10, 1, 1) + life(60, 1) + cut(70, 1, 2))

    assert cuts(tmp_path) == [(10, 1), (70, 2)]
