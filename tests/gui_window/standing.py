"""Where an action is tried: a window with something open, a person's answers, and what one sees of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from core.document.notes import NoteKind
from gui.window.main_window import MainWindow
from gui.workspace.content import Content
from gui.workspace.pinned import PinnedNote
from gui.workspace.session import Session
from tests.gui_window.conftest import Answers


@dataclass
class Stand:
    """A window, the person's answers, the menus that came, and where the cursor was before the action."""

    window: MainWindow
    answers: Answers
    folder: Path
    document: Path
    logs: Path
    bot: QtBot
    before: int = 0
    menus: list[QWidget] = field(default_factory=list[QWidget])

    @property
    def session(self) -> Session:
        return self.window.session

    @property
    def content(self) -> Content:
        assert self.session.content is not None
        return self.session.content

    def put(self, position: int) -> None:
        self.session.set_position(position)

    def note(self, position: int, text: str = "kept", kind: str = NoteKind.POSITION) -> PinnedNote:
        """A note that is there already."""
        note = PinnedNote(self.session.new_key(), 0, self.content.cursors(position)[0], text, 1, kind=kind)
        self.session.put_note(note)
        return note

    def shows(self, kind: type[QDialog]) -> bool:
        return any(one.isVisible() for one in self.window.findChildren(kind))

    def is_on(self, page: QWidget) -> bool:
        return self.window.views.currentWidget() is page

    def edits(self) -> bool:
        """A note can be typed: the field is there, and has the keyboard."""
        return self.window.note_editor.isVisible() and self.window.note_editor.field.hasFocus()


class Effect(NamedTuple):
    """`on` is one of BASES."""

    on: str
    holds: Callable[[Stand], bool]
    ready: Callable[[Stand], object] = lambda _: None


def answer(name: str, value: Callable[[Stand], object]) -> Callable[[Stand], object]:
    """What somebody answers, who is asked for `name`."""
    return lambda at: setattr(at.answers, name, value(at))


NOTHING, LOSS, ALONE, LOGS = "nothing", "hw-loss in three eras", "hw-loss in one era", "a document of logs"
BASES: Final = (NOTHING, LOSS, ALONE, LOGS)
