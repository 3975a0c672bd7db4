"""What is written beside a cut stands clear of every other label: flags, epochs, ends of logs, callouts."""

from collections.abc import Iterator

import pytest

from core.picture.hit import bounds
from core.picture.labels import overlap
from core.picture.marks import Mark, Sign, Text
from core.picture.timeline import TimelineView, lay_out, timeline_lanes
from core.picture.whole import history_window
from tests.core_picture.test_callouts import SIMULATED, SIZES
from tests.core_picture.test_folds import LOSING, opened
from tests.core_picture.test_real_pictures import run_of
from tests.recordings.whole import grouped

pytestmark = [pytest.mark.broad(2), pytest.mark.thinned(4)]


def is_label(mark: Mark) -> bool:
    return isinstance(mark, Text) or (isinstance(mark, Sign) and bool(mark.label))


def collisions(view: TimelineView) -> Iterator[str]:
    """Labels of cuts and other labels that share more than the corner of a plate."""
    top = timeline_lanes(view)[0].box.top
    labels = [mark for mark in lay_out(view).layers[0].marks if is_label(mark) and bounds(mark)[1] >= top]
    for cut in labels:
        ref = getattr(cut, "ref", None)
        if ref is None or ref.kind not in ("loss", "truncation"):
            continue
        for other in labels:
            if getattr(other, "ref", None) != ref and overlap(bounds(cut), bounds(other)) > 4:
                yield f"{cut} meets {other}"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", grouped(LOSING))
def test_cuts_of_recordings(name: str, size: tuple[float, float]) -> None:
    history, verdict = opened(name, LOSING[name])

    view = TimelineView(history, verdict, None, history_window(history), *size)
    assert list(collisions(view)) == []


@pytest.mark.parametrize(("name", "era"), SIMULATED)
def test_cuts_of_simulations(name: str, era: str) -> None:
    run = run_of(name, era)

    view = TimelineView(run.history, run.verdict, None, history_window(run.history), *SIZES[1])
    assert list(collisions(view)) == []
