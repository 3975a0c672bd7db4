"""Finding events and lines, who changed a value, and back and forward."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from core.errors import CancelledError, QuestionError
from core.kafka.eras import era
from core.picture.marks import Ref
from core.sim.library import scenario
from core.sim.run import simulate
from core.work import QUIET, Work
from gui.search.changes import values_at
from gui.search.finding import Query, find, kinds_of
from gui.search.overlay import find_overlay
from gui.window.main_window import MainWindow
from gui.window.visits import SETTLED_MS
from gui.workspace.content import Content
from gui.workspace.loading import content_of
from tests.archives import unpack_recording
from tests.gui_window.conftest import on_lanes
from tests.recordings.whole import whole

pytestmark = pytest.mark.broad(18)

Opened = Callable[[Callable[[], None]], MainWindow]
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture(scope="module")
def recorded() -> Content:
    return content_of((whole("k28-unclean-loss").trace,), "", "events-0", QUIET)


@pytest.fixture(scope="module")
def loss() -> Content:
    return content_of((simulate(scenario("hw-loss"), era("0.10.2")),), "", None, QUIET)


def kinds(content: Content, query: Query) -> set[str]:
    trace = content.runs[0].history.trace
    return {trace.event(hit.seq).kind for hit in find(content, query).hits if hit.seq is not None}


def test_nothing_asked_finds_nothing(recorded: Content) -> None:
    assert find(recorded, Query()) == find(recorded, Query(regex=True))
    assert find(recorded, Query()).total == 0


def test_text_is_found_in_every_line_that_has_it(recorded: Content) -> None:
    """Counted by reading all lines: of this partition's events, and of lines that gave no event."""
    trace, seqs = recorded.runs[0].history.trace, recorded.runs[0].history.seqs
    having = {(line.source, line.line) for line in trace.lines if "truncating" in line.text.lower()}
    assert having
    mine = [
        seq
        for seq in seqs.tolist()
        if (int(trace.columns["source"][seq]), int(trace.columns["line"][seq])) in having
    ]
    found = find(recorded, Query("TRUNCATING"))
    assert [hit.seq for hit in found.hits if hit.seq is not None] == mine
    assert all("truncating" in hit.text.lower() for hit in found.hits)
    assert [hit.position for hit in found.hits] == sorted(hit.position for hit in found.hits)


def test_a_regular_expression_or_one_clear_refusal(recorded: Content) -> None:
    plain = find(recorded, Query("Truncating to [0-9]+"))
    assert plain.total == 0
    found = find(recorded, Query(r"truncating .* \d+", regex=True))
    assert found.total > 0
    with pytest.raises(QuestionError, match="not a regular expression"):
        find(recorded, Query("(", regex=True))


def test_kind_offset_and_epoch_must_all_hold(loss: Content) -> None:
    assert kinds(loss, Query(kind="truncated")) == {"truncated"}
    assert "truncated" in kinds(loss, Query(offset=1))
    assert "truncated" not in kinds(loss, Query(offset=99))
    assert find(loss, Query(kind="truncated", offset=99)).total == 0
    trace = loss.runs[0].history.trace
    for hit in find(loss, Query(epoch=1)).hits:
        assert hit.seq is not None
        assert trace.event(hit.seq).get("epoch") == 1
    assert "truncated" in kinds_of(loss)


def test_a_simulation_is_searched_in_what_its_events_say(loss: Content) -> None:
    assert kinds(loss, Query("became follower")) == {"became_follower"}
    assert find(loss, Query("no such word")).total == 0


def test_a_search_can_be_stopped(recorded: Content) -> None:
    with pytest.raises(CancelledError):
        find(recorded, Query("a"), Work(stopped=lambda: True))


def test_the_last_change_of_a_value_is_the_event_before_its_cursor(loss: Content) -> None:
    """At the end of hw-loss on 0.10.2 the log of A was cut from 2 to 1 before it went on."""
    trace = loss.runs[0].history.trace
    cut = next(seq for seq in range(len(trace)) if trace.event(seq).kind == "truncated")
    broker = trace.event(cut).get("replica")
    position = loss.position_of(0, cut + 1)
    (value,) = (one for one in values_at(loss, position) if (one.broker, one.name) == (broker, "log end"))
    assert (value.cursor, value.kind, value.before, value.words) == (cut + 1, "truncated", "2", "1")
    (leader,) = (one for one in values_at(loss, loss.last) if one.name == "leader")
    assert leader.kind in (
        "leader elected",
        "leader and isr received",
        "leader and isr sent",
        "metadata applied",
    )


def test_no_value_reads_the_same_before_it_was_changed(recorded: Content) -> None:
    history = recorded.runs[0].history
    for position in np.linspace(0, recorded.last, 9, dtype=int):
        for value in values_at(recorded, int(position)):
            assert value.cursor <= recorded.cursors(int(position))[0]
            if value.kind:
                assert value.before != value.words
                assert value.kind == history.trace.event(value.cursor - 1).kind.replace("_", " ")


