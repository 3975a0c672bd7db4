"""Distortions after which something was said once that was not so: each stays true."""

import shutil
from pathlib import Path

import pytest

from importers.load import load
from tests.archives import unpack_recording
from tests.recordings.distortions import distort
from tests.recordings.later_distortions import LATER_CLOCKS
from tests.recordings.referee import (
    Heard,
    claimed,
    false_losses,
    invented_cuts,
    lost,
    of_the_last_topics,
    outside,
)

pytestmark = pytest.mark.broad(6)


@pytest.mark.parametrize(
    ("name", "kind", "seed"),
    [
        ("k28-ibp0102-hw-loss", "another zone from a moment on", 5),
        ("k0102-hw-loss", "torn in a line", 5),
        ("k28-kip279-fix", "torn in a line", 5),
        ("k39-unclean-loss", "torn in a line", 1),
    ],
)
def test_what_was_false_once_is_not_said(name: str, kind: str, seed: int, tmp_path: Path) -> None:
    """Five invented cuts, and values outside of their bands where a log ends in the middle of a line."""
    folder, truth = unpack_recording(name, tmp_path)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    distort(folder, kind, seed)
    truth, heard = of_the_last_topics(truth), Heard(load([folder]))

    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    if kind not in LATER_CLOCKS:
        assert outside(truth, heard, step=7)[0] == []


def test_a_clock_that_is_set_back_between_two_lines_makes_nobody_fall_behind(tmp_path: Path) -> None:
    """state-change.log has no line in the 5 s that come twice but those of a change of leader after them."""
    folder, truth = unpack_recording("k0102-trace", tmp_path)
    distort(folder, "set back by 5 s", 7)
    heard = Heard(load([folder]))

    assert claimed(heard, "t1-0", strong=False) == lost(truth, "t1-0") == {61, 62}
    checks = {finding.check for verdict in heard.verdicts.values() for finding in verdict.findings}
    assert not checks & {"isr-behind-hw", "isr-empty-disk", "zombie-leader"}


@pytest.mark.parametrize("seed", [7, 8])
def test_lines_between_a_step_and_the_next_pause_are_of_the_clock_after_it(seed: int, tmp_path: Path) -> None:
    """Broker 2 was set ahead by two hours some lines before it was silent for 11.8 s."""
    folder, truth = unpack_recording("k111-kip279-divergence", tmp_path)
    distort(folder, "another zone from a moment on", seed)
    heard = Heard(load([folder]))

    both = ("trades-0", "trades-1")
    assert [claimed(heard, name, strong=True) for name in both] == [lost(truth, name) for name in both]
    assert false_losses(truth, heard) == []


def test_of_two_clocks_the_one_that_messages_bound_on_both_sides_was_set(tmp_path: Path) -> None:
    """Broker 2 was set back by 5 s in a pause of 5 s, which so is none. Broker 1 may have been ahead."""
    folder, truth = unpack_recording("k0102-rolling-restart", tmp_path)
    distort(folder, "set back by 5 s", 11)
    heard = Heard(load([folder]))

    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []


def test_a_clock_that_was_set_back_in_a_pause_leaves_the_loss_where_it_was(tmp_path: Path) -> None:
    """Broker 2 printed nothing for 13.7 s, in which its clock was set back by 5 s: no line goes back."""
    folder, truth = unpack_recording("k0102-trace", tmp_path)
    distort(folder, "set back by 5 s", 1)
    trace = load([folder])
    heard = Heard(trace)

    assert not any("set-back" in str(one) for one in trace.report["gaps"])
    assert claimed(heard, "t1-0", strong=False) == lost(truth, "t1-0") == {61, 62}
    assert false_losses(truth, heard) == []
