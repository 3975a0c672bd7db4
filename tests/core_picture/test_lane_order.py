"""Lanes of a timeline that are folded, moved and pinned."""

from dataclasses import replace
from itertools import pairwise

import pytest

from core.diagnose.verdict.facts import Divergence, Severity
from core.document.lane_order import USUAL, LaneOrder, Sorting, sorted_brokers
from core.picture.comparison import ComparisonView, geometry, lay_out_comparison
from core.picture.drawing import Drawing, Vertical
from core.picture.figure import timeline_figure
from core.picture.gutter import arrangement_signs
from core.picture.lane import Lane
from core.picture.marks import Box, Fill, Glyph, Line, Sign, Text
from core.picture.timeline import TimelineView, lay_out, staying_bottom, timeline_lanes
from core.trace.vocabulary import Basis
from tests.core_picture.conftest import MS, hw_loss, loss_beside_fix
from tests.core_picture.test_density import HEIGHT, WIDTH, run_of, view_of

BROKERS = (1, 2, 3)
FOLDED = 44.0
"""9 to the band, its 16, 3, the strip's 4, and 12 to the next lane (visual design, section 3)."""


ALIKE = Drawing(callouts=False)
"""No lane has more than its share."""


def lanes_of(order: LaneOrder, window: tuple[int, int] | None = None) -> tuple[Lane, ...]:
    return timeline_lanes(view_of(8_000, window, lanes=order, drawing=ALIKE))


def test_a_lane_that_is_moved_stands_where_it_was_put() -> None:
    assert USUAL.brokers(BROKERS) == BROKERS
    assert USUAL.move(BROKERS, 3, 0).brokers(BROKERS) == (3, 1, 2)
    assert USUAL.move(BROKERS, 1, 1).brokers(BROKERS) == (2, 1, 3)
    assert USUAL.move(BROKERS, 1, 9).brokers(BROKERS) == (2, 3, 1)
    assert USUAL.move(BROKERS, 1, -1) == USUAL


def test_an_order_holds_for_partitions_with_other_replicas() -> None:
    order = USUAL.move(BROKERS, 3, 0)
    assert order.brokers((2, 3, 4)) == (3, 2, 4)
    assert order.move((2, 4), 4, 0).brokers((2, 3, 4)) == (4, 2, 3)


def test_pinned_lanes_come_first_and_no_lane_is_moved_before_them() -> None:
    order = USUAL.pin(3)
    assert order.brokers(BROKERS) == (3, 1, 2)
    assert order.move(BROKERS, 1, 0) == order
    assert order.pin(2).brokers(BROKERS) == (2, 3, 1)
    assert order.pin(3) == USUAL


def test_all_but_one_are_folded_and_the_second_time_opened() -> None:
    order = USUAL.fold(1).fold_others(BROKERS, 1)
    assert order.folded == {2, 3}
    assert order.fold_others(BROKERS, 1) == USUAL


def test_open_lanes_share_the_room_that_folded_ones_leave() -> None:
    usual, folded = lanes_of(USUAL), lanes_of(USUAL.fold(2))
    assert [lane.broker for lane in folded] == [1, 2, 3]
    assert folded[1].box.area == 0
    assert folded[1].box.end - folded[1].box.top == FOLDED
    assert folded[0].box.area == folded[2].box.area > usual[0].box.area
    assert all(upper.box.end == lower.box.top for upper, lower in pairwise(folded))
    assert folded[-1].box.end <= HEIGHT
    moved = lanes_of(USUAL.fold(2).move(BROKERS, 2, 0))
    assert [(lane.broker, lane.box.area > 0) for lane in moved] == [(2, False), (1, True), (3, True)]


def test_a_folded_lane_on_top_leaves_the_others_their_scale() -> None:
    """A few hundred records: all from the log start on have room."""
    window = (400 * MS, 500 * MS)
    usual, folded = (lanes_of(order, window=window)[1] for order in (USUAL, USUAL.fold(1)))
    assert folded.offsets.base == usual.offsets.base == 0
    assert folded.offsets.top == usual.offsets.top


def test_nothing_of_the_log_of_a_folded_lane_is_drawn() -> None:
    picture = lay_out(view_of(8_000, lanes=USUAL.fold(2), drawing=ALIKE))
    box = lanes_of(USUAL.fold(2))[1].box
    logs = [mark for mark in picture.marks() if isinstance(mark, Fill) and mark.role in ("leo", "hw")]
    assert logs
    for mark in logs:
        drawn = mark.tops < mark.bottoms
        assert not ((mark.bottoms > box.top) & (mark.tops < box.end) & drawn).any()


