"""Which docks are seen, where and how large: as they were left in a view, else by the size of the window.

In a window without room for them beside the lanes, they lie over the lanes, and only while they are wanted.
"""

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSplitter, QWidget

from gui.search.find_dock import FindDock
from gui.switchboard.dock import SwitchDock
from gui.text.spoken import tr
from gui.window.grip import Grip
from gui.window.reflow import Room, Side
from gui.window.settings import Settings
from gui.window.sides import Over
from gui.workspace.session import Session

_LEFT: Final = 272
_RIGHT: Final = 356
_DRAWER: Final = 200
_STATE: Final = 2
"""Version of a remembered layout: grows when a dock comes or goes, and older ones are no longer taken."""


class Docks:
    """The docks beside and below the lanes."""

    finder: FindDock
    """It stands in the place of the drawer for as long as somebody looks for something."""
    switchboard: SwitchDock
    """It stands in the place of the findings for as long as it is wanted."""
    room: Room
    """How the sides are shown: said by whoever makes the docks before any is seen."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        settings: Settings,
        parts: tuple[QSplitter, QWidget, QWidget],
        ground: QWidget,
        lanes_shown: Callable[[], bool],
    ) -> None:
        """`parts` are what stands left, right and below, or lies over `ground`.

        `lanes_shown` says whether the lanes are seen.
        """
        self._window, self._session, self._settings = window, session, settings
        self._lanes_shown = lanes_shown
        self.panels, right, below = parts
        self.laid_out = ""
        """The view whose docks are seen, "" where a page without docks is."""
        areas = Qt.DockWidgetArea
        self.left = self._dock(
            "left", tr("main-window.findings-and-notes"), self.panels, areas.LeftDockWidgetArea
        )
        self.right = self._dock("right", tr("actions.inspector"), right, areas.RightDockWidgetArea)
        self.drawer = self._dock("drawer", tr("actions.evidence"), below, areas.BottomDockWidgetArea)
        # The drawer runs under the inspector, because lines of a log are long.
        window.setCorner(Qt.Corner.BottomRightCorner, areas.BottomDockWidgetArea)
        window.setCorner(Qt.Corner.BottomLeftCorner, areas.LeftDockWidgetArea)
        self._areas = {
            self.left: areas.LeftDockWidgetArea,
            self.right: areas.RightDockWidgetArea,
            self.drawer: areas.BottomDockWidgetArea,
        }
        self._over = Over(window, ground)
        self._over.widths = {self.left: _LEFT, self.right: _RIGHT}

    def _dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setWidget(widget)
        Grip(dock)
        self._window.addDockWidget(area, dock)
        dock.hide()
        return dock

    def give_room(self, room: Room) -> None:
        """The window has another size: docks get room of their own, or lie over the lanes."""
        if (room.side, room.drawer) == (self.room.side, self.room.drawer):
            self.room = room
            return
        laid_out = self.laid_out
        self.keep()
        self.room = room
        for dock, area in self._areas.items():
            side = room.drawer if dock is self.drawer else room.side
            if side is not Side.BESIDE:
                self._over.take(dock, area, side)
            elif self._over.has(dock):
                self._over.give_back(dock)
        if laid_out:
            self.again()

    def show(self) -> None:
        """The docks as they were left in this view, else those that fit."""
        content = self._session.content
        if content is None or not self._lanes_shown():
            return
        view = "timeline" if content.comparison is None else "compare"
        if self.laid_out == view:
            return
        self.keep()
        self.laid_out = view
        kept: QByteArray = self._settings.get(self._key())
        beside = self.room.side is Side.BESIDE
        if not beside or kept.isEmpty() or not self._window.restoreState(kept, _STATE):
            self.place()
        panels: QByteArray = self._settings.get("panels")
        if not panels.isEmpty():
            self.panels.restoreState(panels)
        self.switchboard.settle()

    def again(self) -> None:
        """Lay the docks of this view out as they were kept: what stood in their place is gone."""
        self.laid_out = ""
        self.show()

    def keep(self) -> None:
        """Remember the docks of the view that is shown; nothing where a page without docks is.

        Nothing either of docks that lie over the lanes: they are open for a moment.
        """
        if not self.laid_out or self.room.side is not Side.BESIDE:
            return
        if self.finder.isVisible():
            self.finder.leave()
        if self.switchboard.wanted:
            return
        self._settings.put(self._key(), self._window.saveState(_STATE))
        self._settings.put("panels", self.panels.saveState())

    def hide(self) -> None:
        """A page without docks comes: remember how they were."""
        self.keep()
        self.laid_out = ""
        for dock in self._areas:
            dock.hide()

    def now(self) -> tuple[QByteArray, QByteArray]:
        """How docks and panels are laid out, for `reset`."""
        return self._window.saveState(_STATE), self.panels.saveState()

    def reset(self, first: tuple[QByteArray, QByteArray]) -> None:
        """Forget what was remembered, in both views, and place the docks as at the first start."""
        for view in ("timeline", "compare"):
            self._settings.put(f"layout-{view}", QByteArray())
        self._settings.put("panels", QByteArray())
        self.finder.hide()
        self.switchboard.wanted = False
        if self.room.side is Side.BESIDE:
            self._window.restoreState(first[0], _STATE)
        self.panels.restoreState(first[1])
        self.place()
        layout = self._window.layout()
        if layout is not None:
            # Docks that were shown only now were sized beside what was hidden: the inspector was too narrow.
            layout.activate()
            self.fit_all()

    def place(self) -> None:
        """The docks that fit the view and the size of the window."""
        content = self._session.content
        if content is None or not self._lanes_shown():
            return
        one, beside = content.comparison is None, self.room.side is Side.BESIDE
        self.right.setVisible(beside)
        self.left.setVisible(one and beside)
        self.drawer.setVisible(one and self.room.drawer_opens)
        self.fit_all()

    def toggle(self, dock: QDockWidget) -> None:
        """Show or hide a dock of the lanes."""
        if self._lanes_shown():
            dock.setVisible(dock.isHidden())
            self.fit(dock)

    def close_over(self) -> bool:
        """Hide what lies over the lanes; whether there was something."""
        return self._over.close()

    def show_drawer_if_room(self) -> None:
        """Show the evidence where the window is high enough for it."""
        if self.room.drawer_opens:
            self.drawer.show()

    def fit_all(self) -> None:
        """Give the docks their sizes."""
        for dock in self._areas:
            self.fit(dock)

    def fit(self, dock: QDockWidget) -> None:
        """Give a dock that has room of its own its size."""
        if self._over.has(dock):
            return
        if dock is self.drawer:
            self._window.resizeDocks([dock], [_DRAWER], Qt.Orientation.Vertical)
        else:
            wide = _LEFT if dock is self.left else _RIGHT
            self._window.resizeDocks([dock], [wide], Qt.Orientation.Horizontal)

    def _key(self) -> str:
        return f"layout-{self.laid_out}"


class Strips:
    """The strips below the lanes."""

    def __init__(
        self, strips: Mapping[str, QWidget], settings: Settings, actions: Mapping[str, QAction]
    ) -> None:
        """As they were left."""
        self._strips, self._settings, self._actions = strips, settings, actions
        self._closed: frozenset[str] = frozenset()
        """Those that are closed for want of room, until somebody asks for them."""
        self._restore()

    def give_room(self, room: Room) -> None:
        """The window has another size: without room for the logs at the cursor they are closed at first."""
        self._closed = frozenset() if room.cells_open else frozenset({"cells"})
        self._restore()

    def toggle(self, name: str) -> None:
        """Show or hide a strip, and remember it."""
        if name in self._closed:
            self._closed -= {name}
            self._settings.put(name, True)
        else:
            self._settings.put(name, self._strips[name].isHidden())
        self._restore()

    def _restore(self) -> None:
        for name, strip in self._strips.items():
            shown: bool = self._settings.get(name) and name not in self._closed
            strip.setVisible(shown)
            self._actions[name].setChecked(shown)
