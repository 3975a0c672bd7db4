"""A range on the timeline: marked by keys, shown whole, and cleared."""

from typing import TYPE_CHECKING

from gui.text.spoken import tr
from gui.workspace.content import marked_times, with_room

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def mark_range(window: "MainWindow") -> None:
    """The first time the range begins at the cursor, the second time it ends there."""
    session = window.session
    marked = session.range
    if marked is None or marked[1] is not None:
        session.set_range((session.position, None))
        window.statusBar().showMessage(tr("ranges.the-range-begins-here-r-again"), 4000)
        return
    # At its beginning it has no length, and is none.
    session.set_range((marked[0], session.position))
    window.statusBar().clearMessage()


def fit_range(window: "MainWindow") -> None:
    """Show the time of the range, with a little room on both sides."""
    session = window.session
    content, marked = session.content, session.range
    if content is None or marked is None or marked[1] is None:
        return
    session.set_window(with_room(marked_times(content, marked[0], marked[1])))
