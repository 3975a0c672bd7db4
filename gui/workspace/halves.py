"""Two tabs of one window that are seen at once, as a value. No Qt."""

from dataclasses import dataclass
from typing import Final

from core.trace.trace import Origin, Trace
from gui.workspace.content import Content, Moment
from gui.workspace.tabs import Open


@dataclass(frozen=True, slots=True)
class Halves:
    """The keys of the tab at the left and of the one at the right; 0 is none."""

    left: int = 0
    right: int = 0
    together: bool = False
    """Whether a cursor that is moved takes the other one to the same moment."""

    def other(self, key: int) -> int:
        """The one that is seen beside a tab; 0 where it is seen alone."""
        return {self.left: self.right, self.right: self.left}.get(key, 0) if key else 0


WHOLE: Final = Halves()
"""Each tab is seen alone."""


def still(halves: Halves, now: Open) -> Halves:
    """The same while both tabs are open. One that is closed, or goes to another window, leaves one alone."""
    keys = {tab.key for tab in now.tabs}
    return halves if {halves.left, halves.right} <= keys else WHOLE


def begun(now: Open, key: int) -> Halves:
    """The tab in front with another one at its right; alone where that is no other one that is open."""
    return WHOLE if key == now.current or now.tab(key) is None else Halves(now.current, key)


def moves_with(one: Content | None, other: Content | None) -> bool:
    """Whether two timelines have moments in common: both of one trace, or imported and of one time."""
    if one is None or other is None or one.comparison is not None or other.comparison is not None:
        return False
    first, second = one.runs[0].history.trace, other.runs[0].history.trace
    if first is second:
        return True
    if first.origin is not Origin.IMPORTED or second.origin is not Origin.IMPORTED:
        return False
    if not len(first) or not len(second):
        return False
    (begin, end), (start, stop) = _span(first), _span(second)
    return begin <= stop and start <= end


def moved_with(one: Content, position: int, other: Content) -> int:
    """The position of another timeline at the moment of a position: after the last event until then."""
    (cursor,) = one.cursors(position)
    trace = one.runs[0].history.trace
    if cursor == 0:
        return 0
    same = trace is other.runs[0].history.trace
    return other.place(Moment(int(trace.columns["at"][cursor - 1]), cursor if same else None))


def _span(trace: Trace) -> tuple[int, int]:
    """From the first to the last event, ns."""
    at = trace.columns["at"]
    return int(at[0]), int(at[-1])
