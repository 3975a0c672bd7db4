"""What the actions of this folder do, by id of the table."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from gui.search.changes import open_changes
from gui.search.go_to import open_go_to
from gui.search.overlay import leave_overlay
from gui.search.palette import open_palette

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def search_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """A function for every action that searches or goes. What they list goes with what is open."""
    window.session.content_changed.connect(partial(leave_overlay, window))
    return {
        "palette": partial(_ask, window, open_palette),
        "go-to": partial(_ask, window, open_go_to),
        "last-change": partial(_ask, window, open_changes),
        "find": lambda: _find(window),
        "next-hit": lambda: window.finder.go(1),
        "previous-hit": lambda: window.finder.go(-1),
        "visit-back": lambda: window.visits.go(-1),
        "visit-forward": lambda: window.visits.go(1),
    }


def _ask(window: "MainWindow", ask: Callable[["MainWindow"], None]) -> None:
    """One question at a time: what is asked already goes."""
    leave_overlay(window)
    ask(window)


def _find(window: "MainWindow") -> None:
    leave_overlay(window)
    window.finder.open()
