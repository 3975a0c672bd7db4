"""The views of the window: a page each, or the lanes; and what the title bar says of the one that is seen."""

from dataclasses import dataclass, fields
from typing import Final, TypeAlias

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QMainWindow, QStackedWidget, QWidget

from core.shown import shown_in_line
from core.trace.trace import Origin
from gui.conformance.page import ConformancePage
from gui.incident.page import IncidentView
from gui.lessons.articles import ArticlesPage
from gui.lessons.counterexamples import CounterexamplesPage
from gui.lessons.course import CoursePage
from gui.lessons.page import LessonsPage
from gui.panels.report import ReportPage
from gui.query.page import QueryPage
from gui.scenarios.page import ScenarioPage
from gui.text.spoken import tr
from gui.triage.page import TriagePage
from gui.welcome.page import WelcomePage
from gui.window.docks import Docks
from gui.window.frame import Rail, TitleBar
from gui.window.settings import Settings
from gui.workspace.loading import Loaded
from gui.workspace.session import Session

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
)
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
}
_ABOUT_NOTHING: Final = ("welcome", "course", "lessons", "articles", "counterexamples", "scenario")
"""Views that are not about what is open."""
_STEPS_TO_LEARN: Final = 10


class Views(QStackedWidget):
    """The pages, of which only the one that is seen asks for room.

    Beside the inspector a wide page that nobody sees would else make the window wider than the screen.
    """

    def __init__(self) -> None:
        """Another page may ask for other room."""
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:
        """That of the page that is seen."""
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages beside the lanes; each under the id of the action that shows it."""

    welcome: WelcomePage
    incident: IncidentView
    triage: TriagePage
    query: QueryPage
    conformance: ConformancePage
    course: CoursePage
    lessons: LessonsPage
    articles: ArticlesPage
    counterexamples: CounterexamplesPage
    scenario: ScenarioPage
    report: ReportPage

    def all(self) -> dict[str, Page]:
        """Each page by its view."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


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
        self._views, pages, self._lanes, self._canvas = views
        self._pages = pages.all()
        self._bar, self._rail, self._hint = frame

    @property
    def name(self) -> str:
        """The view of the page that is seen, "" where the lanes are."""
        seen = self._views.currentWidget()
        return next((view for view, page in self._pages.items() if page is seen), "")

    def lanes_shown(self) -> bool:
        """Whether the lanes are seen."""
        return self._views.currentWidget() is self._lanes

    def show(self, view: str) -> None:
        """One of the pages by its name, else the timeline or the comparison."""
        page = self._pages.get(view)
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
