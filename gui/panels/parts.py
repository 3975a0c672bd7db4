"""Small widgets that several panels are made of."""

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListWidget,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from core.shown import shown, shown_in_line
from gui.text.spoken import tr
from gui.theme import Theme, font

BREAK: Final = "\u200b"
"""A place to break a line that has no width. It is taken out of what is copied."""
ROW: Final = 26
"""Height of a row of a table."""
_LONG: Final = re.compile(r"\S{22,}")
_LEAST: Final = 24
"""Least width of a text that gives way: a letter and the ellipsis."""
_JOINT: Final = re.compile(r"[./=_,:-]")
_CHINESE: Final = re.compile("[\u2e80-\uffef]")
_READ: Final = Qt.TextInteractionFlag.LinksAccessibleByMouse
"""What Qt lets a mouse do with a label by itself."""


class Label(QLabel):
    """Plain text, whoever wrote it: what would steer is written out each time that it says something."""

    def __init__(self, text: str = "", *, wrap: bool = False, lines: bool = False) -> None:
        """`wrap` breaks lines at its width; `lines` keeps those that the text has."""
        super().__init__()
        self.lines = lines
        """Whether it keeps lines that the text has."""
        self.setTextFormat(Qt.TextFormat.PlainText)
        # Else what has a frame in the style sheet keeps half an x more room on one side than on the other.
        self.setIndent(0)
        self.setWordWrap(wrap)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Say something else."""
        if self.wordWrap():
            super().setText(breakable(text))
        else:
            super().setText(shown(text) if self.lines else shown_in_line(text))


def label(
    text: str = "", style: str = "", *, wrap: bool = False, select: bool = False, lines: bool = False
) -> Label:
    """Plain text in a style of the sheet ("title", "secondary", "faint", "mono", …), as Label has it."""
    made = Label(text, wrap=wrap, lines=lines)
    if style:
        made.setProperty("look", style)
    if select:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return made


class Paragraph(QLabel):
    """Plain text in lines as long as its column is wide, which remembers how high it is.

    A column asks several times a layout, of each label in it, and Qt breaks the lines anew each time. What
    can be selected is a document for Qt, and takes three times as long: it can be while the mouse is over
    it, and while some of it is selected. A text with Chinese can be all the time: in some fonts Qt puts its
    lines a pixel apart from those of a document.
    """

    def __init__(self, text: str, style: str, *, select: bool = True) -> None:
        """As `label` makes it, to be selected by mouse where that is not a button's."""
        super().__init__()
        self._heights: dict[int, int] = {}
        self._select = select
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("look", style)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Say something else."""
        self._heights.clear()
        super().setText(breakable(text))
        self._let_select(over=self.underMouse())

    def enterEvent(self, event: QEnterEvent) -> None:
        """It can be selected."""
        self._let_select(over=True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """What is selected stays, to be copied."""
        self._let_select(over=self.hasSelectedText())
        super().leaveEvent(event)

    def _let_select(self, *, over: bool) -> None:
        can = self._select and (over or _CHINESE.search(self.text()) is not None)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse if can else _READ)

    def heightForWidth(self, width: int) -> int:
        """How high it is in a column so wide."""
        if not self.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            return super().heightForWidth(width)
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """Its width is that of the column."""
        return QSize(_LEAST, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """Its width is that of the column."""
        return self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        """In another font it is as high as that makes it."""
        self._heights.clear()
        super().changeEvent(event)


class Flow(QFrame):
    """A box in a column, which asks for no width: Qt would lay its paragraphs out for that, too."""

    def sizeHint(self) -> QSize:
        """Its width is that of the column, and its height follows from it."""
        return QSize(_LEAST, 0)

    def minimumSizeHint(self) -> QSize:
        """Its width is that of the column, and its height follows from it."""
        return self.sizeHint()


def breakable(text: str) -> str:
    """The text with places to break in words that no panel is wide enough for: names of settings, paths."""
    return _LONG.sub(lambda word: _JOINT.sub(rf"\g<0>{BREAK}", word[0]), shown(text))


def tip(text: str) -> str:
    """The text of a tip as Qt shows it plainly: it would obey "<b>" or "&lt;" in the name of a file."""
    said = shown(text)
    tagged = "<" in said or "&" in said
    return f"<p style='white-space: pre-wrap'>{escape(said)}</p>" if tagged else said


class Elided(QLabel):
    """One line of plain text. Where there is no room it ends in an ellipsis, and the tip has all of it."""

    def __init__(self, text: str = "", style: str = "") -> None:
        """As `label` of parts makes it."""
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("look", style)
        self.setIndent(0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Say something else."""
        super().setText(shown_in_line(text))
        self._tell()

    def minimumSizeHint(self) -> QSize:
        """It may become as narrow as a letter and the ellipsis."""
        whole = super().minimumSizeHint()
        return QSize(min(whole.width(), _LEAST), whole.height())

    def shown(self) -> str:
        """What can be read of the text."""
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The tip comes and goes with the ellipsis."""
        super().resizeEvent(event)
        self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        """In the colour of the style sheet."""
        painter = QPainter(self)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(self.alignment()),
            self.palette(),
            self.isEnabled(),
            self.shown(),
            self.foregroundRole(),
        )
        painter.end()

    def _tell(self) -> None:
        self.setToolTip("" if self.shown() == self.text() else tip(self.text()))


class Still(QWidget):
    """The room of a label that often says something else: all around is laid out anew where it needs more.

    Without it each step of the cursor lays out the whole window, docks and all, for a digit.
    """

    def __init__(self, held: QLabel) -> None:
        """Takes the label in; it has no layout, so that what it asks for goes no further."""
        super().__init__()
        self._held, self._most = held, held.sizeHint()
        held.setParent(self)
        policy = held.sizePolicy()
        self.setSizePolicy(policy.horizontalPolicy(), QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """The most that it needed so far."""
        return self._most

    def minimumSizeHint(self) -> QSize:
        """As narrow as the label may be, where it gives way."""
        gives_way = isinstance(self._held, Elided)
        return QSize(min(self._most.width(), _LEAST), self._most.height()) if gives_way else self._most

    def renew(self) -> None:
        """Forget what was needed before."""
        self._most = self._held.sizeHint()
        self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """The label says that it needs other room."""
        if event.type() == QEvent.Type.LayoutRequest:
            wanted = self._most.expandedTo(self._held.sizeHint())
            if wanted != self._most:
                self._most = wanted
                self.updateGeometry()
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The label has all of it."""
        super().resizeEvent(event)
        self._held.setGeometry(self.rect())


