"""Quiet time is drawn narrow, and nothing that matters is hidden by it."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import PartitionVerdict, Severity
from core.history.open import open_history
from core.history.state import History
from core.picture.cuts import cuts_of
from core.picture.drawing import PLAIN, Drawing
from core.picture.folds import UNFOLDED, Folds, folded, folds_of
from core.picture.marks import Box, Glyph, Sign, Text
from core.picture.metrics import text_width
from core.picture.ruler import fold_middle, time_ruler
from core.picture.scale import TimeScale
from core.picture.timeline import TimelineView, folds_in, lay_out, time_scale
from core.picture.whole import history_window
from core.trace.units import DAY_NS, MILLISECOND_NS, SECOND_NS
from importers.load import load
from tests.archives import unpack_recording
from tests.recordings.whole import grouped, whole

pytestmark = pytest.mark.broad(27)

LOSING = {
    "k0102-hw-loss": "orders-0",
    "k28-ibp0102-hw-loss": "orders-0",
    "k28-unclean-loss": "events-0",
    "k39-unclean-loss": "events-0",
    "k43-chaos": "carts-1",
}
"""Recordings with a partition that lost records (truth.json)."""


def opened(name: str, partition: str) -> tuple[History, PartitionVerdict]:
    trace = whole(name).trace
    index = trace.partition_index(partition)
    assert index is not None
    return open_history(trace, index), whole(name).verdict.partitions[index]


SPANS = st.lists(st.integers(0, 10_000), min_size=2, max_size=12, unique=True).map(
    lambda ends: tuple(zip(sorted(ends)[::2], sorted(ends)[1::2], strict=False))
)


@given(spans=SPANS, shown=st.integers(1, 50), at=st.integers(-100, 11_000))
def test_the_axis_rises_and_leads_back(spans: tuple[tuple[int, int], ...], shown: int, at: int) -> None:
    spans = tuple(span for span in spans if span[1] - span[0] > shown)
    folds = Folds(spans, shown)

    assert folds.along(at) <= folds.along(at + 1) <= folds.along(at) + 1
    if not any(first <= at < end for first, end in spans):
        assert folds.at(folds.along(at)) == at
    along = folds.along(at)
    assert folds.at_many(np.array([along], np.int64)).tolist() == [folds.at(along)]


def test_what_is_not_folded_has_one_scale_and_a_fold_its_share() -> None:
    """10 s, of which 8 are drawn as one: 3 s in all on 300 px."""
    folds = Folds(((SECOND_NS, 9 * SECOND_NS),), SECOND_NS)
    scale = TimeScale(0, 10 * SECOND_NS, 0.0, 300.0, folds)

    assert [scale.x(at * SECOND_NS) for at in (0, 1, 5, 9, 10)] == [0, 100, 150, 200, 300]
    assert scale.at(250.0) == 9 * SECOND_NS + 500 * MILLISECOND_NS
    assert all(not SECOND_NS <= at < 9 * SECOND_NS for at in scale.ticks(20.0))


def test_without_folds_time_is_as_it_is() -> None:
    scale = TimeScale(5, 105, 10.0, 110.0)

    assert (scale.x(5), scale.x(55), scale.at(60.0)) == (10.0, 60.0, 55)
    assert UNFOLDED.along(7) == UNFOLDED.at(7) == 7


def test_a_second_of_a_day_fills_the_picture() -> None:
    """Three steps within a second, in the middle of a day."""
    noon = DAY_NS // 2
    steps = [noon, noon + 300 * MILLISECOND_NS, noon + SECOND_NS]

    folds = folded(0, DAY_NS, steps)
    scale = TimeScale(0, DAY_NS, 0.0, 1000.0, folds)

    assert len(folds.spans) == 2
    assert scale.x(steps[-1]) - scale.x(steps[0]) > 500


def test_short_breaks_stay_open() -> None:
    steps = [0, 700 * MILLISECOND_NS, 1400 * MILLISECOND_NS]

    assert folded(0, 1400 * MILLISECOND_NS, steps) == UNFOLDED


@pytest.mark.parametrize("name", grouped(LOSING))
def test_nothing_lost_or_cut_is_inside_a_fold(name: str) -> None:
    history, verdict = opened(name, LOSING[name])
    folds, times = folds_of(history, verdict), history.trace.columns["at"]

    assert folds.spans
    moments = [loss.at for loss in verdict.losses if loss.severity is not Severity.NOTICE]
    moments += [int(times[cut.seq]) for cut in verdict.truncations if cut.records]
    moments += [one.start for one in verdict.findings if one.severity is not Severity.NOTICE]
    assert moments
    for at in moments:
        assert at is not None
        assert not any(first < at < end for first, end in folds.spans)


@pytest.mark.parametrize("name", grouped(LOSING))
def test_the_moment_of_loss_is_seen_at_once(name: str) -> None:
    """In a window of 1920x1080: the cut that lost records is 40 px high, with its count beside it."""
    history, verdict = opened(name, LOSING[name])

    assert seen(history, verdict, (1244, 860)) >= 40


@pytest.mark.parametrize("name", grouped(LOSING))
def test_the_moment_of_loss_is_seen_in_a_small_window(name: str) -> None:
    """In one of 1280x800; of the 81 offsets of k43-chaos 22 are lost, so its lane is higher."""
    history, verdict = opened(name, LOSING[name])

    assert seen(history, verdict, (804, 560)) >= 40


def seen(history: History, verdict: PartitionVerdict, size: tuple[float, float]) -> float:
    """How high the largest cut is that lost records, with its callout and its count in sight."""
    view = TimelineView(history, verdict, None, history_window(history), *size)
    marks = [mark for layer in lay_out(view).layers for mark in layer.marks]
    lost = {cut.truncation.seq for cut in cuts_of(verdict) if cut.lost}

    pills = [m for m in marks if isinstance(m, Sign) and m.glyph is Glyph.LOSS and m.label]
    faces = [
        m.h for m in marks if isinstance(m, Box) and m.ref and m.ref.kind == "loss" and m.ref.key in lost
    ]

    assert pills
    return max(faces)


@pytest.mark.parametrize("width", [360.0, 520.0, 1244.0])
@pytest.mark.parametrize("name", grouped(LOSING))
def test_no_time_is_crossed_by_the_slashes_of_a_fold(name: str, width: float) -> None:
    history, verdict = opened(name, LOSING[name])
    view = TimelineView(history, verdict, None, history_window(history), width, 560)
    scale = time_scale(view)
    assert isinstance(scale, TimeScale)
    marks = time_ruler(scale, 0)

    times = [mark for mark in marks if isinstance(mark, Text)]
    middles = [fold_middle(scale, fold) for fold in scale.folds.within(scale.first, scale.last)]

    assert middles
    for time in times:
        half = text_width(time.text, 11, mono=True) / 2
        assert not [x for x in middles if time.x - half - 4 < x < time.x + half + 4]


@pytest.mark.parametrize("name", grouped([*LOSING][:2]))
def test_no_curve_crosses_a_fold(name: str) -> None:
    """Each fold has an empty column in each lane, above what is drawn over time."""
    history, verdict = opened(name, LOSING[name])
    view = TimelineView(history, verdict, None, history_window(history), 1400, 700)
    folds, marks = folds_in(view), [mark for layer in lay_out(view).layers for mark in layer.marks]

    columns = [m for m in marks if isinstance(m, Box) and m.fill == "bg.sunken" and m.h > 40]
    assert len(columns) == len(folds.spans) * len(history.replicas)
    lengths = [m.text for m in marks if isinstance(m, Text) and m.ref and m.ref.kind == "fold"]
    assert len(lengths) == len(folds.spans)


@pytest.mark.parametrize("name", grouped([*LOSING][:1]))
def test_a_person_opens_one_or_all(name: str) -> None:
    history, verdict = opened(name, LOSING[name])
    view = TimelineView(history, verdict, None, history_window(history), 1400, 700)
    spans = folds_in(view).spans

    one = replace(view, drawing=Drawing(opened=frozenset({spans[1][0]})))
    none = replace(view, drawing=Drawing(folds=False))

    assert folds_in(one).spans == (spans[0], *spans[2:])
    assert folds_in(none) == UNFOLDED


@pytest.mark.parametrize("name", grouped(["k28-rolling-restart"]))
def test_where_nothing_went_wrong_nothing_is_folded(name: str) -> None:
    history, verdict = opened(name, "orders-0")

    assert not [loss for loss in verdict.losses if loss.severity is not Severity.NOTICE]
    assert folds_of(history, verdict) == UNFOLDED


def test_the_moment_of_loss_is_seen_in_a_recording_with_a_day_of_quiet(tmp_path: Path) -> None:
    """A day after k0102-hw-loss the leader shrinks the in-sync set of orders-0, as it would in a restart."""
    found, _ = unpack_recording("k0102-hw-loss", tmp_path)
    with (found / "broker-1" / "logs" / "server.log").open("a", encoding="utf-8") as log:
        log.write("[2026-11-22 03:29:24,000] INFO Partition [orders,0] on broker 1: ")
        log.write("Shrinking ISR for partition orders-0 from 2,1 to 1 (kafka.cluster.Partition)\n")
    trace = load([found])
    index = trace.partition_index("orders-0")
    assert index is not None
    history, verdict = open_history(trace, index), diagnose(trace).partitions[index]
    first, last = history_window(history)
    assert last - first > DAY_NS

    for size in ((1244, 860), (804, 560)):
        assert seen(history, verdict, size) >= 40
        view = TimelineView(history, verdict, None, (first, last), *size)
        scale = time_scale(view)
        lost = [loss.at for loss in verdict.losses if loss.severity is Severity.LOSS and loss.at is not None]
        assert isinstance(scale, TimeScale)
        # From the first stop of a broker to the last copy gone: 22 s of 86,400.
        assert scale.x(max(lost)) - scale.x(max(lost) - 22 * SECOND_NS) > 0.4 * (scale.right - scale.left)
        assert scale.x(max(lost) + SECOND_NS // 4) - scale.x(max(lost)) > 10


@pytest.mark.parametrize("name", grouped([*LOSING][:1]))
def test_a_stretch_is_folded_by_hand_with_a_sign_of_what_is_in_it(name: str) -> None:
    """From the first event to a second after the loss: nothing of that is hidden without its sign."""
    history, verdict = opened(name, LOSING[name])
    times = history.trace.columns["at"]
    lost = [int(times[one.seq]) for one in verdict.losses if one.severity is Severity.LOSS]
    cuts = [int(times[one.seq]) for one in verdict.truncations if one.records != 0]
    first, end = int(times[history.seqs[0]]), max(lost) + SECOND_NS
    drawing = Drawing(folded=frozenset({(first, end)}))
    view = TimelineView(history, verdict, None, history_window(history), 1244.0, 860.0, drawing=drawing)

    spans = folds_in(view).spans
    assert any(begin <= first and end <= last for begin, last in spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans)), "what touches is one fold"
    every = (mark for layer in lay_out(view).layers for mark in layer.marks if isinstance(mark, Sign | Text))
    marks = [mark for mark in every if mark.ref and (mark.ref.kind, mark.ref.key) == ("fold", 0)]
    signs = [mark.glyph for mark in marks if isinstance(mark, Sign)]
    counts = [mark.text for mark in marks if isinstance(mark, Text) and mark.text.isdigit()]
    assert signs == [Glyph.LOSS, Glyph.TRUNCATION]
    assert counts == [str(len(lost)), str(len([at for at in cuts if at < end]))]
    plain = folds_in(replace(view, drawing=PLAIN))
    assert not [span for span in plain.spans if span[0] <= max(lost) < span[1]]


def test_without_anything_wrong_a_stretch_is_folded_to_the_usual_width() -> None:
    """8 of 10 s: 2 s on 966 px are left, and the fold has 34 of 1,000."""
    folds = UNFOLDED.joined({(SECOND_NS, 9 * SECOND_NS)}, (0, 10 * SECOND_NS))
    scale = TimeScale(0, 10 * SECOND_NS, 0.0, 1000.0, folds)

    assert scale.x(9 * SECOND_NS) - scale.x(SECOND_NS) == pytest.approx(34.0, abs=0.5)
