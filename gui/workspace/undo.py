"""What was done, in order, so that it can be undone and done again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class Edit(Protocol):
    """One thing that a person did."""

    def redo(self) -> None:
        """Do it."""
        ...

    def undo(self) -> None:
        """Take it back."""
        ...

    def on(self, session: Any) -> "Edit":  # noqa: ANN401 - sessions know these edits
        """The same, acting on another session (session.py): what is open went there."""
        ...


@dataclass(frozen=True, slots=True)
class Edits:
    """The edits of something that is open, and how many of them are done."""

    edits: tuple[Edit, ...] = ()
    done: int = 0

    def on(self, session: Any) -> "Edits":  # noqa: ANN401 - as above
        """The same edits, acting on another session."""
        return Edits(tuple(edit.on(session) for edit in self.edits), self.done)


class UndoStack:
    """Edits, and how many of them are done now."""

    def __init__(self, tell: Callable[[tuple[bool, bool]], object]) -> None:
        """No edits. `tell` gets (can_undo, can_redo) after each step."""
        self._tell = tell
        self._edits: list[Edit] = []
        self._index = 0

    @property
    def count(self) -> int:
        """How many edits there are, done and undone."""
        return len(self._edits)

    @property
    def index(self) -> int:
        """How many of them are done."""
        return self._index

    @property
    def edits(self) -> Edits:
        """All of it as a value."""
        return Edits(tuple(self._edits), self._index)

    def take(self, edits: Edits) -> None:
        """Go on with these edits instead. Nothing is done or taken back."""
        self._edits = list(edits.edits)
        self._go_to(edits.done)

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit to take back."""
        return self._index > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is an edit that was taken back."""
        return self._index < len(self._edits)

    def push(self, edit: Edit) -> None:
        """Do an edit; those that were taken back are forgotten."""
        del self._edits[self._index :]
        edit.redo()
        self._edits.append(edit)
        self._go_to(self._index + 1)

    def undo(self) -> None:
        """Take the last edit back; where there is none, nothing."""
        if self.can_undo:
            self._edits[self._index - 1].undo()
            self._go_to(self._index - 1)

    def redo(self) -> None:
        """Do again what was taken back last; where there is none, nothing."""
        if self.can_redo:
            self._edits[self._index].redo()
            self._go_to(self._index + 1)

    def clear(self) -> None:
        """Forget all edits. Nothing is taken back."""
        self._edits.clear()
        self._go_to(0)

    def _go_to(self, index: int) -> None:
        self._index = index
        self._tell((self.can_undo, self.can_redo))
