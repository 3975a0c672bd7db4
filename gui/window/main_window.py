"""The window: docks, menus, and the wiring of the parts. What they do is in the parts."""

from functools import partial
from typing import Final

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QSplitter, QToolBar, QWidget

from core.message import Message
from gui.actions import ACTIONS, MENUS, Scope, is_enabled
from gui.lessons.page import LessonsPage
from gui.panels.evidence import EvidencePanel
from gui.panels.inspector import Inspector
from gui.panels.lists import FindingsPanel, LedgerPanel, NotesPanel
from gui.panels.note_editor import NoteEditor
from gui.panels.partition_head import PartitionHead
from gui.panels.parts import column, label
from gui.panels.report import ReportPage
from gui.panels.transport import Transport
from gui.scenarios.handlers import choose_scenario
from gui.scenarios.page import ScenarioPage
from gui.search.find_dock import FindDock
from gui.style import dress
from gui.text.spoken import tr
from gui.theme import load_theme
from gui.timeline.stage import Stage
from gui.triage.page import TriagePage
from gui.welcome.page import WelcomePage
from gui.window.dialogs import ASKING, Dialogs
from gui.window.docks import fit_docks, hide_docks, keep_layout, remember_first, restore_strips, show_layout
from gui.window.frame import Rail, StatusBar, StatusLine, TitleBar
from gui.window.grip import Grip
from gui.window.handlers import handlers
from gui.window.lanes import connect_lanes
from gui.window.notices import NoticeBar, ProgressBar
from gui.window.noting import connect_notes
from gui.window.opening import (
    connect_store,
    connect_triage,
    may_drop_text,
    may_leave,
    open_offer,
    open_paths,
    show_line,
)
from gui.window.pages import Views, make_pages, show_crumbs
from gui.window.settings import Settings
from gui.window.theming import wanted_theme
from gui.window.visits import Visits
from gui.workspace.jobs import Failure, JobRunner
from gui.workspace.loading import Loaded
from gui.workspace.session import Session
from gui.workspace.store import UNSAID, Store

LEAST: Final = QSize(1280, 800)
_STEPS_TO_LEARN: Final = 10


