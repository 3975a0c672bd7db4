"""A copy of a log inside one broker (KIP-113): to 2.3 it begins with the line of a new log."""

from pathlib import Path

import pytest

from importers.load import load

LOADED = (
    "[Log partition=t-0, dir=/data1] Completed load of log with 1 segments, log start offset 0 and log end "
    "offset 3 in 1 ms (kafka.log.Log)"
)
CREATED = (
    "Created log for partition t-0 in /data{} with properties {{message.format.version -> 2.1}}. "
    "(kafka.log.LogManager)"
)
MOVED = "The current replica is successfully replaced with the future replica for t-0 (kafka.log.LogManager)"
STARTING = "[KafkaServer id=1] starting (kafka.server.KafkaServer)"
DELETED = "Deleted log for partition t-0 in /data1/t-0. (kafka.log.LogManager)"


@pytest.mark.parametrize(
    ("lines", "created", "moved"),
    [
        pytest.param((LOADED, CREATED.format(2), MOVED), 0, 1, id="a log that was loaded moves"),
        pytest.param((CREATED.format(1), CREATED.format(2), MOVED), 1, 1, id="a new log moves"),
        pytest.param((CREATED.format(1), MOVED), 1, 1, id="from 2.4 on the copy's line states nothing"),
        pytest.param((LOADED, CREATED.format(2)), 1, 0, id="nothing says that it was a copy"),
        pytest.param((LOADED, DELETED, CREATED.format(1), MOVED), 1, 1, id="deleted, new, and moved"),
        pytest.param((LOADED, STARTING, CREATED.format(1), MOVED), 1, 1, id="opened in the life before"),
        pytest.param(
            (LOADED, CREATED.format(2), MOVED, CREATED.format(1), MOVED), 0, 2, id="there and back again"
        ),
    ],
)
def test_a_copy_is_no_new_log(lines: tuple[str, ...], created: int, moved: int, tmp_path: Path) -> None:
    logs = tmp_path / "broker-1"
    logs.mkdir()
    rows = [f"[2026-11-21 03:00:{at:02},000] INFO {text}" for at, text in enumerate((STARTING, *lines))]
    (logs / "server.log").write_text("\n".join(rows) + "\n")

    trace = load([tmp_path])

    kinds = [trace.event(seq).kind for seq in range(len(trace))]
    assert (kinds.count("log_created"), kinds.count("log_moved")) == (created, moved)


LOADS = (
    "[Log partition=t-0, dir=/data1] Completed load of log with 1 segments, log start offset 0 and log end "
    "offset {} in 1 ms (kafka.log.Log)"
)
MARK = (
    "[Partition t-0 broker=1] Log loaded for partition t-0 with initial high watermark {} "
    "(kafka.cluster.Partition)"
)
UP = "[KafkaServer id=1] started (kafka.server.KafkaServer)"
FULL = (
    "Completed load of Log(dir=/data1/t-0, topic=t, partition=0, highWatermark=0, lastStableOffset=0, "
    "logStartOffset=0, logEndOffset={}) with 1 segments in 9ms (1/1 loaded in /data1) (kafka.log.Log)"
)


@pytest.mark.parametrize(
    ("lines", "ends"),
    [
        pytest.param((LOADS.format(3), LOADS.format(0), UP), [], id="what is left of a deleted topic"),
        pytest.param((LOADS.format(3), LOADS.format(0), UP, MARK.format(2)), [3], id="one is too short"),
        pytest.param(
            (LOADS.format(0), LOADS.format(3), UP, MARK.format(2)), [3], id="the other is too short"
        ),
        pytest.param((LOADS.format(3), LOADS.format(5), UP, MARK.format(2)), [], id="both would do"),
        pytest.param(
            (LOADS.format(3), LOADS.format(5), UP, MARK.format(2), MARK.format(4)),
            [],
            id="it has grown since",
        ),
        pytest.param((LOADS.format(3), UP, LOADS.format(0)), [3], id="a copy begins"),
        pytest.param((LOADS.format(3), UP, STARTING, LOADS.format(5)), [3, 5], id="the next life"),
        pytest.param((LOADS.format(3), UP, DELETED, LOADS.format(0)), [3, 0], id="deleted, and new"),
        pytest.param(
            (FULL.format(3), FULL.format(4), UP), [3, 4], id="from 2.6 on the line has the directory"
        ),
    ],
)
def test_one_life_loads_a_log_once(lines: tuple[str, ...], ends: list[int], tmp_path: Path) -> None:
    logs = tmp_path / "broker-1"
    logs.mkdir()
    rows = [f"[2026-11-21 03:00:{at:02},000] INFO {text}" for at, text in enumerate((STARTING, *lines))]
    (logs / "server.log").write_text("\n".join(rows) + "\n")

    trace = load([tmp_path])

    events = [trace.event(seq) for seq in range(len(trace))]
    assert [one.values["leo"] for one in events if one.kind == "log_loaded"] == ends
