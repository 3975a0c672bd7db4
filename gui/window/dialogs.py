"""What asks the person for a path or a choice, in one record that tests answer instead; and boxes to read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QInputDialog,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.actions import ACTIONS, MENUS, keys_text
from gui.panels.parts import label
from gui.text.spoken import tr
from gui.window.crash import versions


@dataclass(frozen=True, slots=True)
class Dialogs:
    """Every question that stops the window. An empty answer means that the person went back."""

    open_files: Callable[[QWidget, str], tuple[str, ...]]
    open_folder: Callable[[QWidget, str], str]
    save_document: Callable[[QWidget, str], str]
    export_to: Callable[[QWidget, str], str]
    save_scenario: Callable[[QWidget, str], str]
    save_table: Callable[[QWidget, str], str]
    save_lesson: Callable[[QWidget, str], str]
    choose: Callable[[QWidget, str, Sequence[str], int], str]
    lose_notes: Callable[[QWidget, int], str]
    lose_text: Callable[[QWidget], str]
    """Of the last two the answer is "save", "discard" or ""."""


_HOME: Final = str(Path.home())
"""Where a person begins to look who has named nothing yet: where the program was started says nothing."""


def open_files(parent: QWidget, folder: str) -> tuple[str, ...]:
    """Files, archives or documents."""
    kinds = tr("dialogs.all-that-can-be-read-documents")
    return tuple(QFileDialog.getOpenFileNames(parent, tr("welcome.open"), folder or _HOME, kinds)[0])


def open_folder(parent: QWidget, folder: str) -> str:
    """A folder of logs or a prepared data set."""
    return QFileDialog.getExistingDirectory(parent, tr("dialogs.open-a-folder-of-logs"), folder or _HOME)


def save_document(parent: QWidget, suggested: str) -> str:
    """Where a document goes; the dialog has asked before an existing file is replaced."""
    path = QFileDialog.getSaveFileName(
        parent, tr("actions.save"), suggested, tr("dialogs.tidegauge-documents-tide")
    )[0]
    return path if not path or Path(path).suffix else f"{path}.tide"


def save_scenario(parent: QWidget, suggested: str) -> str:
    """Where a scenario goes; the dialog has asked before an existing file is replaced."""
    path = QFileDialog.getSaveFileName(parent, tr("actions.save"), suggested, tr("dialogs.scenarios-toml"))[0]
    return path if not path or Path(path).suffix else f"{path}.toml"


def save_table(parent: QWidget, suggested: str) -> str:
    """Where rows go; the dialog has asked before an existing file is replaced."""
    path = QFileDialog.getSaveFileName(parent, tr("actions.save"), suggested, tr("query.csv"))[0]
    return path if not path or Path(path).suffix else f"{path}.csv"


def save_lesson(parent: QWidget, suggested: str) -> str:
    """Where a result, a handout or the text of a lesson goes; its ending says what it is."""
    return QFileDialog.getSaveFileName(parent, tr("actions.save"), f"{_HOME}/{suggested}")[0]


def export_to(parent: QWidget, suggested: str) -> str:
    """Where a picture, a page, a table of events or a text goes."""
    kinds = tr("dialogs.picture-png-vector-picture-svg-pdf")
    path, kind = QFileDialog.getSaveFileName(parent, tr("exports.export"), suggested, kinds)
    if not path or Path(path).suffix:
        return path
    return path + kind[kind.rindex("*") + 1 : kind.rindex(")")]


def choose(parent: QWidget, question: str, choices: Sequence[str], current: int) -> str:
    """One of several."""
    answer, agreed = QInputDialog.getItem(parent, "Tidegauge", question, list(choices), current, False)
    return answer if agreed else ""


def lose_notes(parent: QWidget, count: int) -> str:
    """Whether notes that were never saved may go; with none it is ties by hand."""
    if count == 0:
        return _lose(parent, tr("dialogs.the-ties-of-this-comparison-are"))
    if count == 1:
        return _lose(parent, tr("dialogs.1-note-is-not-saved-in"))
    return _lose(parent, tr("dialogs.notes-are-not-saved-in-a", count=count))


def lose_text(parent: QWidget) -> str:
    """Whether the text of a scenario that was typed and never saved may go."""
    return _lose(parent, tr("dialogs.the-text-of-the-scenario-is"))


def _lose(parent: QWidget, told: str) -> str:
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.NoIcon)
    box.setWindowTitle("Tidegauge")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(told)
    save = box.addButton(tr("scenarios.save"), QMessageBox.ButtonRole.AcceptRole)
    discard = box.addButton(tr("dialogs.discard"), QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(tr("dialogs.go-back"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(save)
    box.exec()
    return {save: "save", discard: "discard"}.get(box.clickedButton(), "")  # pyright: ignore[reportArgumentType, reportCallIssue]


ASKING = Dialogs(
    open_files,
    open_folder,
    save_document,
    export_to,
    save_scenario,
    save_table,
    save_lesson,
    choose,
    lose_notes,
    lose_text,
)
"""The dialogs of the desktop."""


class KeySheet(QDialog):
    """All actions with their keys, by menu, from the table of actions; a field filters them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Made anew each time it is asked for."""
        super().__init__(parent)
        self.setWindowTitle(tr("dialogs.keys"))
        room = QSize(560, 640)
        self.resize(room if parent is None else room.boundedTo(parent.size() - QSize(40, 40)))
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("dialogs.find-an-action-or-a-key"))
        self.field.setAccessibleName(tr("dialogs.find-an-action-or-a-key"))
        self.field.textChanged.connect(self._filter)
        rows = [spec for menu in MENUS for spec in ACTIONS if spec.menu == menu]
        self.table = QTableWidget(len(rows), 3)
        self.table.setAccessibleName(tr("dialogs.actions-and-keys"))
        self.table.setProperty("plain", True)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.table.setHorizontalHeaderLabels([tr("dialogs.menu"), tr("search.action"), tr("dialogs.keys")])
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnWidth(2, 150)
        for place, spec in enumerate(rows):
            for cell, text in enumerate(
                (
                    tr(MENUS[spec.menu]),
                    tr(spec.text),
                    keys_text(spec.keys) or (tr(spec.reason) if spec.reason else ""),
                )
            ):
                self.table.setItem(place, cell, QTableWidgetItem(text))
        close = QPushButton(tr("search.close"))
        close.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(16, 16, 16, 12)
        lines.setSpacing(8)
        lines.addWidget(self.field)
        lines.addWidget(self.table, 1)
        lines.addLayout(foot)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def _filter(self, text: str) -> None:
        for row in range(self.table.rowCount()):
            cells = (self.table.item(row, cell) for cell in range(3))
            found = any(text.lower() in item.text().lower() for item in cells if item is not None)
            self.table.setRowHidden(row, not found)


class AboutBox(QDialog):
    """Name, versions, licences. Made anew each time it is asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """`parent` is the window."""
        super().__init__(parent)
        self.setWindowTitle(tr("actions.about-tidegauge"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(24, 20, 24, 16)
        lines.setSpacing(10)
        lines.addWidget(label("Tidegauge", "headline"))
        lines.addWidget(label(tr("dialogs.a-visual-debugger-for-kafka-replication"), wrap=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setColumnStretch(1, 1)
        for row, (what, number) in enumerate(versions()):
            grid.addWidget(label(tr(what), "secondary"), row, 0)
            grid.addWidget(label(tr(number), "value", wrap=True, select=True), row, 1)
        lines.addLayout(grid)
        lines.addWidget(
            label(
                tr("dialogs.apache-license-2-0-inter-jetbrains"),
                "secondary",
                wrap=True,
            )
        )
        buttons = QHBoxLayout()
        copy = QPushButton(tr("dialogs.copy-versions"))
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text()))
        close = QPushButton(tr("search.close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons.addWidget(copy)
        buttons.addStretch(1)
        buttons.addWidget(close)
        lines.addLayout(buttons)

    def text(self) -> str:
        """The versions, as Copy gives them."""
        return "\n".join(f"{what}: {number}" for what, number in versions())
