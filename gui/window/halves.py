"""Two tabs beside each other: the one in front, and another whose lanes are looked at meanwhile.

The other half is a picture of a tab that is set aside: a press on it brings that tab to the front, where it
stands.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QToolButton, QWidget

from core.shown import shown_in_line
from gui.icons import icon
from gui.panels.parts import Elided, column, label, tip
from gui.text.spoken import tr
from gui.theme import Theme
from gui.timeline.stage import Stage
from gui.window.pages import Viewing
from gui.window.person import Say
from gui.window.reflow import Split, split
from gui.window.tab_bar import TabRow, words_of
from gui.workspace.desk import Desk
from gui.workspace.halves import WHOLE, Halves, begun, moved_with, moves_with, still
from gui.workspace.session import Session
from gui.workspace.tabs import Label, Open
from gui.workspace.undo import Edits

_HEAD: Final = 40
_WHOLE_GUTTER: Final = 600
"""From this width of a half on the gutter of its lanes says all that it has."""
_PRESSES: Final = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


class OtherHalf(QWidget):
    """The lanes of a tab that is not in front, with a head of their own."""

    chosen = Signal()
    """It was pressed on."""
    closed = Signal()
    together_wanted = Signal(bool)
    """Whether the cursors are to move together."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty, with a session of its own: what is looked at here is what its tab had."""
        super().__init__(parent)
        self.setObjectName("otherHalf")
        self.session = Session()
        self.stage = Stage(self.session)
        self.stage.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.stage.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for strip in self.stage.below.values():
            strip.hide()
        self.head = QWidget()
        self.head.setObjectName("panelHead")
        self.head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.head.setFixedHeight(_HEAD)
        self.name, self.of = label("", "partition"), Elided("", "secondary")
        self.together = QPushButton(tr("halves.together"))
        self.together.setObjectName("together")
        self.together.setCheckable(True)
        self.together.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.together.clicked.connect(self.together_wanted)
        self.close_it = QToolButton()
        self.close_it.setObjectName("closeTab")
        self.close_it.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.close_it.setAccessibleName(tr("halves.close"))
        self.close_it.setToolTip(tip(tr("halves.close")))
        self.close_it.clicked.connect(self.closed)
        row = QHBoxLayout(self.head)
        row.setContentsMargins(16, 0, 8, 0)
        row.setSpacing(12)
        row.addWidget(self.name)
        row.addWidget(self.of, 1)
        row.addWidget(self.together)
        row.addWidget(self.close_it)
        lines = column(self)
        lines.addWidget(self.head)
        lines.addWidget(self.stage, 1)
        for pressed in (self.head, self.stage.canvas.viewport()):
            pressed.installEventFilter(self)
        self.hide()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """A press brings the tab to the front, and does nothing else."""
        if event.type() not in _PRESSES:
            return False
        # In a turn of its own: the half changes places with the other one, under the mouse.
        QTimer.singleShot(0, self, self.chosen.emit)
        return True

    def tell(self, said: Label) -> None:
        """What it shows, and of which source."""
        what, of = words_of(replace(said, view=""))
        self.name.setText(shown_in_line(what))
        self.of.setText(of)
        self.setAccessibleName(tr("halves.other", what=what, of=of))

    def tell_together(self, *, together: bool, possible: bool) -> None:
        """Whether its cursor moves with that of the tab in front, and whether it can."""
        self.together.setEnabled(possible)
        self.together.setChecked(together and possible)
        self.together.setToolTip(tip(tr("halves.together-tip" if possible else "halves.no-common-time")))

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.stage.set_theme(theme)
        self.close_it.setIcon(icon("close", theme.colour("text.3"), 10))


class HalvesRow(QSplitter):
    """The lanes of the tab in front, and the other half beside or below them as there is room."""

    def __init__(self, front: QWidget, stage: Stage) -> None:
        """`front` has the lanes of the tab in front, which are those of `stage`."""
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("halves")
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self.front, self.other, self._stage = front, OtherHalf(), stage
        self._wanted, self._gutter, self._overview = False, True, True
        self.addWidget(front)
        self.addWidget(self.other)
        self.splitterMoved.connect(self._fit)

    def show_other(self, *, at_right: bool) -> None:
        """Show the other half, at the right of the front or at the left."""
        if (self.indexOf(self.other) == 1) is not at_right:
            sizes = self.sizes()
            self.insertWidget(1 if at_right else 0, self.other)
            self.setSizes(list(reversed(sizes)))
        if not self._wanted:
            self._wanted = True
            self._fit()
            self.setSizes([1_000, 1_000])
        self._fit()

    def hide_other(self) -> None:
        """The tab in front has all of it."""
        self._wanted = False
        self._fit()

    @property
    def has_room(self) -> bool:
        """Whether both halves have room."""
        return split(self.width(), self.height()) is not Split.ONE

    def give_room(self, *, gutter: bool, overview: bool) -> None:
        """As the stage has it while the tab in front is alone."""
        self._gutter, self._overview = gutter, overview
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside each other where they are wide enough, else one below the other, else one alone."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self, *_moved: object) -> None:
        how = split(self.width(), self.height())
        self.other.setVisible(self._wanted and how is not Split.ONE)
        wanted = Qt.Orientation.Vertical if how is Split.STACKED else Qt.Orientation.Horizontal
        if self.orientation() is not wanted:
            self.setOrientation(wanted)
        beside = self._wanted and how is Split.BESIDE
        for stage, half in ((self._stage, self.front), (self.other.stage, self.other)):
            wide = not beside or half.width() >= _WHOLE_GUTTER
            stage.give_room(gutter=self._gutter and wide, overview=self._overview)


