"""How lanes are drawn when a person wants it otherwise: lags, all offsets, bounds as edges."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.diagnose.verdict.facts import PartitionVerdict
from core.history.state import EpochRun, Role
from core.picture.drawing import Drawing, Vertical
from core.picture.lane import Lane
from core.picture.leader_end import lag_trends, leader_end
from core.picture.marks import Box, Fill, Line, Picture, Segments, Text
from core.picture.timeline import TimelineView, lay_out, least_height, timeline_lanes
from core.picture.trend import ABSENT, HIGHEST_EXACT, LOWEST, LOWEST_EXACT
from core.picture.whole import history_window
from core.trace.trace import Origin
from tests.core_picture.conftest import MS, Tape, between, exact
from tests.core_picture.test_density import logged, run_of, view_of

LAG = Drawing(vertical=Vertical.LAG)
EDGES = Drawing(boxes=False)
A, B = 1, 2


def overtaken() -> Tape:
    """A leads up to 45 while B holds 30. At 20 ms B leads; at 30 ms A cuts to 30, at 40 ms B appends one."""
    tape = Tape({A: "A", B: "B"})
    tape.start(A, role=Role.LEADER, leo=exact(45), hw=exact(30), runs=(EpochRun(0, 0, 45),))
    tape.start(B, role=Role.FOLLOWER, leo=exact(30), hw=exact(20), runs=(EpochRun(0, 0, 30),))
    tape.all_now(leader=A, leader_epoch=0, isr=(A, B))
    tape.event(10, "step")
    tape.event(20, "became_leader", broker=B, replica=B, leader=B, epoch=1)
    tape.now(B, role=Role.LEADER, epoch=1)
    tape.now(A, role=Role.FOLLOWER, epoch=1)
    tape.all_now(leader=B, leader_epoch=1)
    tape.event(30, "step")
    tape.now(A, leo=exact(30), runs=(EpochRun(0, 0, 30),))
    tape.event(40, "step")
    tape.now(B, leo=exact(31), hw=exact(30), runs=(EpochRun(0, 0, 30), EpochRun(1, 30, 31)))
    return tape


def lags_of(tape: Tape, broker: int, cursor: int) -> tuple[int | None, int | None]:
    """Log end and high watermark of a replica, from the leader's log end."""
    history = tape.history("overtaken")
    state = leader_end(history).behind(history.replicas[broker].at(cursor), cursor)
    return state.leo.exact, state.hw.exact


def test_a_lag_is_counted_from_the_log_end_of_whoever_leads_then() -> None:
    tape = overtaken()
    assert lags_of(tape, A, 1) == (0, -15)
    assert lags_of(tape, B, 1) == (-15, -25)
    # B leads with 30: what A still has up to 45 is before the leader.
    assert lags_of(tape, B, 2) == (0, -10)
    assert lags_of(tape, A, 2) == (15, 0)
    assert lags_of(tape, A, 3) == (0, 0)
    assert lags_of(tape, A, 4) == (-1, -1)


def test_a_bound_on_either_side_bounds_the_lag_and_nobody_leading_leaves_it_unknown() -> None:
    tape = Tape({A: "A", B: "B"}, Origin.IMPORTED)
    tape.start(A, role=Role.LEADER, leo=between(40, 45), hw=exact(30))
    tape.start(B, role=Role.FOLLOWER, leo=between(30, 32), hw=exact(30))
    tape.all_now(leader=A, leader_epoch=0)
    tape.event(10, "step")
    tape.event(20, "step")
    tape.all_now(leader=-1)
    history = tape.history("bounded")
    end, replicas = leader_end(history), history.replicas
    behind = end.behind(replicas[B].at(1), 1).leo
    # At least 40 - 32, at most 45 - 30 records.
    assert (behind.lo, behind.hi) == (-15, -8)
    assert end.behind(replicas[A].at(1), 1).leo.exact == 0
    unknown = end.behind(replicas[B].at(2), 2)
    assert (unknown.leo.lo, unknown.leo.hi, unknown.runs) == (None, None, ())


def test_columns_of_lags_are_those_of_the_states_one_by_one() -> None:
    """What density draws by, against the state at every cursor."""
    history = run_of(2_000).history
    end = leader_end(history)
    for broker, replica in history.replicas.items():
        for place, trend in enumerate(lag_trends(history)[broker]):
            for cursor in range(0, 2_001, 7):
                state = end.behind(replica.at(cursor), cursor)
                exactly = (state.leo, state.hw)[place].exact
                row = trend.rows[:, trend.places(np.array(cursor))]
                told = ABSENT if exactly is None else exactly
                assert (row[LOWEST_EXACT], -row[HIGHEST_EXACT]) in ((told, told), (ABSENT, -ABSENT))
                assert (row[LOWEST] == ABSENT) == (exactly is None)


def timeline_of(tape: Tape, drawing: Drawing) -> TimelineView:
    history = tape.history("drawn")
    return TimelineView(
        history, PartitionVerdict(0), None, (0, 50 * MS), 900, 500, with_overview=False, drawing=drawing
    )


def heights(picture: Picture, lane: Lane, role: str) -> list[float]:
    """The heights of a lane's curve, from left to right."""
    lines = [
        mark
        for mark in picture.marks()
        if isinstance(mark, Line)
        and mark.role == role
        and len(mark.points) >= 2
        and all(lane.box.area_top <= y <= lane.box.bottom + 3 for _, y in mark.points)
    ]
    points = sorted({point for line in lines for point in line.points})
    return [y for _, y in points]


