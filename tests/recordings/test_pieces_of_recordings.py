"""Every recording with pieces missing: nothing is said that its truth denies. Missing is allowed."""

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from core.errors import SourceError
from importers.load import load
from tests.archives import recording_names, unpack_recording
from tests.recordings.pieces import PIECES, take_away, text_logs
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

pytestmark = [pytest.mark.slow, pytest.mark.thinned(5)]

HOLES = "a part of a log is missing in the middle or at the end, and nothing that is left shows it"
HOLED = {
    "parts of each file": (
        "k0102-divergence",
        "k28-ibp0102-hw-loss",
        "k28-isr-flap",
        "k28-rolling-restart",
        "k28-trace",
        "k39-isr-flap",
        "k39-rolling-restart",
        "k43-chaos",
        "k43-failover",
        "k43-snapshots",
    ),
    "parts of each node": (
        "k0102-hw-loss",
        "k0102-rolling-restart",
        "k0102-trace",
        "k111-kip279-divergence",
        "k28-ibp0102-hw-loss",
        "k28-isr-flap",
        "k28-trace",
        "k39-isr-flap",
        "k41-txn",
        "k43-chaos",
        "k43-failover",
        "k43-snapshots",
    ),
    "a hole in the middle": (
        "k0102-rolling-restart",
        "k0102-trace",
        "k111-kip279-divergence",
        "k28-ibp0102-hw-loss",
        "k28-isr-flap",
        "k28-kip279-fix",
        "k28-rolling-restart",
        "k28-trace",
        "k28-unclean-loss",
        "k39-rolling-restart",
        "k41-txn",
        "k43-chaos",
        "k43-elr",
        "k43-failover",
    ),
    "deep in the folders": ("k28-ibp0102-hw-loss",),
}
"""The same by the piece that is missing: which part of the time is chance, and where a log goes on or not."""


def _known(name: str, piece: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=HOLES, strict=False)] if name in HOLED.get(piece, ()) else []


def cases() -> list[ParameterSet]:
    """Every recording with every piece missing."""
    return [
        pytest.param(
            name,
            piece,
            marks=_known(name, piece),
        )
        for name in recording_names()
        for piece in PIECES
    ]


@pytest.mark.parametrize(("name", "piece"), cases())
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
