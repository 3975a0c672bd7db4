"""Every recording of a ZooKeeper cluster, whole and with pieces missing: what is said is so."""

import random
import shutil
from pathlib import Path

import pytest

from importers.load import load
from tests.archives import recording_names, unpack_recording
from tests.recordings.referee import (
    Heard,
    claimed,
    false_losses,
    invented_cuts,
    lost,
    outside,
    wrong_leaders,
)

ZOOKEEPER = [name for name in recording_names() if name.startswith(("k0", "k1", "k28"))]
ALL = "everything"
PIECES = ("no data", "only 1", "only 2", "only 3", "no state change log", "no server log", "at random")

pytestmark = pytest.mark.slow


def take_away(folder: Path, piece: str) -> None:
    """Remove what an engineer may not have."""
    brokers = sorted(folder.glob("broker-*"))
    if piece == "no data":
        for path in folder.glob("*/data*"):
            shutil.rmtree(path)
    elif piece.startswith("only "):
        for path in brokers:
            if path.name != f"broker-{piece.removeprefix('only ')}":
                shutil.rmtree(path)
    elif piece.startswith("no "):
        start = "state-change" if "state" in piece else "server"
        for path in [*folder.glob(f"*/logs/{start}*"), *folder.glob("*/logs/kafkaServer*")]:
            path.unlink()
    elif piece == "at random":
        chance = random.Random(folder.name)  # noqa: S311 - which files are missing, always the same ones
        for path in [*folder.glob("*/logs/*"), *folder.glob("*/data*")]:
            if chance.random() < 0.4:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.mark.parametrize("name", ZOOKEEPER)
def test_everything_that_was_lost_is_found_and_the_states_are_inside(name: str, tmp_path: Path) -> None:
    folder, truth = unpack_recording(name, tmp_path)

    heard = Heard(load([folder]))
    misses, unknown, count = outside(truth, heard)

    assert heard.trace.report["unrecognised"] == 0, heard.trace.report["examples"]
    assert set(heard.verdicts) >= set(truth["final"])
    assert {tp: lost(truth, tp) - claimed(heard, tp, strong=False) for tp in truth["lost"]} == {
        tp: set() for tp in truth["lost"]
    }
    assert misses == []
    assert unknown <= 0.2 * count
    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert wrong_leaders(truth, heard) == []


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("name", ZOOKEEPER)
def test_with_pieces_missing_nothing_false_is_said(name: str, piece: str, tmp_path: Path) -> None:
    folder, truth = unpack_recording(name, tmp_path)
    take_away(folder, piece)

    heard = Heard(load([folder]))

    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert wrong_leaders(truth, heard) == []
    assert outside(truth, heard)[0] == []
