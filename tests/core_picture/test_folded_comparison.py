"""What is quiet in all runs of a comparison is drawn narrow, and nothing that matters is hidden by it."""

from dataclasses import replace
from itertools import pairwise

import pytest

from core.compare.align import compare, make_run
from core.compare.comparison import Comparison
from core.picture.agreement import first_between
from core.picture.axis import columns_of
from core.picture.comparison import ComparisonView, geometry, lay_out_comparison
from core.picture.drawing import Drawing
from core.picture.hit import mark_at
from core.picture.marks import Box, Glyph, Line, Sign, Text
from core.picture.quiet_stops import quiet_stops
from importers.samples import SAMPLES
from tests.recordings.whole import sampled

WIDE = 1500.0


@pytest.fixture(name="recorded", scope="module")
def _recorded() -> Comparison:
    """Run 1 lost 48 records 18 s after its logs begin, run 2 none (truth.json of both)."""
    return compare([make_run(sampled(sample.id), "orders-0") for sample in SAMPLES[:2]])


@pytest.fixture(name="view", scope="module")
def _view(recorded: Comparison) -> ComparisonView:
    return ComparisonView(recorded, None, WIDE, 860.0)


def texts_of_folds(view: ComparisonView) -> list[str]:
    return [
        mark.text
        for layer in lay_out_comparison(view).layers
        for mark in layer.marks
        if isinstance(mark, Text) and mark.ref and mark.ref.kind == "fold"
    ]


@pytest.mark.slow
def test_no_loss_no_cut_and_no_first_difference_is_quiet(recorded: Comparison) -> None:
    quiet = quiet_stops(recorded)
    assert quiet

    first = first_between(recorded, 0)
    assert first is not None
    told = [first.stop]
    for place, run in enumerate(recorded.runs):
        seqs = [loss.seq for loss in run.verdict.losses]
        seqs += [cut.seq for cut in run.verdict.truncations if cut.records]
        told += [
            next(at for at, stop in enumerate(recorded.stops) if stop.cursors[place] > seq) for seq in seqs
        ]
    assert len(told) > 3
    assert not [stop for stop in told if any(begin <= stop < end for begin, end in quiet)]


def test_the_incident_has_the_room_that_the_start_had(view: ComparisonView) -> None:
    """From the first stop of a broker on (landmark 4) to the end: two thirds of the width, now nearly all."""
    open_ = geometry(replace(view, drawing=Drawing(folds=False))).columns
    folded = geometry(view).columns
    whole = folded.edges[-1] - folded.edges[0]

    assert (open_.edges[-1] - open_.column(4)[0]) / whole < 0.75
    assert (folded.edges[-1] - folded.column(4)[0]) / whole > 0.95


def test_what_is_not_folded_has_one_scale(recorded: Comparison) -> None:
    plain = columns_of(recorded, 0.0, 100_000.0)
    folded = columns_of(recorded, 0.0, 100_000.0, quiet=quiet_stops(recorded))
    inside = {stop for first, end in folded.folds for stop in range(first, end)}

    widths = [
        (plain.slot(stop)[1] - plain.slot(stop)[0], folded.slot(stop)[1] - folded.slot(stop)[0])
        for stop in range(len(recorded.stops))
        if stop not in inside
    ]
    scales = [after / before for before, after in widths if before > 100]
    assert len(scales) > 10
    assert max(scales) - min(scales) < 0.05
    assert all(before <= after for before, after in pairwise(folded.edges))


def test_each_fold_has_its_sign_and_an_empty_column_in_each_lane(view: ComparisonView) -> None:
    places = geometry(view)
    marks = [mark for layer in lay_out_comparison(view).layers for mark in layer.marks]
    lanes = [lane for lanes in places.lanes for lane in lanes]

    folds = places.columns.folds
    assert folds
    signs = {
        mark.ref.key for mark in marks if isinstance(mark, Line) and mark.ref and mark.ref.kind == "fold"
    }
    assert signs == set(range(len(folds)))
    empty = [mark for mark in marks if isinstance(mark, Box) and mark.fill == "bg.sunken" and mark.h > 40]
    assert len(empty) == len(folds) * len(lanes)