class MainWindow(QMainWindow):
    """One window, one document. `dialogs` are its questions."""

    welcome: WelcomePage
    triage: TriagePage
    lessons: LessonsPage
    scenarios: ScenarioPage
    report: ReportPage
    first_state: QByteArray
    first_panels: QByteArray

    def __init__(self, settings: Settings, dialogs: Dialogs = ASKING) -> None:
        """Builds the frame; nothing is open."""
        super().__init__()
        self.settings, self.dialogs = settings, dialogs
        self.session = Session(self)
        self.jobs = JobRunner(self)
        self.store = Store(self.session, self.jobs, self)
        self.setWindowTitle("Tidegauge")
        self.setMinimumSize(LEAST)
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks)
        self.laid_out = ""
        """The view whose docks are seen, "" where a page without docks is."""
        self.asked_paths: tuple[str, ...] = ()
        """What was asked for and is not open yet; it is remembered once it is."""
        self.actions_: dict[str, QAction] = {}
        self.handlers: dict[str, object] = {}
        self.make_parts()
        geometry: QByteArray = settings.get("geometry")
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            self.resize(QSize(1600, 1000).boundedTo(QGuiApplication.primaryScreen().availableSize()))
        remember_first(self)
        self.show_view("welcome")

    def make_parts(self) -> None:
        """Everything that has words: once, and again when the language changes (gui/window/rewording.py)."""
        self._make_actions()
        self._make_centre()
        self._make_docks()
        self._make_frame()
        self._connect()
        self._restore()
        self.finder, self.visits = FindDock(self), Visits(self)

    def _make_actions(self) -> None:
        self.handlers = dict(handlers(self))
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
        handler = self.handlers[action]
        if callable(handler):
            handler()

    def _make_centre(self) -> None:
        self.notices, self.progress = NoticeBar(), ProgressBar()
        self.pages = make_pages(self)
        self.stage = Stage(self.session)
        self.hint = label(tr("main-window.step-l-next-loss-t-next"), "hint")
        self.transport = Transport(self.session, self.actions_)
        self.shown = QWidget()
        lines = column(self.shown)
        self.partition_head = PartitionHead(self.session)
        lines.addWidget(self.partition_head)
        lines.addWidget(self.stage, 1)
        lines.addWidget(self.transport)
        self.views = Views()
        for page in (self.shown, *self.pages.values()):
            self.views.addWidget(page)
        self.centre = QWidget()
        lines = column(self.centre)
        lines.addWidget(self.notices)
        lines.addWidget(self.progress)
        lines.addWidget(self.views, 1)
        self.setCentralWidget(self.centre)
        for spec in ACTIONS:
            if spec.scope is Scope.TIMELINE:
                self.stage.addAction(self.actions_[spec.id])
        self.note_editor = NoteEditor(self.shown)

    def _make_docks(self) -> None:
        self.inspector = Inspector(self.session)
        self.evidence = EvidencePanel(self.session)
        self.findings, self.notes = FindingsPanel(self.session), NotesPanel(self.session)
        left = self.left_panels = QSplitter(Qt.Orientation.Vertical)
        left.setObjectName("panel")
        left.setHandleWidth(1)
        for panel in (self.findings, self.notes, LedgerPanel(self.session)):
            left.addWidget(panel)
        left.setStretchFactor(0, 3)
        left.setStretchFactor(1, 1)
        left.setStretchFactor(2, 0)
        self.left_dock = self._dock(
            "left", tr("main-window.findings-and-notes"), left, Qt.DockWidgetArea.LeftDockWidgetArea
        )
        self.right_dock = self._dock(
            "right", tr("actions.inspector"), self.inspector, Qt.DockWidgetArea.RightDockWidgetArea
        )
        self.drawer = self._dock(
            "drawer", tr("actions.evidence"), self.evidence, Qt.DockWidgetArea.BottomDockWidgetArea
        )
        # The drawer runs under the inspector, because lines of a log are long.
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)

    def _dock(self, name: str, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(widget)
        Grip(dock)
        self.addDockWidget(area, dock)
        dock.hide()
        return dock

    def _make_frame(self) -> None:
        self.menu = QMenu(self)
        for name in MENUS:
            part = self.menu.addMenu(tr(MENUS[name]))
            for spec in ACTIONS:
                if spec.menu == name and not spec.id.startswith("finding-"):
                    part.addAction(self.actions_[spec.id])
        self.title_bar = TitleBar(self.menu, self.actions_)
        self.rail = Rail(self.actions_)
        for name, widget, area in (
            ("title", self.title_bar, Qt.ToolBarArea.TopToolBarArea),
            ("rail", self.rail, Qt.ToolBarArea.LeftToolBarArea),
        ):
            bar = QToolBar(name)
            bar.setObjectName(name)
            bar.setMovable(False)
            bar.setFloatable(False)
            bar.toggleViewAction().setVisible(False)
            bar.addWidget(widget)
            self.addToolBar(area, bar)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setStatusBar(StatusBar())
        self.status = StatusLine(self.statusBar(), self.session, self.actions_["theme"], self.hint)

    def _connect(self) -> None:
        session, store = self.session, self.store
        for signal in (
            session.content_changed,
            session.selection_changed,
            session.notes_changed,
            session.range_changed,
        ):
            signal.connect(self.refresh_actions)
        session.undo.canUndoChanged.connect(self.refresh_actions)
        session.undo.canRedoChanged.connect(self.refresh_actions)
        session.content_changed.connect(self._content_changed)
        session.path_changed.connect(partial(show_crumbs, self))
        session.position_changed.connect(self._count_step)
        session.theme_changed.connect(self.apply_theme)
        session.playing_changed.connect(self.actions_["play"].setChecked)
        self.jobs.failed.connect(self.show_failure)
        self.jobs.stopped.connect(self.notices.stop)
        self.jobs.progressed.connect(self._report_progress)
        self.jobs.ended.connect(self.progress.end)
        self.progress.cancelled.connect(self.jobs.cancel)
        store.opened.connect(self._opened)
        store.saved.connect(self._saved)
        connect_store(self)
        self.scenarios.wanted.connect(partial(choose_scenario, self))
        self.report.line_wanted.connect(partial(show_line, self))
        connect_triage(self)
        self.stage.evidence_wanted.connect(self._show_evidence_if_room)
        connect_notes(self)
        connect_lanes(self)
        self.welcome.open_wanted.connect(self.actions_["open"].trigger)
        self.welcome.previews_wanted.connect(partial(store.preview, show=self.welcome.show_previews))
        self.welcome.folder_wanted.connect(self.actions_["open-folder"].trigger)
        self.welcome.path_wanted.connect(self._open_recent)
        self.welcome.offer_wanted.connect(partial(open_offer, self))
        for dock, action in (
            (self.left_dock, "left-dock"),
            (self.right_dock, "inspector"),
            (self.drawer, "evidence"),
        ):
            dock.visibilityChanged.connect(self.actions_[action].setChecked)

    def _restore(self) -> None:
        self.apply_theme(wanted_theme(self.settings))
        self.session.set_theme(wanted_theme(self.settings))
        restore_strips(self)
        self.refresh_actions()

    def refresh_actions(self, *_changed: object) -> None:
        """Enable what makes sense now."""
        for spec in ACTIONS:
            self.actions_[spec.id].setEnabled(is_enabled(spec, self.session))

    def apply_theme(self, name: str) -> None:
        """Dress everything in a theme."""
        theme = load_theme(name)
        dress(theme)
        lists = (self.findings.list, self.notes.list)
        for part in (
            self.stage,
            self.transport,
            self.title_bar,
            self.rail,
            *self.pages.values(),
            *lists,
        ):
            part.set_theme(theme)

    def show_view(self, view: str) -> None:
        """One of the pages by its name, else the timeline or the comparison."""
        page = self.pages.get(view, self.shown)
        if page is self.shown:
            content = self.session.content
            view = "compare" if content is not None and content.comparison else "timeline"
        if page is not self.shown:
            # Before the page goes: the focus that it loses would go to a list there, which moves the cursor.
            hide_docks(self)
        self.views.setCurrentWidget(page)
        self.rail.show_view(view)
        self._show_hint()
        show_crumbs(self)

    def _show_hint(self) -> None:
        learning = self.settings.get("steps") < _STEPS_TO_LEARN
        self.hint.setVisible(learning and self.views.currentWidget() is self.shown)

    def _content_changed(self, content: object) -> None:
        if content is None:
            # What was saved meanwhile is there to be opened; what was said of it is over.
            self.notices.hide()
            self.welcome.show_recent(self.settings.get("recent"))
            self.show_view("welcome")
        else:
            show_crumbs(self)

    def _opened(self, loaded: Loaded) -> None:
        self.notices.hide()
        for path in self.asked_paths:
            self.settings.remember_path(path)
        self.asked_paths = ()
        self.welcome.show_recent(self.settings.get("recent"))
        self.show_view("triage" if loaded.source else "timeline")
        show_layout(self)
        # First what says how much room is left for the lanes.
        self.stage.cells.redraw()
        self.stage.redraw_soon()
        if loaded.source:
            self.triage.focus()
        else:
            self.stage.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _count_step(self, _position: int) -> None:
        steps = self.settings.get("steps")
        if steps < _STEPS_TO_LEARN:
            self.settings.put("steps", steps + 1)
            self._show_hint()

    def _report_progress(self, question: str, done: int, total: int, what: Message | None) -> None:
        if question not in UNSAID:
            self.progress.report(question, done, total, what)

    def show_failure(self, failure: Failure) -> None:
        """Say why something could not be done; what was open stays."""
        self.notices.fail(failure)
        if self.session.content is None and self.views.currentWidget() is self.shown:
            self.show_view("welcome")

    def show_failure_later(self, failure: object) -> None:
        """The same from any thread."""
        self.jobs.failed.emit(failure)

    def _saved(self, path: str) -> None:
        self.notices.tell(tr("scenarios.saved"), tr("main-window.notes-are-now-written-into-as", path=path))

    def _show_evidence_if_room(self) -> None:
        if self.height() >= 860:
            self.drawer.show()

    def _open_recent(self, path: str) -> None:
        open_paths(self, (path,))

    def go_finding(self, place: int) -> None:
        """Move to a finding of the list, counted from 0."""
        self.findings.go(place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Docks keep their share of the window."""
        super().resizeEvent(event)
        crossed = (event.oldSize().width() >= 1440) != (event.size().width() >= 1440)
        if crossed and self.session.content is not None:
            fit_docks(self)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders may be dropped."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped, as one incident."""
        open_paths(self, tuple(url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()))
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved notes and texts, remember the window, end the jobs."""
        if not (may_leave(self) and may_drop_text(self)):
            event.ignore()
            return
        keep_layout(self)
        self.settings.put("geometry", self.saveGeometry())
        self.store.close()
        event.accept()
