"""Ties by hand: moments of compared runs that a person says are the same."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gui.text.spoken import tr
from gui.window.person import Say
from gui.workspace.content import Content
from gui.workspace.edits import Tie
from gui.workspace.jobs import JobRunner
from gui.workspace.noting import event_here
from gui.workspace.requests import TieRuns
from gui.workspace.session import Session
from gui.workspace.store import CONTENT


@dataclass(frozen=True, slots=True)
class Ties:
    """Ties the runs that a session compares."""

    session: Session
    jobs: JobRunner
    say: Say

    def handlers(self) -> dict[str, Callable[[], object]]:
        """The actions on ties, by id."""
        return {"tie": self.tie, "untie": self.forget}

    def tie(self) -> None:
        """Take the event that is selected, or at the cursor, into a tie; with one of every run it is made."""
        session = self.session
        content, here = session.content, event_here(session)
        if content is None or content.comparison is None:
            return
        if here is None:
            self.say(tr("tying.a-tie-holds-events-together-there"), 4000)
            return
        run, cursor, _ = here
        begun = {**session.tie, run: cursor}
        left = [str(other + 1) for other in range(len(content.runs)) if other not in begun]
        if left:
            session.tie = MappingProxyType(begun)
            self.say(
                tr("tying.run-is-in-the-tie-now",
                   run=run + 1, left=", ".join(left)),
                8000,
            )  # fmt: skip
            return
        session.tie = MappingProxyType({})
        made = tuple(begun[run] for run in range(len(content.runs)))
        kept = [tie for tie in content.ties if not any(map(int.__eq__, tie, made))]
        self._compare((*kept, made))

    def forget(self) -> None:
        """Line the runs up as if nobody had tied them."""
        content = self.session.content
        if content is None or not content.ties:
            self.say(tr("tying.nothing-is-tied-by-hand-here"), 4000)
            return
        self._compare(())

    def _compare(self, ties: Sequence[tuple[int, ...]]) -> None:
        session = self.session
        content = session.content
        if content is None:
            return

        def show(made: Content) -> None:
            if session.content is content:
                session.undo.push(Tie(session, content, made))

        self.jobs.in_thread(CONTENT, TieRuns(content, tuple(ties)), show)
