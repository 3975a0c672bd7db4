"""The pages in the window: their actions, and what opening a row does."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from core.kafka.eras import era_named
from core.model.exploration import Exploration
from core.model.state import State
from core.sim.library import scenario
from gui.lessons.articles import ArticlesPage
from gui.lessons.counterexamples import CounterexamplesPage
from gui.lessons.course import CoursePage
from gui.lessons.page import LessonsPage
from gui.lessons.rows import Entry
from gui.text.spoken import language
from gui.workspace.exploring import Question
from gui.workspace.simulating import PAIR, Asked

Explore: TypeAlias = Callable[[Question, Callable[[Exploration[State]], object]], object]
"""Explores, and hands on what was found."""


class Lessons:
    """Shows the pages, and replays what a person chooses on them."""

    def __init__(
        self,
        course: CoursePage,
        page: LessonsPage,
        articles: ArticlesPage,
        may_leave: Callable[[], bool],
        simulate: Callable[[Asked], object],
        show_view: Callable[[str], object],
    ) -> None:
        """`may_leave` asks about what is open, before something else is simulated."""
        self._course, self._page, self._articles = course, page, articles
        self._may_leave, self._simulate, self._show_view = may_leave, simulate, show_view
        page.chosen.connect(self._open)
        page.articles.clicked.connect(self._show_articles)
        articles.chosen.connect(self._open)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """A function for every action of these pages."""
        return {"course": self._show_course, "lessons": self._show, "articles": self._show_articles}

    def _show_course(self) -> None:
        self._show_view("course")
        self._course.focus()

    def _show(self) -> None:
        self._show_view("lessons")
        self._page.focus()

    def _show_articles(self, *_clicked: object) -> None:
        self._show_view("articles")
        self._articles.focus()

    def _open(self, entry: Entry) -> None:
        """Replay what a row is about, and look where its answer is seen."""
        if not self._may_leave():
            return
        eras = tuple(era_named(name) for name in entry.runs or PAIR)
        script = scenario(entry.scenario)
        self._simulate(Asked(script, eras, place=entry.place, language=language(), lesson=entry.lesson))


class Counterexamples:
    """Shows the page of the model, plays its counterexamples and explores."""

    def __init__(
        self,
        page: CounterexamplesPage,
        may_leave: Callable[[], bool],
        play: Callable[[Question], object],
        explore: Explore,
        show_view: Callable[[str], object],
    ) -> None:
        """`may_leave` asks about what is open, before something else is shown."""
        self._page, self._may_leave, self._show_view = page, may_leave, show_view
        self._play, self._explore = play, explore
        page.played.connect(self._played)
        page.asked.connect(self._asked)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """A function for every action of the page."""
        return {"counterexamples": self._show}

    def _show(self) -> None:
        self._show_view("counterexamples")
        self._page.focus()

    def _played(self, asked: Question) -> None:
        if self._may_leave():
            self._play(asked)

    def _asked(self, asked: Question) -> None:
        self._page.begin(asked)
        self._explore(asked, partial(self._page.show_found, asked))
