"""The pages in the window: their actions, and what opening a row does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import QuestionError, TidegaugeError
from core.kafka.eras import era_named
from core.message import message
from core.picture.viewing import Room
from core.sim.library import scenario
from core.teaching.grades import Result
from core.teaching.lesson import Lesson
from core.teaching.library import new_lesson_text
from gui.handouts.write import write_handout
from gui.lessons.articles import ArticlesPage
from gui.lessons.course import CoursePage
from gui.lessons.page import LessonsPage
from gui.lessons.presenter import Presenter
from gui.lessons.rows import Entry
from gui.lessons.writer import NAME
from gui.text.spoken import language, tr
from gui.workspace.files import write_text
from gui.workspace.jobs import Failure
from gui.workspace.lesson_player import Player
from gui.workspace.lesson_recording import Stop, library_id, skeleton, step_at, with_stop
from gui.workspace.lesson_results import ending_of, file_text
from gui.workspace.session import Session
from gui.workspace.simulating import PAIR, Asked

_SAID_MS: Final = 4_000


@dataclass(frozen=True, slots=True)
class Means:
    """What the pages need of the window.

    `may_leave` asks about what is open, before something else is simulated. `save_to` asks where a file goes,
    "" is nowhere; `fail` says why one could not be written, `say` a short word for so many ms. `choose` asks
    for one of several. `rooms` are the displays on which a room saw lessons, which `keep_rooms` remembers;
    `measures` is how wide its picture was and how far the last row sat, which `keep_measures` remembers.
    """

    may_leave: Callable[[], bool]
    simulate: Callable[[Asked], object]
    show_view: Callable[[str], object]
    save_to: Callable[[str], str]
    fail: Callable[[Failure], object]
    say: Callable[[str, int], object]
    choose: Callable[[str, Sequence[str], int], str]
    rooms: Callable[[], Sequence[str]]
    keep_rooms: Callable[[tuple[str, ...]], object]
    measures: Callable[[], Room]
    keep_measures: Callable[[Room], object]


@dataclass(frozen=True, slots=True)
class LessonPages:
    """The pages: each is made when it is first asked for."""

    course: Callable[[], CoursePage]
    lessons: Callable[[], LessonsPage]
    articles: Callable[[], ArticlesPage]


class Lessons:
    """Shows the pages, and replays what a person chooses on them."""

    def __init__(self, pages: LessonPages, session: Session, means: Means) -> None:
        """`session` is that of the lanes, in which stops of a lesson are recorded."""
        self._pages, self._session = pages, session
        self._means, self._show_view = means, means.show_view
        self.stops: tuple[Stop, ...] = ()
        """Of the lesson that is recorded."""
        self.presenter: Presenter | None = None
        """Made when it is wanted first."""

    def connect(self, page: CoursePage | LessonsPage | ArticlesPage) -> None:
        """Hear what is asked for on a page."""
        match page:
            case CoursePage():
                self._connect_course(page)
            case LessonsPage():
                page.chosen.connect(self._open)
                page.articles.clicked.connect(self._show_articles)
            case ArticlesPage():
                page.chosen.connect(self._open)

    def _connect_course(self, course: CoursePage) -> None:
        course.results.save_wanted.connect(self._save)
        course.present_wanted.connect(self._present)
        course.write_wanted.connect(self._write)
        course.writer.save_wanted.connect(self._save_text)
        course.writer.export_wanted.connect(self._export)
        course.writer.present_wanted.connect(self._present_lesson)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """A function for every action of these pages."""
        return {
            "course": self._show_course,
            "lessons": self._show,
            "articles": self._show_articles,
            "present": self._present,
            "lesson-stop": self._stop_here,
            "write-lesson": self._write,
        }

    def _present(self) -> None:
        """Present the lesson that is on, from its step; else the one that goes on, from its first."""
        self._show_view("course")
        self._present_lesson(*self._pages.course().chosen)

    def _present_lesson(self, chosen: Lesson, step: int) -> None:
        if self.presenter is None:
            self.presenter = Presenter(self._pages.course())
            self.presenter.rooms = tuple(self._means.rooms())
            self.presenter.measures = self._means.measures()
            self.presenter.choose = self._means.choose
            self.presenter.rooms_changed.connect(self._means.keep_rooms)
            self.presenter.measures_changed.connect(self._means.keep_measures)
            self.presenter.ended.connect(self._presented)
        self.presenter.begin(chosen, step)

    def _stop_here(self) -> None:
        """One more stop of a lesson, at the step that is on; pressed again it asks there, then it is none."""
        content = self._session.content
        if content is None:
            return
        (cursor, *_) = content.cursors(self._session.position)
        step = step_at(content.runs[0], cursor)
        self.stops = with_stop(self.stops, step)
        there = next((one for one in self.stops if one.step == step), None)
        told = "none" if there is None else "asks" if there.asks else "stops"
        words = {
            "none": tr("lesson.record.none", step=step),
            "stops": tr("lesson.record.stops", step=step),
            "asks": tr("lesson.record.asks", step=step),
        }
        self._means.say(words[told], _SAID_MS)

    def _write(self) -> None:
        """Write a lesson: the skeleton of what was recorded, else the small one that holds."""
        try:
            told = self._recorded()
        except TidegaugeError as error:
            self._means.fail(Failure(error.facts))
            return
        self._show_view("course")
        self._pages.course().write(told)

    def _recorded(self) -> str:
        content = self._session.content
        if not self.stops or content is None:
            return new_lesson_text()
        run = content.runs[0]
        name, era = library_id(run), run.history.trace.facts.get("era", "")
        if not name:
            raise QuestionError(message("error.lesson.own-script"))
        told = skeleton(name, era, self.stops, language())
        self.stops = ()
        return told

    def _save_text(self, told: str) -> None:
        name = NAME if language() == "en" else f"lesson.{language()}.md"
        self._written(name, lambda target: write_text(target, told))

    def _export(self, chosen: Lesson) -> None:
        self._written(
            f"{chosen.id}.pdf", lambda target: write_handout(chosen, language(), target, replace=True)
        )

    def _written(self, name: str, write: Callable[[Path], object]) -> None:
        """Write a file where a person wants it, and say so below the text."""
        path = self._means.save_to(name)
        if not path:
            return
        try:
            write(Path(path))
        except TidegaugeError as error:
            self._means.fail(Failure(error.facts))
            return
        self._pages.course().writer.tell(tr("lesson.results.saved", path=path))

    def _presented(self, player: Player) -> None:
        """Back to the lesson, at the step where the presentation ended."""
        self._pages.course().begin(player.lesson, player.step)

    def _show_course(self) -> None:
        self._show_view("course")
        self._pages.course().focus()

    def _show(self) -> None:
        self._show_view("lessons")
        self._pages.lessons().focus()

    def _show_articles(self, *_clicked: object) -> None:
        self._show_view("articles")
        self._pages.articles().focus()

    def _save(self, result: Result, ending: str) -> None:
        """Write a result where a person wants it."""
        path = self._means.save_to(f"{result.lesson}{ending}")
        if not path:
            return
        target = Path(path if ending_of(path) else f"{path}{ending}")
        try:
            write_text(target, file_text(result, ending))
        except TidegaugeError as error:
            self._means.fail(Failure(error.facts))
            return
        self._pages.course().results.tell_saved(str(target))

    def _open(self, entry: Entry) -> None:
        """Replay what a row is about, and look where its answer is seen."""
        if not self._means.may_leave():
            return
        eras = tuple(era_named(name) for name in entry.runs or PAIR)
        script = scenario(entry.scenario)
        self._means.simulate(Asked(script, eras, place=entry.place, language=language(), lesson=entry.lesson))
