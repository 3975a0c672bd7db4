"""A selection belongs to the content in which it was made, and goes with it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from core.document.lane_order import LaneOrder
from core.picture.hit import bounds
from core.picture.marks import Ref
from db.document import create
from gui.search.overlay import find_overlay
from gui.window.main_window import MainWindow
from gui.workspace.content import tied
from gui.workspace.edits import AddNote, Tie, replicas
from gui.workspace.pinned import PinnedNote
from gui.workspace.simulating import PAIR
from gui.workspace.store import CONTENT
from tests.gui_window.conftest import Answers
from tests.gui_workspace.given import content_of, trace_of
from tests.recordings.whole import whole

pytestmark = [pytest.mark.qt_log_ignore("This plugin does not support"), pytest.mark.broad(12)]
Opened = Callable[[Callable[[], None]], MainWindow]
PANELS = ("left", "right", "drawer", "cells", "narration")


def document(path: Path, *brokers: int) -> str:
    create(path, [trace_of(*brokers)])
    return str(path)


@pytest.fixture
def three(window: MainWindow, opened: Opened, tmp_path: Path) -> MainWindow:
    """A document with replicas on brokers 1, 2 and 3, on the timeline."""
    opened(partial(window.store.open_groups, ((document(tmp_path / "three.tide", 1, 2, 3),),)))
    assert replicas(window.session) == (1, 2, 3)
    return window


def replace_by_two(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Open a document with replicas on brokers 1 and 2, and no turn of the loop after it."""
    path = document(tmp_path / "two.tide", 1, 2)
    with qtbot.waitSignal(window.store.opened, timeout=60_000):
        window.store.open_groups(((path,),))
    assert replicas(window.session) == (1, 2)


def name_of_lane(window: MainWindow, broker: int) -> QPoint:
    """A point on the name of a broker's lane, as it is painted."""
    canvas = window.stage.canvas
    for y in range(canvas.height()):
        ref = canvas.ref_at(30, y)
        if ref is not None and ref.kind == "lane" and ref.broker == broker:
            return QPoint(30, y + 8)
    message = f"broker {broker} has no lane"
    raise AssertionError(message)


def close_menus() -> None:
    """Close the menu that waits for a person, once it does."""

    def close() -> None:
        for menu in (one for one in QApplication.topLevelWidgets() if isinstance(one, QMenu)):
            menu.close()

    QTimer.singleShot(0, close)


def ask_for_menu(view: QWidget, at: QPoint) -> None:
    close_menus()
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(view, QContextMenuEvent(reason, at, view.mapToGlobal(at)))


def move(view: QWidget, kind: QEvent.Type, at: QPoint, held: Qt.KeyboardModifier) -> None:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if kind == QEvent.Type.MouseMove else left
    buttons = none if kind == QEvent.Type.MouseButtonRelease else left
    where = QPointF(view.mapToGlobal(at))
    QApplication.sendEvent(view, QMouseEvent(kind, QPointF(at), where, button, buttons, held))


@pytest.mark.slow
@pytest.mark.parametrize("panel", PANELS)
def test_another_document_opens_without_the_selected_replica(
    three: MainWindow, qtbot: QtBot, tmp_path: Path, panel: str
) -> None:
    shown = {name: getattr(three.docks, name) for name in PANELS[:3]} | three.stage.below
    for name, part in shown.items():
        part.setVisible(name == panel)
    three.session.select(Ref("lane", 0, 3, 3, "broker 3"))
    assert three.session.selection is not None

    replace_by_two(three, tmp_path, qtbot)

    assert shown[panel].isVisible()
    assert three.session.selection is None
    assert "broker 3" not in three.inspector.text()


