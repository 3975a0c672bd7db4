"""Every recording as engineers really get it: nothing is said that its truth denies, and little is missed.

`make referee` runs all kinds on all recordings, with and without data directories; `--distorted-from` is the
seed, and `--distorted-into` the file of which docs/fidelity.md has a table (distortion_table.py).
"""

import shutil
from functools import cache
from pathlib import Path

import pytest

from core.errors import SourceError
from importers.load import load
from tests.archives import recording_names, unpack_recording
from tests.recordings.distortion_table import Case
from tests.recordings.distortions import CLOCKS, COLLECTORS, PARTIAL, distort
from tests.recordings.later_distortions import LATER_CLOCKS, LATER_COLLECTORS, LATER_PARTIAL
from tests.recordings.referee import (
    Heard,
    Truth,
    claimed,
    false_losses,
    invented_cuts,
    lost,
    of_the_last_topics,
    outside,
    wrong_leaders,
)
from tests.recordings.whole import grouped, whole

pytestmark = [pytest.mark.slow, pytest.mark.thinned(45)]
NAMES = [name for name in recording_names() if not name.startswith("k41-console")]
"""Without the output of containers, which has other layouts: test_layouts_of_recordings.py."""
FOUND = 0.95
"""Of the lost records that are found undistorted, this share is found where nothing was taken away."""
KINDS = (*CLOCKS, *COLLECTORS, *PARTIAL, *LATER_CLOCKS, *LATER_COLLECTORS, *LATER_PARTIAL)
WHOLE = CLOCKS | COLLECTORS | LATER_CLOCKS | LATER_COLLECTORS
KEEPS_TIMES = {*COLLECTORS, *PARTIAL, *LATER_COLLECTORS, *LATER_PARTIAL} - {"mixed, nobody named"}
UNLOGGED = {"one line in ten missing", "four lines in ten missing"}
"""Kinds after which values may lie outside of their bands: no line is left of a cut, and a later log end is
taken for a bound (core/history). Losses and cuts that are claimed are right all the same."""


def found(truth: Truth, heard: Heard) -> set[tuple[str, int]]:
    """The lost records that are claimed."""
    return {
        (tp, offset) for tp in truth["final"] for offset in lost(truth, tp) & claimed(heard, tp, strong=False)
    }


@cache
def found_undistorted(name: str, folder: Path, *, data: bool) -> set[tuple[str, int]]:
    if data:
        return found(whole(name).truth, whole(name).heard())
    case, truth = unpack_recording(name, folder)
    without_data(case)
    return found(truth, Heard(load([case])))


def without_data(folder: Path) -> None:
    for path in folder.glob("*/data*"):
        shutil.rmtree(path)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plain")


@pytest.mark.parametrize("data", [True, False], ids=["with data", "logs alone"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", grouped(NAMES))
def test_of_a_distorted_recording_nothing_false_is_said(
    name: str, kind: str, plain: Path, tmp_path: Path, request: pytest.FixtureRequest, *, data: bool
) -> None:
    folder, truth = unpack_recording(name, tmp_path)
    if not data:
        without_data(folder)
    distort(folder, kind, int(str(request.config.getoption("--distorted-from"))))
    truth = of_the_last_topics(truth)
    into = str(request.config.getoption("--distorted-into"))
    # Where a part was taken away, only the table compares with what was found before.
    known = found_undistorted(name, plain, data=data) if into or kind in WHOLE else set[tuple[str, int]]()
    case = Case(kind, name, data, len(known))
    try:
        heard = Heard(load([folder]))
    except SourceError:
        case.written(into)
        assert kind == "times without date"
        assert not data
        return

    case.found = len(found(truth, heard) & known)
    case.false = len(
        [*false_losses(truth, heard), *invented_cuts(truth, heard), *wrong_leaders(truth, heard)]
    )
    case.written(into)
    assert false_losses(truth, heard) == []
    assert invented_cuts(truth, heard) == []
    assert wrong_leaders(truth, heard) == []
    if kind in KEEPS_TIMES and kind not in UNLOGGED:
        assert outside(truth, heard, step=7)[0] == []
    if kind in WHOLE:
        assert case.found >= FOUND * case.known
    if kind in ("mixed, nobody named", "times without date"):
        assert heard.trace.report["left_out"]
