"""The upper edge of a dock: what it is taken by to be moved, put behind another as a tab, or torn off."""

from typing import Final

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QWidget

from gui.panels.parts import label
from gui.text.spoken import tr

_DOCKED: Final = 8
_FLOATING: Final = 28
_DOTS: Final = 5
_APART: Final = 5.0


class Grip(QWidget):
    """Five dots while the dock is in the window, its name while it floats. Follows its dock."""

    def __init__(self, dock: QDockWidget) -> None:
        """Becomes the title bar of `dock`."""
        super().__init__(dock)
        self.setObjectName("grip")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setToolTip(tr("grip.drag-to-move-this-panel-double"))
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self._name = label(dock.windowTitle(), "section")
        self._name.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(self._name)
        dock.setTitleBarWidget(self)
        dock.topLevelChanged.connect(self._float)
        self._float(False)

    def sizeHint(self) -> QSize:
        """As high as it is now; as wide as the dock makes it."""
        return QSize(40, self.minimumHeight())

    def _float(self, floating: bool) -> None:
        self._name.setVisible(floating)
        self.setFixedHeight(_FLOATING if floating else _DOCKED)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The dots, in the middle."""
        super().paintEvent(event)
        if not self._name.isHidden():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().placeholderText())
        middle = QPointF(self.width() / 2, self.height() / 2)
        for place in range(_DOTS):
            painter.drawEllipse(middle + QPointF((place - (_DOTS - 1) / 2) * _APART, 0), 1.0, 1.0)
        painter.end()
