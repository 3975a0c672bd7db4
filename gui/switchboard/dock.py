"""Where the switchboard is: left of the lanes, in the place of the findings; it stays while runs change."""

from collections.abc import Callable
from typing import Final, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from gui.switchboard.panel import SwitchPanel
from gui.text.spoken import tr
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session

_WIDE: Final = 1600
"""From this width of the window on there is room for the inspector as well."""
_WIDTHS: Final = ((1800, 660), (_WIDE, 560), (0, 460))
"""How wide it is from which width of the window on."""


class Lanes(Protocol):
    """The lanes that it stands beside, among other views."""

    def lanes_shown(self) -> bool:
        """Whether they are seen."""
        ...

    def show_lanes(self) -> None:
        """Show them."""
        ...

    def focus_lanes(self) -> None:
        """Give them the keyboard."""
        ...


class SwitchDock(QDockWidget):
    """Hidden until it is asked for."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        jobs: JobRunner,
        others: tuple[QDockWidget, QDockWidget],
        lanes: Lanes,
    ) -> None:
        """`others` are the docks at the left, and at the right."""
        super().__init__(tr("switchboard.title"), window)
        self.setObjectName("switchboard")
        self._window, self._others, self._lanes = window, others, lanes
        self.wanted = False
        """Whether it is seen wherever the lanes are."""
        self._flipping = False
        self.lay_out: Callable[[], object] = lambda: None
        """Put the other docks back."""
        self.panel = SwitchPanel(session, jobs)
        self.setWidget(self.panel)
        self.setTitleBarWidget(QWidget(self))
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self)
        self.hide()
        self.panel.asked.connect(self._begin)
        session.content_changed.connect(self._content_changed)
        jobs.failed.connect(self._failed)

    def toggle(self) -> None:
        """Show it over the lanes, with the keyboard in it; or put back what was there."""
        if self.wanted and self.isVisible():
            self.leave()
            return
        self.wanted = True
        self._lanes.show_lanes()
        self.settle()
        self.panel.look()
        self.panel.table.setFocus()

    def leave(self) -> None:
        """Back to the docks that were seen before."""
        self.wanted = False
        self.hide()
        self.panel.stop()
        self.lay_out()
        self._lanes.focus_lanes()

    def settle(self) -> None:
        """Take the place of the findings, and in a small window that of the inspector, too."""
        if not self.wanted:
            self.hide()
            return
        left, right = self._others
        left.hide()
        if self._window.width() < _WIDE:
            right.hide()
        self.show()
        width = next(width for least, width in _WIDTHS if self._window.width() >= least)
        self._window.resizeDocks([self], [width], Qt.Orientation.Horizontal)

    def resume(self) -> None:
        """What a flip asked for is shown: the keyboard is in the rows again."""
        if self._flipping:
            self._flipping = False
            self.panel.table.setFocus()

    def view_changed(self, _page: int) -> None:
        """Another view is seen."""
        if not self._lanes.lanes_shown():
            self.hide()

    def _begin(self, _asked: object) -> None:
        self._flipping = True

    def _failed(self, _failure: object) -> None:
        self._flipping = False

    def _content_changed(self, content: object) -> None:
        if self.wanted and content is not None:
            self.panel.look()
