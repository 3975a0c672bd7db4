"""One of several that is chosen from a list which opens."""

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QTimer
from PySide6.QtWidgets import QComboBox, QWidget


class Choice(QComboBox):
    """A combo box from whose list a screen reader can choose, too.

    The action that Qt gives to an item of the list marks it, and chooses nothing. Keys and mouse mark an item
    and make it the current one: one that is marked and not current was marked by that action.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self._heard: QItemSelectionModel | None = None

    def showPopup(self) -> None:
        """Open the list, which Qt makes when it is first asked for."""
        marks = self.view().selectionModel()
        if self._heard is not marks:
            self._heard = marks
            marks.selectionChanged.connect(self._marked)
        super().showPopup()

    def _marked(self, marked: QItemSelection, _before: QItemSelection) -> None:
        if self.view().isVisible() and marked.indexes():
            # An item is marked before it becomes the current one.
            QTimer.singleShot(0, self, self._choose_marked)

    def _choose_marked(self) -> None:
        view = self.view()
        rows = {index.row() for index in view.selectionModel().selectedIndexes()}
        rows.discard(view.currentIndex().row())
        if not view.isVisible() or len(rows) != 1:
            return
        (row,) = rows
        self.hidePopup()
        self.setCurrentIndex(row)
        self.activated.emit(row)