def test_the_line_of_a_leader_is_flat_and_those_of_others_stand_below_and_above() -> None:
    view = timeline_of(overtaken(), LAG)
    picture, (first, second) = lay_out(view), timeline_lanes(view)
    zero, before = first.offsets.y(0), first.offsets.y(15)
    assert first.offsets == replace(
        second.offsets, bottom=first.offsets.bottom, ceiling=first.offsets.ceiling
    )
    ys = heights(picture, first, "leo")
    # A: 0 while it leads, 15 before B, 0 after its cut, 1 behind at the end.
    assert (ys[0], min(ys), ys[-1]) == (zero, before, first.offsets.y(-1))
    ys = heights(picture, second, "leo")
    assert (ys[0], ys[-1]) == (second.offsets.y(-15), second.offsets.y(0))
    assert min(ys) == second.offsets.y(0)
    words = [mark.text for mark in picture.marks() if isinstance(mark, Text)]
    assert words.count("records from the leader's log end") == 2


@pytest.mark.parametrize("events", [300, 8_000])
def test_every_loss_and_cut_is_seen_in_lags_too(events: int) -> None:
    def refs(drawing: Drawing) -> set[tuple[str, int]]:
        marks = lay_out(view_of(events, drawing=drawing)).marks()
        told = (getattr(mark, "ref", None) for mark in marks)
        return {(ref.kind, ref.key) for ref in told if ref is not None and ref.kind in ("loss", "truncation")}

    assert refs(LAG) == refs(Drawing()) != set()


def test_in_columns_the_leaders_log_end_is_flat_at_0() -> None:
    """Of 8,000 events broker 1 leads first: no column in which it leads alone is elsewhere."""
    view = view_of(8_000, drawing=LAG)
    history, lanes = view.history, timeline_lanes(view)
    strokes = [mark for mark in lay_out(view).marks() if isinstance(mark, Fill) and mark.role == "leo"]
    strokes = sorted((mark for mark in strokes if mark.opacity == 1.0), key=lambda mark: mark.bottoms.max())
    seen = 0
    for lane, stroke in zip(lanes, strokes, strict=True):
        assert lane.bins is not None
        for column, (first, last) in enumerate(pairwise(lane.bins.cursors.tolist())):
            led = {leader for _, _, leader in history.leader.spans(first, last)}
            if led == {lane.broker} and stroke.tops[column] < stroke.bottoms[column]:
                seen += 1
                assert stroke.tops[column] == lane.offsets.y(0) - 1
                assert stroke.bottoms[column] == lane.offsets.y(0) + 1
    assert seen > 300


def test_offsets_may_be_drawn_from_the_log_start_even_where_that_hides_what_happens() -> None:
    tape = Tape({A: "A", B: "B"})
    many = 1_000_000
    tape.start(A, role=Role.LEADER, leo=exact(many), hw=exact(many))
    tape.start(B, role=Role.FOLLOWER, leo=exact(many - 2), hw=exact(many - 2))
    tape.all_now(leader=A, leader_epoch=0)
    tape.event(10, "step")
    bases = [
        timeline_lanes(timeline_of(tape, Drawing(vertical=vertical)))[0].offsets.base for vertical in Vertical
    ]
    assert bases[0] > many - 10
    assert bases[1] == 0
    # Two behind, and a little below.
    assert bases[2] == -3


def bounded() -> Tape:
    tape = Tape({A: "A"}, Origin.IMPORTED)
    tape.start(A, role=Role.LEADER, leo=between(30, 45), hw=between(20, 30))
    tape.all_now(leader=A, leader_epoch=0)
    tape.event(10, "step")
    return tape


def test_bounds_are_boxes_or_their_edges_alone() -> None:
    def drawn(drawing: Drawing) -> tuple[int, int, int]:
        """Boxes of log end and high watermark, dots, dotted edges."""
        marks = lay_out(timeline_of(bounded(), drawing)).marks()
        boxes = [one for one in marks if isinstance(one, Box) and one.fill in ("leo", "hw")]
        dots = [one for one in marks if isinstance(one, Segments) and one.role == "leo"]
        edges = [one for one in marks if isinstance(one, Line) and one.dash == (2.0, 3.0)]
        return len(boxes), len(dots), len(edges)

    with_boxes, alone = drawn(Drawing()), drawn(EDGES)
    assert with_boxes[0] == 2
    assert with_boxes[1] >= 1
    assert alone[:2] == (0, 0)
    # An upper and a lower one of each.
    assert with_boxes[2] == alone[2] == 4


@pytest.mark.slow
def test_in_columns_the_room_between_bounds_is_empty_but_for_its_edges() -> None:
    run = logged(8_000)
    view = TimelineView(run.history, run.verdict, None, (0, 8_000 * MS), 900.0, 700.0)

    def tall(drawing: Drawing) -> list[float]:
        """The highest bound of each lane's high watermark: what is not a line of 2 px."""
        marks = lay_out(replace(view, drawing=drawing)).marks()
        rooms = [one for one in marks if isinstance(one, Fill) and one.role == "hw" and one.opacity < 1.0]
        return [float((one.bottoms - one.tops).max()) for one in rooms]

    assert max(tall(Drawing())) > 20
    assert tall(EDGES) == []


def test_how_high_a_picture_is_at_least_is_known_before_it_is_laid_out() -> None:
    history = overtaken().history("overtaken")
    high = TimelineView(history, PartitionVerdict(0), None, history_window(history), 600, 900)
    low = replace(high, height=100)
    assert lay_out(high).height == max(least_height(high), 900)
    assert least_height(low) == lay_out(low).height > 100