@pytest.mark.parametrize(
    ("severity", "glyph"), [(Severity.LOSS, Glyph.LOSS), (Severity.DANGER, Glyph.POSSIBLE_LOSS)]
)
def test_a_loss_is_seen_in_the_band_of_a_folded_lane(severity: Severity, glyph: Glyph) -> None:
    """A, back as a follower, cuts what only it still held: its lane tells it, folded or not."""
    history, verdict, _ = hw_loss(kept=False)
    verdict = replace(verdict, losses=(replace(verdict.losses[0], severity=severity),))
    loser = 1
    last = int(history.trace.columns["at"][-1]) + MS
    order = USUAL.fold(loser)
    view = TimelineView(history, verdict, None, (0, last), WIDTH, HEIGHT, with_overview=False, lanes=order)
    box = next(lane.box for lane in timeline_lanes(view) if lane.broker == loser)
    losses = [mark for mark in lay_out(view).marks() if isinstance(mark, Sign) and mark.glyph is glyph]
    assert [(mark.y, mark.ref is not None and mark.ref.broker) for mark in losses] == [(box.band + 8, loser)]


def test_a_hidden_lane_is_gone_and_the_last_one_stays() -> None:
    order = USUAL.hide(BROKERS, 2)
    assert order.brokers(BROKERS) == (1, 3)
    assert [lane.broker for lane in lanes_of(order)] == [1, 3]
    assert order.hide(BROKERS, 1).hide(BROKERS, 3).brokers(BROKERS) == (3,)
    # A partition of which only hidden brokers have a replica is shown nevertheless.
    assert order.brokers((2,)) == (2,)
    words = [mark.text for mark in lay_out(view_of(8_000, lanes=order)).marks() if isinstance(mark, Text)]
    assert "1 hidden" in words


def test_a_lane_has_the_height_that_a_person_gave_it_and_the_others_share_the_rest() -> None:
    usual = lanes_of(USUAL)
    order = USUAL.resize(2, 60)
    first, second, third = lanes_of(order)
    assert second.box.area == 60
    # What the second gives away, both of the others have, in whole pixels.
    given = usual[1].box.area - 60
    assert 0 <= given - 2 * (first.box.area - usual[0].box.area) < 2
    assert first.box.area == third.box.area
    assert third.box.end <= HEIGHT
    # Within limits; folded it is folded, and dragged it opens.
    assert [USUAL.resize(2, height).height_of(2) for height in (-5, 9_999)] == [40, 480]
    assert order.fold(2).height_of(2) == 0
    assert order.fold(2).resize(2, 80).height_of(2) == 80


def test_lanes_are_sorted_by_what_is_asked_for() -> None:
    """Broker 1 had to remove 15 records, broker 2 one; 2 and 3 differ in two."""
    _, verdict, _ = hw_loss(kept=False)
    cuts = [
        replace(verdict.truncations[0], broker=broker, from_offset=end, to_offset=30)
        for broker, end in ((1, 45), (2, 31))
    ]
    apart = Divergence((2, 3), 10, 12, Basis.OBSERVED)
    verdict = replace(verdict, truncations=tuple(cuts), divergences=(apart,))
    assert sorted_brokers(Sorting.BROKER, (3, 1, 2), 2, verdict) == (1, 2, 3)
    assert sorted_brokers(Sorting.LEADER, (3, 1, 2), 2, verdict) == (2, 3, 1)
    assert sorted_brokers(Sorting.LEADER, (3, 1, 2), None, verdict) == (3, 1, 2)
    assert sorted_brokers(Sorting.DIVERGENCE, (4, 3, 2, 1), 2, verdict) == (1, 2, 3, 4)
    order = USUAL.sort(Sorting.BROKER, (1, 2, 3)).pin(3)
    assert order.brokers((2, 1, 3)) == (3, 1, 2)
    assert USUAL.sort(Sorting.USUAL, ()) == USUAL