class HalfAndHalf:
    """What a person does to see two tabs at once."""

    def __init__(self, desk: Desk, row: HalvesRow, tab_row: TabRow, viewing: Viewing, say: Say) -> None:
        """What was seen beside what stays so."""
        self._tabs, self._row, self._viewing, self._say = desk.tabs, row, viewing, say
        self._session = desk.session
        self._seen: tuple[int, int, int] | None = None
        """Of the tab that is seen in the other half: its key, and which values of it."""
        self._front = desk.tabs.open.current
        """The tab whose moves the other half follows."""
        desk.tabs.changed.connect(self.follow)
        desk.session.notes_changed.connect(self._follow_notes)
        row.other.chosen.connect(self.to_other)
        row.other.closed.connect(self.one)
        row.other.together_wanted.connect(self.set_together)
        desk.session.position_changed.connect(self._move_along)
        tab_row.half_wanted.connect(self.beside)
        self.follow(self._tabs.open)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions on halves, by id."""
        return {
            "split": self.toggle,
            "other-half": self.to_other,
            "together": lambda: self.set_together(not self._tabs.halves.together),
        }

    def toggle(self) -> None:
        """Show the next tab at the right of this one; again, this one is alone.

        Where there is one tab alone it is opened once more.
        """
        now = self._tabs.open
        if self._tabs.halves.other(now.current):
            self.one()
            return
        here, key = now.current, now.stepped(1)
        if key in (0, here):
            if not self._tabs.duplicate():
                self._say(tr("halves.no-other-tab"), 4000)
                return
            key = self._tabs.open.current
            self._tabs.choose(here)
        self.beside(key)

    def beside(self, key: int) -> None:
        """Show a tab at the right of the one in front."""
        self._viewing.show_lanes()
        self.show(begun(self._tabs.open, key))
        if self._tabs.halves is not WHOLE and not self._row.has_room:
            self._say(tr("halves.no-room"), 4000)

    def one(self) -> None:
        """The tab in front alone. The other one stays open."""
        self.show(WHOLE)

    def show(self, halves: Halves) -> None:
        """Show these two from now on, whenever one of them is in front."""
        self._tabs.halves = halves
        self.follow(self._tabs.open)

    def _follow_notes(self, _notes: object) -> None:
        self.follow(self._tabs.open)

    def to_other(self) -> None:
        """Bring the tab of the other half to the front, where it is seen."""
        other = self._tabs.halves.other(self._tabs.open.current)
        if not other:
            self._say(tr("halves.no-other-half"), 4000)
            return
        self._tabs.choose(other)
        self._viewing.show_timeline()

    def set_together(self, together: bool) -> None:
        """Let the cursor of the other half go where that of the tab in front is, and move with it."""
        halves, other = self._tabs.halves, self._row.other
        if not halves.other(self._tabs.open.current):
            self._say(tr("halves.no-other-half"), 4000)
            return
        if together and not moves_with(self._session.content, other.session.content):
            self._say(tr("halves.no-common-time"), 4000)
            together = False
        self.show(replace(halves, together=together))
        self._move_along()

    def _move_along(self, *_moved: object) -> None:
        """Move the cursor of the other half to the moment of the one in front, where they are tied."""
        front, other = self._session.content, self._row.other.session
        seen = self._tabs.halves.together and self._seen is not None
        # While another tab comes to the front its cursor is told, and went nowhere.
        if not seen or self._tabs.open.current != self._front or not moves_with(front, other.content):
            return
        if front is not None and other.content is not None:
            other.set_position(moved_with(front, self._session.position, other.content))

    def follow(self, now: Open) -> None:
        """Show what is seen beside the tab that is in front now."""
        halves = self._tabs.halves = still(self._tabs.halves, now)
        other = self._row.other
        came = now.current != self._front
        if came and halves.together and self._seen is not None and self._seen[0] == now.current:
            # It was moved along while it stood beside: it stays where it is seen.
            self._session.set_position(other.session.position)
        self._front = now.current
        tab = now.tab(halves.other(now.current))
        if tab is None or tab.looked is None or tab.looked.content is None:
            self._seen = None
            self._row.hide_other()
            return
        other.tell(tab.label)
        held = self._tabs.values(tab)[0]
        if self._seen != (seen := (tab.key, id(tab.looked), id(held.notes))):
            same = self._seen is not None and self._seen[0] == tab.key
            at = other.session.position
            self._seen = seen
            other.session.resume(replace(held, edits=Edits()), tab.looked)
            if same and halves.together:
                # Its notes are others; its tab still stands where it was left.
                other.session.set_position(at)
        possible = moves_with(self._session.content, other.session.content)
        other.tell_together(together=halves.together, possible=possible)
        self._row.show_other(at_right=tab.key == halves.right)
