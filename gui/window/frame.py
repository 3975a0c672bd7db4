"""What frames the content: the title bar, the rail, the status bar."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStatusBar,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.history.running import releases_of
from core.shown import shown_in_line
from core.trace.times import zone_words
from core.trace.trace import Origin, Trace
from gui.actions import ACTIONS, MENUS
from gui.icons import icon
from gui.panels.partition_head import PartitionHead
from gui.panels.parts import Elided, column, label, tip
from gui.terms import term
from gui.text.spoken import tr
from gui.theme import THEME_NAMES, Theme
from gui.window.reflow import Room
from gui.workspace.session import Session

_RAIL: Final = (
    ("welcome", "home"),
    ("incident", "incident"),
    ("timeline", "timeline"),
    ("compare", "compare"),
    ("triage", "triage"),
    ("lessons", "book"),
    ("scenario", "script"),
    ("report", "report"),
)
_BELOW: Final = (("keys", "keys"), ("theme", "theme"))
_LEAST: Final = 600
"""Least width of the title bar."""
_ROOMY: Final = 1440
"""Width of a window from which the search says in full what it finds."""


def logo(colour: QColor, water: QColor, size: int = 20) -> QPixmap:
    """The gauge: a staff with its marks, and the water that stands on it."""
    pixmap = QPixmap(size * 2, size * 2)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size * 2 / 20, size * 2 / 20)
    painter.setPen(QPen(colour, 1.6))
    painter.drawRoundedRect(QRectF(2, 2, 16, 16), 3, 3)
    for y in (6, 9):
        painter.drawLine(5, y, 9, y)
    painter.setPen(QPen(water, 1.8))
    painter.drawLine(5, 12, 15, 12)
    painter.drawLine(7, 15, 13, 15)
    painter.end()
    pixmap.setDevicePixelRatio(2)
    return pixmap


class SearchButton(QPushButton):
    """Looks like a field, and opens the palette: it searches, and it knows every command."""

    def __init__(self, palette: QAction) -> None:
        """`palette` is the window's action."""
        super().__init__()
        self.setObjectName("search")
        self.setFixedHeight(28)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(palette.text())
        self.setToolTip(f"{palette.text()} ({palette.shortcut().toString()})")
        self.clicked.connect(palette.trigger)
        self._sign, self._words = QLabel(), Elided("", "secondary")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._sign)
        row.addWidget(self._words, 1)
        row.addWidget(label(palette.shortcut().toString(), "key"), 0, Qt.AlignmentFlag.AlignVCenter)
        for part in self.findChildren(QLabel):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.show_long(long=False)

    def show_long(self, *, long: bool) -> None:
        """Say in full what can be found, or in a word."""
        self._words.setText(tr("frame.find-an-event-offset-time-or") if long else tr("frame.search"))
        self.setFixedWidth(370 if long else 170)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        sign = icon("search", theme.colour("text.3"))
        self._sign.setPixmap(sign.pixmap(QSize(16, 16), self.devicePixelRatioF()))


