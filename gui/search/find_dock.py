"""Where the panel of Ctrl+F is: in the place of the evidence drawer, which comes back after it."""

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from gui.search.find_panel import FindPanel
from gui.text.spoken import tr
from gui.theme import load_theme
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session


class Lanes(Protocol):
    """The lanes that it stands below, among other views."""

    def lanes_shown(self) -> bool:
        """Whether they are seen."""
        ...

    def show_lanes(self) -> None:
        """Show them."""
        ...

    def focus_lanes(self) -> None:
        """Give them the keyboard."""
        ...


class FindDock(QDockWidget):
    """Hidden until it is asked for; it goes when another view is shown."""

    def __init__(
        self, window: QMainWindow, session: Session, jobs: JobRunner, drawer: QDockWidget, lanes: Lanes
    ) -> None:
        """Puts itself at the window's lower edge, where `drawer` is else."""
        super().__init__(tr("search.find"), window)
        self.setObjectName("find")
        self._window, self._evidence, self._lanes = window, drawer, lanes
        self._drawer = False
        self.panel = FindPanel(session, jobs)
        self.setWidget(self.panel)
        self.setTitleBarWidget(QWidget(self))
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self)
        self.hide()
        self.panel.left.connect(self.leave)
        session.theme_changed.connect(self._theme_changed)

    def open(self) -> None:
        """Show it, over the timeline."""
        self._lanes.show_lanes()
        if self.isHidden():
            self._drawer = not self._evidence.isHidden()
            self._evidence.hide()
            self.show()
            self._window.resizeDocks([self], [220], Qt.Orientation.Vertical)
        self.panel.open()

    def go(self, step: int) -> None:
        """To the next or previous hit; nothing was looked for yet: ask."""
        if self.panel.query().empty:
            self.open()
        else:
            self.panel.go(step)

    def leave(self) -> None:
        """Back to what was seen before."""
        self.hide()
        if self._drawer and self._lanes.lanes_shown():
            self._evidence.show()
        self._lanes.focus_lanes()

    def view_changed(self, _page: int) -> None:
        """Another view is seen."""
        if not self._lanes.lanes_shown():
            self.hide()

    def _theme_changed(self, name: str) -> None:
        self.panel.set_theme(load_theme(name))