def test_from_a_value_of_the_selected_lane_to_its_event(demo: MainWindow) -> None:
    content = demo.session.content
    assert content is not None
    demo.session.set_position(content.last)
    broker = list(content.runs[0].history.replicas)[1]
    demo.session.select(Ref("lane", 0, 0, broker))
    demo.stage.canvas.setFocus()
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_Y)
    overlay = find_overlay(demo)
    assert overlay is not None
    wanted = next(
        one
        for one in values_at(content, content.last)
        if (one.run, one.broker, one.name) == (0, broker, "log end")
    )
    assert overlay.lines[0].text == wanted.text
    QTest.keyClick(overlay.field, Qt.Key.Key_Return)
    assert demo.session.position == content.position_of(0, wanted.cursor)
    assert demo.session.selection == Ref("event", 0, wanted.cursor - 1)


def hits(qtbot: QtBot, window: MainWindow, text: str) -> int:
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    panel = window.finder.panel
    assert panel.field.hasFocus()
    QTest.keyClicks(panel.field, text)
    qtbot.waitUntil(lambda: "found" in panel.count.text(), timeout=20_000)
    return len(panel.hits)


def test_find_lists_hits_and_f3_walks_them(qtbot: QtBot, demo: MainWindow) -> None:
    panel, session = demo.finder.panel, demo.session
    count = hits(qtbot, demo, "truncated")
    assert count == find(session.content, Query("truncated")).total  # type: ignore[arg-type]
    assert panel.count.text() == f"{count} found"
    QTest.keyClick(panel.field, Qt.Key.Key_F3)
    assert session.selection == Ref("event", panel.hits[0].run, panel.hits[0].seq or 0)
    assert session.position == panel.hits[0].position
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    assert session.position == panel.hits[1].position
    QTest.keyClick(panel.field, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert session.position == panel.hits[0].position
    QTest.keyClick(panel.field, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    assert panel.count.text() == "no more"
    QTest.keyClick(panel.field, Qt.Key.Key_Escape)
    assert demo.finder.isHidden()
    assert demo.stage.canvas.hasFocus()


def test_what_cannot_be_found_and_what_is_no_pattern_is_said(qtbot: QtBot, demo: MainWindow) -> None:
    assert hits(qtbot, demo, "zebra") == 0
    assert demo.finder.panel.count.text() == "nothing found"
    demo.finder.panel.field.setText("(")
    demo.finder.panel.regex.setChecked(True)
    qtbot.waitUntil(lambda: demo.finder.panel.count.text() == "no pattern", timeout=20_000)
    assert "not a regular expression" in demo.finder.panel.count.toolTip()
    assert not demo.notices.isVisible()


def test_back_and_forward_go_through_what_was_looked_at(qtbot: QtBot, demo: MainWindow) -> None:
    session = demo.session
    first = session.position
    session.set_position(0)
    assert demo.visits._timer.interval() == SETTLED_MS
    qtbot.waitUntil(lambda: not demo.visits._timer.isActive())
    demo.actions_["last"].trigger()
    last = session.position
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_Left, ALT)
    assert session.position == 0
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_Left, ALT)
    assert session.position == first
    QTest.keyClick(demo.stage.canvas, Qt.Key.Key_Left, ALT)
    assert session.position == first
    assert demo.statusBar().currentMessage() == "There is no earlier place"
    for place in (0, last, last):
        QTest.keyClick(demo.stage.canvas, Qt.Key.Key_Right, ALT)
        assert session.position == place


@pytest.mark.slow
def test_a_step_is_no_new_place_and_a_new_one_ends_forward(demo: MainWindow) -> None:
    session, visits = demo.session, demo.visits
    for place in (0, 1, 2, 20):
        session.set_position(place)
        visits.settle()
    visits.go(-1)
    assert session.position == 2
    session.set_position(30)
    visits.settle()
    visits.go(1)
    assert session.position == 30


def test_a_view_is_a_place_too(demo: MainWindow) -> None:
    demo.actions_["report"].trigger()
    assert demo.views.currentWidget() is demo.pages.report
    demo.actions_["visit-back"].trigger()
    assert demo.views.currentWidget() is demo.shown
    demo.actions_["visit-forward"].trigger()
    assert demo.views.currentWidget() is demo.pages.report


@pytest.mark.slow
def test_back_returns_to_another_partition_and_its_window(
    qtbot: QtBot, window: MainWindow, opened: Opened, tmp_path: Path
) -> None:
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    on_lanes(opened(lambda: window.store.open_groups(((str(folder),),))))
    session = window.session
    scene = window.stage.scene
    assert session.content is not None
    assert scene is not None
    first = session.content.runs[0].title
    begin, end = scene.whole()  # type: ignore[union-attr]
    stretch = (begin, begin + (end - begin) // 4)
    session.set_window(stretch)
    session.set_position(3)
    stretch = session.window or stretch
    window.visits.settle()
    names = [str(partition.tp) for partition in session.traces[0].partitions]
    here = session.content.runs[0].history.partition
    with qtbot.waitSignal(window.store.partition_shown, timeout=30_000):
        window.opening.open_partition(names[(here + 1) % len(names)])
    with qtbot.waitSignal(window.store.partition_shown, timeout=30_000):
        window.actions_["visit-back"].trigger()
    assert session.content.runs[0].title == first
    assert session.content.runs[0].history.partition == here
    assert (session.position, session.window) == (3, stretch)
    with qtbot.waitSignal(window.store.partition_shown, timeout=30_000):
        window.actions_["visit-forward"].trigger()
    assert session.content.runs[0].history.partition != here
