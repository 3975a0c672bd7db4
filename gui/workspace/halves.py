"""Two tabs of one window that are seen at once, as a value. No Qt."""

from dataclasses import dataclass
from typing import Final

from gui.workspace.tabs import Open


@dataclass(frozen=True, slots=True)
class Halves:
    """The keys of the tab at the left and of the one at the right; 0 is none."""

    left: int = 0
    right: int = 0

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
