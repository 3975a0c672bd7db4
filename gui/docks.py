"""Which docks are seen, and how large they are, by view and size of the window."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from gui.main_window import MainWindow

_ROOM_FOR_LEFT: Final = 1360
_ROOM_FOR_WIDE: Final = 1440
_ROOM_FOR_DRAWER: Final = 860


def default_layout(window: "MainWindow") -> None:
    """The docks that fit the view and the size of the window."""
    content = window.session.content
    if content is None or window.views.currentWidget() is not window.shown:
        return
    window.right_dock.show()
    window.left_dock.setVisible(content.comparison is None and window.width() >= _ROOM_FOR_LEFT)
    window.drawer.setVisible(content.comparison is None and window.height() >= _ROOM_FOR_DRAWER)
    fit_docks(window)


def fit_docks(window: "MainWindow") -> None:
    """Give the docks their sizes; in a narrow window the inspector is narrower, so that lanes keep 640."""
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    window.resizeDocks([window.right_dock], [356 if window.width() >= _ROOM_FOR_WIDE else 320], across)
    window.resizeDocks([window.left_dock], [272], across)
    window.resizeDocks([window.drawer], [200], down)
