"""Ties by hand: moments of compared runs that a person says are the same."""

from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gui.text.spoken import tr
from gui.window.noting import event_here
from gui.workspace.content import tied
from gui.workspace.edits import Tie
from gui.workspace.store import CONTENT

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


def tie_handlers(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """The actions on ties, by id."""
    return {"tie": partial(tie_event, window), "untie": partial(forget_ties, window)}


def tie_event(window: "MainWindow") -> None:
    """Take the event that is selected, or at the cursor, into a tie; with one of every run it is made."""
    session = window.session
    content, here = session.content, event_here(window)
    if content is None or content.comparison is None:
        return
    if here is None:
        window.statusBar().showMessage(tr("tying.a-tie-holds-events-together-there"), 4000)
        return
    run, cursor, _ = here
    begun = {**session.tie, run: cursor}
    left = [str(other + 1) for other in range(len(content.runs)) if other not in begun]
    if left:
        session.tie = MappingProxyType(begun)
        window.statusBar().showMessage(
            tr("tying.run-is-in-the-tie-now",
               run=run + 1, left=", ".join(left)),
            8000,
        )  # fmt: skip
        return
    session.tie = MappingProxyType({})
    made = tuple(begun[run] for run in range(len(content.runs)))
    kept = [tie for tie in content.ties if not any(map(int.__eq__, tie, made))]
    _compare(window, (*kept, made))


def forget_ties(window: "MainWindow") -> None:
    """Line the runs up as if nobody had tied them."""
    content = window.session.content
    if content is None or not content.ties:
        window.statusBar().showMessage(tr("tying.nothing-is-tied-by-hand-here"), 4000)
        return
    _compare(window, ())


def _compare(window: "MainWindow", ties: Sequence[tuple[int, ...]]) -> None:
    session = window.session
    content = session.content

    def show(made: Any) -> None:  # noqa: ANN401 - the result of a job
        if content is not None and session.content is content:
            session.undo.push(Tie(session, content, made))

    window.jobs.in_thread(CONTENT, tied, (content, ties), show)
