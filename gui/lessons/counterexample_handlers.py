"""The page of counterexamples of the model: its action, and what opening a row or exploring does."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from core.model.exploration import Exploration
from core.model.state import State
from gui.lessons.counterexamples import CounterexamplesPage
from gui.workspace.exploring import Question

Explore: TypeAlias = Callable[[Question, Callable[[Exploration[State]], object]], object]
"""Explores, and hands on what was found."""


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
