"""Logs as people and tools hand them over say what the files say: nothing false, and all that was lost."""

import shutil
from pathlib import Path
from random import Random

import pytest

from importers.load import load
from tests.archives import unpack_recording
from tests.recordings.handed_over import HANDED_OVER
from tests.recordings.referee import (
    Heard,
    claimed,
    false_losses,
    invented_cuts,
    lost,
    of_the_last_topics,
    outside,
    wrong_leaders,
)

pytestmark = pytest.mark.broad(8)
SEED = 5


@pytest.mark.parametrize("name", ["k0102-hw-loss", "k28-unclean-loss", "k39-unclean-loss"])
@pytest.mark.parametrize("kind", HANDED_OVER)
def test_what_is_handed_over_otherwise_says_the_same(kind: str, name: str, tmp_path: Path) -> None:
    """Of logs alone all records of these three are found as they are."""
    folder, truth = unpack_recording(name, tmp_path)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    HANDED_OVER[kind](folder, Random(f"{name} {kind} {SEED}"))  # noqa: S311 - the same in every run
    truth = of_the_last_topics(truth)

    heard = Heard(load([folder]))

    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert wrong_leaders(truth, heard) == []
    assert outside(truth, heard, step=7)[0] == []
    for tp in truth["final"]:
        assert lost(truth, tp) <= claimed(heard, tp, strong=False)
