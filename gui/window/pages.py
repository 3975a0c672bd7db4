"""The pages of the window beside the timeline: which view shows which, and what the title bar says of it."""

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget

from core.shown import shown_in_line
from gui.lessons.handlers import lessons_page
from gui.lessons.page import LessonsPage
from gui.panels.report import ReportPage
from gui.scenarios.page import ScenarioPage
from gui.text.spoken import tr
from gui.triage.page import TriagePage
from gui.welcome.page import WelcomePage

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

Page: TypeAlias = WelcomePage | TriagePage | LessonsPage | ScenarioPage | ReportPage
_TITLES = {
    "triage": "pages.triage",
    "lessons": "actions.questions-and-scenarios",
    "scenario": "actions.scenario-and-simulator",
    "report": "actions.import-report",
}
_ABOUT_NOTHING = ("welcome", "lessons", "scenario")
"""Views that are not about what is open."""


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


def make_pages(window: "MainWindow") -> dict[str, Page]:
    """A page for every view but the timeline and the comparison, by the id of its action."""
    window.welcome = WelcomePage(window.settings.get("recent"))
    window.triage = TriagePage(window.session)
    window.lessons = lessons_page(window)
    window.scenarios = ScenarioPage(window.session, window.jobs, window.actions_)
    window.report = ReportPage(window.session)
    return {
        "welcome": window.welcome,
        "triage": window.triage,
        "lessons": window.lessons,
        "scenario": window.scenarios,
        "report": window.report,
    }


def show_crumbs(window: "MainWindow", *_changed: object) -> None:
    """Say in the title bar where one is."""
    content, bar = window.session.content, window.title_bar
    view = next((view for view, page in window.pages.items() if page is window.views.currentWidget()), "")
    if view in _ABOUT_NOTHING or (view == "" and content is None):
        bar.show_place("", tr(_TITLES[view]) if view in _TITLES else "Tidegauge")
        window.setWindowTitle("Tidegauge")
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
    window.setWindowTitle(f"{shown_in_line(content.title)} — Tidegauge")