class TitleBar(QWidget):
    """The menu, where one is, the search, and three actions."""

    def __init__(self, menu: QMenu, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        """`menu` opens from the logo; `actions` are the window's."""
        super().__init__(parent)
        self.setObjectName("titleBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(44)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.logo = QToolButton()
        self.logo.setObjectName("logo")
        self.logo.setFixedSize(47, 43)
        self.logo.setIconSize(QSize(20, 20))
        self.logo.setMenu(menu)
        self.logo.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.logo.setAccessibleName(tr("dialogs.menu"))
        self.logo.setToolTip(tr("frame.menu-f10"))
        self.place, self.name = Elided("", "crumbs"), Elided("", "crumb")
        self.search = SearchButton(actions["palette"])
        self._note = QPushButton(tr("frame.add-note"))
        self._note.clicked.connect(actions["note"].trigger)
        self._beside = QPushButton(tr("frame.add-run"))
        self._beside.clicked.connect(actions["add-run"].trigger)
        self._words = {self._note: self._note.text(), self._beside: self._beside.text()}
        self._crumbs = True
        self.joined = QWidget()
        """Where the head of a partition stands in a low window."""
        self._joined = column(self.joined)
        # The name has its room first.
        self.joined.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.views = QToolButton()
        self.views.setObjectName("logo")
        self.views.setFixedSize(34, 34)
        self.views.setIconSize(QSize(16, 16))
        self.views.setMenu(_views_menu(self, actions))
        self.views.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.views.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.views.setAccessibleName(tr("actions.view"))
        self.views.setToolTip(tr("actions.view"))
        self._export = QPushButton(tr("exports.export"))
        self._export.setObjectName("primary")
        self._export.clicked.connect(actions["export"].trigger)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 12, 0)
        row.setSpacing(8)
        row.addWidget(self.logo)
        row.addWidget(self.views)
        row.addSpacing(8)
        row.addWidget(self.place)
        row.addWidget(self.name)
        row.addWidget(self.joined, 20)
        row.addStretch(1)
        row.addWidget(self.search)
        row.addStretch(1)
        for button, action in ((self._note, "note"), (self._beside, "add-run"), (self._export, "export")):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setToolTip(f"{actions[action].text()} ({actions[action].shortcut().toString()})")
            button.setEnabled(actions[action].isEnabled())
            _follow(button, actions[action])
            row.addWidget(button)

    def sizeHint(self) -> QSize:
        """A tool bar gives what is asked for, and this takes what there is."""
        return QSize(_LEAST, self.height())

    def give_room(self, room: Room, head: PartitionHead) -> None:
        """Say less, and take the head of the partition in, where the window has no room for more."""
        self._crumbs = room.crumbs
        self.place.setVisible(room.crumbs and bool(self.place.text()))
        self.views.setVisible(not room.rail)
        for button, words in self._words.items():
            button.setText(words if room.rail else "")
            button.setAccessibleName(words)
        head.stand_alone(alone=room.head)
        if not room.head:
            self._joined.addWidget(head)

    def show_place(self, place: str, name: str) -> None:
        """Say where one is: "samples" and "hw-loss"."""
        self.place.setText(f"{place}  ›" if place else "")
        self.place.setVisible(self._crumbs and bool(place))
        self.name.setText(name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The search gives way before the words of where one is."""
        super().resizeEvent(event)
        self.search.show_long(long=event.size().width() >= _ROOMY)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.logo.setIcon(QIcon(logo(theme.colour("text"), theme.colour("hw"))))
        export = icon("export", theme.colour("text.inverse"))
        export.addPixmap(icon("export", theme.colour("text.3")).pixmap(16), QIcon.Mode.Disabled)
        self._export.setIcon(export)
        self._note.setIcon(icon("note", theme.colour("text")))
        self.views.setIcon(icon("menu", theme.colour("text.2")))
        self.search.set_theme(theme)
        self._beside.setIcon(icon("compare", theme.colour("text")))


def _views_menu(bar: QWidget, actions: Mapping[str, QAction]) -> QMenu:
    """What the rail has, as a menu."""
    menu = QMenu(bar)
    for name, _ in (*_RAIL, *_BELOW):
        menu.addAction(actions[name])
    return menu


def _follow(button: QPushButton, action: QAction) -> None:
    def changed() -> None:
        button.setEnabled(action.isEnabled())

    action.changed.connect(changed)


class Rail(QWidget):
    """The views, one under the other; below, theme and keys."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        """`actions` are the window's."""
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(48)
        self._buttons: dict[str, tuple[QToolButton, str]] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(6)
        for name, drawn in _RAIL:
            column.addWidget(self._button(actions[name], name, drawn))
        column.addStretch(1)
        for name, drawn in _BELOW:
            column.addWidget(self._button(actions[name], name, drawn))

    def _button(self, action: QAction, name: str, drawn: str) -> QToolButton:
        button = QToolButton()
        button.setFixedSize(47, 34)
        button.setIconSize(QSize(16, 16))
        button.setCheckable(name in dict(_RAIL))
        button.setAccessibleName(action.text())
        button.setToolTip(f"{action.text()} ({action.shortcut().toString()})")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setEnabled(action.isEnabled())
        button.clicked.connect(action.trigger)

        def changed() -> None:
            button.setEnabled(action.isEnabled())

        action.changed.connect(changed)
        self._buttons[name] = (button, drawn)
        return button

    def show_view(self, view: str) -> None:
        """Mark the view that is shown."""
        for name, (button, _) in self._buttons.items():
            if button.isCheckable():
                button.setChecked(name == view)

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        for button, drawn in self._buttons.values():
            made = icon(drawn, theme.colour("text.2"))
            made.addPixmap(icon(drawn, theme.colour("text.2", 0.45)).pixmap(16), QIcon.Mode.Disabled)
            button.setIcon(made)


class StatusBar(QStatusBar):
    """Shows what may come from a file, and obeys none of it."""

    def showMessage(self, message: str, timeout: int = 0) -> None:
        """Say something for so many milliseconds; 0 is until something else is said."""
        super().showMessage(shown_in_line(message), timeout)


class StatusLine:
    """Left: what is loaded and how it is ordered. Right: where it came from, and the theme."""

    def __init__(self, bar: QStatusBar, session: Session, theme: QAction, hint: QLabel) -> None:
        """Fill a status bar and follow the session. `hint` is a line for beginners."""
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(10, 0, 10, 0)
        self._session = session
        self._bar = bar
        self.left, self.right = Elided(), label()
        self._theme = QToolButton()
        self._theme.setAccessibleName(tr("exports.theme"))
        self._theme.setToolTip(f"{theme.text()} ({theme.shortcut().toString()})")
        self._theme.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._theme.clicked.connect(theme.trigger)
        bar.addWidget(self.left, 1)
        hint.setContentsMargins(0, 0, 24, 0)
        self.more = QWidget()
        both = QHBoxLayout(self.more)
        both.setContentsMargins(0, 0, 0, 0)
        for widget in (hint, self.right):
            both.addWidget(widget)
        bar.addPermanentWidget(self.more)
        bar.addPermanentWidget(self._theme)
        session.content_changed.connect(self._show)
        session.path_changed.connect(self._show)
        session.theme_changed.connect(self._show_theme)
        self._show_theme(session.theme)
        self._show(None)

    def _show_theme(self, name: str) -> None:
        self._theme.setText(tr(THEME_NAMES[name]))

    def _show(self, _changed: object) -> None:
        content = self._session.content
        self._bar.setToolTip(tip(self._session.path))
        if content is None:
            self.left.setText(tr("frame.nothing-is-open"))
            self.right.setText("")
            return
        self.left.setText("     ".join(loaded_words(self._session)))
        self.right.setText(origin_words(self._session.traces))


def loaded_words(session: Session) -> tuple[str, ...]:
    """What is loaded, in a few parts."""
    content = session.content
    if content is None:
        return ()
    traces = session.traces
    parts: list[str] = []
    if content.comparison:
        runs = len(content.runs)
        anchors = len(content.landmarks.get("anchor", ()))
        script = content.comparison.axis == "script"
        parts.append(
            tr("frame.runs-of-one-script-steps", runs=runs, anchors=anchors - 1)
            if script
            else tr("frame.runs", runs=runs)
        )
        parts.append(
            tr("frame.aligned-by-step-exact") if script else tr("frame.aligned-by-landmarks", anchors=anchors)
        )
    else:
        trace = traces[0]
        files, brokers = len(trace.sources), len(trace.brokers)
        kraft = any(partition.tp.of_quorum for partition in trace.partitions)
        many = tr("frame.nodes", count=brokers) if kraft else tr("frame.brokers", count=brokers)
        parts.append(tr("frame.1-broker") if brokers == 1 else many)
        held = tr("frame.events-here", count=len(trace), here=content.last)
        read = tr("report-rows.1-file-read") if files == 1 else tr("report-rows.files-read", count=files)
        parts.append(tr("frame.files-and-events", files=read, events=held) if files else held)
    if session.path:
        # All of it is in the tip: the folders of a document may be longer than the window.
        parts.append(Path(session.path).name)
    return tuple(parts)


def origin_words(traces: tuple[Trace, ...]) -> str:
    """Where the traces came from."""
    words: list[str] = []
    for trace in traces:
        if trace.origin == Origin.SIMULATED:
            seed = trace.facts.get("seed")
            words.append(tr("frame.model") if seed is None else tr("frame.simulated-seed", seed=seed))
        else:
            versions = releases_of(trace)
            kafka = (
                tr("frame.kafka", names=", ".join(versions))
                if versions
                else tr("frame.kafka-version-unknown")
            )
            zones = sorted(
                {
                    f"{source.zone} {term(source.zone_basis)}".strip()
                    for source in trace.sources
                    if source.zone_basis
                }
            )
            origin = tr("frame.times", kafka=kafka, zones=", ".join(zones[:2])) if zones else kafka
            shown = zone_words(int(trace.columns["at"][0])) if len(trace) else "UTC"
            words.append(origin if shown == "UTC" else tr("frame.shown-at", origin=origin, zone=shown))
    return "     ".join(dict.fromkeys(words))


def make_frame(
    window: QMainWindow, actions: Mapping[str, QAction], tabs: QWidget
) -> tuple[QMenu, TitleBar, Rail, QToolBar]:
    """The menu of a window, its title bar, its rail and the bar that this stands in, put in their places.

    `tabs` stand below the title bar.
    """
    menu = QMenu(window)
    for name in MENUS:
        part = menu.addMenu(tr(MENUS[name]))
        for spec in ACTIONS:
            if spec.menu == name and not spec.id.startswith("finding-"):
                part.addAction(actions[spec.id])
    title_bar, rail = TitleBar(menu, actions), Rail(actions)
    bars: list[QToolBar] = []
    top = QWidget()
    lines = column(top)
    lines.addWidget(title_bar)
    lines.addWidget(tabs)
    for name, widget, area in (
        ("title", top, Qt.ToolBarArea.TopToolBarArea),
        ("rail", rail, Qt.ToolBarArea.LeftToolBarArea),
    ):
        bar = QToolBar(name)
        bar.setObjectName(name)
        bar.setMovable(False)
        bar.setFloatable(False)
        bar.toggleViewAction().setVisible(False)
        bar.addWidget(widget)
        window.addToolBar(area, bar)
        bars.append(bar)
    window.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
    return menu, title_bar, rail, bars[-1]