class PanelHead(QWidget):
    """The first line of a panel: its name on the left, a fact on the right."""

    def __init__(self, name: str, parent: QWidget | None = None, *, inset: int = 16) -> None:
        """`name` is what the panel is called; `inset` is how far from the left it begins."""
        super().__init__(parent)
        self.setObjectName("panelHead")
        self.name = Elided(name, "section")
        self.fact = Elided("", "secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(inset, 0, 16, 0)
        row.setSpacing(12)
        row.addWidget(self.name)
        self.fact.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # The name has its room first.
        self.fact.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(Still(self.fact), 1)
        self.setFixedHeight(34)


def rule() -> QFrame:
    """A hair line between two sections."""
    line = QFrame()
    line.setObjectName("hair")
    line.setFixedHeight(1)
    return line


def upright_rule() -> QFrame:
    """A hair line between two columns."""
    line = QFrame()
    line.setObjectName("hair")
    line.setFixedWidth(1)
    return line


def column(
    parent: QWidget, margins: tuple[int, int, int, int] = (0, 0, 0, 0), spacing: int = 0
) -> QVBoxLayout:
    """A column of widgets."""
    made = QVBoxLayout(parent)
    made.setContentsMargins(*margins)
    made.setSpacing(spacing)
    return made


def scrolling_panel(title: str, inside: QWidget) -> QWidget:
    """A head above content that scrolls where it has no room."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setAccessibleName(title)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    panel = QWidget()
    lines = column(panel)
    head = PanelHead(title)
    head.setFixedHeight(34)
    lines.addWidget(head)
    lines.addWidget(rule())
    lines.addWidget(area, 1)
    return panel


def empty(layout: QVBoxLayout | QHBoxLayout) -> None:
    """Remove all that a layout holds."""
    while layout.count():
        item = layout.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            # Hidden first: deleted only when the event loop gets there, it would show for a frame.
            widget.hide()
            widget.deleteLater()


class PathDelegate(QStyledItemDelegate):
    """A path loses its beginning where there is no room, not its name; a tick is seen in every theme."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """As in any cell, but elided on the left."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideLeft  # pyright: ignore[reportAttributeAccessIssue]

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """The cell, and its tick."""
        super().paint(painter, option, index)
        table = self.parent()
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if (
            not isinstance(table, QTableWidget)
            or state is None
            or Qt.CheckState(state) != Qt.CheckState.Checked
        ):
            return
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        box = table.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, shown, table)
        draw_tick(painter, box, table.palette().text().color())


