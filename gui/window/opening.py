"""What leads to something else being shown: opening paths and offers, and leaving what is open."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.errors import Facts
from core.sweeping import found_documents
from core.trace.times import moment_words
from gui.text.spoken import tr
from gui.welcome.offers import Offer
from gui.window.docks import show_layout
from gui.window.importing import open_or_look
from gui.workspace.content import Moment
from gui.workspace.jobs import Failure

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

SCRIPT: Final = ".toml"
"""What the file of a scenario ends in."""


def open_paths(window: "MainWindow", paths: Sequence[str], *, beside: bool = False) -> None:
    """Open what was named, after asking about notes that would be lost; `beside` keeps what is open.

    Of logs it is shown first what was found in them (gui/window/importing.py). A scenario is edited.
    """
    if len(paths) == 1 and Path(paths[0]).suffix.lower() == SCRIPT and not beside:
        from gui.scenarios.handlers import open_scenario

        open_scenario(window, paths[0])
        return
    if not paths or not (beside or may_leave(window)):
        return
    open_or_look(window, paths, beside=beside)


def open_offer(window: "MainWindow", offer: Offer) -> None:
    """Open what a card of the welcome page offers."""
    if not may_leave(window):
        return
    if offer.kind == "scenario":
        window.store.open_simulated(offer.names[0], offer.names[1:])
        return
    from importers.samples import sample_path

    groups = tuple((str(sample_path(name)),) for name in offer.names)
    window.store.open_groups(groups, title=offer.title)


def connect_triage(window: "MainWindow") -> None:
    """Open what is chosen on the page of all partitions, read what its grid shows, remember who wants it."""
    page = window.triage
    page.as_grid.setChecked(window.settings.get("grid"))
    page.as_grid.toggled.connect(partial(window.settings.put, "grid"))
    page.partition_wanted.connect(partial(open_partition, window))
    page.grid.histories_wanted.connect(partial(window.store.read_histories, page.grid.take))


def open_partition(window: "MainWindow", name: str, moment: Moment | None = None) -> None:
    """Show a partition on the timeline, at a moment; None is at its first loss, or where it was left."""
    content = window.session.content
    if content is None:
        return
    history = content.runs[0].history
    if str(history.trace.partitions[history.partition].tp) == name:
        show_timeline(window)
        if moment is not None:
            window.session.set_position(content.place(moment))
    elif not window.store.reads_parts or may_leave(window):
        window.store.show_partition(name, moment)


def show_timeline(window: "MainWindow") -> None:
    """The timeline with its docks, and the keyboard in it; where nothing is open, nothing."""
    if window.session.content is None:
        return
    window.show_view("timeline")
    show_layout(window)
    window.stage.canvas.setFocus()


def show_line(window: "MainWindow", run: int, seq: int) -> None:
    """Show an event on the timeline, with the line that it comes from."""
    content = window.session.content
    if content is None:
        return
    show_timeline(window)
    window.session.set_position(content.position_of(run, seq + 1))
    window.drawer.show()


def connect_store(window: "MainWindow") -> None:
    """Show what is read of an open document, and say when it is not in its place any more."""
    window.store.partition_shown.connect(partial(show_timeline, window))
    window.store.missing.connect(partial(offer_elsewhere, window))


def offer_elsewhere(window: "MainWindow", facts: Facts) -> None:
    """Say that the document is not in its place any more, and offer to save what is open elsewhere."""
    window.show_failure(Failure(facts))
    window.notices.offer(tr("actions.save-as"), window.actions_["save-as"].trigger)


def offer_found(window: "MainWindow") -> None:
    """Offer the newest document with notes that a killed window never saved."""
    found = found_documents()
    if not found:
        return
    newest = found[0]
    window.notices.tell(
        tr("opening.notes-that-were-not-saved-are"),
        tr(
            "opening.written-last-at-tidegauge-ended-before",
            name=newest.name or newest.path.name,
            when=moment_words(newest.modified_ns, simulated=False),
        ),
    )
    window.notices.offer(tr("opening.open-them"), partial(window.store.open_found, newest.path, newest.name))


def may_leave(window: "MainWindow") -> bool:
    """Whether what is open may be closed; notes that were never saved are asked about."""
    window.store.settle()
    session = window.session
    if not session.unsaved:
        return True
    notes = len(session.notes) + len(session.later.notes)
    answer = window.dialogs.lose_notes(window, session.unwritten or notes)
    if answer == "save":
        window.actions_["save"].trigger()
    return answer == "discard"


def may_drop_text(window: "MainWindow") -> bool:
    """Whether the scenario that is edited may give way; a text that nobody saved is asked about."""
    if not window.session.scenario.unsaved:
        return True
    answer = window.dialogs.lose_text(window)
    if answer == "save":
        window.actions_["save-scenario"].trigger()
        return not window.session.scenario.unsaved
    return answer == "discard"
