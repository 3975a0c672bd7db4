"""Records that are lost are marked in the logs at the cursor: cells are clicked or swept."""

from PySide6.QtCore import QObject

from core.teaching.lesson import AskKind
from gui.lessons.answering import AnswerField
from gui.panels.cells import CellsStrip
from gui.workspace.lesson_player import Player


class CellSweep(QObject):
    """Ties the cells to the field of a question; once it is answered they show the answer."""

    def __init__(self, cells: CellsStrip) -> None:
        """Nothing is marked."""
        super().__init__(cells)
        self._cells = cells
        self._field: AnswerField | None = None
        cells.swept.connect(self._sweep)

    def ask(self, player: Player, field: AnswerField | None) -> None:
        """Take the answer to the question of the step that is on, where it asks for lost records."""
        asked, attempt = player.now.ask, player.attempts.get(player.step)
        lost = asked is not None and asked.kind is AskKind.LOST
        self._field = field if lost else None
        if self._field is not None:
            self._field.changed.connect(self._show)
            self._show()
            return
        given = attempt.given if lost and attempt is not None else None
        self._cells.mark(given if isinstance(given, frozenset) else frozenset(), takes=False)

    def _show(self) -> None:
        given = None if self._field is None else self._field.given()
        if isinstance(given, frozenset):
            self._cells.mark(given, takes=True)

    def _sweep(self, first: int, last: int, begins: bool) -> None:
        if self._field is not None:
            self._field.sweep(first, last, begins)
