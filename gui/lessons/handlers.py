"""The page in the window: its action, and what opening a row does."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from core.kafka.eras import era_named
from core.sim.library import scenario
from gui.lessons.page import LessonsPage
from gui.lessons.rows import Entry
from gui.text.spoken import language
from gui.window.opening import may_leave
from gui.workspace.simulating import PAIR, Asked

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def lesson_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """A function for every action of this page."""
    return {"lessons": partial(_show, window)}


def lessons_page(window: "MainWindow") -> LessonsPage:
    """The page, wired to the window."""
    page = LessonsPage(", ".join(PAIR))
    page.chosen.connect(partial(_open, window))
    return page


def _show(window: "MainWindow") -> None:
    window.show_view("lessons")
    window.lessons.focus()


def _open(window: "MainWindow", entry: Entry) -> None:
    """Replay what a row is about, and look where its answer is seen."""
    if not may_leave(window):
        return
    eras = tuple(era_named(name) for name in entry.runs or PAIR)
    window.store.simulate(Asked(scenario(entry.scenario), eras, place=entry.place, language=language()))
