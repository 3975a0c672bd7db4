"""The widgets of the window, and where they stand: the lanes and pages, docks around them, a frame."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QSplitter, QWidget

from gui.actions import ACTIONS, Scope, needs_met
from gui.lessons.bar import LessonBar
from gui.panels.evidence import EvidencePanel
from gui.panels.inspector import Inspector
from gui.panels.lists import FindingsPanel, LedgerPanel, NotesPanel
from gui.panels.note_editor import NoteEditor
from gui.panels.partition_head import PartitionHead
from gui.panels.parts import column, label
from gui.panels.run_heads import RunHeads
from gui.panels.shared_cause import SharedCausePanel
from gui.panels.transport import Transport
from gui.panels.views import Views
from gui.search.find_dock import FindDock
from gui.style import dress
from gui.switchboard.dock import SwitchDock
from gui.text.spoken import tr
from gui.theme import load_theme
from gui.timeline.stage import Stage
from gui.window.asking import AskingBar
from gui.window.dialogs import Dialogs
from gui.window.docks import Docks, Strips
from gui.window.frame import StatusBar, StatusLine, make_frame
from gui.window.halves import HalvesRow
from gui.window.least import Scrolled
from gui.window.notices import NoticeBar, ProgressBar
from gui.window.pages import Page, Pages, Viewing
from gui.window.person import Person
from gui.window.reading_along import ReadingAlong
from gui.window.reflow import LEAST, Room, Side, reflow
from gui.window.settings import Settings
from gui.window.sides import FindingStrip, UprightButton, UprightStrip
from gui.window.tab_bar import TabRow
from gui.window.windows import Windows
from gui.workspace.conforming import Conforming

_SMALLEST: Final = QSize(320, 180)
"""What is seen at least of a window that scrolls."""
ROOMY: Final = reflow(1600, 1000)
"""How a window is made, before it has its size."""


class Shell(QMainWindow):
    """A window with all of its widgets. What they are for is told by whoever makes it."""

    def __init__(self, settings: Settings, dialogs: Dialogs, windows: Windows) -> None:
        """Nothing is open, and no widget is made. `windows` are those that it belongs to."""
        super().__init__()
        self.settings, self.person = settings, Person(self, dialogs)
        self.windows = windows
        self.desk = windows.new_desk(self)
        self.session, self.jobs, self.store = self.desk.session, self.desk.jobs, self.desk.store
        self.tabs = self.desk.tabs
        self.conforming = Conforming(self.jobs)
        self.remembering = windows.remembering
        self.reading = ReadingAlong(self.session, self.jobs)
        self.setWindowTitle("Tidegauge")
        self.setMinimumSize(_SMALLEST)
        self._scrolled = Scrolled(self, QSize(*LEAST))
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks)
        self.actions_: dict[str, QAction] = {}
        self.handlers: Mapping[str, Callable[[], object]] = {}
        """What an action does, by its id."""

    def make_widgets(self) -> None:
        """Everything that has words: once, and again when the language changes."""
        self._make_actions()
        self._make_centre()
        self._make_docks()
        self._make_frame()

    def _make_actions(self) -> None:
        for spec in ACTIONS:
            action = QAction(tr(spec.text), self)
            action.setObjectName(spec.id)
            action.setShortcuts([QKeySequence(key) for key in spec.keys])
            action.setCheckable(spec.checkable)
            # A zoomed or floating dock is a window of its own: keys of the window act there too.
            action.setShortcutContext(
                Qt.ShortcutContext.WidgetWithChildrenShortcut
                if spec.scope is Scope.TIMELINE
                else Qt.ShortcutContext.WindowShortcut,
            )
            action.triggered.connect(partial(self._trigger, spec.id))
            self.actions_[spec.id] = action
            if spec.scope is Scope.WINDOW:
                self.addAction(action)

    def _trigger(self, action: str, _checked: bool = False) -> None:  # noqa: FBT002 - Qt's own signature
        self.handlers[action]()

    def _make_centre(self) -> None:
        session = self.session
        self.notices, self.progress, self.asking = NoticeBar(), ProgressBar(), AskingBar()
        self.person.notices = self.notices
        self.stage = Stage(session)
        self.hint = label(tr("main-window.step-l-next-loss-t-next"), "hint")
        self.transport = Transport(session, self.actions_)
        self.partition_head, self.lesson = PartitionHead(session), LessonBar(session)
        self.run_heads = RunHeads(session)
        front = QWidget()
        self.over_lanes = lines = column(front)
        lines.addWidget(self.lesson)
        lines.addWidget(self.partition_head)
        lines.addWidget(self.run_heads)
        lines.addWidget(self.stage, 1)
        self.halves_row = HalvesRow(front, self.stage)
        self.shown = QWidget()
        lines = column(self.shown)
        lines.addWidget(self.halves_row, 1)
        lines.addWidget(self.transport)
        self.views = Views()
        self.views.addWidget(self.shown)
        self.pages = Pages(
            *(self.views, self.desk, self.conforming, self.settings, self.person, self.actions_),
            arrived=self.page_arrived,
        )
        self.centre = QWidget()
        middle = QWidget()
        lines = column(middle)
        lines.addWidget(self.notices)
        lines.addWidget(self.progress)
        lines.addWidget(self.asking)
        lines.addWidget(self.views, 1)
        across = QHBoxLayout(self.centre)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        self.left_strip = FindingStrip(session, self.actions_["left-dock"])
        self.right_strip = UprightStrip(
            (
                UprightButton(tr("actions.inspector"), self.actions_["inspector"]),
                UprightButton(tr("actions.evidence"), self.actions_["evidence"]),
            )
        )
        for part, share in ((self.left_strip, 0), (middle, 1), (self.right_strip, 0)):
            across.addWidget(part, share)
        self.setCentralWidget(self.centre)
        self._scrolled.watch(self.centre)
        for spec in ACTIONS:
            if spec.scope is Scope.TIMELINE:
                self.stage.addAction(self.actions_[spec.id])
        self.note_editor = NoteEditor(self.shown)

    def _make_docks(self) -> None:
        session = self.session
        self.inspector, self.evidence = Inspector(session), EvidencePanel(session)
        self.findings, self.notes = FindingsPanel(session), NotesPanel(session)
        self.shared_cause = SharedCausePanel(session)
        left = QSplitter(Qt.Orientation.Vertical)
        left.setObjectName("panel")
        left.setHandleWidth(1)
        panels = (self.findings, self.shared_cause, self.notes, LedgerPanel(session))
        for place, (panel, share) in enumerate(zip(panels, (3, 0, 1, 0), strict=True)):
            left.addWidget(panel)
            left.setStretchFactor(place, share)
        self.docks = Docks(
            self, session, self.settings, (left, self.inspector, self.evidence), self.views, self.lanes_shown
        )
        self.docks.room = ROOMY
        self.docks.drawer.visibilityChanged.connect(self.stage.evidence_seen)

    def _make_frame(self) -> None:
        session = self.session
        self.tab_row = TabRow(self.actions_["reopen-tab"])
        self.menu, self.title_bar, self.rail, self.rail_bar = make_frame(self, self.actions_, self.tab_row)
        self.setStatusBar(StatusBar())
        self.status = StatusLine(self.statusBar(), session, self.actions_["theme"], self.hint)
        views = (self.views, self.pages, self.shown, self.stage.canvas)
        frame = (self.title_bar, self.rail, self.hint)
        self.viewing = Viewing(self, session, self.settings, views, self.docks, frame)
        self.reading.follow(self.views, self.viewing, self.pages, self.progress)
        self.finder = FindDock(self, session, self.jobs, self.docks.drawer, self.viewing)
        self.docks.finder = self.finder
        others = (self.docks.left, self.docks.right)
        self.switchboard = SwitchDock(self, session, self.jobs, others, self.viewing)
        self.docks.switchboard = self.switchboard
        self.switchboard.lay_out = self.docks.again
        self.strips = Strips(self.stage.below, self.settings, self.actions_)
        self.views.currentChanged.connect(self._show_sides)
        self._give_room(ROOMY)
        if self.isVisible():
            self._give_room(reflow(self.width(), self.height()))

    def lanes_shown(self) -> bool:
        """Whether the lanes are seen, and not a page."""
        return self.views.currentWidget() is self.shown

    def refresh_actions(self, *_changed: object) -> None:
        """Enable what makes sense now."""
        met = needs_met(self.session)
        for spec in ACTIONS:
            self.actions_[spec.id].setEnabled(spec.need in met)

    def apply_theme(self, name: str) -> None:
        """Dress everything in a theme."""
        theme = load_theme(name)
        dress(theme)
        frame = (self.title_bar, self.tab_row, self.rail)
        lanes = (self.stage, self.halves_row.other, self.transport, self.run_heads)
        parts = (*lanes, *frame, *self.pages.made.values())
        for part in (*parts, self.left_strip, self.findings.list, self.notes.list, self.switchboard.panel):
            part.set_theme(theme)

    def page_arrived(self, page: Page) -> None:
        """A page was made: dress it as all the rest."""
        page.set_theme(load_theme(self.session.theme))

    def dress_anew(self) -> None:
        """Draw again what was drawn for another size of the text."""
        self.apply_theme(self.session.theme)

    def show_view(self, view: str) -> None:
        """One of the pages by its name, else the timeline or the comparison."""
        self.viewing.show(view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What there is room for is shown."""
        super().resizeEvent(event)
        room = reflow(event.size().width(), event.size().height())
        if room != self.docks.room:
            self._give_room(room)

    def event(self, event: QEvent) -> bool:
        """Qt has laid out the parts: in a window that is too small for them they are scrolled."""
        answered = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._scrolled.fit()
        return answered

    def _give_room(self, room: Room) -> None:
        """Lay out the parts of the window: docks first, as they remember all bars that are seen now."""
        self.docks.give_room(room)
        self.title_bar.give_room(room, self.partition_head)
        if room.head:
            self.over_lanes.insertWidget(1, self.partition_head)
        self.run_heads.give_room(room=room.head)
        self.rail_bar.setVisible(room.rail)
        self.status.more.setVisible(room.status)
        self.transport.give_room(whole=room.jumps)
        self.halves_row.give_room(gutter=room.gutter, overview=room.overview)
        self.strips.give_room(room)
        self._show_sides()

    def _show_sides(self, *_changed: object) -> None:
        """The strips beside the lanes, and what stands in the title bar for them."""
        lanes, room = self.lanes_shown(), self.docks.room
        for strip in (self.left_strip, self.right_strip):
            strip.setVisible(lanes and room.side is not Side.BESIDE)
        self.title_bar.joined.setVisible(lanes and not room.head)