def paint_row_ground(painter: QPainter, box: QRect, theme: Theme, state: QStyle.StateFlag) -> None:
    """The ground of a row of a list, with the bar at the left of the selected one."""
    selected = bool(state & QStyle.StateFlag.State_Selected)
    hovered = bool(state & QStyle.StateFlag.State_MouseOver)
    painter.fillRect(box, theme.colour("bg.selected" if selected else "bg.hover" if hovered else "bg.panel"))
    if selected:
        painter.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.colour("text"))


def draw_tick(painter: QPainter, box: QRect, colour: QColor) -> None:
    """A tick in a box."""
    room = QRectF(box)
    corners = [(0.24, 0.52), (0.43, 0.72), (0.78, 0.28)]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 1.8))
    painter.drawPolyline(
        [QPointF(room.left() + x * room.width(), room.top() + y * room.height()) for x, y in corners]
    )
    painter.restore()


class Tick(QCheckBox):
    """A box with a tick in it, in the colour of the text."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """The box by the style sheet, the tick here."""
        super().paintEvent(event)
        if self.isChecked():
            option = QStyleOptionButton()
            self.initStyleOption(option)
            box = self.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
            painter = QPainter(self)
            draw_tick(painter, box, self.palette().text().color())
            painter.end()


def head_width(title: str) -> int:
    """How wide a column has to be for its head: the style sheet sets it in 11, with 8 on each side."""
    return QFontMetrics(font(11)).horizontalAdvance(title) + 16


def plain_table(table: QTableWidget, name: str, columns: Sequence[tuple[str, int]]) -> QTableWidget:
    """Dress a table that is read by rows: (title, width) of its columns, of which width 0 takes the rest.

    Titles are marked texts. The first column holds names or paths.
    """
    table.setColumnCount(len(columns))
    table.setAccessibleName(name)
    table.setProperty("plain", True)
    table.setHorizontalHeaderLabels([tr(title) for title, _ in columns])
    header = table.horizontalHeader()
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setHighlightSections(False)
    for place, (title, width) in enumerate(columns):
        if width:
            table.setColumnWidth(place, max(width, head_width(tr(title))))
        else:
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setItemDelegateForColumn(0, PathDelegate(table))
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    return table


def clear_rows(rows: QListWidget) -> None:
    """Take all rows of a list away.

    PySide 6.11 reads the Python half of a row after freeing it, where nothing else holds that while Qt clears
    the list: now and then this ends the program.
    """
    held = [rows.item(row) for row in range(rows.count())]
    rows.clear()
    held.clear()
