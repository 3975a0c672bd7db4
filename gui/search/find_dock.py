"""Where the panel of Ctrl+F is: in the place of the evidence drawer, which comes back after it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QWidget

from gui.search.find_panel import FindPanel
from gui.text.spoken import tr
from gui.theme import load_theme

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


class FindDock(QDockWidget):
    """Hidden until it is asked for; it goes when another view is shown."""

    def __init__(self, window: "MainWindow") -> None:
        """Puts itself at the window's lower edge."""
        super().__init__(tr("search.find"), window)
        self.setObjectName("find")
        self._window = window
        self._drawer = False
        self.panel = FindPanel(window.session, window.jobs)
        self.setWidget(self.panel)
        self.setTitleBarWidget(QWidget(self))
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self)
        self.hide()
        self.panel.left.connect(self.leave)
        window.views.currentChanged.connect(self._view_changed)
        window.session.theme_changed.connect(self._theme_changed)

    def open(self) -> None:
        """Show it, over the timeline."""
        window = self._window
        if window.views.currentWidget() is not window.shown:
            window.show_view("timeline")
        if self.isHidden():
            self._drawer = not window.drawer.isHidden()
            window.drawer.hide()
            self.show()
            window.resizeDocks([self], [220], Qt.Orientation.Vertical)
        self.panel.open()

    def go(self, step: int) -> None:
        """To the next or previous hit; nothing was looked for yet: ask."""
        if self.panel.query().empty:
            self.open()
        else:
            self.panel.go(step)

    def leave(self) -> None:
        """Back to what was seen before."""
        window = self._window
        self.hide()
        if self._drawer and window.views.currentWidget() is window.shown:
            window.drawer.show()
        window.stage.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _theme_changed(self, name: str) -> None:
        self.panel.set_theme(load_theme(name))

    def _view_changed(self, _page: int) -> None:
        if self._window.views.currentWidget() is not self._window.shown:
            self.hide()
