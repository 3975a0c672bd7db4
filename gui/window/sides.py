"""The sides of the lanes where docks have no room of their own: strips, and docks that lie over the lanes."""

from collections import Counter
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QAction, QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QDockWidget, QMainWindow, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from core.picture.marks import Sign
from gui.glyphs import draw_sign
from gui.icons import icon
from gui.panels.parts import empty
from gui.panels.signs import sign_of
from gui.text.spoken import tr
from gui.theme import Theme, font
from gui.window.reflow import Side
from gui.workspace.content import Content
from gui.workspace.session import Session

_FINDINGS: Final = 44
"""Width of the strip of signs."""
_UPRIGHT: Final = 30
"""Width of a strip of upright names."""
_MOST_SIGNS: Final = 6
_HIGH: Final = 46
_SIGN: Final = 20
_FIXED: Final = QDockWidget.DockWidgetFeature.NoDockWidgetFeatures
_FREE: Final = (
    QDockWidget.DockWidgetFeature.DockWidgetClosable
    | QDockWidget.DockWidgetFeature.DockWidgetMovable
    | QDockWidget.DockWidgetFeature.DockWidgetFloatable
)


class Over(QObject):
    """Docks that lie over a part of the window, and follow it."""

    def __init__(self, window: QMainWindow, ground: QWidget) -> None:
        """`ground` is what they lie over."""
        super().__init__(ground)
        self._window, self._ground = window, ground
        self._docks: dict[QDockWidget, tuple[Qt.DockWidgetArea, Side]] = {}
        self.widths: dict[QDockWidget, int] = {}
        """How wide a dock at a side is; one that has none is as wide as the ground."""
        ground.installEventFilter(self)

    def has(self, dock: QDockWidget) -> bool:
        """Whether a dock lies over the ground when it is shown."""
        return dock in self._docks

    def take(self, dock: QDockWidget, area: Qt.DockWidgetArea, side: Side) -> None:
        """Take a dock out of the layout of the window, hidden. One that was taken lies as `side` says now."""
        if dock not in self._docks:
            dock.setFloating(False)
            self._window.removeDockWidget(dock)
            dock.setFeatures(_FIXED)
            dock.setAutoFillBackground(True)
            dock.installEventFilter(self)
        self._docks[dock] = (area, side)
        self._lay(dock)

    def give_back(self, dock: QDockWidget) -> None:
        """Put a dock back into the layout, hidden."""
        area, _ = self._docks.pop(dock)
        dock.removeEventFilter(self)
        dock.hide()
        dock.setFeatures(_FREE)
        self._window.addDockWidget(area, dock)

    def close(self) -> bool:
        """Hide the docks that lie over the ground; whether there was one."""
        shown = [dock for dock in self._docks if dock.isVisible()]
        for dock in shown:
            dock.hide()
        return bool(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The ground moved, or a dock is shown: one at a time."""
        kind = event.type()
        if watched is self._ground and kind in (QEvent.Type.Resize, QEvent.Type.Move):
            for dock in self._docks:
                self._lay(dock)
        elif isinstance(watched, QDockWidget) and kind is QEvent.Type.Show and watched in self._docks:
            for dock in self._docks:
                if dock is not watched:
                    dock.hide()
            self._lay(watched)
            watched.raise_()
        return super().eventFilter(watched, event)

    def _lay(self, dock: QDockWidget) -> None:
        area, side = self._docks[dock]
        ground = self._ground
        room = QRect(ground.mapTo(self._window, ground.rect().topLeft()), ground.size())
        if side is Side.OVER and dock in self.widths:
            wide = min(self.widths[dock], room.width())
            if area is Qt.DockWidgetArea.RightDockWidgetArea:
                room.setLeft(room.right() - wide + 1)
            else:
                room.setWidth(wide)
        dock.setGeometry(room)


class UprightButton(QToolButton):
    """The name of a panel, read from top to bottom, with its key. It shows and hides the panel."""

    def __init__(self, name: str, action: QAction) -> None:
        """`action` is the window's."""
        super().__init__()
        self._name, self._key = name, action.shortcut().toString()
        self.setObjectName("upright")
        self.setCheckable(True)
        self.setChecked(action.isChecked())
        self.setAccessibleName(action.text())
        self.setToolTip(f"{action.text()} ({self._key})")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(action.trigger)
        action.toggled.connect(self.setChecked)

    def needed(self) -> int:
        """How long the words are."""
        return self.fontMetrics().horizontalAdvance(f"{self._name}  {self._key}")

    def sizeHint(self) -> QSize:
        """As high as its words are long."""
        return QSize(_UPRIGHT - 1, self.needed() + 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The words, turned."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.translate(self.width(), 0)
        painter.rotate(90)
        room = QRect(12, 0, self.height() - 12, self.width())
        painter.setFont(font(12, 600))
        painter.setPen(self.palette().buttonText().color())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self._name)
        room.setLeft(12 + painter.fontMetrics().horizontalAdvance(f"{self._name}  "))
        painter.setFont(font(11))
        painter.setPen(self.palette().placeholderText().color())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self._key)
        painter.end()


