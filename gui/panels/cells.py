"""The logs at the cursor: which record each replica holds at which offset, under the lanes."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.picture.cells import CellsView, lay_out_cells
from core.picture.hit import mark_at
from core.picture.marks import Picture
from gui.i18n import language, tr
from gui.paint import paint
from gui.session import Session
from gui.theme import Theme


class CellsStrip(QWidget):
    """Shows the picture of the cells at the session's position."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("cells")
        self.setAccessibleName(tr("Logs at the cursor"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._session = session
        self._theme: Theme | None = None
        self.picture: Picture | None = None
        for signal in (session.content_changed, session.position_changed):
            signal.connect(self.redraw)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(400, round(self.picture.height) if self.picture else 0)

    def redraw(self, *_changed: object) -> None:
        """Lay the cells out for where the cursor is."""
        content = self._session.content
        if content is None or self.isHidden():
            self.picture = None
            return
        view = CellsView(content.runs, self._session.cursors, float(max(self.width(), 300)), lang=language())
        self.picture = lay_out_cells(view)
        self.setAccessibleDescription(self.picture.alt)
        if self.height() != round(self.picture.height):
            self.setFixedHeight(round(self.picture.height))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        self.redraw()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the marks."""
        if self._theme is None or self.picture is None:
            return
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("bg.lane"))
        paint(painter, self.picture, self._theme)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Tips: what a cell is."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.picture is not None:
            ref = mark_at(self.picture, event.pos().x(), event.pos().y())
            QToolTip.showText(event.globalPos(), ref.text if ref else "", self)
            return True
        return super().event(event)

    def toggle(self, shown: bool) -> None:
        """Show or hide the strip."""
        self.setVisible(shown)
        self.redraw()
