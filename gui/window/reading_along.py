"""Lets people look at what an import has read already, while it reads on."""

from PySide6.QtCore import QTimer

from gui.panels.reading_rows import Known
from gui.panels.views import Views
from gui.window.notices import ProgressBar
from gui.window.pages import Pages, Viewing
from gui.workspace.jobs import JobRunner, SoFar
from gui.workspace.session import Session
from gui.workspace.store import CONTENT

VIEW = "reading"


class ReadingAlong:
    """Follows the import that runs.

    Where nothing is open its page comes by itself, else the bar of progress leads to it.
    """

    def __init__(self, session: Session, jobs: JobRunner) -> None:
        """Nothing is being read."""
        self._session, self._jobs = session, jobs
        self._known = Known()
        self._before = ""
        """What was seen before: the name of a page, "" for the lanes."""

    def follow(self, views: Views, viewing: Viewing, pages: Pages, bar: ProgressBar) -> None:
        """From now on, with these parts of the window."""
        self._viewing, self._pages, self._bar = viewing, pages, bar
        self._jobs.found.connect(self._found)
        self._jobs.ended.connect(self._ended)
        views.currentChanged.connect(self._seen)
        bar.look_wanted.connect(self.show)
        bar.seen.connect(self._come)

    def show(self) -> None:
        """The page, with what is known by now."""
        self._viewing.show(VIEW)
        self._pages.reading.focus()

    def _seen(self, _place: int) -> None:
        """Another page is seen."""
        here = self._viewing.name == VIEW
        if here:
            self._pages.reading.show_known(self._known)
        else:
            self._before = self._viewing.name
        self._bar.offer_look(offered=self._known != Known() and not here)

    def _found(self, told: SoFar) -> None:
        if told.question != CONTENT:
            return
        self._known = self._known.with_more(told.what)
        if self._viewing.name == VIEW:
            self._pages.reading.show_known(self._known)
        elif self._bar.isVisible():
            self._come()

    def _come(self) -> None:
        """Show what there is to be seen of long work, or offer to: what a person looks at stays."""
        if self._known == Known():
            return
        if self._session.content is None and self._viewing.name == "welcome":
            self.show()
        else:
            self._bar.offer_look(offered=self._viewing.name != VIEW)

    def _ended(self, question: str) -> None:
        if question == CONTENT:
            # What was imported is opened next, and belongs to the same wish.
            QTimer.singleShot(0, self._bar, self._over)

    def _over(self) -> None:
        if CONTENT in self._jobs.asked():
            return
        self._known = Known()
        self._bar.offer_look(offered=False)
        if self._viewing.name != VIEW:
            return
        if self._before or self._session.content is None:
            self._viewing.show(self._before or "welcome")
        else:
            self._viewing.show_timeline()
