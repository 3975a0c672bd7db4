"""Every recording with pieces missing: nothing is said that its truth denies. Missing is allowed."""

from pathlib import Path

import pytest

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

pytestmark = [pytest.mark.slow, pytest.mark.thinned(6)]


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
