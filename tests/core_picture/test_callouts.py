"""Callouts stand over their lanes, each tied to its mark; no tether crosses another one or a text."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.diagnose.account.partition_story import partition_steps
from core.diagnose.account.story import StepKind
from core.picture.callouts import GAP, Callout, callouts_of, side_by_side
from core.picture.hit import bounds
from core.picture.labels import overlap
from core.picture.marks import Box, Line, Mark, Picture, Sign, Text
from core.picture.slide import slide
from core.picture.timeline import TimelineView, lay_out, timeline_lanes
from core.picture.whole import history_window
from core.sim.library import scenario_ids
from tests.core_picture.test_folds import LOSING, opened
from tests.core_picture.test_real_pictures import run_of
from tests.recordings.whole import grouped

pytestmark = [pytest.mark.broad(2), pytest.mark.thinned(4)]

SIZES = ((1244.0, 860.0), (804.0, 560.0), (604.0, 400.0))
RUNS = [(name, era) for name in scenario_ids() for era in ("0.10.2", "0.11", "2.8", "4.1")]
SIMULATED = [
    pytest.param(*one, marks=[] if place % 20 == 0 else [pytest.mark.slow]) for place, one in enumerate(RUNS)
]
"""Every 20th is in the quick round."""

Point = tuple[float, float]


def steps(picture: Picture) -> Iterator[Mark]:
    for mark in picture.layers[0].marks:
        if getattr(mark, "ref", None) is not None and mark.ref.kind == "step":  # type: ignore[union-attr]
            yield mark


def tethers(picture: Picture) -> list[Line]:
    return [mark for mark in steps(picture) if isinstance(mark, Line)]


def meet(a: tuple[Point, Point], b: tuple[Point, Point]) -> bool:
    """Whether two upright or level lines share a point."""
    return all(
        max(min(a[0][i], a[1][i]), min(b[0][i], b[1][i])) <= min(max(a[0][i], a[1][i]), max(b[0][i], b[1][i]))
        for i in (0, 1)
    )


def crossings(lines: Sequence[Line]) -> list[tuple[Line, Line]]:
    return [
        (one, two)
        for one, two in combinations(lines, 2)
        if any(meet(a, b) for a in pairwise(one.points) for b in pairwise(two.points))
    ]


def faults(view: TimelineView) -> Iterator[str]:
    """Tethers that cross each other, a text or another lane; plates that lie on one another or on a text."""
    picture, lanes = lay_out(view), timeline_lanes(view)
    lines = tethers(picture)
    for one, two in crossings(lines):
        yield f"{one.points} crosses {two.points}"
    told = set(steps(picture))
    texts = [mark for mark in picture.layers[0].marks if isinstance(mark, Text | Sign) and mark not in told]
    texts = [mark for mark in texts if isinstance(mark, Text) or mark.label]
    plates_ = [mark for mark in told if isinstance(mark, Box) and mark.fill]
    for line in lines:
        lane = next(lane for lane in lanes if lane.broker == line.ref.broker)  # type: ignore[union-attr]
        for a, b in pairwise(line.points):
            way = (min(a[0], b[0]) - 0.5, min(a[1], b[1]), abs(a[0] - b[0]) + 1.0, abs(a[1] - b[1]))
            if not lane.box.top <= way[1] <= way[1] + way[3] <= lane.box.bottom:
                yield f"{line.points} leaves its lane"
            yield from (f"a tether runs through {text}" for text in texts if overlap(way, bounds(text)) > 0)
    for plate in plates_:
        yield from (f"a plate covers {text}" for text in texts if overlap(bounds(plate), bounds(text)) > 0)
    whole = [one for one in plates_ if one.radius == 5.0]
    for one, two in combinations(whole, 2):
        if overlap(bounds(one), bounds(two)) > 0:
            yield f"{one} covers {two}"
    for mark in told:
        x, _, wide, _ = bounds(mark)
        if x < 0 or x + wide > picture.width:
            yield f"{mark} leaves the picture"


def ties(view: TimelineView) -> None:
    """Each callout has one tether, that ends at the moment of its event."""
    picture, lanes = lay_out(view), {lane.broker: lane for lane in timeline_lanes(view)}
    told = callouts_of(view.history, view.verdict)
    seen = [one for one in told if lanes[one.broker].box.area]
    lines = tethers(picture)
    assert len(lines) == len(seen)
    for line in lines:
        assert line.ref is not None
        lane = lanes[line.ref.broker]
        moments = [lane.axis.x(line.ref.key + 1), *(pole(view, one) for one in seen)]
        assert min(abs(line.points[-1][0] - x) for x in moments) <= 8 * len(seen)


def pole(view: TimelineView, callout: Callout) -> float:
    lane = timeline_lanes(view)[0]
    return lane.axis.x(callout.seq + 1)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", grouped(LOSING))
def test_tethers_of_recordings_cross_nothing(name: str, size: tuple[float, float]) -> None:
    history, verdict = opened(name, LOSING[name])
    view = TimelineView(history, verdict, None, history_window(history), *size)

    assert callouts_of(history, verdict)
    assert list(faults(view)) == []
    ties(view)


@pytest.mark.parametrize(("name", "era"), SIMULATED)
def test_tethers_of_simulations_cross_nothing(name: str, era: str) -> None:
    run = run_of(name, era)
    view = TimelineView(run.history, run.verdict, None, history_window(run.history), *SIZES[1])

    assert list(faults(view)) == []


def test_the_steps_of_a_loss_are_those_of_its_recording() -> None:
    """truth.json of k0102-hw-loss: both brokers are killed, broker 2 cuts, is elected; broker 1 cuts."""
    history, verdict = opened(*next(iter(LOSING.items())))

    told = partition_steps(history.trace, verdict, history.replicas)

    assert [(one.kind, one.brokers) for one in told] == [
        (StepKind.SILENT, (2,)),
        (StepKind.SILENT, (1,)),
        (StepKind.CUT, (2,)),
        (StepKind.ELECTED, (2,)),
        (StepKind.GONE, (1,)),
    ]
    assert [one.records for one in told if one.kind is StepKind.GONE] == [48]
    assert [one.number for one in callouts_of(history, verdict) if one.last] == [5]


def test_a_last_copy_is_red_and_nothing_else_is() -> None:
    history, verdict = opened(*next(iter(LOSING.items())))
    picture = lay_out(TimelineView(history, verdict, None, history_window(history), 1244, 860))

    red = {mark.ref.key for mark in steps(picture) if getattr(mark, "role", "") == "loss" and mark.ref}  # type: ignore[union-attr]
    assert red == {one.seq for one in callouts_of(history, verdict) if one.last}


def test_a_step_is_told_in_words_as_long_as_an_area_keeps_its_least_height() -> None:
    """A title costs its lane 6 more than a number, which says nothing to whoever does not know the story."""
    history, verdict = opened("k0102-hw-loss", "audit-0")
    view = TimelineView(history, verdict, None, history_window(history), 1244, 460)

    areas = {lane.box.area for lane in timeline_lanes(view)}
    titles = {mark.text for mark in steps(lay_out(view)) if isinstance(mark, Text)}

    assert min(areas) < 80
    assert {"Broker 1: last line", "Broker 2 elected, clean"} <= titles


def test_what_lost_nothing_has_no_shelf() -> None:
    history, verdict = opened("k28-rolling-restart", "orders-0")
    view = TimelineView(history, verdict, None, history_window(history), 1244, 860)

    assert callouts_of(history, verdict) == ()
    assert [lane.box.shelf for lane in timeline_lanes(view)] == [0.0] * len(history.replicas)


def test_a_slide_has_no_callouts() -> None:
    """Whoever shows it tells the story."""
    history, verdict = opened(*next(iter(LOSING.items())))
    view = TimelineView(history, verdict, None, history_window(history), 1244, 860)

    assert not list(steps(slide(view)))


MARKS = st.lists(st.tuples(st.integers(160, 1200), st.integers(1, 40)), min_size=1, max_size=9)


@given(marks=MARKS)
def test_plates_keep_their_order_and_their_tethers_apart(marks: list[tuple[int, int]]) -> None:
    """Wherever the marks are: no two tethers share a point, no plate lies on another one."""
    told = [
        (Callout(number, 1, number, "w" * wide, "w" * (wide + 4)), float(x))
        for number, (x, wide) in enumerate(sorted(marks), 1)
    ]

    placed = side_by_side(told, 2, (158.0, 1228.0))

    assert [one.callout.number for one in placed] == [one.number for one, _ in told]
    for before, after in pairwise(placed):
        assert before.left + before.wide <= after.left
    lines = [Line((*one.path(0.0), (one.path(0.0)[-1][0], GAP - 8)), "text") for one in placed]
    assert crossings(lines) == []
    assert all(one.left + one.wide <= 1228 + 8 for one in placed)
