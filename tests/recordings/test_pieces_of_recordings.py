"""Every recording with pieces missing: nothing is said that its truth denies. Missing is allowed."""

import shutil
from pathlib import Path

import pytest

from core.errors import SourceError
from importers.load import load
from tests.archives import recording_names, unpack_recording
from tests.recordings.pieces import PIECES, take_away, take_middles, take_rotated_middles, text_logs
from tests.recordings.referee import (
    Heard,
    false_losses,
    invented_cuts,
    of_the_last_topics,
    outside,
    wrong_control,
    wrong_end,
    wrong_leaders,
)

pytestmark = [pytest.mark.slow, pytest.mark.thinned(31)]


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("name", recording_names())
def test_with_pieces_missing_nothing_false_is_said(name: str, piece: str, tmp_path: Path) -> None:
    folder, truth = unpack_recording(name, tmp_path)
    take_away(folder, piece)
    if not text_logs(folder) and not any(folder.glob("*/data*")):
        pytest.skip("nothing is left")

    truth = of_the_last_topics(truth)
    try:
        heard = Heard(load([folder]))
    except SourceError:
        pytest.skip("nothing of a broker is left")

    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert wrong_leaders(truth, heard) == []
    assert wrong_control(truth, heard) == []
    assert wrong_end(truth, heard) == []
    assert outside(truth, heard, step=3)[0] == []


@pytest.mark.parametrize("data", [True, False], ids=["with data", "logs alone"])
@pytest.mark.parametrize("name", recording_names())
def test_with_the_middle_of_each_log_missing_nothing_false_is_said(
    name: str, tmp_path: Path, *, data: bool
) -> None:
    folder, truth = unpack_recording(name, tmp_path)
    take_middles(folder)
    for path in () if data else folder.glob("*/data*"):
        shutil.rmtree(path)

    heard, truth = Heard(load([folder])), of_the_last_topics(truth)

    for claims in (false_losses, invented_cuts, wrong_leaders, wrong_control, wrong_end):
        assert claims(truth, heard) == []
    assert outside(truth, heard, step=1)[0] == []


@pytest.mark.parametrize("name", ["k28-ibp0102-hw-loss", "k28-unclean-loss"])
def test_of_state_change_log_alone_no_log_end_is_said_that_a_cut_has_changed(
    name: str, tmp_path: Path
) -> None:
    """Followers state their log ends as they begin to follow, and cut their logs after that."""
    folder, truth = unpack_recording(name, tmp_path)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    for path in text_logs(folder):
        if not path.name.startswith("state-change"):
            path.unlink()

    assert wrong_end(truth, Heard(load([folder]))) == []


@pytest.mark.parametrize("data", [True, False], ids=["with data", "logs alone"])
def test_a_follower_whose_lead_is_not_told_is_not_held_to_its_last_leader(
    tmp_path: Path, *, data: bool
) -> None:
    """Broker 1 led carts-1 in epoch 5, of which its own log has no line: it had 54, its last leader 45."""
    folder, truth = unpack_recording("k43-chaos", tmp_path)
    take_middles(folder)
    for path in () if data else folder.glob("*/data*"):
        shutil.rmtree(path)
    of_the_one = [one for one in truth["samples"] if (one.get("tp"), one.get("replica")) == ("carts-1", 1)]

    misses, _, count = outside(truth | {"samples": of_the_one}, Heard(load([folder])), step=1)

    assert misses == []
    assert count > 100


@pytest.mark.parametrize("data", [True, False], ids=["with data", "logs alone"])
def test_what_a_leader_reached_in_a_later_epoch_is_not_put_on_who_copied_in_the_first(
    tmp_path: Path, *, data: bool
) -> None:
    """Broker 1 led orders-0 in epochs 2 and 3, and no line of its own tells of 3: no log was cut."""
    folder, truth = unpack_recording("k28-rolling-restart", tmp_path)
    take_middles(folder)
    for path in () if data else folder.glob("*/data*"):
        shutil.rmtree(path)

    assert invented_cuts(truth, Heard(load([folder]))) == []


@pytest.mark.parametrize("data", [True, False], ids=["with data", "logs alone"])
def test_a_leader_that_leads_on_is_not_held_to_a_member_of_its_earlier_set(
    tmp_path: Path, *, data: bool
) -> None:
    """Broker 1 led orders-0 in epoch 3, too, without broker 3, of which no line of its own tells."""
    folder, truth = unpack_recording("k28-rolling-restart", tmp_path)
    take_rotated_middles(folder)
    for path in () if data else folder.glob("*/data*"):
        shutil.rmtree(path)

    assert outside(truth, Heard(load([folder])), step=1)[0] == []


def test_a_replica_that_begins_to_follow_may_have_cut_where_lines_are_not_understood(tmp_path: Path) -> None:
    """`cat -A` put a sign behind each line: broker 1 fetched from 251, no rule reads that it cut its 258."""
    folder, truth = unpack_recording("k28-ibp0102-hw-loss", tmp_path)
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)
    for path in text_logs(folder):
        path.write_bytes(path.read_bytes().replace(b"\n", b"$\n"))

    heard = Heard(load([folder]))

    assert wrong_end(truth, heard) == []
    assert outside(truth, heard, step=1)[0] == []
    assert heard.trace.report["left_out"]