def test_landmarks_inside_are_named_and_how_long_each_run_is_folded(view: ComparisonView) -> None:
    """By the times of the events themselves: from the last one before the fold to the last one in it."""
    (first, end), *others = geometry(view).columns.folds
    assert not others
    seconds: list[float] = []
    for place, run in enumerate(view.comparison.runs):
        times = run.history.trace.columns["at"]
        before, last = (view.comparison.stops[at].cursors[place] for at in (first, end - 1))
        seconds.append((int(times[last - 1]) - int(times[before])) / 1e9)
    texts = texts_of_folds(view)

    assert seconds[1] - seconds[0] > 10
    assert texts == ["0–3", *(f"{one:.1f} s" for one in seconds)]


def test_runs_that_are_folded_alike_say_it_once(recorded: Comparison) -> None:
    lost = recorded.runs[0]
    alike = ComparisonView(compare([lost, lost]), None, WIDE, 860.0)

    told = [one for one in texts_of_folds(alike) if one.endswith(" s")]
    assert len(told) == len(geometry(alike).columns.folds) > 0


def test_a_click_on_the_ruler_means_the_fold(view: ComparisonView) -> None:
    columns = geometry(view).columns
    left, right = columns.fold(columns.folds[0])

    ref = mark_at(lay_out_comparison(view), (left + right) / 2, 16.0)

    assert ref is not None
    assert (ref.kind, ref.key) == ("fold", 0)


def by_hand(view: ComparisonView, *folded: tuple[int, int]) -> ComparisonView:
    return replace(view, drawing=Drawing(folded=frozenset(folded)))


def test_what_a_person_folds_is_narrow_and_tells_what_went_wrong_in_it(loss_and_fix: Comparison) -> None:
    """Run 1 is 0.10.2: it lost m1 by the cut of step 8. The fold is from stop 3 to the end of that step."""
    plain = ComparisonView(loss_and_fix, None, WIDE, 860.0)
    verdict = loss_and_fix.runs[0].verdict
    (loss,) = verdict.losses
    end = next(at for at, stop in enumerate(loss_and_fix.stops) if stop.cursors[0] > loss.seq) + 1
    folded = by_hand(plain, (3, end))

    columns = geometry(folded).columns
    (fold,) = columns.folds
    left, right = columns.fold(fold)
    assert fold[0] >= 3
    assert fold[1] >= end - 1
    assert right - left == pytest.approx((columns.edges[-1] - columns.edges[0]) * 0.034, abs=2)
    signs = [
        mark
        for layer in lay_out_comparison(folded).layers
        for mark in layer.marks
        if isinstance(mark, Sign) and mark.ref and mark.ref.kind == "fold"
    ]
    assert Glyph.LOSS in {mark.glyph for mark in signs}
    assert all(left - 1 <= mark.x and mark.x <= right + 1 for mark in signs)
    ref = mark_at(lay_out_comparison(folded), (left + right) / 2, 16.0)
    assert ref is not None
    assert "folded by hand" in ref.text
    assert "Losses inside: 1" in ref.text


def test_what_touches_by_hand_is_one_fold_and_all_of_it_is_none(loss_and_fix: Comparison) -> None:
    plain = ComparisonView(loss_and_fix, None, WIDE, 860.0)
    last = len(loss_and_fix.stops)

    heads = geometry(plain).columns.heads
    (fold,) = geometry(by_hand(plain, (heads[2], heads[4]), (heads[4], heads[6]))).columns.folds
    assert fold == (heads[2], heads[6])
    # Nothing would be left to be seen.
    assert geometry(by_hand(plain, (0, last))).columns.folds == ()


def test_a_person_opens_one(view: ComparisonView) -> None:
    folds = geometry(view).columns.folds
    opened = replace(view, drawing=Drawing(opened=frozenset({folds[0][0]})))

    assert geometry(opened).columns.folds == folds[1:]


def test_a_script_has_all_its_steps(loss_and_fix: Comparison) -> None:
    assert quiet_stops(loss_and_fix) == ()


def test_runs_in_which_nothing_went_wrong_are_not_folded(recorded: Comparison) -> None:
    sound = recorded.runs[1]

    assert quiet_stops(compare([sound, sound])) == ()
