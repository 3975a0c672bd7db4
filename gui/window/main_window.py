"""The window: who does what with its widgets, each with what that needs. How it is done is with them."""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
)
from PySide6.QtWidgets import QApplication, QWidget

from gui.lessons.counterexample_handlers import Counterexamples
from gui.lessons.handlers import LessonPages, Lessons, Means
from gui.scenarios import handlers as scenario_actions
from gui.search.handlers import search_handlers
from gui.search.palette import Ways
from gui.text.spoken import tr
from gui.window.causing import Causing
from gui.window.connecting import Connecting
from gui.window.dialogs import ASKING, AboutBox, Dialogs, KeySheet
from gui.window.drawing import Drawings
from gui.window.exporting import Exporting
from gui.window.going import Going
from gui.window.handlers import Editing, Files, Looking
from gui.window.importing import Importing
from gui.window.lanes import Lanes
from gui.window.noting import Notes
from gui.window.opening import (
    Leaving,
    Opening,
    offer_elsewhere,
)
from gui.window.pages import Page, first_view, panes_of
from gui.window.process_dialog import Processing
from gui.window.ranges import Ranges
from gui.window.rewording import drop_questions, hold_to, remove_parts
from gui.window.run_actions import RunActions
from gui.window.settings import Settings
from gui.window.settings_dialog import SettingsDialog
from gui.window.shell import Shell
from gui.window.side_by_side import SideBySide
from gui.window.signals import tell_anew
from gui.window.theming import theme_handlers, wanted_theme
from gui.window.tying import Ties
from gui.window.visits import Visits
from gui.window.windows import Sending, Windows, tabs_elsewhere
from gui.workspace.jobs import Failure, Progress
from gui.workspace.loading import Loaded
from gui.workspace.simulating import Asked
from gui.workspace.store import UNSAID

_BESIDE: Final = 48
"""How far another window stands right of and below the one that it came from."""


