"""What the actions of this folder do, by id of the table."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from gui.search.go_to import open_go_to
from gui.search.overlay import find_overlay
from gui.search.palette import open_palette

if TYPE_CHECKING:
    from gui.main_window import MainWindow


def search_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """A function for every action that searches or goes."""
    return {
        "palette": partial(_ask, window, open_palette),
        "go-to": partial(_ask, window, open_go_to),
    }


def _ask(window: "MainWindow", ask: Callable[["MainWindow"], None]) -> None:
    """One question at a time: what is asked already goes."""
    before = find_overlay(window)
    if before is not None:
        before.leave()
    ask(window)
