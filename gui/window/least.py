"""A window that is smaller than its parts need: they are scrolled, as a whole."""

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLayout, QMainWindow, QScrollBar, QWidget
from shiboken6 import isValid

_BAR = 10


class Scrolled(QObject):
    """Lays out the parts of a window in at least so much room, and scrolls what is out of sight.

    Qt lays them out in the window alone: `fit` is called after it did.
    """

    def __init__(self, window: QMainWindow, least: QSize) -> None:
        """`least` is width and height of the room that the parts always have."""
        super().__init__(window)
        self._window, self._least = window, least
        self.across = QScrollBar(Qt.Orientation.Horizontal, window)
        self.down = QScrollBar(Qt.Orientation.Vertical, window)
        for bar in (self.across, self.down):
            bar.hide()
            bar.valueChanged.connect(self._move)
        self._held: tuple[QSize, list[QWidget]] = (QSize(), [])
        """The room in which parts are held, and which."""
        self._least_before: list[tuple[QWidget, QSize]] = []
        """What the parts that are held said themselves of their least size."""
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.fit)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    def watch(self, part: QWidget) -> None:
        """A part of the window that Qt lays out anew where it does not say so to the window."""
        part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt has laid out the part."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._later.start()
        return super().eventFilter(watched, event)

    def fit(self) -> None:
        """The window has another size, or its parts other needs: show the bars that are needed."""
        size, least = self._window.size(), self._least
        down = size.height() < least.height()
        across = size.width() - (_BAR if down else 0) < least.width()
        down = size.height() - (_BAR if across else 0) < least.height()
        seen = QSize(size.width() - (_BAR if down else 0), size.height() - (_BAR if across else 0))
        for bar, needed, whole, part in (
            (self.across, across, least.width(), seen.width()),
            (self.down, down, least.height(), seen.height()),
        ):
            bar.setRange(0, max(whole - part, 0))
            bar.setPageStep(part)
            bar.setSingleStep(40)
            bar.setVisible(needed)
            bar.raise_()
        # Qt lays out the parts beside the bars, too: else they were as wide as the window and less by turns.
        beside = QMargins(0, 0, _BAR if down else 0, _BAR if across else 0)
        if self._window.contentsMargins() != beside:
            self._window.setContentsMargins(beside)
        self.across.setGeometry(0, seen.height(), seen.width(), _BAR)
        self.down.setGeometry(seen.width(), 0, _BAR, seen.height())
        self._move()

    def _move(self) -> None:
        """Lay out the parts so that what the bars say is in sight. Where all is, Qt has done it."""
        window, layout = self._window, self._window.layout()
        across, down = not self.across.isHidden(), not self.down.isHidden()
        if layout is None:
            return
        parts = [part for part in _parts(window, layout) if part.isVisible()] if across or down else []
        seen = QSize(window.width() - (_BAR if down else 0), window.height() - (_BAR if across else 0))
        room = seen.expandedTo(self._least)
        if (room, parts) != self._held:
            self._release()
        if parts:
            place = QPoint(-self.across.value() if across else 0, -self.down.value() if down else 0)
            layout.setGeometry(QRect(place, room))
            status = window.statusBar()
            status.setGeometry(
                place.x(), place.y() + room.height() - status.height(), room.width(), status.height()
            )
            self._hold(room, parts)

    def _hold(self, room: QSize, parts: list[QWidget]) -> None:
        """Let Qt, which lays out the parts in the window alone, move them and not resize them.

        Parts that were small and large by turns asked for a new layout each time, without end. They are held
        in the size that they have now, also where it was another one when they were held first: while parts
        are resized one by one the window may be laid out anew.
        """
        if self._held[1] != parts:
            self._held = (room, parts)
            self._least_before.extend((part, part.minimumSize()) for part in parts)
        for part in parts:
            if part.minimumSize() != part.size():
                part.setMinimumSize(part.size())

    def _release(self) -> None:
        """Let the parts be as small as they say."""
        self._held = (QSize(), [])
        for part, least in self._least_before:
            if isValid(part):
                part.setMinimumSize(least)
        self._least_before.clear()

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        """What has the keyboard is in sight."""
        if now is None or not self._window.isAncestorOf(now) or now.window() is not self._window:
            return
        box = QRect(now.mapTo(self._window, QPoint(0, 0)), now.size())
        for bar, first, last, seen in (
            (self.across, box.left(), box.right(), self._window.width()),
            (self.down, box.top(), box.bottom(), self._window.height()),
        ):
            if last - first >= seen:
                bar.setValue(bar.value() + (first if last < 0 or first >= seen - _BAR else 0))
            elif first < 0:
                bar.setValue(bar.value() + first)
            elif last >= seen - _BAR:
                bar.setValue(bar.value() + last - seen + _BAR + 1)


def _parts(window: QMainWindow, layout: QLayout) -> list[QWidget]:
    """What the layout of a window lays out, in its order.

    Its items are not asked for: Python keeps each for as long as the window lives, and Qt deletes it with its
    part. The next object of Python at the same address would end the program when it goes.
    """
    inside = window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return sorted((part for part in inside if layout.indexOf(part) >= 0), key=layout.indexOf)
