"""A part of the logs of one recording beside another one, as they are, of the same brokers and topics.

The part states no cluster: what it says is of another one all the same, and nothing of it is read.
"""

import shutil
from pathlib import Path

import pytest

from importers.load import load
from tests.archives import unpack_recording
from tests.recordings.pieces import records_of, text_logs
from tests.recordings.referee import (
    Heard,
    claimed,
    false_losses,
    invented_cuts,
    lost,
    of_the_last_topics,
    wrong_leaders,
)

pytestmark = [pytest.mark.slow, pytest.mark.thinned(11)]
END, MIDDLE = (0.75, 1.0), (0.33, 0.67)
Share = tuple[float, float]
"""Of the records of each log, with all its rotated files."""


def keep(folder: Path, share: Share) -> None:
    """Leave this part of each log, and neither data nor settings."""
    for path in [*folder.glob("*/data*"), *folder.glob("*/config")]:
        shutil.rmtree(path)
    logs: dict[tuple[Path, str], list[Path]] = {}
    for path in text_logs(folder):
        logs.setdefault((path.parent, path.name.split(".log")[0]), []).append(path)
    for paths in logs.values():
        older_first = sorted(paths, key=lambda one: (one.name.endswith(".log"), one.name))
        records = [(path, text) for path in older_first for _, text in records_of(path.read_bytes())]
        first, end = (int(len(records) * one) for one in share)
        for path in paths:
            path.write_bytes(b"".join(text for one, text in records[first:end] if one == path))


@pytest.mark.parametrize("data", [True, False], ids=["with data", "logs alone"])
@pytest.mark.parametrize("beside", ["a-part", "z-part"])
@pytest.mark.parametrize(
    ("name", "other", "share"),
    [
        # The same release; epochs of the part are above all of the recording, eight minutes before it.
        ("k28-ibp0102-hw-loss", "k28-rolling-restart", END),
        ("k28-epoch-fix", "k28-ibp0102-hw-loss", END),
        ("k28-ibp0102-hw-loss", "k28-epoch-fix", END),
        # Others: the leaders of 0.10.2 and of 3.9, with ZooKeeper and without.
        ("k0102-hw-loss", "k28-epoch-fix", END),
        ("k0102-hw-loss", "k39-isr-flap", MIDDLE),
        ("k011-epoch-fix", "k0102-hw-loss", END),
        ("k28-unclean-loss", "k39-unclean-loss", END),
        ("k39-unclean-loss", "k28-unclean-loss", END),
        # Both tell of a topic whose partition moves.
        ("k28-isr-flap", "k39-isr-flap", MIDDLE),
    ],
)
def test_nothing_is_read_of_the_part(
    name: str, other: str, share: Share, beside: str, tmp_path: Path, *, data: bool
) -> None:
    folder, truth = unpack_recording(name, tmp_path)
    if not data:
        for path in folder.glob("*/data*"):
            shutil.rmtree(path)
    alone = Heard(load([folder]))
    part, _ = unpack_recording(other, tmp_path / "other")
    keep(part, share)
    shutil.move(part, folder / beside)

    heard = Heard(load([folder]))

    truth = of_the_last_topics(truth)
    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert wrong_leaders(truth, heard) == []
    for tp in truth["final"]:
        assert claimed(heard, tp, strong=False) & lost(truth, tp) == claimed(alone, tp, strong=False) & lost(
            truth, tp
        )
    reasons = {row["file"]: row["reason"]["id"] for row in heard.trace.report["left_out"]}
    assert all(file.startswith(beside) for file in reasons)
    assert {f"{beside}/broker-{number}/logs/server.log" for number in (1, 2, 3)} <= reasons.keys()
