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
from gui.text.spoken import tr
from gui.welcome.offers import Offer
from gui.window.importing import Importing
from gui.window.pages import Viewing
from gui.window.person import Person
from gui.window.side_by_side import SideBySide
from gui.workspace.content import Moment
from gui.workspace.jobs import Failure
from gui.workspace.session import Session
from gui.workspace.store import Store
from gui.workspace.tabbing import Tabs

SCRIPT: Final = ".toml"
"""What the file of a scenario ends in."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """Asks a person before something is lost. `actions` save it; `show` brings a tab to the front."""

    session: Session
    store: Store
    tabs: Tabs
    person: Person
    actions: Mapping[str, QAction]
    show: Callable[[int], object]

    def may_close(self, key: int) -> bool:
        """Whether a tab may be closed; notes that were never saved are asked about, in sight of them."""
        self.store.settle()
        losing = self.tabs.losing(key)
        if losing is None:
            return True
        self.show(key)
        answer = self.person.lose_notes(losing)
        if answer == "save":
            self.actions["save"].trigger()
        return answer == "discard"

    def may_leave(self) -> bool:
        """Whether what is in front may give way to something else."""
        return self.may_close(self.tabs.open.current)

    def may_replace(self) -> bool:
        """The same, where runs of a script come: what is not one stays open beside them."""
        return not self.store.replaces or self.may_leave()

    def may_end(self) -> bool:
        """Whether all tabs may be closed."""
        return all(self.may_close(tab.key) for tab in self.tabs.open.tabs)

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
    """Opens what a person names or chooses, and shows it. What is open stays open, in its tab."""

    session: Session
    store: Store
    leaving: Leaving
    viewing: Viewing
    importing: Importing
    side_by_side: SideBySide
    open_scenario: Callable[[str], object]
    """Edit the scenario of a file."""
    drawer: QDockWidget

    def open_paths(self, paths: Sequence[str], *, beside: bool = False) -> None:
        """Open what was named, in a tab of its own; `beside` compares it with what is in front.

        What is open already is shown, and not read again. Of logs it is shown first what was found in them
        (importing.py). Two sources of logs are compared, and it is asked whether they are one (asking.py).
        A scenario is edited.
        """
        if len(paths) == 1 and Path(paths[0]).suffix.lower() == SCRIPT and not beside:
            self.open_scenario(paths[0])
            return
        if not paths:
            return
        if beside:
            self.side_by_side.expect(paths)
        elif self.side_by_side.go_to(paths) or self.side_by_side.open_two(paths):
            return
        self.importing.open_or_look(paths, beside=beside)

    def open_path(self, path: str) -> None:
        """Open one."""
        self.open_paths((path,))

    def open_offer(self, offer: Offer) -> None:
        """Open what a card of the first page offers."""
        # What was named before and stopped is not what this opens.
        self.store.wanted = ()
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
