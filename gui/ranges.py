"""A range on the timeline: marked by keys, shown whole, and cleared."""

from typing import TYPE_CHECKING

from gui.content import Content
from gui.i18n import tr

if TYPE_CHECKING:
    from gui.main_window import MainWindow


def mark_range(window: "MainWindow") -> None:
    """The first time the range begins at the cursor, the second time it ends there."""
    session = window.session
    marked = session.range
    if marked is None or marked[1] is not None:
        session.set_range((session.position, None))
        window.statusBar().showMessage(tr("The range begins here; R again ends it, Esc forgets it"), 4000)
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


def marked_times(content: Content, first: int, last: int) -> tuple[int, int]:
    """The times of two positions of a timeline, ns."""
    times = content.runs[0].history.trace.columns["at"]
    begin, end = (int(times[max(content.cursors(at)[0], 1) - 1]) for at in (first, last))
    return begin, end


def with_room(times: tuple[int, int]) -> tuple[int, int]:
    """A stretch with a little room on both sides."""
    room = max((times[1] - times[0]) // 20, 500_000)
    return times[0] - room, times[1] + room