class MainWindow(Shell):
    """One window, with what is open in tabs. `dialogs` are its questions."""

    def __init__(
        self,
        settings: Settings,
        dialogs: Dialogs = ASKING,
        windows: Windows | None = None,
        view: str = "welcome",
    ) -> None:
        """Builds the frame and one page; nothing is open.

        `windows` are those that share a workspace with it, `view` is what is seen first.
        """
        super().__init__(settings, dialogs, windows or Windows())
        self._make_parts()
        geometry: QByteArray = settings.get("geometry")
        if geometry.isEmpty() or not self.restoreGeometry(geometry):
            self.resize(QSize(1600, 1000).boundedTo(QGuiApplication.primaryScreen().availableSize()))
        self.first_layout = self.docks.now()
        self.show_view(view)
        if view == "welcome":
            # A page is made after the frame, with which the keyboard would begin.
            self.pages.welcome.focus()
        self.windows.add(self)

    def another(self) -> "MainWindow":
        """One more window on the same workspace, for a tab of this one; shown a little beside it.

        It has no first page, which would be made, and its scenarios run, to be left at once.
        """
        made = MainWindow(self.settings, self.person.dialogs, self.windows, view="timeline")
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        made.resize(self.size())
        made.move(self.pos() + QPoint(_BESIDE, _BESIDE))
        made.show()
        return made

    def show_place(self) -> None:
        """Show the page of the tab in front; the first page where nothing is open."""
        self.side_by_side.show_place()

    def lies_at(self, at: QPoint) -> bool:
        """Whether a point of the screen is on it, and no other window over it there."""
        return QApplication.topLevelAt(at) is self

    def come_forward(self) -> None:
        """Lie over the other windows, with the focus."""
        self.raise_()
        self.activateWindow()

    def _make_parts(self) -> None:
        """Everything that has words, and what does things with it."""
        self.make_widgets()
        self._make_hands()
        self.handlers = self._handlers()
        self._connect()
        self.apply_theme(wanted_theme(self.settings))
        self.session.set_theme(wanted_theme(self.settings))
        self.refresh_actions()

    def speak_anew(self, key: str) -> None:
        """Hold to what the settings have now for "language" or "zone": all parts are made anew."""
        hold_to(key, self.settings)
        view, looked_at, writing = self.viewing.name, self.visits.kept(), self.note_editor.writing()
        self.docks.keep()
        drop_questions(self.jobs)
        tell_anew(self, self.desk)
        self.remembering.follow(self.desk)
        remove_parts(self, (self.menu, self.centre), self.actions_)
        self.visits.deleteLater()
        self._make_parts()
        # Qt shows it in a turn that follows; the docks would take its room until then.
        self.centre.show()
        self.session.tell()
        self.visits.take(looked_at)
        self.show_view(view)
        self.docks.show()
        if writing is not None:
            self.noting.edit_note(writing[0])
            self.note_editor.field.setPlainText(writing[1])
        self.store.reword()

    def _make_hands(self) -> None:
        """What does things, each with what it needs for that."""
        session, store, jobs, person = self.session, self.store, self.jobs, self.person
        self.side_by_side = SideBySide(
            self.desk, self.viewing, self.docks, person, (self.tab_row, self.asking, self.halves_row)
        )
        self.side_by_side.elsewhere = partial(tabs_elsewhere, self.windows, self)
        self.side_by_side.show_elsewhere = partial(self.windows.show_elsewhere, self)
        self.sending = Sending(self.windows, self, self.another, self.tab_row, person.say)
        self.side_by_side.send_apart = self.sending.apart
        choose = self.side_by_side.choose
        self.leaving = Leaving(session, store, self.tabs, person, self.actions_, choose)
        self.side_by_side.may_close = self.leaving.may_close
        self.importing = Importing(session, store, self.show_failure, self)
        asked = scenario_actions.Person(
            self.leaving.may_replace,
            self.leaving.may_drop_text,
            person.open_files,
            person.save_scenario,
            person.choose,
            person.tell,
            self.show_failure,
            self.show_view,
            partial(jobs.in_thread, "lift"),
        )
        self.scripts = scenario_actions.Scenarios(
            session, lambda: self.pages.scenario, store.simulate, asked, self.settings
        )
        self.opening = Opening(
            session,
            store,
            self.leaving,
            self.viewing,
            self.importing,
            self.side_by_side,
            self.scripts.open_file,
            self.docks.drawer,
        )
        self.noting = Notes(session, self.stage, self.note_editor, self.shown, person.say)
        self.lanes = Lanes(session, self.stage, self.actions_, self, person.say)
        self.run_actions = RunActions(
            self.desk, self.run_heads, person, self.leaving.may_leave, self.side_by_side.offered
        )
        self.run_actions.connect()
        self.visits = Visits(
            *(session, store, jobs, self.viewing, self.docks, self.opening),
            (self.tabs, choose, self.windows),
            say=person.say,
            parent=self,
        )
        self.answers = Lessons(
            LessonPages(
                *(lambda: self.pages.course, lambda: self.pages.lessons, lambda: self.pages.articles),
            ),
            session,
            Means(
                *(self.leaving.may_replace, store.simulate, self.show_view),
                *(person.save_lesson, self.show_failure, person.say, person.choose),
                *(partial(self.settings.get, "rooms"), partial(self.settings.put, "rooms")),
                *(self.settings.room, self.settings.keep_room),
            ),
        )
        self.model = Counterexamples(
            *(lambda: self.pages.counterexamples, self.leaving.may_replace),
            *(store.play, jobs, self.show_view),
        )
        self.connecting = Connecting(
            *(self.pages, self.settings, store, self.actions_),
            *(self.opening, self.answers, self.model, self.scripts),
        )

    def _handlers(self) -> dict[str, Callable[[], object]]:
        """A function for every action of the table, by id."""
        session, store, jobs, person = self.session, self.store, self.jobs, self.person
        settings, opening, stage = self.settings, self.opening, self.stage
        ways = Ways(
            lambda action: self.actions_[action].trigger(),
            self._show_finding,
            opening.open_partition,
            opening.open_offer,
        )
        lanes = (self.viewing.show_lanes, stage.reveal)
        files = Files(session, store, settings, person, opening, self.importing)
        looking = Looking(
            *(session, person, self.viewing, self.docks, self.strips, stage, self.note_editor, opening),
            pages=self.pages,
            panes=self._panes,
        )
        going = Going(session, person.say, stage.reveal, self.findings.go, self._show_evidence)
        return {
            **files.handlers(),
            **self.side_by_side.handlers(),
            **self.sending.handlers(),
            **self.run_actions.handlers(),
            **Editing(session, self.evidence, self.inspector, self.viewing, self.pages).handlers(),
            **looking.handlers(),
            **going.handlers(),
            **search_handlers(self, session, ways, lanes, self.finder, self.visits),
            **self.answers.handlers(),
            **self.model.handlers(),
            **self.noting.handlers(),
            **Ties(session, jobs, person.say).handlers(),
            **Ranges(session, person.say, stage.show_stops).handlers(),
            **self.lanes.handlers(),
            **theme_handlers(session, settings),
            **Drawings(session, jobs, person.say).handlers(),
            **self.scripts.handlers(),
            **Exporting(session, store, jobs, settings, person, self).handlers(),
            "process": Processing(jobs, settings, person, opening.open_paths, self).ask,
            "settings": self._ask_settings,
            "reset-layout": lambda: self.docks.reset(self.first_layout),
            "full-screen": lambda: self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen),
            "switchboard": self.switchboard.toggle,
            "menu": self.title_bar.logo.showMenu,
            "keys": lambda: KeySheet(self).open(),
            "about": lambda: AboutBox(self).open(),
            "quit": self.windows.close_all,
        }

    def _panes(self) -> tuple[QWidget, ...]:
        """What the keyboard goes through."""
        return (
            *(self.findings.list, self.notes.list, self.stage.canvas),
            *filter(None, (strip.focusProxy() for strip in self.stage.below.values())),
            *(self.transport.track, self.inspector, self.evidence.table),
            *panes_of(self.views.currentWidget()),
            self.rail,
        )

    def _connect(self) -> None:
        session, store, jobs = self.session, self.store, self.jobs
        self.causing = Causing(session, jobs)
        session.content_changed.connect(self.refresh_actions)
        session.selection_changed.connect(self.refresh_actions)
        session.notes_changed.connect(self.refresh_actions)
        session.range_changed.connect(self.refresh_actions)
        session.lanes_changed.connect(self.refresh_actions)
        session.undo_changed.connect(self.refresh_actions)
        session.content_changed.connect(self._content_changed)
        session.path_changed.connect(self.viewing.show_crumbs)
        session.position_changed.connect(self.viewing.count_step)
        session.theme_changed.connect(self.apply_theme)
        session.theme_changed.connect(self.windows.wear)
        session.playing_changed.connect(self.actions_["play"].setChecked)
        jobs.failed.connect(self.show_failure)
        jobs.stopped.connect(self.notices.stop)
        jobs.progressed.connect(self._report_progress)
        jobs.ended.connect(self.progress.end)
        self.progress.cancelled.connect(jobs.cancel)
        store.opened.connect(self._opened)
        store.saved.connect(self._saved)
        store.partition_shown.connect(self.viewing.show_timeline)
        save_as = self.actions_["save-as"].trigger
        store.missing.connect(partial(offer_elsewhere, self.person, self.show_failure, save_as))
        self.views.currentChanged.connect(self.finder.view_changed)
        self.views.currentChanged.connect(self.switchboard.view_changed)
        self.views.currentChanged.connect(self.visits.changed)
        self.views.currentChanged.connect(self.side_by_side.view_changed)
        self.switchboard.panel.asked.connect(self._flip)
        self.stage.evidence_wanted.connect(self.docks.show_drawer_if_room)
        self.shared_cause.partition_wanted.connect(self.opening.open_partition)
        self.notes.edit_wanted.connect(self.noting.edit_note)
        for dock, action in (
            (self.docks.left, "left-dock"),
            (self.docks.right, "inspector"),
            (self.docks.drawer, "evidence"),
            (self.switchboard, "switchboard"),
        ):
            dock.visibilityChanged.connect(self.actions_[action].setChecked)

    def page_arrived(self, page: Page) -> None:
        """A page was made: dress it, and hear what it tells."""
        super().page_arrived(page)
        self.connecting.connect(page)

    def _content_changed(self, content: object) -> None:
        if content is None:
            # What was said of it is over.
            self.notices.hide()
            self.show_view("welcome")
        else:
            self.viewing.show_crumbs()

    def _opened(self, loaded: Loaded) -> None:
        self.notices.hide()
        for path in self.store.wanted:
            self.settings.remember_path(path)
        self.store.wanted = ()
        first = first_view(loaded)
        self.show_view(first)
        self.docks.show()
        # First what says how much room is left for the lanes.
        self.stage.cells.redraw()
        self.stage.redraw_soon()
        if first == "triage":
            self.pages.triage.focus()
        elif first == "incident":
            self.pages.incident.focus()
        else:
            self.viewing.focus_lanes()
            self.switchboard.resume()
        # The view is another one by now: that is the first place of this tab.
        self.visits.forget()
        self.side_by_side.view_changed()
        self.side_by_side.opened(loaded)

    def _ask_settings(self) -> None:
        anew = (self.windows.speak_anew, self.windows.dress_anew)
        SettingsDialog(self.settings, self.session, *anew, self).open()

    def _flip(self, asked: Asked) -> None:
        if self.leaving.may_replace():
            self.store.simulate(asked)

    def _report_progress(self, how: Progress) -> None:
        if how.question not in UNSAID:
            self.progress.report(how.question, how.done, how.total, how.what)

    def show_failure(self, failure: Failure) -> None:
        """Say why something could not be done; what was open stays."""
        self.notices.fail(failure)
        if self.session.content is None and self.viewing.lanes_shown():
            self.show_view("welcome")

    def _saved(self, path: str) -> None:
        self.notices.tell(tr("scenarios.saved"), tr("main-window.notes-are-now-written-into-as", path=path))

    def _show_evidence(self) -> None:
        self.docks.drawer.show()
        self.evidence.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show_finding(self, place: int) -> None:
        self.show_view("timeline")
        self.findings.go(place)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders may be dropped."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped, as one incident."""
        urls = event.mimeData().urls()
        self.opening.open_paths(tuple(url.toLocalFile() for url in urls if url.isLocalFile()))
        event.acceptProposedAction()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved notes and texts, remember the window, end the jobs."""
        if not (self.leaving.may_end() and self.leaving.may_drop_text()):
            event.ignore()
            return
        if self.answers.presenter is not None:
            self.answers.presenter.leave()
        self.docks.keep()
        self.settings.put("geometry", self.saveGeometry())
        self.windows.remove(self)
        event.accept()
