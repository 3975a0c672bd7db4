"""What the actions of this folder do, by id of the table."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtWidgets import QWidget

from gui.search.changes import open_changes
from gui.search.find_dock import FindDock
from gui.search.go_to import open_go_to
from gui.search.overlay import leave_overlay
from gui.search.palette import Ways, open_palette
from gui.workspace.session import Session


class Visits(Protocol):
    """The places that were looked at."""

    def go(self, step: int, /) -> None:
        """To the place before (-1) or after (1)."""
        ...


def search_handlers(
    over: QWidget,
    session: Session,
    ways: Ways,
    lanes: tuple[Callable[[], object], Callable[[int], object]],
    finder: FindDock,
    visits: Visits,
) -> dict[str, Callable[[], object]]:
    """A function for every action that searches or goes; what they list stands over a widget.

    It goes with what is open. `lanes` shows them, and brings those of a run into sight.
    """
    show_lanes, reveal = lanes
    session.content_changed.connect(partial(leave_overlay, over))

    def ask(question: Callable[[], None]) -> None:
        """One question at a time: what is asked already goes."""
        leave_overlay(over)
        question()

    return {
        "palette": partial(ask, partial(open_palette, over, session, ways)),
        "go-to": partial(ask, partial(open_go_to, over, session, show_lanes)),
        "last-change": partial(ask, partial(open_changes, over, session, reveal)),
        "find": partial(ask, finder.open),
        "next-hit": partial(finder.go, 1),
        "previous-hit": partial(finder.go, -1),
        "visit-back": partial(visits.go, -1),
        "visit-forward": partial(visits.go, 1),
    }