@pytest.mark.slow
@pytest.mark.parametrize("panel", PANELS)
def test_a_menu_on_the_picture_of_what_was_open_selects_nothing(
    three: MainWindow, qtbot: QtBot, tmp_path: Path, panel: str
) -> None:
    """While the timeline is hidden its picture stays that of the content before."""
    shown = {name: getattr(three.docks, name) for name in PANELS[:3]} | three.stage.below
    at, view = name_of_lane(three, 3), three.stage.canvas.viewport()
    three.show_view("report")
    replace_by_two(three, tmp_path, qtbot)
    three.show_view("timeline")
    for name, part in shown.items():
        part.setVisible(name == panel)

    ask_for_menu(view, at)

    assert three.session.selection is None


def test_a_lane_held_in_what_was_open_is_not_moved_in_what_opens(
    window: MainWindow, opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    """The lane that is held is one of the third run, and what opens has one run."""
    opened(partial(window.store.open_simulated, "hw-loss", PAIR))
    canvas = window.stage.canvas
    view, plain = canvas.viewport(), Qt.KeyboardModifier.NoModifier
    third = next(strip for strip in canvas.strips if strip.run == 2)
    at = QPoint(30, round(third.top) + 8)
    move(view, QEvent.Type.MouseButtonPress, at, plain)
    assert canvas._held is not None

    replace_by_two(window, tmp_path, qtbot)
    move(view, QEvent.Type.MouseMove, at + QPoint(0, 60), plain)
    move(view, QEvent.Type.MouseButtonRelease, at + QPoint(0, 60), plain)

    assert window.session.lanes == LaneOrder()
    assert window.session.selection is None


def test_an_arrow_begun_in_what_was_open_joins_nothing(
    window: MainWindow, opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    opened(partial(window.store.open_simulated, "hw-loss", PAIR))
    canvas = window.stage.canvas
    view, alt = canvas.viewport(), Qt.KeyboardModifier.AltModifier
    assert canvas.picture is not None
    events = {
        ref.key: QRectF(*bounds(mark)).center().toPoint()
        for mark in canvas.picture.marks()
        if (ref := getattr(mark, "ref", None)) is not None and (ref.kind, ref.run) == ("event", 0)
    }
    found = {
        seq: at for seq, at in events.items() if (ref := canvas.ref_at(at.x(), at.y())) and ref.key == seq
    }
    first, last = found[min(found)], found[max(found)]
    assert first != last
    window.show_view("report")
    replace_by_two(window, tmp_path, qtbot)
    window.show_view("timeline")

    move(view, QEvent.Type.MouseButtonPress, first, alt)
    move(view, QEvent.Type.MouseMove, last, alt)
    move(view, QEvent.Type.MouseButtonRelease, last, alt)

    assert window.session.draft is None


@pytest.mark.slow
def test_another_partition_opens_without_the_selected_replica(
    window: MainWindow, opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    """Of k43-chaos, carts-1 has replicas on brokers 1, 2 and 3, sessions-0 on 1 and 3."""
    create(tmp_path / "chaos.tide", [whole("k43-chaos").trace])
    opened(partial(window.store.open_groups, ((str(tmp_path / "chaos.tide"),),)))
    session = window.session
    for name in ("carts-1", "sessions-0"):
        with qtbot.waitSignal(window.store.partition_shown, timeout=60_000):
            window.opening.open_partition(name)
        session.select(Ref("lane", 0, 2, 2, "broker 2"))
        selected = session.selection
        assert (selected is not None) == (2 in replicas(session)) == (name == "carts-1")


@pytest.mark.slow
def test_a_partition_that_comes_after_closing_is_not_shown(
    window: MainWindow, opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    create(tmp_path / "night.tide", [whole("k28-unclean-loss").trace])
    opened(partial(window.store.open_groups, ((str(tmp_path / "night.tide"),),)))

    with qtbot.waitSignal(window.jobs.ended, timeout=60_000):
        window.store.show_partition("events-1")
        window.session.close()

    assert window.session.content is None
    assert window.views.currentWidget() is window.pages.welcome


@pytest.mark.slow
def test_a_note_written_while_a_partition_is_read_stays(
    window: MainWindow, opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    create(tmp_path / "night.tide", [whole("k28-unclean-loss").trace])
    opened(partial(window.store.open_groups, ((str(tmp_path / "night.tide"),),)))
    session = window.session

    with qtbot.waitSignal(window.store.partition_shown, timeout=60_000):
        window.store.show_partition("events-1")
        session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, 5, "just now", 1)))

    assert [note.text for note in session.notes] == ["just now"]


def test_words_for_a_note_do_not_come_into_another_document(
    three: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Notes are numbered from 1 in each document: number 1 is another note in the next one."""
    session = three.session
    session.put_note(PinnedNote(1, 0, 3, "of the first", 1))
    path = document(tmp_path / "noted.tide", 1, 2)
    three.store.open_groups(((path,),))
    qtbot.waitUntil(lambda: replicas(session) == (1, 2) and not three.jobs.asked(), timeout=60_000)
    session.put_note(PinnedNote(1, 0, 3, "of the second", 1))
    three.noting.edit_note(1)
    three.note_editor.field.setPlainText("for the second")

    # It is open in a tab of its own, which comes to the front.
    three.store.open_groups(((str(tmp_path / "three.tide"),),))
    qtbot.waitUntil(lambda: [note.text for note in session.notes] == ["of the first"], timeout=60_000)

    assert three.note_editor.writing() is None


def test_a_note_that_is_begun_is_not_placed_in_another_document(
    three: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    three.noting.edit_note(0)
    three.note_editor.field.setPlainText("of broker 3")

    replace_by_two(three, tmp_path, qtbot)

    assert three.note_editor.writing() is None
    assert three.session.draft is None


def test_a_list_of_what_was_open_goes_with_it(three: MainWindow) -> None:
    trace = trace_of(1, 2)
    three.actions_["last-change"].trigger()
    assert find_overlay(three) is not None

    three.session.show(content_of(trace), [trace])

    assert find_overlay(three) is None


def test_a_menu_of_what_was_open_closes_when_something_else_is_there(three: MainWindow) -> None:
    """What is chosen in it would be done to a lane of the same place in the other document."""
    left: list[int] = []
    trace = trace_of(1, 2)

    def replace() -> None:
        three.session.show(content_of(trace), [trace])
        menus = [one for one in QApplication.topLevelWidgets() if isinstance(one, QMenu) and one.isVisible()]
        left.append(len(menus))
        for menu in menus:
            menu.close()

    at, view = name_of_lane(three, 3), three.stage.canvas.viewport()
    QTimer.singleShot(0, replace)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(view, QContextMenuEvent(reason, at, view.mapToGlobal(at)))

    assert left == [0]


def test_a_partition_chosen_of_what_was_open_is_not_looked_for_in_what_is(
    three: MainWindow, answers: Answers
) -> None:
    """The question waits for a person; meanwhile a job may have opened something else."""
    trace = trace_of(1, 2)

    def answer_late(*_asked: object) -> str:
        three.session.show(content_of(trace), [trace])
        return "events-1"

    three.person.dialogs = answers.dialogs()
    object.__setattr__(three.person.dialogs, "choose", answer_late)

    three.actions_["partition"].setEnabled(True)
    three.actions_["partition"].trigger()

    assert CONTENT not in three.jobs.asked()


def test_undoing_a_tie_leaves_nothing_selected(window: MainWindow, opened: Opened) -> None:
    opened(partial(window.store.open_simulated, "hw-loss", ("0.10.2", "2.8")))
    session = window.session
    before = session.content
    assert before is not None
    ends = tuple(len(trace) for trace in session.traces)
    session.undo.push(Tie(session, before, tied(before, (ends,))))
    session.select(Ref("lane", 1, replicas(session)[0], replicas(session)[0]))
    session.set_range((0, 2))
    assert session.selection is not None

    session.undo.undo()

    assert (session.selection, session.range) == (None, None)
