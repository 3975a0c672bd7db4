"""What can be undone: notes, ties, and how the lanes are arranged. Each acts on the session.

The document follows those of notes and ties (gui/workspace/store.py).
"""

from copy import copy
from dataclasses import replace
from typing import Self

from core.document.lane_order import LaneOrder
from gui.workspace.content import Content, said_in
from gui.workspace.pinned import PinnedNote
from gui.workspace.session import Session


class OnSession:
    """An edit that acts on a session, and goes with what is open to another one."""

    _session: Session

    def on(self, session: Session) -> Self:
        """The same edit, acting on another session."""
        moved = copy(self)
        moved._session = session  # noqa: SLF001 - it is one of these
        return moved


class AddNote(OnSession):
    """Add a note; undo takes it away again."""

    def __init__(self, session: Session, note: PinnedNote) -> None:
        """`note` has a key that the session gave."""
        self._session, self._note = session, note

    def redo(self) -> None:
        """Put it there."""
        self._session.put_note(self._note)

    def undo(self) -> None:
        """Take it away."""
        self._session.drop_note(self._note.key)


class DeleteNote(OnSession):
    """Delete a note; undo puts it back where it was."""

    def __init__(self, session: Session, note: PinnedNote) -> None:
        """`note` is one of the session's."""
        self._session, self._note = session, note

    def redo(self) -> None:
        """Take it away."""
        self._session.drop_note(self._note.key)

    def undo(self) -> None:
        """Put it back."""
        self._session.put_note(self._note)


class ChangeNote(OnSession):
    """Change a note: its text, its colour, its shape."""

    def __init__(self, session: Session, before: PinnedNote, after: PinnedNote) -> None:
        """`before` is one of the session's; `after` has its key."""
        self._session, self._before, self._after = session, before, after

    def redo(self) -> None:
        """As it is now."""
        self._session.put_note(self._after)

    def undo(self) -> None:
        """As it was."""
        self._session.put_note(self._before)


class Tie(OnSession):
    """Compare the same runs with other ties."""

    def __init__(self, session: Session, before: Content, after: Content) -> None:
        """Both are of the session's traces, in the language that is spoken now."""
        self._session, self._before, self._after = session, before, after
        self._language = session.language

    def redo(self) -> None:
        """As they are tied now."""
        self._show(self._after)

    def undo(self) -> None:
        """As they were."""
        self._show(self._before)

    def _show(self, content: Content) -> None:
        """The first run stays where it is."""
        session = self._session
        language = session.language
        spoken = content if language == self._language else said_in(content, language)
        session.change_view(spoken, notes=session.notes, position=content.position_of(0, session.cursors[0]))


class ArrangeLanes(OnSession):
    """Arrange the lanes of the timeline: their order, which are folded, which are pinned."""

    def __init__(self, session: Session, after: LaneOrder) -> None:
        """`after` is what the session does not have yet."""
        self._session, self._before, self._after = session, session.lanes, after

    def redo(self) -> None:
        """As it is now."""
        self._session.set_lanes(self._after)

    def undo(self) -> None:
        """As it was."""
        self._session.set_lanes(self._before)


def arrange(session: Session, lanes: LaneOrder) -> None:
    """Arrange the lanes; undo brings back how they were."""
    if lanes != session.lanes:
        session.undo.push(ArrangeLanes(session, lanes))


def show_hidden(session: Session) -> None:
    """Show all lanes that are hidden."""
    arrange(session, replace(session.lanes, hidden=frozenset()))


def replicas(session: Session) -> tuple[int, ...]:
    """The brokers that have a lane in any run, in their usual order; () where nothing is open."""
    content = session.content
    if content is None:
        return ()
    return tuple({broker: None for run in content.runs for broker in run.history.replicas})
