"""Another language, or another zone of times, while the window is open: its parts are made anew.

What is open, the cursor, what is looked at, the notes and the history of undo are the session's and the
store's: they stay as they are.
"""

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QDockWidget, QMainWindow, QToolBar, QWidget

from core.trace.times import show_in
from gui.i18n import use_language
from gui.search.overlay import find_overlay
from gui.window.settings import Settings, zone_of
from gui.workspace.jobs import JobRunner
from gui.workspace.store import CLOSING, CONTENT, KEEP, SAVE

_OF_THE_STORE = (CONTENT, SAVE, KEEP, CLOSING)
"""How the questions begin whose answers no part of the window waits for."""


def hold_to(key: str, settings: Settings) -> None:
    """Hold to what the settings have now for "language" or "zone"; the other may be for this time only."""
    if key == "language":
        use_language(settings.get("language"))
    else:
        show_in(zone_of(settings.get("zone")))


def drop_questions(jobs: JobRunner) -> None:
    """Drop what parts of the window wait for."""
    for question in jobs.asked():
        if not question.startswith(_OF_THE_STORE):
            jobs.cancel(question)


def remove_parts(window: QMainWindow, parts: Sequence[QWidget], actions: dict[str, QAction]) -> None:
    """Remove actions, docks, bars and dialogs of a window, and these parts."""
    frame = find_overlay(window)
    if frame is not None:
        frame.leave()
    for action in actions.values():
        window.removeAction(action)
        action.deleteLater()
    actions.clear()
    kinds = (QDialog, QDockWidget, QToolBar)
    found: list[QWidget] = [part for kind in kinds for part in window.findChildren(kind)]
    for part in (*found, *parts):
        part.hide()
        part.setParent(None)
        part.deleteLater()
