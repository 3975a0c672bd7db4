"""The page in the window: its action, and what opening a row does."""

from collections.abc import Callable

from core.kafka.eras import era_named
from core.sim.library import scenario
from gui.lessons.page import LessonsPage
from gui.lessons.rows import Entry
from gui.text.spoken import language
from gui.workspace.simulating import PAIR, Asked


class Lessons:
    """Shows the page, and replays what a person chooses on it."""

    def __init__(
        self,
        page: LessonsPage,
        may_leave: Callable[[], bool],
        simulate: Callable[[Asked], object],
        show_view: Callable[[str], object],
    ) -> None:
        """`may_leave` asks about what is open, before something else is simulated."""
        self._page, self._may_leave, self._simulate, self._show_view = page, may_leave, simulate, show_view
        page.chosen.connect(self._open)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """A function for every action of this page."""
        return {"lessons": self._show}

    def _show(self) -> None:
        self._show_view("lessons")
        self._page.focus()

    def _open(self, entry: Entry) -> None:
        """Replay what a row is about, and look where its answer is seen."""
        if not self._may_leave():
            return
        eras = tuple(era_named(name) for name in entry.runs or PAIR)
        self._simulate(Asked(scenario(entry.scenario), eras, place=entry.place, language=language()))
