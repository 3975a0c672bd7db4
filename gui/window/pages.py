"""The views of the window: a page each, or the lanes; and what the title bar says of the one that is seen."""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Final, TypeAlias, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMainWindow, QWidget

from core.shown import shown_in_line
from core.trace.trace import Origin
from gui.conformance.page import ConformancePage
from gui.incident.page import IncidentView
from gui.lessons.articles import ArticlesPage
from gui.lessons.counterexamples import CounterexamplesPage
from gui.lessons.course import CoursePage
from gui.lessons.page import LessonsPage
from gui.panels.reading import ReadingPage
from gui.panels.report import ReportPage
from gui.panels.views import Views
from gui.query.page import QueryPage
from gui.scenarios.page import ScenarioPage
from gui.text.spoken import tr
from gui.triage.page import TriagePage
from gui.welcome.page import WelcomePage
from gui.window.docks import Docks
from gui.window.frame import Rail, TitleBar
from gui.window.person import Person
from gui.window.settings import Settings
from gui.workspace.conforming import Conforming
from gui.workspace.desk import Desk
from gui.workspace.loading import Loaded
from gui.workspace.session import Session
from gui.workspace.simulating import PAIR

Page: TypeAlias = (
    WelcomePage
    | IncidentView
    | TriagePage
    | QueryPage
    | ConformancePage
    | CoursePage
    | LessonsPage
    | ArticlesPage
    | CounterexamplesPage
    | ScenarioPage
    | ReportPage
    | ReadingPage
)
P = TypeVar("P", bound=Page)
_TITLES: Final = {
    "incident": "incident.page.title",
    "triage": "pages.triage",
    "query": "query.title",
    "conformance": "conformance.title",
    "course": "actions.course",
    "lessons": "actions.questions-and-scenarios",
    "articles": "actions.what-the-articles-say",
    "counterexamples": "actions.counterexamples",
    "scenario": "actions.scenario-and-simulator",
    "report": "actions.import-report",
    "reading": "reading.action",
}
_ABOUT_NOTHING: Final = (
    *("welcome", "course", "lessons", "articles", "counterexamples", "scenario", "reading"),
)
"""Views that are not about what is open."""
_STEPS_TO_LEARN: Final = 10


class Pages:
    """The pages beside the lanes, each under the id of the action that shows it: made when first asked for.

    What the session has by then a page reads when it is made; all later changes it hears.
    """

    def __init__(
        self,
        views: Views,
        desk: Desk,
        conforming: Conforming,
        settings: Settings,
        person: Person,
        actions: Mapping[str, QAction],
        *,
        arrived: Callable[[Page], object],
    ) -> None:
        """No page is made. `arrived` dresses and connects each one before it is first seen."""
        self._views, self._desk, self._conforming = views, desk, conforming
        self._settings, self._person, self._actions = settings, person, actions
        self._arrived = arrived
        self.made: dict[str, Page] = {}
        """Those that are made, by their views."""

    @cached_property
    def welcome(self) -> WelcomePage:
        """What can be opened."""
        return self._add("welcome", WelcomePage(partial(self._settings.get, "recent"), self._views))

    @cached_property
    def incident(self) -> IncidentView:
        """What happened."""
        return self._add("incident", IncidentView(self._desk.session, self._views))

    @cached_property
    def triage(self) -> TriagePage:
        """All partitions."""
        return self._add("triage", TriagePage(self._desk.session, self._views))

    @cached_property
    def query(self) -> QueryPage:
        """Questions in SQL."""
        desk, save = self._desk, self._person.save_table
        made = QueryPage(desk.session, desk.jobs, lambda: desk.store.source, save, self._views)
        return self._add("query", made)

    @cached_property
    def conformance(self) -> ConformancePage:
        """Which eras could have made what is open."""
        return self._add("conformance", ConformancePage(self._desk.session, self._conforming, self._views))

    @cached_property
    def course(self) -> CoursePage:
        """Lessons, and the one that is on."""
        return self._add("course", CoursePage(self._views))

    @cached_property
    def lessons(self) -> LessonsPage:
        """Questions and scenarios."""
        return self._add("lessons", LessonsPage(", ".join(PAIR), self._views))

    @cached_property
    def articles(self) -> ArticlesPage:
        """What the articles say."""
        return self._add("articles", ArticlesPage(self._views))

    @cached_property
    def counterexamples(self) -> CounterexamplesPage:
        """Counterexamples of the model."""
        return self._add("counterexamples", CounterexamplesPage(self._views))

    @cached_property
    def scenario(self) -> ScenarioPage:
        """The script that is edited."""
        session, jobs = self._desk.session, self._desk.jobs
        return self._add("scenario", ScenarioPage(session, jobs, self._actions, self._views))

    @cached_property
    def report(self) -> ReportPage:
        """What was read."""
        return self._add("report", ReportPage(self._desk.session, self._views))

    @cached_property
    def reading(self) -> ReadingPage:
        """What an import has read so far."""
        return self._add("reading", ReadingPage(self._views))

    def page(self, view: str) -> Page | None:
        """The page of a view, made if it was not; None where the view is the lanes."""
        return getattr(self, view) if view == "welcome" or view in _TITLES else None

    def _add(self, view: str, page: P) -> P:
        self.made[view] = page
        self._views.addWidget(page)
        self._arrived(page)
        return page


