"""What each action of the table does. One function an action, or one made from the same pattern."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel

from core.picture.marks import Ref
from core.shown import shown_in_line
from gui.lessons.handlers import lesson_handlers
from gui.panels.explain import explain
from gui.panels.parts import BREAK
from gui.scenarios.handlers import scenario_handlers
from gui.search.handlers import search_handlers
from gui.text.spoken import tr
from gui.window.dialogs import AboutBox, KeySheet
from gui.window.docks import fit_dock, reset_layout, show_layout, toggle_strip
from gui.window.drawing import drawing_handlers
from gui.window.exporting import copy_picture, file_name, open_export
from gui.window.importing import add_logs
from gui.window.lanes import lane_handlers
from gui.window.noting import is_begun_arrow, note_handlers
from gui.window.opening import may_leave, open_partition, open_paths
from gui.window.process_dialog import open_process
from gui.window.ranges import fit_range, mark_range
from gui.window.settings import STRIPS
from gui.window.settings_dialog import SettingsDialog
from gui.window.theming import theme_handlers
from gui.window.tying import tie_handlers
from gui.workspace.content import LANDMARKS
from gui.workspace.session import SPEEDS

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

Handler = Callable[[], object]


def handlers(window: "MainWindow") -> Mapping[str, Handler]:
    """A function for every action of the table, by id."""
    return {
        **_file(window),
        **_edit(window),
        **_view(window),
        **_go(window),
        **_help(window),
        **search_handlers(window),
        **lesson_handlers(window),
        **note_handlers(window),
        **tie_handlers(window),
        **lane_handlers(window),
        **theme_handlers(window),
        **drawing_handlers(window),
        **scenario_handlers(window),
    }


def _file(window: "MainWindow") -> dict[str, Handler]:
    return {
        "open": partial(_open, window, folder=False, beside=False),
        "open-folder": partial(_open, window, folder=True, beside=False),
        "add-run": partial(_open, window, folder=False, beside=True),
        "add-logs": partial(_add_logs, window, folder=False),
        "add-folder": partial(_add_logs, window, folder=True),
        "process": partial(open_process, window),
        "save": partial(_save, window, ask=False),
        "save-as": partial(_save, window, ask=True),
        "export": partial(open_export, window),
        "copy-picture": partial(copy_picture, window),
        "close": partial(_close, window),
        "quit": window.close,
    }


def _open(window: "MainWindow", *, folder: bool, beside: bool) -> None:
    paths = _named(window, folder=folder)
    if paths:
        open_paths(window, paths, beside=beside)


def _add_logs(window: "MainWindow", *, folder: bool) -> None:
    add_logs(window, _named(window, folder=folder))


def _named(window: "MainWindow", *, folder: bool) -> tuple[str, ...]:
    """What a person names in the dialog of the desktop."""
    start = window.settings.get("folder")
    if folder:
        path = window.dialogs.open_folder(window, start)
        paths = (path,) if path else ()
    else:
        paths = window.dialogs.open_files(window, start)
    if paths:
        window.settings.put("folder", str(Path(paths[0]).parent))
    return paths


def _save(window: "MainWindow", *, ask: bool) -> None:
    session = window.session
    content = session.content
    if content is None:
        return
    if session.path and not ask and session.unwritten and not window.store.is_missing:
        window.store.keep_again()
        return
    if session.path and not ask and not session.unwritten:
        window.notices.tell(
            tr("window.everything-is-saved"), tr("window.notes-are-written-into-as-they", path=session.path)
        )
        return
    folder = Path(session.path).parent if session.path else Path(window.settings.get("folder") or Path.home())
    path = window.dialogs.save_document(window, str(folder / f"{file_name(content.title)}.tide"))
    if path:
        window.settings.put("folder", str(Path(path).parent))
        window.settings.remember_path(path)
        window.store.save(path)


def _close(window: "MainWindow") -> None:
    if may_leave(window):
        window.session.close()


def _edit(window: "MainWindow") -> dict[str, Handler]:
    return {
        "undo": window.session.undo.undo,
        "redo": window.session.undo.redo,
        "copy": partial(_copy, window),
        "settings": lambda: SettingsDialog(window).open(),
    }


def _copy(window: "MainWindow") -> None:
    """What is selected where the focus is: marked text, lines of evidence, else what the inspector says."""
    focused = QApplication.focusWidget()
    if isinstance(focused, QLabel) and focused.hasSelectedText():
        QGuiApplication.clipboard().setText(focused.selectedText().replace(BREAK, ""))
    elif focused is window.evidence.table:
        window.evidence.copy()
    else:
        QGuiApplication.clipboard().setText(window.inspector.text())


def _view(window: "MainWindow") -> dict[str, Handler]:
    return {
        "welcome": partial(window.show_view, "welcome"),
        "timeline": partial(_show_content, window),
        "compare": partial(_show_content, window),
        "triage": partial(_show_triage, window),
        "report": partial(window.show_view, "report"),
        "partition": partial(_choose_partition, window),
        "left-dock": lambda: _toggle(window, window.left_dock),
        "inspector": lambda: _toggle(window, window.right_dock),
        "evidence": lambda: _toggle(window, window.drawer),
        **{strip.key: partial(toggle_strip, window, strip.key) for strip in STRIPS},
        "reset-layout": partial(reset_layout, window),
        "full-screen": partial(_full_screen, window),
        "zoom-in": lambda: window.stage.zoom(1.5),
        "zoom-out": lambda: window.stage.zoom(1 / 1.5),
        "pan-left": lambda: window.stage.canvas.pan(-0.25),
        "pan-right": lambda: window.stage.canvas.pan(0.25),
        "range": partial(mark_range, window),
        "fit-range": partial(fit_range, window),
        "fit-all": lambda: window.session.set_window(None),
        "next-pane": partial(_pane, window, 1),
        "previous-pane": partial(_pane, window, -1),
        "clear": partial(_clear, window),
    }


def _show_content(window: "MainWindow") -> None:
    if window.views.currentWidget() is not window.shown:
        window.show_view("timeline")
        show_layout(window)
    window.stage.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _show_triage(window: "MainWindow") -> None:
    window.show_view("triage")
    window.triage.focus()


def _toggle(window: "MainWindow", dock: QDockWidget) -> None:
    if window.views.currentWidget() is window.shown:
        dock.setVisible(dock.isHidden())
        fit_dock(window, dock)


def _full_screen(window: "MainWindow") -> None:
    window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)


def _pane(window: "MainWindow", step: int) -> None:
    panes = [
        pane
        for pane in (
            window.findings.list,
            window.notes.list,
            window.stage.canvas,
            *filter(None, (strip.focusProxy() for strip in window.stage.below.values())),
            window.transport.track,
            window.inspector,
            window.evidence.table,
            window.lessons.field,
            window.scenarios.editor,
            window.rail,
        )
        if pane.isVisible()
    ]
    if not panes:
        return
    focused = QApplication.focusWidget()
    here = (
        next((at for at, pane in enumerate(panes) if focused is pane or pane.isAncestorOf(focused)), None)
        if focused
        else None
    )
    pane = panes[0 if here is None else (here + step) % len(panes)]
    following = pane.nextInFocusChain()
    target = following if pane.focusPolicy() == Qt.FocusPolicy.NoFocus and following is not None else pane
    target.setFocus(Qt.FocusReason.TabFocusReason)


def _clear(window: "MainWindow") -> None:
    """The uppermost thing first: the field of a note, a message, the selection."""
    if window.note_editor.isVisible():
        window.note_editor.cancel()
    elif window.notices.isVisible():
        window.notices.hide()
    elif window.session.playing:
        window.session.set_playing(False)
    elif is_begun_arrow(window.session):
        window.session.draft = None
    elif window.session.tie:
        window.session.tie = MappingProxyType({})
        window.statusBar().clearMessage()
    elif window.session.range is not None:
        window.session.set_range(None)
    else:
        window.session.select(None)


def _choose_partition(window: "MainWindow") -> None:
    session = window.session
    content = session.content
    if content is None or not session.traces:
        return
    names = {shown_in_line(str(one.tp)): str(one.tp) for one in session.traces[0].partitions}
    answer = window.dialogs.choose(
        window, tr("search.partition"), list(names), content.runs[0].history.partition
    )
    # The question waits for a person: something else may be open by now.
    if answer and session.content is content:
        open_partition(window, names[answer])


def _go(window: "MainWindow") -> dict[str, Handler]:
    session = window.session
    made: dict[str, Handler] = {
        "forward": lambda: session.set_position(session.position + 1),
        "back": lambda: session.set_position(session.position - 1),
        "first": lambda: session.set_position(0),
        "last": lambda: session.set_position(session.content.last if session.content else 0),
        "play": partial(_play, window),
        "slower": partial(_speed, window, -1),
        "faster": partial(_speed, window, 1),
        "next-note": partial(_jump_note, window, 1),
        "previous-note": partial(_jump_note, window, -1),
        "select": partial(_select, window),
        "cause": partial(_to_cause, window),
    }
    for landmark in LANDMARKS:
        made[f"next-{landmark}"] = partial(jump, window, landmark, 1)
        made[f"previous-{landmark}"] = partial(jump, window, landmark, -1)
    for number in range(1, 10):
        made[f"finding-{number}"] = partial(window.go_finding, number - 1)
    return made


def jump(window: "MainWindow", landmark: str, step: int) -> None:
    """To the next or previous landmark; where there is none, say so and stay."""
    session = window.session
    if session.content is None:
        return
    place = session.content.next_of(landmark, session.position, step)
    if place is None:
        window.statusBar().showMessage(
            tr("window.no-more-from-here", what=tr(_NOUNS[landmark]))
            if step > 0
            else tr("window.no-earlier-from-here", what=tr(_NOUNS[landmark])),
            3000,
        )
        return
    session.set_position(place)
    window.stage.reveal(_run_of(window, landmark))


def _run_of(window: "MainWindow", landmark: str) -> int:
    """The run whose lanes a jump is about: that of a difference's first side, else the one that moved."""
    session = window.session
    content = session.content
    if content is None:
        return 0
    if landmark == "difference" and content.comparison is not None:
        return min(
            (d.runs[0] for d in content.comparison.differences if d.stop == session.position), default=0
        )
    return next((run for run, _, _ in content.moved(session.position)), 0)