class UprightStrip(QWidget):
    """Right of the lanes: the panels that have no room beside them."""

    def __init__(self, buttons: tuple[UprightButton, ...]) -> None:
        """From top to bottom."""
        super().__init__()
        self.setObjectName("rightStrip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(_UPRIGHT)
        lines = _lines(self)
        for button in buttons:
            lines.addWidget(button)
        lines.addStretch(1)


class FindingStrip(QWidget):
    """Left of the lanes: the signs of the findings, worst first, with their counts. Each opens the list."""

    def __init__(self, session: Session, action: QAction) -> None:
        """Follows the session; `action` opens and closes what lies over the lanes."""
        super().__init__()
        self.setObjectName("leftStrip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(_FINDINGS)
        self._session, self._action = session, action
        self._theme: Theme | None = None
        self._shown: object = None
        """What its buttons were made of."""
        self._lines = _lines(self)
        for changed in (session.content_changed, session.notes_changed):
            changed.connect(self._fill)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self._fill()

    def _fill(self, *_changed: object) -> None:
        theme = self._theme
        counted, notes = _counted(self._session.content), len(self._session.notes)
        if theme is None or self._shown == (theme.name, counted, notes):
            return
        self._shown = theme.name, counted, notes
        empty(self._lines)
        for sign, count in counted:
            self._lines.addWidget(self._button(_drawn(sign, theme), f"{count}", tr("lists.findings")))
        drawn = icon("note" if notes else "pane-left", theme.colour("text.2"))
        said = tr("lists.notes-bookmarks") if notes else self._action.text()
        self._lines.addWidget(self._button(drawn, f"{notes}" if notes else "", said))
        self._lines.addStretch(1)

    def _button(self, drawn: QIcon, count: str, name: str) -> QToolButton:
        made = QToolButton()
        made.setObjectName("counted")
        made.setFixedSize(_FINDINGS - 1, _HIGH)
        made.setIconSize(QSize(_SIGN, _SIGN))
        made.setIcon(drawn)
        made.setText(count)
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        made.setAccessibleName(f"{name} {count}".strip())
        made.setToolTip(f"{made.accessibleName()} ({self._action.shortcut().toString()})")
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(self._action.trigger)
        return made


def _lines(strip: QWidget) -> QVBoxLayout:
    made = QVBoxLayout(strip)
    made.setContentsMargins(0, 8, 0, 8)
    made.setSpacing(4)
    return made


def _counted(content: Content | None) -> list[tuple[Sign, int]]:
    """The signs of all findings, in their order, and how many have each."""
    found = [] if content is None else [one for run in content.runs for one in run.verdict.findings]
    return list(Counter(sign_of(one.check) for one in found).items())[:_MOST_SIGNS]


def _drawn(sign: Sign, theme: Theme) -> QIcon:
    pixels = QPixmap(_SIGN * 2, _SIGN * 2)
    pixels.setDevicePixelRatio(2)
    pixels.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixels)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_sign(painter, replace(sign, x=_SIGN / 2, y=_SIGN / 2), theme)
    painter.end()
    return QIcon(pixels)
