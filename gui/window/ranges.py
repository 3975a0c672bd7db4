"""A range on the timeline: marked by keys, shown whole, or folded."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gui.text.spoken import tr
from gui.window.person import Say
from gui.workspace.content import marked_times, with_room
from gui.workspace.session import Session


@dataclass(frozen=True, slots=True)
class Ranges:
    """Marks the range of a session."""

    session: Session
    say: Say
    show_stops: Callable[[int, int], object]
    """Shows these stops of a comparison, from the first to the last."""

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions on the range, by id."""
        return {"range": self.mark, "fit-range": self.fit, "fold-range": self.fold}

    def mark(self) -> None:
        """The first time the range begins at the cursor, the second time it ends there."""
        session = self.session
        marked = session.range
        if marked is None or marked[1] is not None:
            session.set_range((session.position, None))
            self.say(tr("ranges.the-range-begins-here-r-again"), 4000)
            return
        # At its beginning it has no length, and is none.
        session.set_range((marked[0], session.position))
        self.say("", 0)

    def fit(self) -> None:
        """Show the time of the range with a little room on both sides, of a comparison its stops."""
        content, marked = self.session.content, self.session.range
        if content is None or marked is None or marked[1] is None:
            return
        if content.comparison is not None:
            self.show_stops(marked[0], marked[1])
            return
        self.session.set_window(with_room(marked_times(content, marked[0], marked[1])))

    def fold(self) -> None:
        """Draw the range narrow; a click on it opens it again. It is no range any more.

        On a timeline it is its time, in a comparison its stops: what happened after the first of them.
        """
        content, marked = self.session.content, self.session.range
        if content is None or marked is None or marked[1] is None:
            return
        drawing = self.session.drawing
        first, last = marked[0] + 1, marked[1]
        if content.comparison is None:
            first, last = marked_times(content, marked[0], marked[1])
        self.session.set_drawing(replace(drawing, folds=True, folded=drawing.folded | {(first, last + 1)}))
        self.session.set_range(None)
