"""The dialog that starts Spark: which logs, into which data set, on which master. The outcome is opened."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLineEdit, QPushButton

from gui.panels.parts import Tick, column, label
from gui.text.spoken import tr
from gui.window.opening import open_paths
from gui.window.processing import MASTER, Plan, goes_on, process_logs, proposed_output, refusal
from gui.workspace.store import CONTENT

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

_FIELD: Final = 30
PROCESS: Final = "process"
"""The question of the job: what is open goes on meanwhile."""


def open_process(window: "MainWindow") -> None:
    """Ask which logs Spark is to read; one job at a time."""
    if PROCESS in window.jobs.asked():
        window.notices.tell(
            tr("process-dialog.spark-is-reading-logs-already"), tr("process-dialog.wait-until-it-is-done-or")
        )
        return
    dialog = ProcessDialog(window)
    dialog.chosen.connect(partial(_start, window))
    dialog.open()


def _start(window: "MainWindow", plan: Plan) -> None:
    window.settings.put("master", plan.master)
    window.jobs.in_process(PROCESS, process_logs, (plan,), partial(_open, window))


def _open(window: "MainWindow", path: str) -> None:
    """Open the data set, unless something else is on its way, or the person stays with unsaved notes."""
    window.notices.tell(tr("process-dialog.the-data-set-is-there"), path)
    if CONTENT not in window.jobs.asked():
        open_paths(window, (path,))


class ProcessDialog(QDialog):
    """Asks for a plan; Enter starts, Esc leaves everything as it was."""

    chosen = Signal(object)
    """Plan: the person wants it done"""

    def __init__(self, window: "MainWindow") -> None:
        """Made anew each time it is asked for."""
        super().__init__(window)
        self.setObjectName("processDialog")
        self.setWindowTitle(tr("process-dialog.process-logs-with-spark"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(600)
        self._window, self._follows = window, True
        self.source, self.output = QLineEdit(), QLineEdit()
        self.master = QLineEdit(window.settings.get("master"))
        self.replace_ = Tick(tr("process-dialog.replace-what-is-there"))
        self.refusal = label("", "refusal", wrap=True)
        self.told = label("", "secondary", wrap=True)
        self.choose_button, self.start_button = (
            QPushButton(tr("process-dialog.choose")),
            QPushButton(tr("process-dialog.start")),
        )
        self._lay_out()
        self.source.textChanged.connect(self._source_changed)
        # Where a person has said where it goes, it no longer follows the source.
        self.output.textEdited.connect(self._output_edited)
        for field in (self.output, self.master):
            field.textChanged.connect(self._say)
        self.replace_.toggled.connect(self._say)
        self.choose_button.clicked.connect(self._choose)
        self._say()

    def plan(self) -> Plan:
        """What the person chose."""
        return Plan(
            self.source.text().strip(),
            self.output.text().strip(),
            self.master.text().strip() or MASTER,
            self.replace_.isChecked(),
        )

    def accept(self) -> None:
        """Start, unless it cannot be."""
        # The disk may have changed since something was typed.
        self._say()
        if self.start_button.isEnabled():
            plan = self.plan()
            super().accept()
            self.chosen.emit(plan)

    def _lay_out(self) -> None:
        lines = column(self, (24, 20, 24, 16), 12)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        named: tuple[tuple[str, QLineEdit, str], ...] = (
            (tr("import-dialog.logs"), self.source, tr("process-dialog.a-folder-an-archive-or-an")),
            (tr("process-dialog.data-set"), self.output, ""),
            (tr("process-dialog.spark-master"), self.master, MASTER),
        )
        for row, (text, field, hint) in enumerate(named):
            name = label(text)
            name.setBuddy(field)
            field.setAccessibleName(text)
            field.setPlaceholderText(hint)
            # Chinese is taller than what the field asks room for.
            field.setMinimumHeight(_FIELD)
            grid.addWidget(name, row, 0)
            grid.addWidget(field, row, 1)
        self.choose_button.setAutoDefault(False)
        grid.addWidget(self.choose_button, 0, 2)
        grid.addWidget(self.replace_, len(named), 1)
        lines.addLayout(grid)
        # It stands beside the first field, and was put in after the others.
        self.setTabOrder(self.source, self.choose_button)
        lines.addWidget(self.told)
        lines.addWidget(self.refusal)
        lines.addStretch(1)
        lines.addLayout(self._foot())

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        cancel = QPushButton(tr("exports.cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.start_button.setObjectName("primary")
        self.start_button.setDefault(True)
        self.start_button.clicked.connect(self.accept)
        foot.addWidget(cancel)
        foot.addWidget(self.start_button)
        return foot

    def _choose(self) -> None:
        settings = self._window.settings
        path = self._window.dialogs.open_folder(self, settings.get("folder"))
        if path:
            settings.put("folder", str(Path(path).parent))
            self.source.setText(path)

    def _source_changed(self, _text: str) -> None:
        if self._follows:
            folder = self._window.settings.get("folder") or str(Path.home())
            self.output.setText(proposed_output(self.source.text().strip(), folder))
        self._say()

    def _output_edited(self, text: str) -> None:
        self._follows = not text.strip()

    def _say(self, *_changed: object) -> None:
        """Why it cannot be, or what will be done with what is there."""
        plan = self.plan()
        why = refusal(plan)
        # Hidden first: with both of them the dialog would grow, and stay so.
        for line in (self.told, self.refusal):
            line.hide()
        if why:
            self.refusal.setText(why)
        elif goes_on(plan):
            self.told.setText(tr("process-dialog.the-data-set-is-there-already"))
        else:
            self.told.setText(tr("process-dialog.read-in-a-process-of-its"))
        (self.refusal if why else self.told).show()
        self.start_button.setEnabled(not why)
