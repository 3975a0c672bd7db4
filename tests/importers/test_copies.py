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
