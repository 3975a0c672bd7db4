"""The row of tabs below the title bar: what is open, from the second place on."""

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QTabBar, QToolButton, QWidget

from core.picture.marks import Sign
from core.picture.metrics import elide, elide_partition, text_width
from core.shown import shown_in_line
from gui.glyphs import draw_sign
from gui.icons import icon
from gui.panels.parts import tip
from gui.panels.signs import sign_of
from gui.text.spoken import tr
from gui.theme import Theme, font, load_theme
from gui.workspace.tabs import Label, Open

HEIGHT: Final = 32
_LEAST: Final = 120
_MOST: Final = 300
_MARGIN: Final = 48
"""What is left free above the rail."""
_SIGN: Final = 13
_PADDING: Final = 10
_GAP: Final = 6
_CLOSE: Final = 18
_TORN: Final = 48
"""So far outside its row a tab is torn off."""
_BY_KEY: Final = QContextMenuEvent.Reason.Keyboard
_PAGES: Final = {
    "incident": "incident.page.title",
    "triage": "pages.triage",
    "query": "query.title",
    "report": "actions.import-report",
}


def words_of(label: Label) -> tuple[str, str]:
    """What a tab is about, and of which source it is."""
    page = _PAGES.get(label.view)
    return shown_in_line(label.what if page is None else tr(page)), shown_in_line(label.of)


