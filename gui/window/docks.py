"""Which docks are seen, where and how large: as they were left in a view, else by the size of the window."""

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSplitter, QWidget

from gui.search.find_dock import FindDock
from gui.switchboard.dock import SwitchDock
from gui.text.spoken import tr
from gui.window.grip import Grip
from gui.window.settings import Settings
from gui.workspace.session import Session

_ROOM_FOR_LEFT: Final = 1360
_ROOM_FOR_WIDE: Final = 1440
_ROOM_FOR_DRAWER: Final = 860
_STATE: Final = 2
"""Version of a remembered layout: grows when a dock comes or goes, and older ones are no longer taken."""


class Docks:
    """The docks beside and below the lanes."""

    finder: FindDock
    """It stands in the place of the drawer for as long as somebody looks for something."""
    switchboard: SwitchDock
    """It stands in the place of the findings for as long as it is wanted."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        settings: Settings,
        parts: tuple[QSplitter, QWidget, QWidget],
        lanes_shown: Callable[[], bool],
    ) -> None:
        """`parts` are what stands left, right and below; `lanes_shown` says whether the lanes are seen."""
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

    def _dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(name)
        dock.setWidget(widget)
        Grip(dock)
        self._window.addDockWidget(area, dock)
        dock.hide()
        return dock

    def show(self) -> None:
        """The docks as they were left in this view in a window as wide as this, else those that fit."""
        content = self._session.content
        if content is None or not self._lanes_shown():
            return
        view = "timeline" if content.comparison is None else "compare"
        if self.laid_out == view:
            return
        self.keep()
        self.laid_out = view
        kept: QByteArray = self._settings.get(self._key())
        if kept.isEmpty() or not self._window.restoreState(kept, _STATE):
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
        """Remember the docks of the view that is shown; nothing where a page without docks is."""
        if not self.laid_out:
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
        for dock in (self.right, self.left, self.drawer):
            dock.hide()

    def now(self) -> tuple[QByteArray, QByteArray]:
        """How docks and panels are laid out, for `reset`."""
        return self._window.saveState(_STATE), self.panels.saveState()

    def reset(self, first: tuple[QByteArray, QByteArray]) -> None:
        """Forget what was remembered, in both views, and place the docks as at the first start."""
        for view in ("timeline", "compare"):
            for width in ("wide", "narrow"):
                self._settings.put(f"layout-{view}-{width}", QByteArray())
        self._settings.put("panels", QByteArray())
        self.finder.hide()
        self.switchboard.wanted = False
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
        window, one = self._window, content.comparison is None
        self.right.show()
        self.left.setVisible(one and window.width() >= _ROOM_FOR_LEFT)
        self.drawer.setVisible(one and window.height() >= _ROOM_FOR_DRAWER)
        self.fit_all()

    def toggle(self, dock: QDockWidget) -> None:
        """Show or hide a dock of the lanes."""
        if self._lanes_shown():
            dock.setVisible(dock.isHidden())
            self.fit(dock)

    def show_drawer_if_room(self) -> None:
        """Show the evidence where the window is high enough for it."""
        if self._window.height() >= _ROOM_FOR_DRAWER:
            self.drawer.show()

    def resized(self, before: int, now: int) -> None:
        """The window got another width: docks keep their share of it."""
        crossed = (before >= _ROOM_FOR_WIDE) != (now >= _ROOM_FOR_WIDE)
        if crossed and self._session.content is not None:
            self.fit_all()

    def fit_all(self) -> None:
        """Give the docks their sizes; in a narrow window the inspector is narrower, for lanes of 640."""
        for dock in (self.right, self.left, self.drawer):
            self.fit(dock)

    def fit(self, dock: QDockWidget) -> None:
        """Give one dock its size."""
        window, across = self._window, Qt.Orientation.Horizontal
        if dock is self.drawer:
            window.resizeDocks([dock], [200], Qt.Orientation.Vertical)
        elif dock is self.left:
            window.resizeDocks([dock], [272], across)
        else:
            window.resizeDocks([dock], [356 if window.width() >= _ROOM_FOR_WIDE else 320], across)

    def _key(self) -> str:
        width = "wide" if self._window.width() >= _ROOM_FOR_WIDE else "narrow"
        return f"layout-{self.laid_out}-{width}"


class Strips:
    """The strips below the lanes."""

    def __init__(
        self, strips: Mapping[str, QWidget], settings: Settings, actions: Mapping[str, QAction]
    ) -> None:
        """As they were left."""
        self._strips, self._settings, self._actions = strips, settings, actions
        self._restore()

    def toggle(self, name: str) -> None:
        """Show or hide a strip, and remember it."""
        self._settings.put(name, self._strips[name].isHidden())
        self._restore()

    def _restore(self) -> None:
        for name, strip in self._strips.items():
            strip.setVisible(self._settings.get(name))
            self._actions[name].setChecked(self._settings.get(name))
