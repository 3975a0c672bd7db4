"""For every action of the table: what is open, what is done first, and what holds once it was done.

What holds is false before: an action that did nothing would be seen.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from core.document.lane_order import USUAL, LaneOrder, Sorting
from core.document.notes import NoteKind
from core.picture.drawing import Drawing, Vertical
from core.picture.marks import Ref
from core.sim.library import scenario
from gui.exports.dialog import ExportDialog
from gui.window.dialogs import AboutBox, KeySheet
from gui.window.import_dialog import ImportDialog
from gui.window.main_window import MainWindow
from gui.window.process_dialog import ProcessDialog
from gui.window.settings_dialog import SettingsDialog
from gui.workspace.content import tied
from gui.workspace.draft import Draft
from gui.workspace.edits import Tie
from tests.gui_window.effects_going import GOES
from tests.gui_window.standing import ALONE, LOGS, LOSS, NOTHING, Effect, Stand, answer


def _beside_a_page(at: Stand) -> None:
    at.window.show_view("report")


def _told(at: Stand) -> str:
    return QGuiApplication.clipboard().text()


def _asks_about(at: Stand, words: str) -> bool:
    shown = [one for one in at.window.findChildren(ImportDialog) if one.isVisible()]
    return bool(shown) and words in f"{shown[0].windowTitle()} {shown[0].headline.text()}"


def _second_tab(at: Stand) -> str:
    """Open a run in a tab behind what is in front; what its source is called."""
    front = at.window.tabs.open.current
    at.window.store.open_simulated("overview", ("2.8",))
    at.window.desk.wait()
    called = at.content.title
    at.window.side_by_side.choose(front)
    return called


def _halves_of_one_trace(at: Stand) -> None:
    """Another partition of what is open in a tab of its own, and both side by side: they have one time."""
    at.window.actions_["own-tab"].trigger()
    at.window.desk.wait()
    at.window.resize(1366, 768)
    at.window.actions_["split"].trigger()


def _eras(at: Stand) -> tuple[str, ...]:
    return tuple(run.history.trace.facts["era"] for run in at.content.runs)


_FILES: Final = {
    "open": Effect(
        NOTHING,
        lambda at: at.session.path == str(at.document),
        answer("files", lambda at: (str(at.document),)),
    ),
    "open-folder": Effect(
        NOTHING, lambda at: _asks_about(at, "2 brokers"), answer("folder", lambda at: str(at.logs))
    ),
    "new-scenario": Effect(
        NOTHING,
        lambda at: at.session.scenario == Draft() and at.is_on(at.window.pages.scenario),
        lambda at: at.session.set_scenario(Draft(scenario("hw-loss").text)),
    ),
    "open-scenario": Effect(
        NOTHING,
        lambda at: (
            at.session.scenario.text == scenario("overview").text and at.is_on(at.window.pages.scenario)
        ),
        lambda at: (
            (at.folder / "a.toml").write_text(scenario("overview").text, encoding="utf-8"),
            setattr(at.answers, "files", (str(at.folder / "a.toml"),)),
        ),
    ),
    "save-scenario": Effect(
        NOTHING,
        lambda at: (
            (at.folder / "b.toml").exists()
            and (at.folder / "b.toml").read_text(encoding="utf-8") == scenario("hw-loss").text
        ),
        lambda at: (
            at.session.set_scenario(Draft(scenario("hw-loss").text)),
            setattr(at.answers, "scenario", str(at.folder / "b.toml")),
        ),
    ),
    "add-run": Effect(
        ALONE,
        lambda at: len(at.session.traces) == 2 and at.content.comparison is not None,
        answer("files", lambda at: (str(at.document),)),
    ),
    "add-logs": Effect(
        LOGS,
        lambda at: _asks_about(at, "Add logs"),
        answer("files", lambda at: (str(next(at.logs.glob("broker-2/**/server.log"))),)),
    ),
    "add-folder": Effect(
        LOGS, lambda at: _asks_about(at, "Add logs"), answer("folder", lambda at: str(at.logs / "broker-2"))
    ),
    "save": Effect(
        ALONE,
        lambda at: at.session.path == str(at.folder / "c.tide") and Path(at.session.path).exists(),
        answer("save", lambda at: str(at.folder / "c.tide")),
    ),
    "save-as": Effect(
        ALONE,
        lambda at: at.session.path == str(at.folder / "d.tide") and Path(at.session.path).exists(),
        answer("save", lambda at: str(at.folder / "d.tide")),
    ),
    "export": Effect(LOSS, lambda at: at.shows(ExportDialog)),
    "copy-picture": Effect(
        ALONE,
        lambda _: not QGuiApplication.clipboard().image().isNull(),
        lambda _: QGuiApplication.clipboard().clear(),
    ),
    "close": Effect(LOSS, lambda at: at.session.content is None and at.is_on(at.window.pages.welcome)),
    "reopen-tab": Effect(
        LOSS,
        lambda at: at.session.content is not None and at.session.position == 7,
        lambda at: (at.session.set_position(7), at.window.actions_["close"].trigger()),
    ),
    "quit": Effect(NOTHING, lambda at: not at.window.isVisible()),
}


def _write_a_note(at: Stand) -> None:
    at.window.actions_["bookmark"].trigger()
    assert len(at.session.notes) == 1


def _later(at: Stand) -> tuple[int, ...]:
    """The cursors of the sixth event of each run."""
    return tuple(int(run.history.seqs[5]) + 1 for run in at.content.runs)


def _all_but_the_first_in_a_tie(at: Stand) -> None:
    cursors = _later(at)
    at.session.tie = dict(enumerate(cursors[1:], start=1))
    at.session.select(Ref("event", 0, cursors[0] - 1, 1))


def _tied(at: Stand) -> None:
    made = tied(at.content, (_later(at),))
    at.session.undo.push(Tie(at.session, at.content, made))
    assert at.content.ties


def _at_an_event_in_a_lane(at: Stand) -> None:
    history = at.content.runs[0].history
    seq = next(seq for seq in history.seqs.tolist() if history.trace.event(seq).get("replica") == 2)
    at.put(at.content.position_of(0, seq + 1))
    at.session.select(Ref("event", 0, seq, 2))


def _begun(at: Stand) -> bool:
    draft = at.session.draft
    return draft is not None and (draft.kind, draft.broker, draft.end) == (NoteKind.ARROW, 2, None)


def _selected_note(at: Stand) -> None:
    note = at.note(10)
    at.session.select(Ref("note", 0, note.key))


_EDITS: Final = {
    "undo": Effect(LOSS, lambda at: at.session.notes == (), _write_a_note),
    "redo": Effect(
        LOSS,
        lambda at: len(at.session.notes) == 1,
        lambda at: (_write_a_note(at), at.session.undo.undo()),
    ),
    "copy": Effect(
        LOSS,
        lambda at: _told(at) == at.window.inspector.text() != "",
        lambda _: QGuiApplication.clipboard().setText("before"),
    ),
    "note": Effect(LOSS, Stand.edits),
    "arrow": Effect(ALONE, _begun, _at_an_event_in_a_lane),
    "bookmark": Effect(
        LOSS,
        lambda at: (
            [(note.kind, at.session.note_position(note)) for note in at.session.notes]
            == [(NoteKind.BOOKMARK, 30)]
        ),
        lambda at: at.put(30),
    ),
    "tie": Effect(LOSS, lambda at: at.content.ties == (_later(at),), _all_but_the_first_in_a_tie),
    "untie": Effect(LOSS, lambda at: not at.content.ties, _tied),
    "edit-note": Effect(
        LOSS, lambda at: at.edits() and at.window.note_editor.field.toPlainText() == "kept", _selected_note
    ),
    "delete-note": Effect(LOSS, lambda at: at.session.notes == (), _selected_note),
    "process": Effect(NOTHING, lambda at: at.shows(ProcessDialog)),
    "settings": Effect(NOTHING, lambda at: at.shows(SettingsDialog)),
}


def _shown(at: Stand) -> tuple[int, int]:
    """What the timeline shows, ns."""
    scene = at.window.stage.scene
    assert scene is not None
    return at.session.window or scene.whole()  # type: ignore[union-attr]


def _part(at: Stand, first: int, last: int) -> tuple[int, int]:
    """From and to so many tenths of the whole."""
    at.session.set_window(None)
    begin, end = _shown(at)
    tenth = (end - begin) // 10
    return begin + first * tenth, begin + last * tenth


def _in_the_middle(at: Stand) -> None:
    at.session.set_window(_part(at, 4, 6))


def _is_wider(at: Stand) -> bool:
    shown = _shown(at)
    middle = _middle(at)
    return shown[1] - shown[0] > middle[1] - middle[0]


def _middle(at: Stand) -> tuple[int, int]:
    scene = at.window.stage.scene
    assert scene is not None
    begin, end = scene.whole()  # type: ignore[union-attr]
    tenth = (end - begin) // 10
    return begin + 4 * tenth, begin + 6 * tenth


def _told_below(at: Stand, words: str) -> bool:
    return words in at.window.statusBar().currentMessage()


def _a_lane_is_selected(at: Stand, broker: int = 2) -> None:
    at.session.select(Ref("lane", 0, broker, broker))


def _selects_a_lane(broker: int) -> Callable[[Stand], bool]:
    return lambda at: (
        at.session.selection is not None
        and (at.session.selection.kind, at.session.selection.key) == ("lane", broker)
    )


_ARRANGED: Final = {
    "fold-lane": LaneOrder(folded=frozenset({2})),
    "fold-others": LaneOrder(folded=frozenset({1})),
    "pin-lane": LaneOrder(pinned=frozenset({2})),
    "hide-lane": LaneOrder(hidden=frozenset({2})),
    "lane-up": LaneOrder((2, 1)),
}
"""How the lanes of brokers 1 and 2 stand once this was done to that of 2."""


def _toggled(part: Callable[[MainWindow], QWidget]) -> Callable[[Stand], bool]:
    return lambda at: part(at.window).isVisible()


def _hidden(part: Callable[[MainWindow], QWidget]) -> Callable[[Stand], object]:
    return lambda at: part(at.window).hide()


def _focus(part: Callable[[MainWindow], QWidget]) -> Callable[[Stand], object]:
    return lambda at: part(at.window).setFocus(Qt.FocusReason.OtherFocusReason)


_VIEWS: Final = {
    "welcome": Effect(LOSS, lambda at: at.is_on(at.window.pages.welcome)),
    "timeline": Effect(ALONE, lambda at: at.is_on(at.window.shown), _beside_a_page),
    "compare": Effect(LOSS, lambda at: at.is_on(at.window.shown), _beside_a_page),
    "incident": Effect(LOGS, lambda at: at.is_on(at.window.pages.incident)),
    "triage": Effect(LOGS, lambda at: at.is_on(at.window.pages.triage)),
    "query": Effect(LOGS, lambda at: at.is_on(at.window.pages.query)),
    "conformance": Effect(LOGS, lambda at: at.is_on(at.window.pages.conformance)),
    "course": Effect(NOTHING, lambda at: at.is_on(at.window.pages.course)),
    "articles": Effect(NOTHING, lambda at: at.is_on(at.window.pages.articles)),
    "counterexamples": Effect(NOTHING, lambda at: at.is_on(at.window.pages.counterexamples)),
    "lessons": Effect(NOTHING, lambda at: at.is_on(at.window.pages.lessons)),
    "scenario": Effect(
        LOSS,
        lambda at: (
            at.is_on(at.window.pages.scenario) and at.session.scenario.text == scenario("hw-loss").text
        ),
        lambda at: at.session.set_scenario(Draft()),
    ),
    "reading": Effect(NOTHING, lambda at: at.is_on(at.window.pages.reading)),
    "report": Effect(LOGS, lambda at: at.is_on(at.window.pages.report)),
    "partition": Effect(
        LOGS,
        lambda at: at.content.runs[0].history.partition == _other_partition(at)[0],
        answer("choice", lambda at: _other_partition(at)[1]),
    ),
    "run-partition": Effect(
        LOSS,
        lambda at: _eras(at) == ("2.8", "0.11", "2.8"),
        answer("choice", lambda at: f"t-0 — {_second_tab(at)}"),
    ),
    "swap-runs": Effect(LOSS, lambda at: _eras(at) == ("0.11", "0.10.2", "2.8")),
    "close-run": Effect(LOSS, lambda at: _eras(at) == ("0.11", "2.8")),
    "own-tab": Effect(
        LOGS,
        lambda at: len(at.window.tabs.open.tabs) == 2 and len(at.window.tabs.open.sources) == 1,
    ),
    "own-window": Effect(
        LOGS,
        lambda at: [len(one.desk.tabs.open.tabs) for one in at.window.windows.open] == [1, 1],
        _second_tab,
    ),
    "other-window": Effect(
        LOGS,
        lambda at: [len(one.desk.tabs.open.tabs) for one in at.window.windows.open] == [1, 1],
        lambda at: (_second_tab(at), at.window.another()),
    ),
    "split": Effect(
        LOGS,
        lambda at: at.window.halves_row.other.isVisible(),
        lambda at: (_second_tab(at), at.window.resize(1366, 768)),
    ),
    "other-half": Effect(
        LOGS,
        lambda at: at.window.tabs.open.current == at.window.tabs.halves.right,
        lambda at: (_second_tab(at), at.window.resize(1366, 768), at.window.actions_["split"].trigger()),
    ),
    "together": Effect(
        LOGS,
        lambda at: at.window.tabs.halves.together and at.window.halves_row.other.together.isChecked(),
        _halves_of_one_trace,
    ),
    "beside": Effect(
        LOGS,
        lambda at: at.content.comparison is not None and len(at.window.tabs.open.tabs) == 2,
        answer("choice", lambda at: f"{_other_partition(at)[1]} — {at.content.title}"),
    ),
    "left-dock": Effect(LOSS, _toggled(lambda w: w.docks.left), _hidden(lambda w: w.docks.left)),
    "switchboard": Effect(LOSS, _toggled(lambda w: w.switchboard), _hidden(lambda w: w.switchboard)),
    "inspector": Effect(LOSS, _toggled(lambda w: w.docks.right), _hidden(lambda w: w.docks.right)),
    "evidence": Effect(LOSS, _toggled(lambda w: w.docks.drawer), _hidden(lambda w: w.docks.drawer)),
    "cells": Effect(
        LOSS,
        lambda at: not at.window.stage.cells.isHidden() and at.window.settings.get("cells"),
        lambda at: (at.window.stage.cells.hide(), at.window.settings.put("cells", value=False)),
    ),
    "legend": Effect(
        LOSS,
        lambda at: not at.window.stage.legend.isHidden() and at.window.settings.get("legend"),
        lambda at: (at.window.stage.legend.hide(), at.window.settings.put("legend", value=False)),
    ),
    "narration": Effect(
        LOSS,
        lambda at: (
            not at.window.stage.narration.isHidden()
            and at.window.settings.get("narration")
            and at.window.stage.narration.list.currentIndex().row() == at.session.position
        ),
        lambda at: (
            at.window.stage.narration.hide(),
            at.window.settings.put("narration", value=False),
            at.put(7),
        ),
    ),
    "reset-layout": Effect(LOSS, _toggled(lambda w: w.docks.right), _hidden(lambda w: w.docks.right)),
    "theme": Effect(
        NOTHING,
        lambda at: at.session.theme == "dark" == at.window.settings.get("theme"),
        lambda at: at.session.set_theme("light"),
    ),
    "high-contrast": Effect(
        NOTHING,
        lambda at: at.session.theme == "contrast" == at.window.settings.get("theme"),
        lambda at: at.session.set_theme("light"),
    ),
    "lesson-stop": Effect(ALONE, lambda at: len(at.window.answers.stops) == 1),
    "write-lesson": Effect(
        NOTHING,
        lambda at: (
            at.window.pages.course.currentWidget() is at.window.pages.course.writer
            and "+++" in at.window.pages.course.writer.field.toPlainText()
        ),
    ),
    "present": Effect(NOTHING, lambda at: at.window.answers.presenter is not None),
    "full-screen": Effect(
        NOTHING, lambda at: bool(at.window.windowState() & Qt.WindowState.WindowFullScreen)
    ),
    "zoom-in": Effect(ALONE, lambda at: at.session.window is not None),
    "zoom-out": Effect(ALONE, _is_wider, _in_the_middle),
    "pan-left": Effect(ALONE, lambda at: _shown(at)[0] < _middle(at)[0], _in_the_middle),
    "pan-right": Effect(ALONE, lambda at: _shown(at)[0] > _middle(at)[0], _in_the_middle),
    "range": Effect(ALONE, lambda at: at.session.range == (20, None), lambda at: at.put(20)),
    "fit-range": Effect(
        ALONE, lambda at: at.session.window is not None, lambda at: at.session.set_range((20, 30))
    ),
    "fold-range": Effect(
        ALONE,
        lambda at: len(at.session.drawing.folded) == 1 and at.session.range is None,
        lambda at: at.session.set_range((20, 30)),
    ),
    "fit-all": Effect(
        ALONE, lambda at: at.session.window is None and not at.session.drawing.folds, _in_the_middle
    ),
    "fit-incident": Effect(
        ALONE, lambda at: at.session.window is None and at.session.drawing.folds, _in_the_middle
    ),
    "quiet-time": Effect(
        ALONE, lambda at: not at.session.drawing.folds and _told_below(at, "Quiet time is not folded")
    ),
    **{
        name: Effect(ALONE, lambda at, after=after: at.session.lanes == after, _a_lane_is_selected)
        for name, after in _ARRANGED.items()
    },
    "lane-down": Effect(
        ALONE, lambda at: at.session.lanes == LaneOrder((2, 1)), lambda at: _a_lane_is_selected(at, 1)
    ),
    "show-lanes": Effect(
        LOSS,
        lambda at: at.session.lanes == USUAL,
        lambda at: at.session.set_lanes(LaneOrder(hidden=frozenset({1}))),
    ),
    "order-lanes": Effect(
        ALONE,
        # B leads at the end: it comes first.
        lambda at: at.session.lanes.brokers((1, 2)) == (2, 1) and _told_below(at, "leads at the cursor"),
        lambda at: (
            at.put(at.content.last),
            at.session.set_lanes(LaneOrder((1, 2), sorting=Sorting.BROKER)),
        ),
    ),
    "usual-lanes": Effect(
        ALONE,
        lambda at: at.session.lanes == USUAL,
        lambda at: at.session.set_lanes(LaneOrder((3, 2, 1), frozenset({1}), frozenset({2}))),
    ),
    "vertical-scale": Effect(
        LOSS,
        lambda at: at.session.drawing.vertical is Vertical.LAG and _told_below(at, "lag"),
        lambda at: at.session.set_drawing(Drawing(vertical=Vertical.OFFSET)),
    ),
    "messages": Effect(
        LOSS, lambda at: not at.session.drawing.messages and _told_below(at, "Messages are hidden")
    ),
    "bounds": Effect(LOGS, lambda at: not at.session.drawing.boxes and _told_below(at, "only the edges")),
    "lane-above": Effect(ALONE, _selects_a_lane(1), lambda at: _a_lane_is_selected(at, 2)),
    "lane-below": Effect(ALONE, _selects_a_lane(2), lambda at: _a_lane_is_selected(at, 1)),
    "next-pane": Effect(
        ALONE,
        lambda at: QApplication.focusWidget() is at.window.transport.track,
        _focus(lambda w: w.stage.canvas),
    ),
    "previous-pane": Effect(
        ALONE,
        lambda at: QApplication.focusWidget() is at.window.stage.canvas,
        _focus(lambda w: w.transport.track),
    ),
    "clear": Effect(
        LOSS, lambda at: at.session.selection is None, lambda at: at.session.select(Ref("lane", 0, 1, 1))
    ),
}


def _other_partition(at: Stand) -> tuple[int, str]:
    trace = at.session.traces[0]
    return len(trace.partitions) - 1, str(trace.partitions[-1].tp)


_HELPS: Final = {
    "menu": Effect(NOTHING, lambda at: at.menus == [at.window.menu]),
    "keys": Effect(NOTHING, lambda at: at.shows(KeySheet)),
    "about": Effect(NOTHING, lambda at: at.shows(AboutBox)),
}
EFFECTS: Final = {**_FILES, **_EDITS, **_VIEWS, **GOES, **_HELPS}
