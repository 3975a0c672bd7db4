"""What is responsible for the difference of simulated runs: found beside the window, and then shown."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from core.compare.cause import with_causes
from core.compare.comparison import Comparison
from core.work import Work
from gui.workspace.content import Content
from gui.workspace.jobs import JobRunner
from gui.workspace.session import Session

CAUSES: Final = "causes"
"""The question of the job that runs scripts again with switches flipped."""


@dataclass(frozen=True, slots=True)
class FindCauses:
    """Run the script of a comparison again with switches flipped."""

    comparison: Comparison

    def answer(self, work: Work) -> Comparison:
        """The comparison with what carries its differences. Raises CancelledError."""
        return with_causes(self.comparison, work)


class Causing:
    """Asks for causes whenever simulated runs are shown, and puts them into what is open."""

    def __init__(self, session: Session, jobs: JobRunner) -> None:
        """Nothing is asked yet."""
        self._session, self._jobs = session, jobs
        self._asked: Comparison | None = None
        session.content_changed.connect(self._look)

    def _look(self, content: Content | None) -> None:
        comparison = None if content is None else content.comparison
        if content is None or comparison is None or comparison.axis != "script" or comparison.causes:
            self._jobs.cancel(CAUSES)
            return
        if comparison is not self._asked:
            self._asked = comparison
            self._jobs.in_thread_beside(CAUSES, FindCauses(comparison), partial(self._show, content))

    def _show(self, content: Content, made: Comparison) -> None:
        # Where one is stays; what was opened meanwhile has its own answer.
        if made.causes and self._session.content is content:
            self._session.set_causes(replace(content, comparison=made))
