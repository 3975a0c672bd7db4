"""The comparison of the loss and the fix, driven as a person does. The numbers are those of hw-loss."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.picture.marks import Box, Line, Ref, Sign, Text
from gui.panels.explain import place_label
from gui.welcome.offers import sample_offers
from gui.window.main_window import MainWindow
from gui.workspace.session import PARTS
from tests.gui_window.conftest import Answers, anew

pytestmark = pytest.mark.broad(30)


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


def press(
    window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    window.stage.canvas.setFocus()
    QTest.keyClick(window.stage.canvas, key, modifier)


def leo_of(window: MainWindow, run: int, broker: int) -> int | None:
    content = window.session.content
    assert content is not None
    return content.runs[run].history.at(window.session.cursors[run]).replica(broker).leo.exact


def broker_named(window: MainWindow, name: str) -> int:
    content = window.session.content
    assert content is not None
    brokers = content.runs[0].history.trace.brokers
    return next(int(broker.broker_id) for broker in brokers if broker.name.split()[-1] == name)


def test_the_demo_starts_at_the_first_difference_and_explains_it(demo: MainWindow) -> None:
    content = demo.session.content
    assert content is not None
    assert content.comparison is not None
    assert [run.title for run in content.runs] == ["Kafka 0.10.2", "Kafka 0.11", "Kafka 2.8"]
    assert content.comparison.first is not None
    assert demo.session.position == content.comparison.first.stop
    assert demo.inspector.head.name.text() == "First difference"
    assert place_label(content, demo.session.position)[0] == "step 8 of 13"
    assert demo.transport.place.text() == "step 8 of 13"
    b = broker_named(demo, "B")
    assert (leo_of(demo, 0, b), leo_of(demo, 1, b)) == (1, 2)
    told = demo.inspector.text()
    assert "2 → 1" in told
    assert "Kafka 0.11" in told
    assert "Records lost\t1\t0\t0" in told


def test_at_the_end_m1_is_lost_above_and_stands_below(demo: MainWindow) -> None:
    press(demo, Qt.Key.Key_End)
    content = demo.session.content
    assert content is not None
    assert demo.session.position == content.last
    held = [
        {
            name
            for replica in run.history.at(cursor).replicas
            for part in replica.runs
            for name in part.records
        }
        for run, cursor in zip(content.runs, demo.session.cursors, strict=True)
    ]
    assert "m1" not in held[0]
    assert "m1" in held[1]
    assert "m1" in held[2]


def test_steps_go_both_ways_and_stop_at_the_ends(demo: MainWindow) -> None:
    press(demo, Qt.Key.Key_Home)
    assert demo.session.position == 0
    press(demo, Qt.Key.Key_Left)
    assert demo.session.position == 0
    press(demo, Qt.Key.Key_Right)
    press(demo, Qt.Key.Key_Right)
    assert demo.session.position == 2
    press(demo, Qt.Key.Key_Left)
    assert demo.session.position == 1
    press(demo, Qt.Key.Key_End)
    last = demo.session.position
    press(demo, Qt.Key.Key_Right)
    assert demo.session.position == last


def test_ctrl_arrows_go_from_step_to_step(demo: MainWindow) -> None:
    press(demo, Qt.Key.Key_Home)
    for number in range(1, 14):
        press(demo, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
        assert demo.transport.place.text() == f"step {number} of 13"
    press(demo, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert demo.transport.place.text() == "step 12 of 13"


def test_t_goes_through_the_truncations_and_back(demo: MainWindow) -> None:
    press(demo, Qt.Key.Key_Home)
    press(demo, Qt.Key.Key_T)
    b, a = broker_named(demo, "B"), broker_named(demo, "A")
    assert leo_of(demo, 0, b) == 1
    assert "2" in demo.inspector.text()
    assert "1" in demo.inspector.text()
    first = demo.session.position
    assert demo.transport.place.text() == "step 8 of 13"
    press(demo, Qt.Key.Key_T)
    assert leo_of(demo, 0, a) == 1
    assert demo.session.position > first
    press(demo, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    assert demo.session.position == first


def test_l_goes_to_the_loss_of_m1(demo: MainWindow) -> None:
    press(demo, Qt.Key.Key_Home)
    press(demo, Qt.Key.Key_L)
    assert demo.transport.place.text() == "step 11 of 13"
    content = demo.session.content
    assert content is not None
    loss = content.runs[0].verdict.losses[0]
    assert (loss.first_offset, loss.end_offset) == (1, 2)
    assert demo.session.cursors[0] == loss.seq + 1
    before = demo.session.position
    press(demo, Qt.Key.Key_L)
    assert demo.session.position == before
    assert "No more loss" in demo.statusBar().currentMessage()


def test_e_goes_to_the_election_of_b(demo: MainWindow) -> None:
    press(demo, Qt.Key.Key_Home)
    press(demo, Qt.Key.Key_E)
    assert demo.transport.place.text() == "step 10 of 13"
    content = demo.session.content
    assert content is not None
    moved = [run for run, _, _ in content.moved(demo.session.position)]
    state = content.runs[moved[0]].history.at(demo.session.cursors[moved[0]])
    assert state.leader == broker_named(demo, "B")


def test_x_goes_to_the_first_difference(demo: MainWindow) -> None:
    press(demo, Qt.Key.Key_Home)
    assert demo.inspector.head.name.text() == "Inspector"
    press(demo, Qt.Key.Key_X)
    assert demo.inspector.head.name.text() == "First difference"


def test_playing_stops_at_the_first_difference(demo: MainWindow, qtbot: QtBot) -> None:
    content = demo.session.content
    assert content is not None
    assert content.comparison is not None
    assert content.comparison.first is not None
    first = content.comparison.first.stop
    demo.session.set_position(first - 3)
    demo.session.set_speed(64.0)
    press(demo, Qt.Key.Key_Space)
    assert demo.session.playing
    qtbot.waitUntil(lambda: not demo.session.playing, timeout=5_000)
    assert demo.session.position == first


def test_brackets_change_the_speed(demo: MainWindow) -> None:
    press(demo, Qt.Key.Key_BracketRight)
    assert demo.session.speed == 2.0
    press(demo, Qt.Key.Key_BracketLeft)
    press(demo, Qt.Key.Key_BracketLeft)
    assert demo.session.speed == 0.5


def test_a_click_on_the_ruler_moves_the_cursor_to_that_step(demo: MainWindow, qtbot: QtBot) -> None:
    picture = demo.stage.canvas.picture
    assert picture is not None
    labels = [
        mark for mark in picture.marks() if isinstance(mark, Text) and mark.ref and mark.ref.kind == "stop"
    ]
    label = next(mark for mark in labels if mark.ref and mark.ref.key > demo.session.position)
    at = QPoint(int(label.x) + 4, int(label.y) - 4)
    qtbot.mouseClick(demo.stage.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert label.ref is not None
    assert demo.session.position == label.ref.key


def mark_ref(mark: object, kind: str) -> Ref | None:
    ref = getattr(mark, "ref", None)
    return ref if isinstance(ref, Ref) and ref.kind == kind else None


def test_a_drag_on_the_ruler_scrubs(demo: MainWindow, qtbot: QtBot) -> None:
    canvas = demo.stage.canvas
    y = int(canvas.head) - 6
    demo.session.set_position(0)
    QTest.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(400, y))
    QTest.mouseMove(canvas.viewport(), QPoint(500, y))
    middle = demo.session.position
    QTest.mouseMove(canvas.viewport(), QPoint(700, y))
    QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(700, y))
    assert 0 < middle < demo.session.position


def click_mark(window: MainWindow, qtbot: QtBot, wanted: Callable[[object], bool]) -> Ref:
    picture = window.stage.canvas.picture
    assert picture is not None
    for mark in picture.marks():
        if wanted(mark):
            x, y = (mark.x + mark.w / 2, mark.y + mark.h / 2) if isinstance(mark, Box) else (mark.x, mark.y)  # type: ignore[attr-defined]
            ref = window.stage.canvas.ref_at(x, y)
            if ref is not None and ref == mark.ref:  # type: ignore[attr-defined]
                qtbot.mouseClick(
                    window.stage.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y))
                )
                return ref
    pytest.fail("no such mark")


def test_a_click_on_the_loss_selects_it_and_shows_the_script_step(demo: MainWindow, qtbot: QtBot) -> None:
    demo.session.set_position(0)
    ref = click_mark(
        demo, qtbot, lambda mark: isinstance(mark, Sign | Box) and mark_ref(mark, "loss") is not None
    )
    content = demo.session.content
    assert content is not None
    assert demo.session.selection == ref
    assert demo.session.position == content.position_of(ref.run, ref.key + 1)
    assert demo.docks.drawer.isVisible()
    own = [row for row in demo.evidence.rows if row.seq is not None]
    # The cut that loses m1 is the effect of the step in which A starts again.
    script = content.runs[0].history.trace.facts["script"].splitlines()
    label = next(number for number, text in enumerate(script, start=1) if '"A starts"' in text)
    assert own[0].place == f"hw-loss.toml:{label - 1}"
    assert own[0].text == script[label - 2] == "[[step]]"
    assert [row.text for row in demo.evidence.rows if row.place == f"hw-loss.toml:{label}"] == [
        script[label - 1]
    ]
    kinds = {content.runs[row.run].history.trace.event(row.seq).kind for row in own if row.seq is not None}
    assert "truncated" in kinds


def test_stepping_lets_go_of_the_selection(demo: MainWindow, qtbot: QtBot) -> None:
    click_mark(demo, qtbot, lambda mark: isinstance(mark, Sign | Box) and mark_ref(mark, "loss") is not None)
    press(demo, Qt.Key.Key_Left)
    assert demo.session.selection is None


def test_enter_selects_and_enter_again_opens_the_evidence(demo: MainWindow) -> None:
    demo.docks.drawer.hide()
    press(demo, Qt.Key.Key_Return)
    assert demo.session.selection is not None
    assert not demo.docks.drawer.isVisible()
    press(demo, Qt.Key.Key_Return)
    assert demo.docks.drawer.isVisible()
    press(demo, Qt.Key.Key_Escape)
    assert demo.session.selection is None


def test_a_step_paints_the_static_layer_no_more(demo: MainWindow, qapp: QApplication) -> None:
    demo.session.set_position(3)
    qapp.processEvents()
    before = demo.stage.canvas.sheet.repaints
    for position in range(4, 30):
        demo.session.set_position(position)
        qapp.processEvents()
    assert demo.stage.canvas.sheet.repaints == before
    assert before > 0


def test_one_view_box_lies_over_the_plot_of_all_lanes(demo: MainWindow) -> None:
    canvas = demo.stage.canvas
    lanes = [strip for strip in canvas.strips if strip.broker >= 0]
    assert len(lanes) == 6
    assert canvas.box is not None
    assert canvas.box.geometry().top() == lanes[0].top
    assert canvas.box.geometry().bottom() == lanes[-1].bottom


@pytest.mark.slow
def test_the_theme_changes_everything_and_is_remembered(demo: MainWindow, qapp: QApplication) -> None:
    before = demo.session.theme
    light = demo.grab().toImage().pixelColor(demo.width() // 2, demo.height() - 60)
    demo.actions_["theme"].trigger()
    qapp.processEvents()
    assert demo.session.theme != before
    assert demo.settings.get("theme") == demo.session.theme
    assert demo.grab().toImage().pixelColor(demo.width() // 2, demo.height() - 60) != light
    demo.actions_["theme"].trigger()


def test_docks_and_cells_are_toggled_by_their_keys(demo: MainWindow) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    for key, part in (
        (Qt.Key.Key_I, demo.docks.right),
        (Qt.Key.Key_B, demo.docks.left),
        (Qt.Key.Key_J, demo.docks.drawer),
        (Qt.Key.Key_L, demo.stage.cells),
    ):
        shown = part.isVisible()
        press(demo, key, control)
        assert part.isVisible() != shown
        press(demo, key, control)
        assert part.isVisible() == shown


def test_f6_goes_round_the_panes(demo: MainWindow) -> None:
    demo.stage.canvas.setFocus()
    seen = set()
    for _ in range(6):
        QTest.keyClick(demo.focusWidget(), Qt.Key.Key_F6)
        seen.add(demo.focusWidget())
    assert demo.stage.canvas in seen
    assert len(seen) >= 3


def test_parts_have_accessible_names(demo: MainWindow) -> None:
    for widget in (
        demo.stage.canvas,
        demo.stage.cells,
        demo.inspector,
        demo.transport.track,
        demo.findings.list,
        demo.evidence.table,
    ):
        assert widget.accessibleName()
    assert "Kafka 0.10.2" in demo.stage.canvas.accessibleDescription()


def test_copy_gives_what_the_inspector_says(demo: MainWindow, qapp: QApplication) -> None:
    press(demo, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert qapp.clipboard().text() == demo.inspector.text()
    assert "First difference" in qapp.clipboard().text()


def test_a_comparison_is_zoomed_at_the_cursor_moved_and_shown_whole(demo: MainWindow) -> None:
    session, canvas = demo.session, demo.stage.canvas
    before = cursor_line_x(demo)

    press(demo, Qt.Key.Key_W)
    press(demo, Qt.Key.Key_W)
    zoomed = session.window
    assert zoomed is not None
    assert zoomed[1] - zoomed[0] < PARTS // 2
    assert abs(cursor_line_x(demo) - before) < 60
    assert canvas.pans

    press(demo, Qt.Key.Key_A)
    assert session.window is not None
    assert session.window[0] < zoomed[0]
    assert abs((session.window[1] - session.window[0]) - (zoomed[1] - zoomed[0])) <= 2

    press(demo, Qt.Key.Key_0)
    assert session.window is None
    assert not canvas.pans
    assert cursor_line_x(demo) == before


def test_the_part_that_is_shown_follows_the_cursor(demo: MainWindow) -> None:
    for _ in range(3):
        press(demo, Qt.Key.Key_W)
    narrow = demo.session.window
    assert narrow is not None

    for action in ("last", "first", "next-difference"):
        demo.actions_[action].trigger()
        # Where the cursor is out of sight there is no line.
        assert cursor_line_x(demo) > 0
        assert demo.session.window is not None
        assert demo.session.window[1] - demo.session.window[0] == narrow[1] - narrow[0]


def cursor_line_x(window: MainWindow) -> float:
    """Where the line of the cursor is; 0 where there is none."""
    picture = window.stage.canvas.picture
    assert picture is not None
    lines = (mark for mark in picture.marks() if isinstance(mark, Line) and mark.role == "cursor")
    return next((line.points[0][0] for line in lines), 0.0)


def test_another_partition_of_two_recordings_is_chosen_in_place(
    window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow], answers: Answers, qtbot: QtBot
) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[0]))
    traces, before = shown.session.traces, shown.session.content
    assert before is not None
    other = next(name for name in shown.session.partitions if name != before.partition)
    answers.choice = other

    with qtbot.waitSignal(shown.store.partition_shown):
        shown.actions_["partition"].trigger()

    content = shown.session.content
    assert content is not None
    assert content.comparison is not None
    histories = [run.history for run in content.runs]
    assert [str(one.trace.partitions[one.partition].tp) for one in histories] == [other, other]
    assert shown.session.traces == traces
    common = [{str(one.tp) for one in trace.partitions} for trace in traces]
    assert set(shown.session.partitions) == common[0] & common[1]


def folds(window: MainWindow) -> dict[int, Box]:
    """Where the folds on the ruler are, by their number."""
    window.stage.redraw()
    picture = window.stage.canvas.picture
    assert picture is not None
    boxes = (mark for mark in picture.marks() if isinstance(mark, Box) and mark.ref)
    return {box.ref.key: box for box in boxes if box.ref and box.ref.kind == "fold"}


@pytest.mark.slow
def test_q_fits_the_incident_of_recordings_and_a_click_opens_a_fold(
    window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow], qtbot: QtBot
) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[0]))
    assert len(folds(shown)) == 1

    press(shown, Qt.Key.Key_0)
    assert folds(shown) == {}

    press(shown, Qt.Key.Key_W)
    press(shown, Qt.Key.Key_Q)
    assert shown.session.window is None
    box = folds(shown)[0]

    at = QPoint(round(box.x + box.w / 2), round(box.y + 12))
    QTest.mouseClick(shown.stage.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert folds(shown) == {}


def test_a_marked_range_is_folded_and_a_click_opens_it(demo: MainWindow) -> None:
    """R at both ends, Shift+F; its stops are those after the first end."""
    session = demo.session
    content = session.content
    assert content is not None
    first, last = content.landmarks["anchor"][3], content.landmarks["anchor"][6]
    assert folds(demo) == {}
    session.set_range((last, first))
    press(demo, Qt.Key.Key_F, Qt.KeyboardModifier.ShiftModifier)

    assert session.drawing.folded == {(first + 1, last + 1)}
    assert session.range is None
    box = folds(demo)[0]
    at = QPoint(round(box.x + box.w / 2), round(box.y + 12))
    QTest.mouseClick(demo.stage.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert folds(demo) == {}
    assert session.drawing.folded == frozenset()


def test_f_shows_the_marked_stops_of_a_comparison(demo: MainWindow) -> None:
    content = demo.session.content
    assert content is not None
    first, last = content.landmarks["anchor"][3], content.landmarks["anchor"][6]
    demo.session.set_range((first, last))
    press(demo, Qt.Key.Key_F)

    scene, look = demo.stage.scene, demo.stage.look()
    assert look.window is not None
    assert 0 < look.window[0] < look.window[1] < PARTS
    assert scene is not None
    assert first <= scene.position_at(look.gutter + 8, look) < content.landmarks["anchor"][4]
    assert last <= scene.position_at(look.width - 18, look) < content.landmarks["anchor"][7]


def test_the_part_that_is_seen_stays_where_a_fold_in_it_is_opened(
    window: MainWindow, opened: Callable[[Callable[[], None]], MainWindow]
) -> None:
    shown = opened(lambda: window.opening.open_offer(sample_offers()[0]))
    shown.session.set_window((0, PARTS // 2))
    box = folds(shown)[0]
    picture = shown.stage.canvas.picture
    assert picture is not None
    end = shown.stage.scene.position_at(picture.width - 20, shown.stage.look())  # type: ignore[union-attr]

    shown.stage.canvas.clicked.emit(box.ref, box.x + 1, 12.0)

    assert folds(shown) == {}
    assert shown.session.window is not None
    assert 0 < shown.session.window[1] < PARTS
    after = shown.stage.scene.position_at(picture.width - 20, shown.stage.look())  # type: ignore[union-attr]
    assert abs(after - end) <= 3