_NOUNS: Final = {
    "loss": "terms.loss",
    "truncation": "window.truncation",
    "election": "window.election",
    "isr": "window.change-of-the-in-sync-set",
    "crash": "window.crash-stop-or-start",
    "gap": "window.evidence-gap",
    "difference": "window.difference",
    "anchor": "window.step",
}


def _play(window: "MainWindow") -> None:
    session = window.session
    content = session.content
    if content is not None and not session.playing and session.position >= content.last:
        session.set_position(0)
    session.set_playing(not session.playing)


def _speed(window: "MainWindow", step: int) -> None:
    place = SPEEDS.index(window.session.speed) + step
    window.session.set_speed(SPEEDS[max(0, min(place, len(SPEEDS) - 1))])


def _jump_note(window: "MainWindow", step: int) -> None:
    session = window.session
    placed = [(place, note) for note in session.notes if (place := session.note_position(note)) is not None]
    ahead = [(place, note) for place, note in placed if (place - session.position) * step > 0]
    if ahead:
        place, note = min(ahead, key=lambda pair: abs(pair[0] - session.position))
        session.set_position(place)
        session.select(Ref("note", note.run, note.key, text=note.text))


def _select(window: "MainWindow") -> None:
    """Select the event that is told at the cursor; once it is selected, show its raw lines."""
    session = window.session
    content = session.content
    if content is None:
        return
    if session.selection is not None:
        window.drawer.show()
        window.evidence.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return
    told = explain(content, session.position, None, session.notes)
    if told.evidence:
        run, seq = told.evidence[0]
        session.select(Ref("event", run, seq))


def _to_cause(window: "MainWindow") -> None:
    session = window.session
    content = session.content
    if content is None:
        return
    selected = session.selection
    moved = list(content.moved(session.position))
    if selected is not None and selected.kind in ("event", "loss", "truncation"):
        run, seq = selected.run, selected.key
    elif moved:
        run, _, now = moved[0]
        seq = now - 1
    else:
        return
    cause = content.runs[run].history.trace.event(seq).cause
    if cause is None:
        window.statusBar().showMessage(tr("window.no-cause-is-known-for-this"), 3000)
        return
    session.set_position(content.position_of(run, cause + 1))
    session.select(Ref("event", run, cause))


def _help(window: "MainWindow") -> dict[str, Handler]:
    return {
        "menu": partial(_open_menu, window),
        "keys": lambda: KeySheet(window).open(),
        "about": lambda: AboutBox(window).open(),
    }


def _open_menu(window: "MainWindow") -> None:
    window.title_bar.logo.showMenu()
