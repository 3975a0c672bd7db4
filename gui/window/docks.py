"""Which docks are seen, where and how large: as they were left in a view, else by the size of the window."""

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

_ROOM_FOR_LEFT: Final = 1360
_ROOM_FOR_WIDE: Final = 1440
_ROOM_FOR_DRAWER: Final = 860
_STATE: Final = 1
"""Version of a remembered layout: grows when a dock comes or goes, and older ones are no longer taken."""


def show_layout(window: "MainWindow") -> None:
    """The docks as they were left in this view in a window as wide as this, else those that fit."""
    content = window.session.content
    if content is None or window.views.currentWidget() is not window.shown:
        return
    view = "timeline" if content.comparison is None else "compare"
    if window.laid_out == view:
        return
    keep_layout(window)
    window.laid_out = view
    kept: QByteArray = window.settings.get(_key(window))
    if kept.isEmpty() or not window.restoreState(kept, _STATE):
        default_layout(window)
    panels: QByteArray = window.settings.get("panels")
    if not panels.isEmpty():
        window.left_panels.restoreState(panels)


def keep_layout(window: "MainWindow") -> None:
    """Remember the docks of the view that is shown; nothing where a page without docks is."""
    if not window.laid_out:
        return
    if window.finder.isVisible():
        # It stands in the place of the drawer only for as long as somebody looks for something.
        window.finder.leave()
    window.settings.put(_key(window), window.saveState(_STATE))
    window.settings.put("panels", window.left_panels.saveState())


def hide_docks(window: "MainWindow") -> None:
    """A page without docks comes: remember how they were."""
    keep_layout(window)
    window.laid_out = ""
    for dock in docks_of(window):
        dock.hide()


def reset_layout(window: "MainWindow") -> None:
    """Forget what was remembered, in both views, and place the docks as at the first start."""
    for view in ("timeline", "compare"):
        for width in ("wide", "narrow"):
            window.settings.put(f"layout-{view}-{width}", QByteArray())
    window.settings.put("panels", QByteArray())
    window.finder.hide()
    window.restoreState(window.first_state, _STATE)
    window.left_panels.restoreState(window.first_panels)
    default_layout(window)
    layout = window.layout()
    if layout is not None:
        # Docks that were shown only now were sized beside what was hidden: the inspector came out too narrow.
        layout.activate()
        fit_docks(window)


def remember_first(window: "MainWindow") -> None:
    """Keep how a new window is laid out, before anything was moved."""
    window.first_state = window.saveState(_STATE)
    window.first_panels = window.left_panels.saveState()


def docks_of(window: "MainWindow") -> tuple[QDockWidget, QDockWidget, QDockWidget]:
    """The docks beside and below the lanes."""
    return window.right_dock, window.left_dock, window.drawer


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
    for dock in docks_of(window):
        fit_dock(window, dock)


def fit_dock(window: "MainWindow", dock: QDockWidget) -> None:
    """Give one dock its size."""
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    if dock is window.drawer:
        window.resizeDocks([dock], [200], down)
    elif dock is window.left_dock:
        window.resizeDocks([dock], [272], across)
    else:
        window.resizeDocks([dock], [356 if window.width() >= _ROOM_FOR_WIDE else 320], across)


def toggle_strip(window: "MainWindow", name: str) -> None:
    """Show or hide a strip below the lanes, and remember it."""
    shown = window.stage.below[name].isHidden()
    window.settings.put(name, shown)
    restore_strips(window)


def restore_strips(window: "MainWindow") -> None:
    """The strips below the lanes as they were left."""
    for name, strip in window.stage.below.items():
        strip.setVisible(window.settings.get(name))
        window.actions_[name].setChecked(window.settings.get(name))


def _key(window: "MainWindow") -> str:
    return f"layout-{window.laid_out}-{'wide' if window.width() >= _ROOM_FOR_WIDE else 'narrow'}"