class _Bar(QTabBar):
    """The tabs. Their order is that of `Open`; each has its key as data."""

    middle_clicked = Signal(int)
    torn = Signal(int, QPoint)
    """a place, and where on the screen it was let go"""
    menu_wanted = Signal(int, QPoint)
    """a place, and where on the screen"""

    def __init__(self) -> None:
        super().__init__()
        self.theme = load_theme("light")
        self.labels: list[Label] = []
        self._held = -1
        """The place of the tab that the mouse holds; -1 where there is none."""
        self.setMovable(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("tabs.what-is-open"))
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def tabSizeHint(self, index: int) -> QSize:
        """As wide as its words, within the least and the most."""
        if index >= len(self.labels):
            return QSize(_LEAST, HEIGHT)
        label = self.labels[index]
        what, of = words_of(label)
        sign = _SIGN + _GAP if _sign_of(label) or label.compared else 0
        words = text_width(what, 12, 600) + _GAP + text_width(of, 11)
        return QSize(round(max(_LEAST, min(_MOST, 2 * _PADDING + sign + words + _CLOSE + _GAP))), HEIGHT)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """The same: what does not fit is in the list at the end."""
        return self.tabSizeHint(index)

    def minimumSizeHint(self) -> QSize:
        """It takes what there is."""
        return QSize(_LEAST, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Each tab: the sign of its worst finding, what it is about, of which source."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index in range(min(self.count(), len(self.labels))):
            self._paint(painter, index, self.tabRect(index))
        painter.end()

    def _paint(self, painter: QPainter, index: int, box: QRect) -> None:
        theme, label = self.theme, self.labels[index]
        front = index == self.currentIndex()
        hovered = box.contains(self.mapFromGlobal(self.cursor().pos()))
        painter.fillRect(box, theme.colour("bg.panel" if front else "bg.hover" if hovered else "bg.window"))
        painter.setPen(QPen(theme.colour("line.hair"), 1))
        painter.drawLine(box.right(), box.top() + 8, box.right(), box.bottom() - 8)
        if front:
            painter.fillRect(QRect(box.left(), box.top(), box.width(), 2), theme.colour("text"))
        x, middle = box.left() + _PADDING, box.center().y() + 1
        sign = _sign_of(label)
        if label.compared:
            pixmap = icon("compare", theme.colour("text.2"), _SIGN).pixmap(QSize(_SIGN, _SIGN))
            painter.drawPixmap(QPoint(x, middle - _SIGN // 2), pixmap)
        elif sign is not None:
            draw_sign(
                painter, Sign(x + _SIGN / 2, middle, sign.glyph, min(sign.size, _SIGN), sign.role), theme
            )
        if sign is not None or label.compared:
            x += _SIGN + _GAP
        room = box.right() - _PADDING - _CLOSE - x
        what, of = words_of(label)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        for words, size, weight, role, shorten in (
            (what, 12, 600, "text", elide_partition),
            (of, 11, 400, "text.2", elide),
        ):
            if room <= _GAP:
                break
            painter.setFont(font(size, weight))
            painter.setPen(theme.colour(role))
            text = shorten(words, room, size, weight)
            painter.drawText(QRectF(x, box.top(), room, box.height()), flags, text)
            used = painter.fontMetrics().horizontalAdvance(text) + _GAP
            x, room = x + used, room - used
        if front and self.hasFocus():
            painter.setPen(QPen(theme.colour("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(1, 1, -2, -2))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The middle button closes; what is let go far outside was torn off."""
        if event.button() is Qt.MouseButton.MiddleButton:
            at = self.tabAt(event.position().toPoint())
            if at >= 0:
                self.middle_clicked.emit(at)
            return
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self._held >= 0:
            away = not self.rect().adjusted(-_TORN, -_TORN, _TORN, _TORN).contains(event.position().toPoint())
            self._held = -1
            if away:
                self.torn.emit(self.currentIndex(), event.globalPosition().toPoint())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A tab is taken."""
        super().mousePressEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self._held = self.tabAt(event.position().toPoint())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with a tab."""
        at = self.currentIndex() if event.reason() is _BY_KEY else self.tabAt(event.pos())
        if at >= 0:
            self.menu_wanted.emit(at, event.globalPos())

    def changeEvent(self, event: QEvent) -> None:
        """Nothing of the style is drawn here."""
        super().changeEvent(event)
        self.update()


class TabRow(QWidget):
    """The tabs, and at the end a list of all of them where they do not fit. Hidden with fewer than two."""

    chosen = Signal(int)
    """a key"""
    closed = Signal(int)
    """a key"""
    moved = Signal(int, int)
    """a key, and its place from 0"""
    own_window = Signal(int)
    """a key: to a window of its own"""
    half_wanted = Signal(int)
    """a key: beside the tab in front"""
    torn = Signal(int, QPoint)
    """a key, and where on the screen the tab was let go"""

    def __init__(self, reopen: QAction) -> None:
        """Nothing is open. `reopen` opens what was closed last."""
        super().__init__()
        self.setObjectName("tabRow")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self.bar = _Bar()
        self._keys: list[int] = []
        self._reopen = reopen
        self.bar.currentChanged.connect(self._choose)
        self.bar.tabMoved.connect(self._move)
        self.bar.middle_clicked.connect(self._close_at)
        self.bar.torn.connect(self._tear)
        self.bar.menu_wanted.connect(self._ask)
        self.all = QToolButton()
        self.all.setObjectName("allTabs")
        self.all.setFixedSize(HEIGHT - 4, HEIGHT - 4)
        self.all.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.all.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.all.setAccessibleName(tr("tabs.list-of-all-tabs"))
        self.all.setToolTip(tr("tabs.list-of-all-tabs"))
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._list)
        self.all.setMenu(self._menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(_MARGIN, 0, 8, 0)
        row.setSpacing(4)
        row.addWidget(self.bar, 1)
        row.addWidget(self.all)
        self.hide()

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys of the tabs, in their order."""
        return tuple(self._keys)

    def show_open(self, now: Open) -> None:
        """Show what is open."""
        bar = self.bar
        bar.blockSignals(True)
        while bar.count() > len(now.tabs):
            bar.removeTab(bar.count() - 1)
        while bar.count() < len(now.tabs):
            at = bar.addTab("")
            bar.setTabButton(at, QTabBar.ButtonPosition.RightSide, self._close_button())
        self._keys = [tab.key for tab in now.tabs]
        bar.labels = [tab.label for tab in now.tabs]
        for at, tab in enumerate(now.tabs):
            words = "  ".join(filter(None, words_of(tab.label)))
            bar.setTabText(at, words.replace("&", "&&"))
            bar.setTabToolTip(at, tip(words))
            bar.setAccessibleTabName(at, words)
        if now.here is not None:
            bar.setCurrentIndex(now.place(now.current))
        bar.blockSignals(False)
        self.setVisible(len(now.tabs) > 1)
        self._fit()
        bar.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.bar.theme = theme
        self.all.setIcon(icon("menu", theme.colour("text.2")))
        for button in self.bar.findChildren(QToolButton):
            button.setIcon(icon("close", theme.colour("text.3"), 10))
        self.bar.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A list of all tabs where they do not fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wide = sum(self.bar.tabSizeHint(at).width() for at in range(self.bar.count()))
        self.all.setVisible(wide > self.width() - _MARGIN - 8)

    def _close_button(self) -> QToolButton:
        button = QToolButton(self.bar)
        button.setObjectName("closeTab")
        button.setFixedSize(_CLOSE, _CLOSE)
        button.setIconSize(QSize(10, 10))
        button.setIcon(icon("close", self.bar.theme.colour("text.3"), 10))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setAccessibleName(tr("tabs.close-this-tab"))
        button.setToolTip(tr("tabs.close-this-tab"))
        button.clicked.connect(lambda: self._close(button))
        return button

    def _tear(self, at: int, where: QPoint) -> None:
        if 0 <= at < len(self._keys):
            self.torn.emit(self._keys[at], where)

    def _ask(self, at: int, where: QPoint) -> None:
        key = self._keys[at]
        menu = QMenu(self)
        for words, told in (
            ("halves.beside-the-tab-in-front", self.half_wanted),
            ("tabs.to-a-window-of-its-own", self.own_window),
            ("tabs.close-this-tab", self.closed),
        ):
            menu.addAction(tr(words)).triggered.connect(lambda _checked=False, told=told: told.emit(key))
        menu.exec(where)
        menu.deleteLater()

    def _close_at(self, at: int) -> None:
        self.closed.emit(self._keys[at])

    def _close(self, button: QToolButton) -> None:
        for at, key in enumerate(self._keys):
            if self.bar.tabButton(at, QTabBar.ButtonPosition.RightSide) is button:
                self.closed.emit(key)
                return

    def _choose(self, at: int) -> None:
        if 0 <= at < len(self._keys):
            self.chosen.emit(self._keys[at])

    def _move(self, before: int, now: int) -> None:
        key = self._keys[before]
        self._keys.insert(now, self._keys.pop(before))
        self.bar.labels.insert(now, self.bar.labels.pop(before))
        self.moved.emit(key, now)

    def _list(self) -> None:
        self._menu.clear()
        for at, key in enumerate(self._keys):
            one = self._menu.addAction(self.bar.tabText(at))
            one.setCheckable(True)
            one.setChecked(at == self.bar.currentIndex())
            one.triggered.connect(lambda _checked=False, key=key: self.chosen.emit(key))
        self._menu.addSeparator()
        self._menu.addAction(self._reopen)


def _sign_of(label: Label) -> Sign | None:
    return None if not label.sign else sign_of(label.sign)
