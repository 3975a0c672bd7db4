"""Times that a copy has made say nothing of when a file was written."""

import os
from pathlib import Path

import pytest

from importers.load import load
from tests.importers.test_logs_of_brokers import AT_3, SECOND, cut, start, told, written
from tests.in_words import gaps_of

COPY = "broker-1/data-at-030010"
CHECKPOINTS = {
    f"{folder}/{name}-checkpoint": f"0\n1\norders 0 {offset}\n"
    for folder, offset in ((COPY, 42), ("broker-1/data", 90))
    for name in ("replication-offset", "recovery-point-offset")
}
FILES = {
    "broker-1/logs/server.log": start(0, 1) + cut(100),
    f"{COPY}/meta.properties": "broker.id=1\n",
    "broker-1/data/meta.properties": "broker.id=1\n",
    **CHECKPOINTS,
}


def said(tmp_path: Path, times: dict[str, int]) -> list[tuple[int, int | None]]:
    """Time in seconds after the first line and value of each high watermark that the trace tells of."""
    for number, path in enumerate(sorted((tmp_path / COPY).iterdir())):
        at = AT_3 + (times["first"] + number * times["apart"]) * SECOND + 5
        os.utime(path, ns=(at, at))
    for path in (tmp_path / "broker-1" / "data").iterdir():
        os.utime(path, ns=(AT_3 + 101 * SECOND, AT_3 + 101 * SECOND))
    trace = load([tmp_path])
    lost = any("when it was made is lost" in gap for gap in gaps_of(trace.report))
    found = [((event.at - AT_3) // SECOND, event.get("hw")) for event in told(trace, "hw_checkpointed")]
    assert lost == ((10, 42) not in found)
    return found


@pytest.mark.parametrize(
    ("times", "told_of"),
    [
        ({"first": 0, "apart": 5}, [(10, 42), (101, 90)]),
        # cp -r while the broker ran: all at once
        ({"first": 10, "apart": 0}, [(101, 90)]),
        # cp -r of everything afterwards, within ten minutes of the last line, and a day later
        ({"first": 160, "apart": 3}, [(101, 90)]),
        ({"first": 86_400, "apart": 3}, [(101, 90)]),
    ],
)
def test_a_copy_that_has_lost_its_times_tells_nothing(
    times: dict[str, int], told_of: list[tuple[int, int]], tmp_path: Path
) -> None:
    written(tmp_path, FILES)

    assert said(tmp_path, times) == told_of


def test_a_broker_that_wrote_a_checkpoint_was_alive_then(tmp_path: Path) -> None:
    """Its log is silent for 100 s before it starts again: it ended in the last 40 of them."""
    written(
        tmp_path,
        {
            "broker-1/logs/server.log": start(0, 1) + cut(100) + start(200, 1),
            "broker-1/data/meta.properties": "broker.id=1\n",
            "broker-1/data/replication-offset-checkpoint": "0\n1\norders 0 7\n",
        },
    )
    for name, seconds in (("meta.properties", 0), ("replication-offset-checkpoint", 160)):
        at = AT_3 + seconds * SECOND + 5
        os.utime(tmp_path / "broker-1" / "data" / name, ns=(at, at))

    (gap,) = told(load([tmp_path]), "evidence_gap")

    assert ((gap.at - AT_3) // SECOND, gap.get("aux")) == (160, 40 * SECOND - 5)


@pytest.mark.parametrize(("apart", "dated"), [(9, True), (0, False)])
def test_the_watermarks_of_the_end_have_the_time_of_their_file(
    apart: int, tmp_path: Path, *, dated: bool
) -> None:
    """Unless all files of the directory have the time of a copy."""
    written(tmp_path, FILES)
    folder = tmp_path / "broker-1" / "data"
    (folder / "log-start-offset-checkpoint").write_text("0\n0\n")
    for number, path in enumerate(sorted(folder.iterdir())):
        at = AT_3 + (95 - number * apart) * SECOND + 5
        os.utime(path, ns=(at, at))
    trace = load([tmp_path])
    file = folder / "replication-offset-checkpoint"

    (last,) = [event for event in told(trace, "hw_checkpointed") if event.get("hw") == 90]

    assert last.get("stamp") == (file.stat().st_mtime_ns if dated else None)
