"""Back and forward through the places that were looked at: tab, view, partition, position, what is zoomed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QTimer

from gui.text.spoken import tr
from gui.window.docks import Docks
from gui.window.opening import Opening
from gui.window.pages import Viewing
from gui.window.person import Say
from gui.window.windows import Windows
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session
from gui.workspace.store import CONTENT, Store
from gui.workspace.tabbing import Tabs
from gui.workspace.tabs import Open

SETTLED_MS: Final = 400
"""How long a place must stand to count as visited: what is scrubbed or zoomed past does not."""
MOST: Final = 200
_VIEWS: Final = ("welcome", "incident", "triage", "query", "report")
"""Pages that are places of their own."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One place. `partition` is "" in a comparison; `window` None is all of it."""

    tab: int
    view: str
    partition: str
    position: int
    window: tuple[int, int] | None

    def is_near(self, other: "Visit") -> bool:
        """Whether only a step lies between the two: stepping on is no new place."""
        same = (self.tab, self.view, self.partition, self.window) == (
            other.tab,
            other.view,
            other.partition,
            other.window,
        )
        return same and abs(self.position - other.position) <= 1


class Visits(QObject):
    """Follows the window, through all of its tabs. Of one that is closed nothing is remembered.

    A tab that went to another window is a place still, where that shows it.
    """

    def __init__(
        self,
        session: Session,
        store: Store,
        jobs: JobRunner,
        viewing: Viewing,
        docks: Docks,
        opening: Opening,
        tabs: tuple[Tabs, Callable[[int], object], Windows],
        *,
        say: Say,
        parent: QObject,
    ) -> None:
        """Nothing was visited yet. `tabs`: those that are open, what brings one to the front, all windows."""
        super().__init__(parent)
        self._session, self._jobs, self._say = session, jobs, say
        self._viewing, self._docks, self._opening = viewing, docks, opening
        self._tabs, self._choose, self._windows = tabs
        self._back: list[Visit] = []
        self._forward: list[Visit] = []
        self._here: Visit | None = None
        self._wanted: Visit | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLED_MS)
        self._timer.timeout.connect(self.settle)
        session.position_changed.connect(self.changed)
        session.window_changed.connect(self.changed)
        session.content_changed.connect(self._content_changed)
        self._tabs.changed.connect(self._tabs_changed)
        store.partition_shown.connect(self._partition_shown)

    def kept(self) -> tuple[tuple[Visit, ...], tuple[Visit, ...]]:
        """The places behind and ahead."""
        self.settle()
        return tuple(self._back), tuple(self._forward)

    def take(self, kept: tuple[tuple[Visit, ...], tuple[Visit, ...]]) -> None:
        """Go on from what was looked at before."""
        self._back, self._forward = list(kept[0]), list(kept[1])
        self._here = self._place()

    def go(self, step: int) -> None:
        """To the place before (-1) or after (1); where there is none, say so and stay."""
        self.settle()
        ways = (self._back, self._forward) if step < 0 else (self._forward, self._back)
        if not ways[0] or self._here is None:
            self._say(
                tr("visits.there-is-no-earlier-place") if step < 0 else tr("visits.there-is-no-later-place"),
                3000,
            )
            return
        ways[1].append(self._here)
        self._show(ways[0].pop())

    def settle(self) -> None:
        """Take the place that is shown now as visited."""
        self._timer.stop()
        here = self._place()
        before, self._here = self._here, here
        if before is None or here is None or before == here or before.is_near(here):
            return
        self._back.append(before)
        del self._back[:-MOST]
        self._forward.clear()

    def _place(self) -> Visit | None:
        session, view = self._session, self._viewing.name
        if session.content is None:
            return None
        name = "" if session.content.comparison else session.content.partition
        shown = view if view in _VIEWS else "timeline"
        return Visit(self._tabs.open.current, shown, name, session.position, session.window)

    def changed(self, *_changed: object) -> None:
        """The cursor, the stretch or the view is another one."""
        if self._wanted is None:
            self._timer.start()

    def _content_changed(self, content: object) -> None:
        if content is None:
            self.forget()

    def _tabs_changed(self, now: Open) -> None:
        """Of a tab that is closed no place is left. Another one in front is a place at once."""
        for way in (self._back, self._forward):
            way[:] = [visit for visit in way if self._windows.has(visit.tab)]
        here = self._here
        if here is not None and not self._windows.has(here.tab):
            self._here = None
        elif here is not None and here.tab != now.current and self._wanted is None:
            self._back.append(here)
            self._forward.clear()
            self._here = None
        self.changed()

    def forget(self) -> None:
        """Begin anew with the place that is shown now: what was open in this tab is another thing."""
        here = self._tabs.open.current
        for way in (self._back, self._forward):
            way[:] = [visit for visit in way if visit.tab != here]
        self._wanted, self._here = None, self._place()

    def _show(self, visit: Visit) -> None:
        if self._tabs.open.tab(visit.tab) is None:
            self._windows.bring_tab(visit.tab)
            return
        if visit.tab != self._tabs.open.current:
            self._here, self._wanted = None, visit
            self._choose(visit.tab)
            self._wanted = None
        here = self._place()
        if here is not None and visit.partition != here.partition:
            self._wanted = visit
            self._opening.open_partition(visit.partition)
            if CONTENT not in self._jobs.asked():
                # The person went back from the question about notes.
                self._wanted = None
            return
        self._apply(visit)

    def _partition_shown(self, _name: str) -> None:
        wanted = self._wanted
        if wanted is not None:
            self._apply(wanted)
            self._wanted = None

    def _apply(self, visit: Visit) -> None:
        self._here = visit
        self._viewing.show(visit.view)
        self._docks.show()
        self._session.set_position(visit.position)
        self._session.set_window(visit.window)
        self._timer.stop()
