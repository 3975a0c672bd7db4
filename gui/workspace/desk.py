"""What is open in one place: a document, or runs beside one another."""

from dataclasses import dataclass

from core.words import Language
from gui.workspace.jobs import Inbox, JobRunner
from gui.workspace.session import Session
from gui.workspace.store import CONTENT, Store
from gui.workspace.tabbing import Tabs


@dataclass(frozen=True, slots=True)
class Desk:
    """The cursor, the selection and the notes of what is open in one place, and the work on it.

    Desks know nothing of each other: what is asked on one drops no answer on another.
    """

    session: Session
    jobs: JobRunner
    store: Store
    tabs: Tabs

    def wait(self) -> None:
        """Until what was asked for is shown, and what was added is written; or could not be."""
        self.jobs.wait_for(CONTENT)
        self.store.settle()

    def close(self) -> None:
        """Let go of what is open, in all tabs, and end the work."""
        self.tabs.let_go()
        self.store.close()


def plain_desk(language: Language = "en") -> Desk:
    """A desk without a window: its answers come when they are waited for."""
    session, jobs = Session(language=lambda: language), JobRunner(Inbox())
    store = Store(session, jobs)
    return Desk(session, jobs, store, Tabs(session, store))
