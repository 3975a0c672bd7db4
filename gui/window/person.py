"""What the person in front of the window is asked and told."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QMainWindow, QWidget

from gui.window.dialogs import Dialogs
from gui.window.notices import NoticeBar

Say = Callable[[str, int], object]
"""Say a short word for so many milliseconds; "" takes back what was said."""


class Person:
    """One for a window. Its dialogs wait for an answer; an empty one means that the person went back."""

    notices: NoticeBar
    """The bar above the content, as long as it is there."""

    def __init__(self, window: QMainWindow, dialogs: Dialogs) -> None:
        """`dialogs` are the questions that stop the window."""
        self._window = window
        self.dialogs = dialogs

    def say(self, text: str, for_ms: int = 0) -> None:
        """Say a short word in the status bar; "" takes back what was said."""
        self._window.statusBar().showMessage(text, for_ms)

    def tell(self, title: str, body: str) -> None:
        """Tell what was done."""
        self.notices.tell(title, body)

    def offer(self, text: str, way: Callable[[], object]) -> None:
        """Offer a way on, below what was told."""
        self.notices.offer(text, way)

    def open_files(self, folder: str) -> tuple[str, ...]:
        """Files, archives or documents."""
        return self.dialogs.open_files(self._window, folder)

    def open_folder(self, folder: str, over: QWidget | None = None) -> str:
        """A folder of logs or a prepared data set; asked for over the window, or over a dialog."""
        return self.dialogs.open_folder(over or self._window, folder)

    def save_document(self, suggested: str) -> str:
        """Where a document goes."""
        return self.dialogs.save_document(self._window, suggested)

    def save_scenario(self, suggested: str) -> str:
        """Where the text of a scenario goes."""
        return self.dialogs.save_scenario(self._window, suggested)

    def save_table(self, suggested: str) -> str:
        """Where rows go, as CSV."""
        return self.dialogs.save_table(self._window, suggested)

    def save_lesson(self, suggested: str) -> str:
        """Where a result, a handout or the text of a lesson goes."""
        return self.dialogs.save_lesson(self._window, suggested)

    def export_to(self, suggested: str, over: QWidget) -> str:
        """Where an export goes."""
        return self.dialogs.export_to(over, suggested)

    def choose(self, question: str, choices: Sequence[str], current: int) -> str:
        """One of several."""
        return self.dialogs.choose(self._window, question, choices, current)

    def lose_notes(self, count: int) -> str:
        """Whether notes that were never saved may go: "save", "discard" or ""."""
        return self.dialogs.lose_notes(self._window, count)

    def lose_text(self) -> str:
        """Whether the text of a scenario that was never saved may go: "save", "discard" or ""."""
        return self.dialogs.lose_text(self._window)
