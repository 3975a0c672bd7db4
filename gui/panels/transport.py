"""The transport: play, speed, the jumps with their keys, the row of stops, and where the cursor is."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from gui.actions import keys_text
from gui.icons import icon
from gui.panels.explain import place_label
from gui.panels.parts import Still, label
from gui.panels.tie_boxes import TieBoxes
from gui.panels.track import StopTrack
from gui.text.spoken import tr
from gui.theme import Theme
from gui.workspace.session import SPEEDS, Session

PLAY_MS: Final = 600
"""How long a position stands at speed 1."""
_LEAST: Final = 400
"""Least width: that of a pane."""
_SPARE: Final = 200
"""How much longer than it must be the row of stops is before all keys are shown."""
_STEPS: Final = 120
"""The same before a tie is shown beside the steps of a comparison, which need the room more."""
_FITS: Final = (
    (True, True, True, True),
    (False, True, True, True),
    (False, False, True, True),
    (False, True, False, True),
    (False, False, False, True),
    (False, False, False, False),
)
"""Whether the keys of all, those of the jumps, ties and the row of stops are shown: what fits first."""
_JUMPS: Final = (
    ("difference", "transport.difference", "X"),
    ("loss", "explain.loss", "L"),
    ("truncation", "transport.cut", "T"),
    ("election", "transport.election", "E"),
    ("isr", "ISR", "I"),
)
_IN_MENU: Final = ("story", "loss", "truncation", "election", "isr", "crash", "gap", "difference", "note")
_COMPARED, _ALONE = "difference", "isr"
"""Jumps that only a comparison has, and that only one timeline has room and use for."""


class KeyButton(QToolButton):
    """A button that shows its key beside its words or its sign."""

    def __init__(self, text: str, key: str) -> None:
        """`text` may be empty where a sign is shown."""
        super().__init__()
        self.says, self.key = label(text), label(key, "key")
        row = QHBoxLayout(self)
        row.setContentsMargins(9, 0, 7, 0)
        row.setSpacing(6)
        for part in (self.says, self.key):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        """As wide as both parts."""
        layout = self.layout()
        return QSize(max(layout.sizeHint().width() if layout else 0, 34), 28)

    def minimumSizeHint(self) -> QSize:
        """Neither part is cut."""
        return self.sizeHint()

    def show_key(self, *, shown: bool) -> None:
        """Show the key, or leave it to the tip where room is scarce."""
        self.key.setVisible(shown)
        self.updateGeometry()


class Transport(QWidget):
    """Follows and moves the session's cursor."""

    def __init__(
        self, session: Session, actions: Mapping[str, QAction], parent: QWidget | None = None
    ) -> None:
        """`actions` are the window's, by id of the table."""
        super().__init__(parent)
        self.setObjectName("transport")
        self.setFixedHeight(46)
        self._session = session
        self._theme: Theme | None = None
        self._icons: list[tuple[KeyButton, str]] = []
        self._whole = True
        self.jumps: dict[str, KeyButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 16, 0)
        row.setSpacing(6)
        self.moves = {
            action: self._icon_button(actions[action], name, tr(says))
            for action, name, says in (
                ("first", "first", "actions.first-position"),
                ("play", "play", "actions.play-or-pause"),
                ("last", "last", "actions.last-position"),
                ("back", "back", "actions.one-position-back"),
                ("forward", "forward", "actions.one-position-forward"),
            )
        }
        for button in self.moves.values():
            row.addWidget(button)
        self._speed = KeyButton("", "[ ]")
        self._speed.setAccessibleName(tr("exports.speed"))
        self._speed.setToolTip(tr("transport.speed-slower-faster"))
        self._speed.clicked.connect(self._cycle_speed)
        row.addWidget(self._speed)
        self.jump = self._jump_menu(actions)
        row.addWidget(self.jump)
        row.addSpacing(6)
        for landmark, text, key in _JUMPS:
            row.addWidget(self._jump_button(actions[f"next-{landmark}"], landmark, text, key))
        row.addSpacing(8)
        self.track = StopTrack()
        row.addWidget(self.track, 1)
        row.addSpacing(8)
        self.ties = TieBoxes()
        row.addWidget(self.ties)
        self.place, self.place_name = label("", "place"), label("", "secondary")
        where = QVBoxLayout()
        where.setSpacing(0)
        where.addStretch(1)
        self._where = [Still(line) for line in (self.place, self.place_name)]
        for line, room in zip((self.place, self.place_name), self._where, strict=True):
            line.setAlignment(Qt.AlignmentFlag.AlignRight)
            where.addWidget(room)
        where.addStretch(1)
        row.addLayout(where)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        self.track.valueChanged.connect(session.set_position)
        session.content_changed.connect(self._show_content)
        session.position_changed.connect(self._show_position)
        session.playing_changed.connect(self._show_playing)
        session.speed_changed.connect(self._show_speed)
        self._show_speed(session.speed)
        self.give_room(whole=True)

    def give_room(self, *, whole: bool) -> None:
        """Each action has a button; else there are previous, next, and one with a menu of all the rest."""
        self._whole = whole
        for action in ("first", "play", "last"):
            self.moves[action].setVisible(whole)
        for part in (self.moves["back"], self.moves["forward"], self.jump):
            part.setVisible(not whole)
        self._speed.setVisible(whole)
        self._show_jumps()
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self._theme = theme
        self.track.set_theme(theme)
        self.ties.set_theme(theme)
        self._paint_icons()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the lanes may be: what has no room then is left to tips."""
        return QSize(_LEAST, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keys are shown where there is room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show all keys, else those of the jumps, else none; then ties give way, the row of stops last."""
        icons = (self._speed, *(button for button, _ in self._icons))
        for others, jumps, ties, track in _FITS:
            for button in icons:
                button.show_key(shown=others)
            for button in self.jumps.values():
                button.show_key(shown=jumps)
            self.ties.setVisible(ties and self.ties.needed)
            self.track.setVisible(track)
            layout = self.layout()
            compared = ties and not self.jumps[_COMPARED].isHidden()
            spare = _SPARE if others else _STEPS if compared else 0
            if layout is None or layout.minimumSize().width() + spare <= self.width():
                return

    def _paint_icons(self) -> None:
        if self._theme is not None:
            for button, name in self._icons:
                made = icon(name, self._theme.colour("text"))
                button.says.setPixmap(made.pixmap(QSize(16, 16), self.devicePixelRatioF()))

    def _icon_button(self, action: QAction, name: str, says: str) -> KeyButton:
        key = keys_text((action.shortcut().toString(),))
        button = KeyButton("", key)
        button.setAccessibleName(says)
        button.setToolTip(f"{says} ({key})")
        button.clicked.connect(action.trigger)
        self._icons.append((button, name))
        return button

    def _jump_menu(self, actions: Mapping[str, QAction]) -> QToolButton:
        """A button with a menu of all jumps, and of what else has no button then."""
        made = QToolButton()
        made.setText(tr("transport.jump"))
        made.setAccessibleName(tr("transport.jump"))
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(made)
        for landmark in _IN_MENU:
            menu.addAction(actions[f"next-{landmark}"])
            menu.addAction(actions[f"previous-{landmark}"])
        menu.addSeparator()
        for action in ("first", "last", "play", "slower", "faster"):
            menu.addAction(actions[action])
        made.setMenu(menu)
        return made

    def _jump_button(self, action: QAction, landmark: str, text: str, key: str) -> KeyButton:
        button = KeyButton(tr(text), key)
        button.setAccessibleName(action.text())
        button.setToolTip(tr("transport.shift-back", text=action.text(), key=key))
        button.clicked.connect(action.trigger)
        self.jumps[landmark] = button
        return button

    def _show_content(self, content: object) -> None:
        self.track.show_content(self._session.content)
        self.ties.show_content(self._session.content)
        self._show_jumps()
        for landmark, button in self.jumps.items():
            places = self._session.content.landmarks.get(landmark, ()) if self._session.content else ()
            button.setEnabled(bool(places))
        self._show_position(self._session.position)
        for room in self._where:
            room.renew()
        self._fit()

    def _show_jumps(self) -> None:
        """The jumps that what is open has, where each has a button."""
        compared = self._session.content is not None and self._session.content.comparison is not None
        for landmark, button in self.jumps.items():
            other = landmark == (_ALONE if compared else _COMPARED)
            button.setVisible(self._whole and not other)

    def _show_position(self, position: int) -> None:
        self.track.setValue(position)
        content = self._session.content
        if content is None:
            return
        self.ties.show_tie(content.tied_at(position))
        place, name = place_label(content, position)
        self.place.setText(place)
        self.place_name.setText(name)
        self.track.setAccessibleDescription(f"{place}, {name}")
        for landmark, button in self.jumps.items():
            places = content.landmarks.get(landmark, ())
            here = content.is_at(landmark, position)
            spent = bool(places) and content.next_of(landmark, position, 1) is None
            if (button.property("here"), button.says.property("spent")) != (here, spent):
                button.setProperty("here", here)
                button.says.setProperty("spent", spent)
                button.style().polish(button)
                button.says.style().polish(button.says)
                more = tr("transport.no-more-from-here") if spent else ""
                button.setAccessibleDescription(more.removeprefix("; "))

    def _show_playing(self, playing: bool) -> None:
        self._icons[1] = (self.moves["play"], "pause" if playing else "play")
        self._paint_icons()
        if playing:
            self._timer.start(round(PLAY_MS / self._session.speed))
        else:
            self._timer.stop()

    def _show_speed(self, speed: float) -> None:
        self._speed.says.setText(f"{speed:g}×")
        self._timer.setInterval(round(PLAY_MS / speed))

    def _cycle_speed(self) -> None:
        place = SPEEDS.index(self._session.speed)
        self._session.set_speed(SPEEDS[(place + 1) % len(SPEEDS)])

    def _tick(self) -> None:
        """One position on. Playing stops at a loss, at the first difference and at the end."""
        session = self._session
        content = session.content
        if content is None or session.position >= content.last:
            session.set_playing(False)
            return
        session.set_position(session.position + 1)
        first = content.landmarks.get("difference", ())[:1]
        if content.is_at("loss", session.position) or session.position in first:
            session.set_playing(False)
