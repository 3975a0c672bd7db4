"""The page of counterexamples of the model: its action, and what opening a row or exploring does."""

from collections.abc import Callable
from functools import partial
from typing import Final

from gui.lessons.counterexamples import CounterexamplesPage
from gui.workspace import requests
from gui.workspace.exploring import Question
from gui.workspace.jobs import JobRunner

EXPLORED: Final = "explored"
"""The question of the page; a newer one replaces it."""


class Counterexamples:
    """Shows the page of the model, plays its counterexamples and explores."""

    def __init__(
        self,
        page: Callable[[], CounterexamplesPage],
        may_leave: Callable[[], bool],
        play: Callable[[Question], object],
        jobs: JobRunner,
        show_view: Callable[[str], object],
    ) -> None:
        """`page` is made when it is first asked for.

        `may_leave` asks about what is open, before something else is shown.
        """
        self._page, self._may_leave, self._show_view = page, may_leave, show_view
        self._play, self._jobs = play, jobs

    def connect(self, page: CounterexamplesPage) -> None:
        """Hear what is asked for on the page."""
        page.played.connect(self._played)
        page.asked.connect(self._asked)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """A function for every action of the page."""
        return {"counterexamples": self._show}

    def _show(self) -> None:
        self._show_view("counterexamples")
        self._page().focus()

    def _played(self, asked: Question) -> None:
        if self._may_leave():
            self._play(asked)

    def _asked(self, asked: Question) -> None:
        page = self._page()
        page.begin(asked)
        show = partial(page.show_found, asked)
        self._jobs.in_thread_beside(EXPLORED, requests.Explore(asked), show)
