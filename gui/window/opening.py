"""What leads to something else being shown: opening paths and offers, and leaving what is open."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget

from core.errors import Facts
from core.sweeping import found_documents
from core.trace.times import moment_words
from core.trace.trace import Origin
from gui.incident.page import IncidentView
from gui.lessons.course import CoursePage
from gui.text.spoken import tr
from gui.triage.page import TriagePage
from gui.welcome.offers import Offer
from gui.welcome.page import WelcomePage
from gui.window.importing import Importing
from gui.window.pages import Viewing
from gui.window.person import Person
from gui.window.settings import Settings
from gui.workspace.content import Moment
from gui.workspace.jobs import Failure
from gui.workspace.loading import Loaded
from gui.workspace.session import Session
from gui.workspace.store import Store

SCRIPT: Final = ".toml"
"""What the file of a scenario ends in."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """Asks a person before something is lost. `actions` save it."""

    session: Session
    store: Store
    person: Person
    actions: Mapping[str, QAction]

    def may_leave(self) -> bool:
        """Whether what is open may be closed; notes that were never saved are asked about."""
        self.store.settle()
        session = self.session
        if not session.unsaved:
            return True
        notes = len(session.notes) + len(session.later.notes)
        answer = self.person.lose_notes(session.unwritten or notes)
        if answer == "save":
            self.actions["save"].trigger()
        return answer == "discard"

    def may_drop_text(self) -> bool:
        """Whether the scenario that is edited may give way; a text that nobody saved is asked about."""
        if not self.session.scenario.unsaved:
            return True
        answer = self.person.lose_text()
        if answer == "save":
            self.actions["save-scenario"].trigger()
            return not self.session.scenario.unsaved
        return answer == "discard"


# Signals of Qt hold those who listen weakly.
@dataclass(frozen=True, slots=True, weakref_slot=True)
class Opening:
    """Opens what a person names or chooses, and shows it."""

    session: Session
    store: Store
    leaving: Leaving
    viewing: Viewing
    importing: Importing
    open_scenario: Callable[[str], object]
    """Edit the scenario of a file."""
    drawer: QDockWidget

    def open_paths(self, paths: Sequence[str], *, beside: bool = False) -> None:
        """Open what was named, after asking about notes that would be lost; `beside` keeps what is open.

        Of logs it is shown first what was found in them (importing.py). A scenario is edited.
        """
        if len(paths) == 1 and Path(paths[0]).suffix.lower() == SCRIPT and not beside:
            self.open_scenario(paths[0])
            return
        if not paths or not (beside or self.leaving.may_leave()):
            return
        self.importing.open_or_look(paths, beside=beside)

    def open_path(self, path: str) -> None:
        """Open one."""
        self.open_paths((path,))

    def open_offer(self, offer: Offer) -> None:
        """Open what a card of the first page offers."""
        if not self.leaving.may_leave():
            return
        if offer.kind == "scenario":
            self.store.open_simulated(offer.names[0], offer.names[1:])
            return
        from importers.samples import sample_path

        groups = tuple((str(sample_path(name)),) for name in offer.names)
        self.store.open_groups(groups, title=offer.title)

    def open_partition(self, name: str, moment: Moment | None = None) -> None:
        """Show a partition on the timeline, at a moment; None is at its first loss, or where it was left."""
        content = self.session.content
        if content is None:
            return
        if content.partition == name:
            self.viewing.show_timeline()
            if moment is not None:
                self.session.set_position(content.place(moment))
        elif not self.store.reads_parts or self.leaving.may_leave():
            self.store.show_partition(name, moment)

    def show_line(self, run: int, seq: int) -> None:
        """Show an event on the timeline, with the line that it comes from."""
        content = self.session.content
        if content is None:
            return
        self.viewing.show_timeline()
        self.session.set_position(content.position_of(run, seq + 1))
        self.drawer.show()


def connect_triage(page: TriagePage, settings: Settings, store: Store, opening: Opening) -> None:
    """Open what is chosen on the page of all partitions, read what its grid shows, remember who wants it."""
    page.as_grid.setChecked(settings.get("grid"))
    page.as_grid.toggled.connect(partial(settings.put, "grid"))
    page.partition_wanted.connect(opening.open_partition)
    page.grid.histories_wanted.connect(partial(store.read_histories, page.grid.take))


def connect_course(
    page: CoursePage, welcome: WelcomePage, settings: Settings, show: Callable[[], object]
) -> None:
    """Remember what is reached in the lessons; the first page leads to them."""
    page.remember(settings.get("course"))
    page.progressed.connect(partial(settings.put, "course"))
    welcome.course_wanted.connect(show)


def connect_incident(page: IncidentView, triage: TriagePage, opening: Opening) -> None:
    """Open what is chosen on the page of the incident: a partition, all of them, what was read."""
    page.partition_wanted.connect(opening.open_partition)
    page.view_wanted.connect(opening.viewing.show)

    def show_all(check: str) -> None:
        opening.viewing.show("triage")
        triage.choose_check(check or None)
        triage.focus()

    page.all_wanted.connect(show_all)


def first_view(loaded: Loaded) -> str:
    """What is seen first: the incident of an import, where there is something to tell or to choose from.

    Of a document that is read in parts it is the list of its partitions, and of a simulation the lanes.
    """
    if loaded.source:
        return "triage"
    account = loaded.account
    if account is None or account.trace.origin is Origin.SIMULATED:
        return "timeline"
    found = account.pages[0].incident is not None
    return "incident" if found or len(account.trace.partitions) > 1 else "timeline"


def offer_elsewhere(
    person: Person, fail: Callable[[Failure], object], save_as: Callable[[], object], facts: Facts
) -> None:
    """Say that the document is not in its place any more, and offer to save what is open elsewhere."""
    fail(Failure(facts))
    person.offer(tr("actions.save-as"), save_as)


def offer_found(person: Person, store: Store) -> None:
    """Offer the newest document with notes that a killed window never saved."""
    found = found_documents()
    if not found:
        return
    newest = found[0]
    person.tell(
        tr("opening.notes-that-were-not-saved-are"),
        tr(
            "opening.written-last-at-tidegauge-ended-before",
            name=newest.name or newest.path.name,
            when=moment_words(newest.modified_ns, simulated=False),
        ),
    )
    person.offer(tr("opening.open-them"), partial(store.open_found, newest.path, newest.name))
