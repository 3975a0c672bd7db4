"""Pictures of simulated runs and of the recordings: what must be seen, and nothing over anything."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

import pytest

from core.compare.align import compare, make_run
from core.compare.comparison import Comparison, Run
from core.diagnose.verdict.facts import PartitionVerdict
from core.document.lane_order import USUAL, LaneOrder
from core.history.state import EpochRun as HeldRun
from core.history.state import Role
from core.kafka.eras import era
from core.picture.cells import CellsView, lay_out_cells
from core.picture.comparison import (
    ComparisonView,
    folds_by_itself,
    geometry,
    lay_out_comparison,
    verdict_words,
)
from core.picture.drawing import Drawing
from core.picture.figure import comparison_figure, comparison_words, timeline_figure
from core.picture.hit import bounds
from core.picture.marks import Box, Glyph, Line, Picture, Ref, Sign, Text
from core.picture.timeline import TimelineView, lay_out, time_scale
from core.picture.whole import history_window
from core.sim.library import scenario_ids
from core.trace.trace import Origin
from tests.core_picture.conftest import MS, Tape, exact
from tests.runs import simulated

pytestmark = [pytest.mark.broad(2), pytest.mark.thinned(4)]

ERAS = ("0.10.2", "0.11", "2.8")
SCENARIOS = [
    pytest.param(name, marks=[pytest.mark.slow] if place % 3 else [])
    for place, name in enumerate(scenario_ids())
]
"""Every third one is in the quick round."""
SIZES = ((1184.0, 748.0), (860.0, 560.0), (1900.0, 1000.0))


def run_of(name: str, era_id: str) -> Run:
    return make_run(simulated(name, era(era_id)))


@lru_cache(maxsize=4)
def in_three(name: str) -> Comparison:
    return compare([run_of(name, era_id) for era_id in ERAS])


def texts(picture: Picture) -> list[str]:
    return [mark.text for mark in picture.marks() if isinstance(mark, Text)]


def faults(picture: Picture) -> Iterator[str]:
    """Texts of the static layer that leave the picture or cover one another; signs that leave it."""
    boxes = [(mark.text, bounds(mark)) for mark in picture.layers[0].marks if isinstance(mark, Text)]
    for words, (x, y, w, h) in boxes:
        if x < 0 or y < 0 or x + w > picture.width or y + h > picture.height:
            yield f"{words!r} is cut off"
    for mark in picture.layers[0].marks:
        if isinstance(mark, Sign) and bounds(mark)[0] + bounds(mark)[2] > picture.width:
            yield f"{mark.glyph} {mark.label!r} is cut off"
    boxes.sort(key=lambda box: box[1][1])
    for place, (one, a) in enumerate(boxes):
        # By their tops: those that begin below this one cover nothing of it.
        near = takewhile(lambda box, end=a[1] + a[3]: box[1][1] < end - 2, boxes[place + 1 :])
        for two, b in near:
            wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
            high = min(a[1] + a[3], b[1] + b[3]) - b[1]
            if wide > 1 and high > 2:
                yield f"{one!r} covers {two!r}"


def whole(run: Run, size: tuple[float, float]) -> TimelineView:
    return TimelineView(run.history, run.verdict, None, history_window(run.history), *size)


@pytest.fixture(name="loss_in_three", scope="module")
def _loss_in_three() -> Comparison:
    return in_three("hw-loss")


@pytest.mark.parametrize(
    "size", [SIZES[0], *(pytest.param(one, marks=pytest.mark.slow) for one in SIZES[1:])]
)
@pytest.mark.parametrize("name", SCENARIOS)
def test_no_text_covers_another_in_any_scenario(name: str, size: tuple[float, float]) -> None:
    three = in_three(name)

    assert list(faults(lay_out_comparison(ComparisonView(three, None, *size)))) == []
    assert list(faults(comparison_figure(ComparisonView(three, None, *size)))) == []
    for run in three.runs:
        assert list(faults(lay_out(whole(run, size)))) == []
        assert list(faults(timeline_figure(whole(run, size)))) == []
    for stop in three.stops[::20]:
        assert list(faults(lay_out_cells(CellsView(three.runs, stop.cursors, size[0])))) == []


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("name", ["hw-loss", "hw-divergence-ten"])
def test_logs_at_the_cursor_of_runs_that_stand_in_half_a_window_do_not_touch(name: str, count: int) -> None:
    three = in_three(name)
    runs = (*three.runs, three.runs[0])[:count]

    for width in range(420, 780, 60):
        for stop in three.stops[::25]:
            cursors = (*stop.cursors, stop.cursors[0])[:count]
            picture = lay_out_cells(CellsView(runs, cursors, float(width)))
            assert list(faults(picture)) == []
            assert list(beside_their_run(picture, count)) == []


def beside_their_run(picture: Picture, count: int) -> Iterator[str]:
    """Cells that reach into those of the next run."""
    spans: dict[int, list[float]] = {run: [] for run in range(count)}
    for mark in picture.marks():
        if isinstance(mark, Box) and mark.ref is not None and mark.ref.kind == "cell":
            x, _, wide, _ = bounds(mark)
            spans[mark.ref.run] += [x, x + wide]
    for run in range(count - 1):
        if spans[run] and spans[run + 1] and max(spans[run]) > min(spans[run + 1]):
            yield f"run {run} touches the next one"
    if max(spans[count - 1], default=0.0) > picture.width:
        yield "the last one is cut off"


def covered(picture: Picture) -> Iterator[str]:
    """Texts that a sign lies upon; the words of a sign are its own."""
    marks = [mark for layer in picture.layers for mark in layer.marks]
    words = [(mark, bounds(mark)) for mark in marks if isinstance(mark, Text)]
    for sign in (mark for mark in marks if isinstance(mark, Sign)):
        x, y, w, h = bounds(sign)
        for text, (left, top, wide, high) in words:
            across = min(x + w, left + wide) - max(x, left)
            if across > 1 and min(y + h, top + high) - max(y, top) > 2:
                yield f"{sign.glyph} covers {text.text!r}"


@pytest.mark.parametrize("name", SCENARIOS)
def test_no_sign_covers_a_label_of_a_folded_lane(name: str) -> None:
    for run in in_three(name).runs:
        view = whole(run, (1184.0, 600.0))
        folded = LaneOrder(folded=frozenset(run.history.replicas))
        assert list(covered(lay_out(replace(view, lanes=folded, with_overview=False)))) == []


def test_the_loss_is_seen_in_the_first_era_alone(loss_in_three: Comparison) -> None:
    picture = lay_out_comparison(ComparisonView(loss_in_three, None, 1600, 1000))

    faces = [m for m in picture.marks() if isinstance(m, Box) and m.fill == "loss" and m.ref is None]
    heads = [mark for mark in texts(picture) if mark in ("m1 lost", "nothing lost")]
    assert heads == ["m1 lost", "nothing lost", "nothing lost"]
    assert len(faces) == 1
    assert any(words.startswith("m1 gone") for words in texts(picture))


def test_the_first_difference_stands_in_the_strip_it_belongs_to(loss_in_three: Comparison) -> None:
    picture = lay_out_comparison(ComparisonView(loss_in_three, None, 1600, 1000))

    signs = [m for m in picture.marks() if isinstance(m, Sign) and m.glyph is Glyph.DIFFERENCE]
    first = loss_in_three.first
    assert first is not None
    assert first.runs == (0, 1)
    assert signs[0].ref is not None
    assert signs[0].ref.key == first.stop
    assert any(words.startswith("First difference: broker B · 2 → 1 | keeps 2") for words in texts(picture))


def test_high_watermark_never_above_log_end_but_after_a_cut_of_old_eras(loss_in_three: Comparison) -> None:
    for run, era_id in zip(loss_in_three.runs, ERAS, strict=True):
        above = [
            mark for mark in lay_out(whole(run, (1600.0, 700.0))).marks()
            if getattr(mark, "role", "") == "hw" and getattr(mark, "opacity", 1) == 0.8
        ]  # fmt: skip
        assert bool(above) == (era_id == "0.10.2")


def test_loss_and_truncation_are_marked_at_any_width(loss_in_three: Comparison) -> None:
    for width in (640.0, 400.0, 300.0):
        picture = lay_out(whole(loss_in_three.runs[0], (width, 300.0)))
        refs = {mark.ref.kind for mark in picture.marks() if isinstance(mark, Sign | Box) and mark.ref}

        assert {"loss", "truncation"} <= refs, width


def test_a_simulation_is_drawn_by_order_and_a_place_on_it_is_an_event(loss_in_three: Comparison) -> None:
    view = whole(loss_in_three.runs[0], (1184.0, 600.0))
    times = view.history.trace.columns["at"][view.history.seqs]
    scale = time_scale(view)

    assert scale.at(159.0) == times[0]
    assert scale.at(1167.0) == times[-1]
    assert [scale.at(x) for x in range(158, 1168, 10)] == sorted(scale.at(x) for x in range(158, 1168, 10))


def test_diverged_records_carry_the_diamond_in_both_rows() -> None:
    run = run_of("hw-divergence", "0.10.2")
    picture = lay_out_cells(CellsView((run,), (len(run.history.trace),), 1184))

    diamonds = [mark for mark in picture.marks() if isinstance(mark, Sign) and mark.glyph is Glyph.DIVERGENCE]
    assert [mark.ref.key for mark in diamonds if mark.ref] == [2, 2]


def test_without_messages_there_is_no_arrow_between_lanes(loss_in_three: Comparison) -> None:
    with_them = lay_out_comparison(ComparisonView(loss_in_three, None, 1600, 1000))
    silent = Drawing(messages=False)
    without = lay_out_comparison(ComparisonView(loss_in_three, None, 1600, 1000, drawing=silent))

    def fetches(picture: Picture) -> int:
        lines = [mark for mark in picture.marks() if isinstance(mark, Line)]
        return sum(line.ref is not None and "fetches at offset" in line.ref.text for line in lines)

    assert fetches(with_them) > 10
    assert fetches(without) == 0


def test_a_narrow_figure_lists_its_steps_below(loss_in_three: Comparison) -> None:
    narrow = comparison_figure(ComparisonView(loss_in_three, None, 826, 600))
    wide = comparison_figure(ComparisonView(loss_in_three, None, 1600, 600))

    assert "8 B starts, follows A" in " ".join(texts(narrow))
    assert "B starts" not in texts(narrow)
    assert "B starts" in texts(wide)
    assert "Steps:" not in " ".join(texts(wide))


def test_four_runs_that_do_not_fit_fold_all_but_one_lane_each(loss_in_three: Comparison) -> None:
    four = compare([*loss_in_three.runs, run_of("hw-loss", "0.10.2")])
    lanes = geometry(ComparisonView(four, None, 1232, 620, focus=2)).lanes
    picture = lay_out_comparison(ComparisonView(four, None, 1232, 620, focus=2))

    assert [[bool(lane.box.area) for lane in run] for run in lanes] == [[False, True]] * 4
    assert sum(mark.glyph is Glyph.LOSS for mark in picture.marks() if isinstance(mark, Sign)) == 4
    assert list(faults(picture)) == []
    # What a person opens is open, too, and folds again.
    view = ComparisonView(four, None, 1232, 620, focus=2)
    assert (folds_by_itself(view, 1), folds_by_itself(view, 2)) == (True, False)
    opened = replace(view, lanes=USUAL.fold(1, by_itself=True))
    assert [[bool(lane.box.area) for lane in run] for run in geometry(opened).lanes] == [[True, True]] * 4
    folded = replace(view, lanes=opened.lanes.fold(1))
    assert [[bool(lane.box.area) for lane in run] for run in geometry(folded).lanes] == [[False, True]] * 4
    assert not folds_by_itself(folded, 1)


def test_the_selected_loss_is_framed(loss_in_three: Comparison) -> None:
    run = loss_in_three.runs[0]
    loss = Ref("loss", 0, run.verdict.losses[0].seq)
    picture = lay_out(replace(whole(run, (1184.0, 600.0)), selected=loss))

    frames = [m for m in picture.layers[1].marks if isinstance(m, Box) and m.edge == "text"]
    pills = [m for m in picture.layers[0].marks if isinstance(m, Sign) and m.ref and m.ref.kind == "loss"]
    assert len(frames) == len(pills) > 0
    for frame, pill in zip(frames, pills, strict=True):
        assert frame.x < pill.x - pill.size / 2 < pill.x + pill.size / 2 < frame.x + frame.w


def test_a_gap_of_one_record_is_seen_in_a_log_of_a_billion() -> None:
    end = 1_000_000_000
    tape = Tape({1: ""}, Origin.IMPORTED)
    tape.start(1, role=Role.LEADER, leo=exact(end), hw=exact(end), runs=(HeldRun(0, 0, end),))
    tape.event(0, "broker_started", broker=1, replica=1)
    tape.event(500, "leo_sample", broker=1, replica=1, leo=end + 1)
    tape.now(1, leo=exact(end + 1), runs=(HeldRun(0, 0, end + 1),))
    tape.event(1000, "leo_sample", broker=1, replica=1, leo=end + 1)
    view = TimelineView(tape.history("large"), PartitionVerdict(0), None, (0, 1000 * MS), 900, 220)

    picture = lay_out(view)

    open_boxes = [m for m in picture.marks() if isinstance(m, Box) and m.fill == "e0.open"]
    assert open_boxes
    assert min(box.h for box in open_boxes) >= 4
    assert "999,999,999 +" in texts(picture)
    assert {"0", "1", "2"} <= set(texts(picture))
    assert list(faults(picture)) == []


def test_the_gutter_of_a_figure_says_which_epochs_a_replica_led(loss_in_three: Comparison) -> None:
    figure = comparison_figure(ComparisonView(loss_in_three, None, 1600, 600))

    said = [mark.text for mark in figure.marks() if isinstance(mark, Text)]
    # A leads until it crashes; B is elected in epoch 1 and leads to the end, in every era.
    assert [text for text in said if text.startswith(("led ", "never led"))] == ["led e0", "led e1"] * 3
    assert [text for text in said if text.startswith("ends ")] == ["ends as follower", "ends as leader"] * 3


def test_a_figure_names_a_source_once(loss_in_three: Comparison) -> None:
    words = comparison_words(loss_in_three)

    assert len(words.sources) == 1
    assert words.sources[0].startswith("hw-loss.toml:")
    assert words.title.endswith("m1 lost in Kafka 0.10.2; nothing lost in Kafka 0.11 and Kafka 2.8")
    assert ".." not in f"{words.circumstances} {words.caption}"


def test_a_record_that_went_with_its_disk_is_named() -> None:
    """m1 of acks-min-1 was not on the disk of A, which no longer held it when it was elected."""
    run = make_run(simulated("acks-min-1", era("2.8")), "t-0")

    assert verdict_words(run) == ("m1 lost", "loss")


def test_an_acknowledgement_is_drawn_where_there_is_no_room_above_it() -> None:
    """A acknowledges m0, m1, which is lost, and m2 in each run; a high watermark stands over the last two."""
    runs = [make_run(simulated("acks-min-1", era(name)), "t-0") for name in ("0.10.2", "2.8", "4.1")]
    picture = comparison_figure(ComparisonView(compare(runs), None, 1300, 800))

    signs = [one for one in picture.marks() if isinstance(one, Sign) and one.glyph is Glyph.ACK_ALL]
    assert len([one for one in signs if one.ref is not None]) == 3 * len(runs)