def panes_of(page: QWidget | None) -> tuple[QWidget, ...]:
    """What the keyboard goes through on a page, pane by pane."""
    match page:
        case LessonsPage():
            return (page.field,)
        case ScenarioPage():
            return (page.editor,)
        case QueryPage():
            return (page.field, page.table)
        case ConformancePage():
            return (page.columns,)
        case ReadingPage():
            return (page.logs, page.partitions)
        case _:
            return ()


class Viewing:
    """Which view is seen."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        settings: Settings,
        views: tuple[Views, Pages, QWidget, QWidget],
        docks: Docks,
        frame: tuple[TitleBar, Rail, QLabel],
    ) -> None:
        """`views` are all of them, the pages, the widget of the lanes, and what has the keyboard in it.

        `frame` is what tells of them: the title bar, the rail, and the hint of keys.
        """
        self._window, self._session, self._settings, self._docks = window, session, settings, docks
        self._views, self._pages, self._lanes, self._canvas = views
        self._bar, self._rail, self._hint = frame

    @property
    def name(self) -> str:
        """The view of the page that is seen, "" where the lanes are."""
        seen = self._views.currentWidget()
        return next((view for view, page in self._pages.made.items() if page is seen), "")

    def lanes_shown(self) -> bool:
        """Whether the lanes are seen."""
        return self._views.currentWidget() is self._lanes

    def show(self, view: str) -> None:
        """One of the pages by its name, else the timeline or the comparison."""
        page = self._pages.page(view)
        if page is None:
            content = self._session.content
            view = "compare" if content is not None and content.comparison else "timeline"
        else:
            # Before the page goes: the focus that it loses would go to a list there, which moves the cursor.
            self._docks.hide()
        self._views.setCurrentWidget(page or self._lanes)
        self._rail.show_view(view)
        self._show_hint()
        self.show_crumbs()

    def show_lanes(self) -> None:
        """The lanes, where another view is seen."""
        if not self.lanes_shown():
            self.show("timeline")

    def show_timeline(self, *_told: object) -> None:
        """The timeline with its docks, and the keyboard in it; where nothing is open, nothing."""
        if self._session.content is None:
            return
        self.show("timeline")
        self._docks.show()
        self._canvas.setFocus()

    def focus_lanes(self, why: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """The keyboard goes to the lanes."""
        self._canvas.setFocus(why)

    def show_crumbs(self, *_changed: object) -> None:
        """Say in the title bar where one is."""
        content, bar, view = self._session.content, self._bar, self.name
        if view in _ABOUT_NOTHING or (view == "" and content is None):
            bar.show_place("", tr(_TITLES[view]) if view in _TITLES else "Tidegauge")
            self._window.setWindowTitle("Tidegauge")
            return
        if content is None:
            bar.show_place("", "Tidegauge")
            return
        if view:
            bar.show_place(content.title, tr(_TITLES[view]))
            return
        one = content.comparison is None
        name = content.partition if one else tr("lessons.beside").join(run.title for run in content.runs)
        bar.show_place(content.title, name)
        self._window.setWindowTitle(f"{shown_in_line(content.title)} — Tidegauge")

    def count_step(self, _position: int) -> None:
        """The hint of keys goes after some steps."""
        steps = self._settings.get("steps")
        if steps < _STEPS_TO_LEARN:
            self._settings.put("steps", steps + 1)
            self._show_hint()

    def _show_hint(self) -> None:
        learning = self._settings.get("steps") < _STEPS_TO_LEARN
        self._hint.setVisible(learning and self.lanes_shown())


def first_view(loaded: Loaded) -> str:
    """What is seen first: the incident of an import, where there is something to tell or to choose from.

    Of a document that is read in parts it is the list of its partitions, of a simulation the lanes, and so of
    what takes their place.
    """
    if loaded.on_lanes:
        return "timeline"
    if loaded.source:
        return "triage"
    account = loaded.account
    if account is None or account.trace.origin is Origin.SIMULATED:
        return "timeline"
    found = account.pages[0].incident is not None
    return "incident" if found or len(account.trace.partitions) > 1 else "timeline"
