"""A partition of which no line says who has it is shown all the same, without lanes."""

from pathlib import Path

from core.compare.align import compare, make_run
from core.diagnose.verdict.check import diagnose
from core.history.open import open_history
from core.picture.comparison import ComparisonView, geometry, lay_out_comparison
from core.picture.timeline import TimelineView, lay_out, least_height, timeline_lanes
from core.picture.trend import changes_between, least_of_all, trends_of
from core.picture.whole import history_window
from importers.load import load

LINE = "[2026-11-21 03:29:0{},000] INFO Truncating log orders-0 to offset {}. (kafka.log.Log)\n"


def test_it_has_a_picture(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text(LINE.format(1, 7) + LINE.format(9, 5), encoding="utf-8")
    trace = load([log])
    history = open_history(trace, 0)
    assert not history.replicas

    view = TimelineView(history, diagnose(trace).partitions[0], 1, history_window(history), 800, 400)

    assert trends_of(history) == {}
    assert changes_between(history, 0, len(trace)) == 0
    assert timeline_lanes(view) == ()
    assert lay_out(view).marks()
    assert lay_out(view).height == view.height > least_height(view) > 0
    assert least_of_all(history, 0, len(trace)).shape == (6,)


def test_it_is_compared(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text(LINE.format(1, 7) + LINE.format(9, 5), encoding="utf-8")
    run = make_run(load([log]))
    places = geometry(view := ComparisonView(compare([run, run]), 0, 800, 400))

    assert places.lanes == ((), ())
    assert places.headers[1] > places.headers[0]
    assert lay_out_comparison(view).marks()