def test_runs_beside_one_another_have_their_lanes_arranged_alike() -> None:
    loss_and_fix = loss_beside_fix()
    view = ComparisonView(loss_and_fix, 8, 1184, 748, lanes=USUAL.move((1, 2), 2, 0).fold(1).resize(2, 100))
    for lanes in geometry(view).lanes:
        assert [(lane.broker, lane.box.area) for lane in lanes] == [(2, 100), (1, 0)]
    hidden = replace(view, lanes=USUAL.hide((1, 2), 1))
    assert [[lane.broker for lane in lanes] for lanes in geometry(hidden).lanes] == [[2], [2]]
    words = [mark.text for mark in lay_out_comparison(hidden).marks() if isinstance(mark, Text)]
    assert "1 hidden" in words


def test_pinned_lanes_stay_while_the_others_are_scrolled() -> None:
    run, whole, low = run_of(8_000), (0, 8_000 * MS), (200.0, 500.0)
    usual = TimelineView(run.history, run.verdict, 5, whole, WIDTH, 300.0, sight=low, drawing=ALIKE)
    pinned = replace(usual, lanes=USUAL.pin(2))
    top = timeline_lanes(pinned)[0]
    assert top.broker == 2
    assert staying_bottom(pinned) == top.box.end
    assert staying_bottom(usual) == timeline_lanes(usual)[0].box.top
    assert timeline_lanes(usual)[0].box.end <= low[0]
    assert (drawn_first(usual), drawn_first(pinned)) == (False, True)
    # The gutter tells its values at the cursor, too.
    values = [
        mark for mark in lay_out(pinned).layers[-1].marks if isinstance(mark, Text) and mark.text == "LEO"
    ]
    assert any(top.box.top < mark.y < top.box.end for mark in values)


def drawn_first(view: TimelineView) -> bool:
    """Whether the uppermost lane is drawn, not only named."""
    return len(lay_out(view).layers[0].marks) > 10


def test_what_is_pinned_leaves_half_of_the_room() -> None:
    run = run_of(8_000)
    every = USUAL.pin(1).pin(2)
    view = TimelineView(run.history, run.verdict, None, (0, MS), WIDTH, 300.0, lanes=every, drawing=ALIKE)
    first, second, _ = timeline_lanes(view)
    assert first.box.end <= staying_bottom(view) < second.box.end
    # Where all are pinned there is nothing to scroll.
    none = TimelineView(
        run.history, run.verdict, None, (0, MS), WIDTH, 300.0, lanes=every.pin(3), drawing=ALIKE
    )
    assert staying_bottom(none) == first.box.top


def test_a_person_sees_which_lanes_are_folded_and_pinned() -> None:
    box = lanes_of(USUAL)[0].box
    assert arrangement_signs(box, 152, folded=False, pinned=False) == ()
    chevron = arrangement_signs(box, 152, folded=True, pinned=False)
    pin = arrangement_signs(box, 152, folded=False, pinned=True)
    assert arrangement_signs(box, 152, folded=True, pinned=True) == (*chevron, *pin)
    # The name begins at 16; the plot is right of the gutter.
    xs = [x for mark in chevron if isinstance(mark, Line) for x, _ in mark.points]
    assert max(xs) < 16
    heads = [mark for mark in pin if isinstance(mark, Box)]
    assert [136 <= mark.x < mark.x + mark.w <= 152 for mark in heads] == [True]


def test_a_figure_has_what_is_pinned_first_and_nothing_that_is_not_there() -> None:
    order = USUAL.pin(3).fold(1).resize(2, 70).hide(BROKERS, 1).resize(9, 50).fold(8)
    assert order.drawn(BROKERS) == LaneOrder((3, 2, 1), hidden=frozenset({1}), heights=((2, 70),))
    assert order.drawn(BROKERS).brokers(BROKERS) == order.brokers(BROKERS)
    assert USUAL.fold(8).pin(1).drawn(BROKERS) == USUAL


def test_a_figure_says_what_is_not_shown() -> None:
    view = view_of(8_000, lanes=USUAL.hide(BROKERS, 2), drawing=Drawing(Vertical.LAG, boxes=False))
    caption = " ".join(mark.text for mark in timeline_figure(view).marks() if isinstance(mark, Text))
    for words in ("Not shown: broker 2.", "records from the leader's log end.", "only the edges are drawn."):
        assert words in caption
    usual = " ".join(mark.text for mark in timeline_figure(view_of(8_000)).marks() if isinstance(mark, Text))
    assert "Not shown" not in usual
