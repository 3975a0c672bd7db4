"""Every recording with pieces missing: nothing is said that its truth denies. Missing is allowed."""

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

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

pytestmark = pytest.mark.slow

FROZEN = "a broker that was frozen speaks on as if no time had passed, and nobody else is heard"
UNEXPLAINED = "not explained yet"
FALLS_SHORT = {
    ("k39-unclean-loss", "logs of one broker"): FROZEN,
    ("k43-chaos", "logs of one broker"): FROZEN,
}
"""What is said and was not so: known defects."""


def cases() -> list[ParameterSet]:
    """Every recording with every piece missing."""
    return [
        pytest.param(
            name,
            piece,
            marks=[pytest.mark.xfail(reason=FALLS_SHORT[name, piece], strict=True)]
            if (name, piece) in FALLS_SHORT
            else (),
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
    heard = Heard(load([folder]))

    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert wrong_leaders(truth, heard) == []
    assert wrong_control(truth, heard) == []
    assert wrong_end(truth, heard) == []
    assert outside(truth, heard, step=3)[0] == []
