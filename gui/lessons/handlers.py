"""The pages in the window: their actions, and what opening a row does."""

from collections.abc import Callable
from pathlib import Path

from core.errors import TidegaugeError
from core.kafka.eras import era_named
from core.sim.library import scenario
from core.teaching.grades import Result
from gui.lessons.articles import ArticlesPage
from gui.lessons.course import CoursePage
from gui.lessons.page import LessonsPage
from gui.lessons.presenter import Presenter
from gui.lessons.rows import Entry
from gui.text.spoken import language
from gui.workspace.files import write_text
from gui.workspace.jobs import Failure
from gui.workspace.lesson_player import Player
from gui.workspace.lesson_results import ending_of, file_text
from gui.workspace.simulating import PAIR, Asked


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
        saving: tuple[Callable[[str], str], Callable[[Failure], object]],
    ) -> None:
        """`may_leave` asks about what is open, before something else is simulated.

        `saving` asks where a file goes, "" is nowhere, and says why one could not be written.
        """
        self._course, self._page, self._articles = course, page, articles
        self._may_leave, self._simulate, self._show_view = may_leave, simulate, show_view
        self._save_to, self._fail = saving
        self.presenter: Presenter | None = None
        """Made when it is wanted first."""
        course.results.save_wanted.connect(self._save)
        course.present_wanted.connect(self._present)
        page.chosen.connect(self._open)
        page.articles.clicked.connect(self._show_articles)
        articles.chosen.connect(self._open)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """A function for every action of these pages."""
        return {
            "course": self._show_course,
            "lessons": self._show,
            "articles": self._show_articles,
            "present": self._present,
        }

    def _present(self) -> None:
        """Present the lesson that is on, from its step; else the one that goes on, from its first."""
        self._show_view("course")
        chosen, step = self._course.chosen
        if self.presenter is None:
            self.presenter = Presenter(self._course)
            self.presenter.ended.connect(self._presented)
        self.presenter.begin(chosen, step)

    def _presented(self, player: Player) -> None:
        """Back to the lesson, at the step where the presentation ended."""
        self._course.begin(player.lesson, player.step)

    def _show_course(self) -> None:
        self._show_view("course")
        self._course.focus()

    def _show(self) -> None:
        self._show_view("lessons")
        self._page.focus()

    def _show_articles(self, *_clicked: object) -> None:
        self._show_view("articles")
        self._articles.focus()

    def _save(self, result: Result, ending: str) -> None:
        """Write a result where a person wants it."""
        path = self._save_to(f"{result.lesson}{ending}")
        if not path:
            return
        target = Path(path if ending_of(path) else f"{path}{ending}")
        try:
            write_text(target, file_text(result, ending))
        except TidegaugeError as error:
            self._fail(Failure(error.facts))
            return
        self._course.results.tell_saved(str(target))

    def _open(self, entry: Entry) -> None:
        """Replay what a row is about, and look where its answer is seen."""
        if not self._may_leave():
            return
        eras = tuple(era_named(name) for name in entry.runs or PAIR)
        script = scenario(entry.scenario)
        self._simulate(Asked(script, eras, place=entry.place, language=language(), lesson=entry.lesson))
