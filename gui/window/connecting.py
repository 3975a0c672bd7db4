"""What a page asks for is done: each page is connected when it is made."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QAction

from gui.conformance.page import ConformancePage
from gui.incident.page import IncidentView
from gui.lessons.articles import ArticlesPage
from gui.lessons.counterexample_handlers import Counterexamples
from gui.lessons.counterexamples import CounterexamplesPage
from gui.lessons.course import CoursePage
from gui.lessons.handlers import Lessons
from gui.lessons.page import LessonsPage
from gui.panels.reading import ReadingPage
from gui.panels.report import ReportPage
from gui.query.asking import Place
from gui.query.page import QueryPage
from gui.scenarios.handlers import Scenarios
from gui.scenarios.page import ScenarioPage
from gui.triage.page import TriagePage
from gui.welcome.page import WelcomePage
from gui.window.opening import Opening
from gui.window.pages import Page, Pages
from gui.window.settings import Settings
from gui.workspace.conforming import Where, is_in_front
from gui.workspace.content import Moment
from gui.workspace.store import Store


@dataclass(frozen=True, slots=True)
class Connecting:
    """Connects pages with what does things in the window."""

    pages: Pages
    settings: Settings
    store: Store
    actions: Mapping[str, QAction]
    opening: Opening
    lessons: Lessons
    counterexamples: Counterexamples
    scenarios: Scenarios

    def connect(self, page: Page) -> None:
        """Hear what a page tells from now on."""
        settings, store, opening = self.settings, self.store, self.opening
        match page:
            case WelcomePage():
                _connect_welcome(page, store, self.actions, opening)
            case IncidentView():
                _connect_incident(page, self.pages, opening)
            case TriagePage():
                _connect_triage(page, settings, store, opening)
                page.sql_wanted.connect(self.actions["query"].trigger)
            case QueryPage():
                _connect_query(page, opening)
            case ConformancePage():
                _connect_conformance(page, store, opening)
            case CoursePage():
                _connect_course(page, settings, store)
                self.lessons.connect(page)
            case LessonsPage() | ArticlesPage():
                self.lessons.connect(page)
            case CounterexamplesPage():
                self.counterexamples.connect(page)
            case ScenarioPage():
                self.scenarios.connect(page)
            case ReportPage():
                page.line_wanted.connect(opening.show_line)
            case ReadingPage():
                pass  # It asks for nothing.


def _connect_welcome(
    page: WelcomePage, store: Store, actions: Mapping[str, QAction], opening: Opening
) -> None:
    """Open what is named or chosen on the first page, and draw its cards."""
    page.open_wanted.connect(actions["open"].trigger)
    page.folder_wanted.connect(actions["open-folder"].trigger)
    page.course_wanted.connect(actions["course"].trigger)
    page.previews_wanted.connect(partial(store.preview, show=page.show_previews))
    page.path_wanted.connect(opening.open_path)
    page.offer_wanted.connect(opening.open_offer)


def _connect_triage(page: TriagePage, settings: Settings, store: Store, opening: Opening) -> None:
    """Open what is chosen on the page of all partitions, read what its grid shows, remember who wants it."""
    page.as_grid.setChecked(settings.get("grid"))
    page.as_grid.toggled.connect(partial(settings.put, "grid"))
    page.partition_wanted.connect(opening.open_partition)
    page.beside_wanted.connect(opening.side_by_side.beside)
    page.grid.histories_wanted.connect(partial(store.parts.histories, page.grid.take))
    page.side.lanes.wanted.connect(partial(store.parts.part, page.side.lanes.take))


def _connect_query(page: QueryPage, opening: Opening) -> None:
    """Show on the timeline what a row of an answer points to: a partition, a moment, or both."""

    def go(place: Place) -> None:
        content = opening.session.content
        if content is not None:
            moment = None if place.at is None else Moment(place.at)
            opening.open_partition(place.partition or content.partition, moment)

    page.place_wanted.connect(go)


def _connect_conformance(page: ConformancePage, store: Store, opening: Opening) -> None:
    """Show the event that an era could not have made, in its lanes, with the line that it comes from."""
    waiting: list[Where] = []

    def go(where: Where) -> None:
        waiting.clear()
        content = opening.session.content
        if content is None:
            return
        if is_in_front(content, where):
            opening.show_line(where.run, where.seq)
            return
        waiting.append(where)
        opening.open_partition(where.partition, Moment(where.at, where.seq + 1))

    def arrived(name: str) -> None:
        if waiting and waiting.pop().partition == name:
            opening.drawer.show()

    page.event_wanted.connect(go)
    store.partition_shown.connect(arrived)


def _connect_course(page: CoursePage, settings: Settings, store: Store) -> None:
    """Remember what is reached in the lessons, and draw their cards."""
    page.previews_wanted.connect(partial(store.preview_lessons, show=page.show_previews))
    page.remember(settings.get("course"))
    page.progressed.connect(partial(settings.put, "course"))


def _connect_incident(page: IncidentView, pages: Pages, opening: Opening) -> None:
    """Open what is chosen on the page of the incident: a partition, all of them, what was read."""
    page.partition_wanted.connect(opening.open_partition)
    page.view_wanted.connect(opening.viewing.show)

    def show_all(check: str) -> None:
        opening.viewing.show("triage")
        pages.triage.choose_check(check or None)
        pages.triage.focus()

    page.all_wanted.connect(show_all)
