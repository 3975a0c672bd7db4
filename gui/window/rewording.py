"""Another language, or another zone of times, while the window is open: its parts are made anew.

What is open, the cursor, what is looked at, the notes and the history of undo are the session's and the
store's: they stay as they are.
"""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QDockWidget, QToolBar, QWidget

from core.trace.times import show_in
from gui.i18n import use_language
from gui.search.overlay import find_overlay
from gui.window.docks import keep_layout, show_layout
from gui.window.noting import edit_note
from gui.window.settings import zone_of
from gui.window.signals import Signals, job_signals, session_signals, store_signals
from gui.workspace.store import CONTENT, KEEP, SAVE

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

_TOLD_TO_THE_WINDOW = (CONTENT, SAVE, KEEP, "close ")
"""How the questions begin whose answers no part of the window waits for."""


def speak_anew(window: "MainWindow", key: str) -> None:
    """Hold to what the settings have now for "language" or "zone"; the other may be for this time only."""
    if key == "language":
        use_language(window.settings.get("language"))
    else:
        show_in(zone_of(window.settings.get("zone")))
    view = next((name for name, page in window.pages.items() if page is window.views.currentWidget()), "")
    looked_at, writing = window.visits.kept(), window.note_editor.writing()
    keep_layout(window)
    _let_go(window)
    window.laid_out = ""
    window.make_parts()
    # Qt shows it in a turn that follows; the docks would take its room until then.
    window.centre.show()
    window.session.tell()
    window.visits.take(looked_at)
    window.show_view(view)
    show_layout(window)
    if writing is not None:
        edit_note(window, writing[0])
        window.note_editor.field.setPlainText(writing[1])
    window.store.reword()


def _tell_anew(window: "MainWindow") -> None:
    """Tell changes through new signals: the parts that go hear nothing any more."""
    for signals in window.findChildren(Signals):
        signals.deleteLater()
    window.session.tell_through(session_signals(window))
    window.jobs.tell_through(job_signals(window))
    window.store.tell_through(store_signals(window))
    window.store.follow()


def _let_go(window: "MainWindow") -> None:
    """Remove the parts, and whatever they wait for or listen to."""
    frame = find_overlay(window)
    if frame is not None:
        frame.leave()
    for question in window.jobs.asked():
        if not question.startswith(_TOLD_TO_THE_WINDOW):
            window.jobs.cancel(question)
    _tell_anew(window)
    for action in window.actions_.values():
        window.removeAction(action)
        action.deleteLater()
    window.actions_.clear()
    kinds = (QDialog, QDockWidget, QToolBar)
    parts: list[QWidget] = [part for kind in kinds for part in window.findChildren(kind)]
    for part in (*parts, window.menu, window.centre):
        part.hide()
        part.setParent(None)
        part.deleteLater()
    window.visits.deleteLater()
