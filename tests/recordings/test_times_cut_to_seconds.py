"""Recordings whose logs have lost their milliseconds: nothing is said that the truth denies."""

import re
from pathlib import Path
from random import Random

import pytest

from importers.load import load
from tests.archives import recording_names, unpack_recording
from tests.in_words import gaps_of
from tests.recordings.pieces import PIECES, node_of, text_logs
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

pytestmark = [pytest.mark.slow, pytest.mark.thinned(19)]

_MILLIS = re.compile(rb"^(\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)[,.]\d{3}(?=[\] ])", re.MULTILINE)
CASES = ("every log", "one broker's logs", "logs alone")


def cut_to_seconds(folder: Path, only: str | None) -> None:
    for path in text_logs(folder):
        if only is None or node_of(path, folder) == only:
            path.write_bytes(_MILLIS.sub(rb"\1", path.read_bytes()))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", recording_names())
def test_without_milliseconds_nothing_false_is_said(name: str, case: str, tmp_path: Path) -> None:
    folder, truth = unpack_recording(name, tmp_path)
    cut_to_seconds(folder, "broker-1" if case == CASES[1] else None)
    if case == CASES[2]:
        PIECES["no data"](folder, Random(1))  # noqa: S311 - nothing is drawn
    truth = of_the_last_topics(truth)

    heard = Heard(load([folder]))

    assert any(gap.startswith("times are cut to seconds in ") for gap in gaps_of(heard.trace.report))
    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert wrong_leaders(truth, heard) == []
    assert wrong_control(truth, heard) == []
    assert wrong_end(truth, heard) == []
    assert outside(truth, heard, step=3)[0] == []
