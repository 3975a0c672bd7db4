"""The look before an import: what was found, what is taken for granted, and what a person may put right."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIntValidator, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from core.shown import shown_in_line
from gui.panels.choice import Choice
from gui.panels.parts import ROW, column, label, plain_table, tip
from gui.terms import term
from gui.text.spoken import tr
from gui.theme import font
from gui.window.import_choices import (
    BrokerRow,
    Choices,
    FileRow,
    broker_rows,
    doubts,
    file_rows,
    from_options,
    headline,
    name_of_broker,
    refusal,
    size_words,
    times,
    to_options,
)
from importers.options import ImportOptions
from importers.preview import Preview

_BROKERS: Final = (
    ("report.broker", 120),
    ("import-dialog.version", 90),
    ("import-dialog.logs", 56),
    ("import-dialog.data", 56),
    ("import-dialog.times-utc", 0),
    ("import-dialog.time-zone", 170),
    ("import-dialog.how-it-is-known", 190),
)
_FILES: Final = (
    ("actions.file", 0),
    ("import-dialog.what-it-is", 120),
    ("report.broker", 64),
    ("import-dialog.times-utc", 230),
    ("import-dialog.size", 76),
    ("import-dialog.layout-or-why-not", 190),
)
_ZONE, _OWNER = 5, 2
_MOST_BROKERS_SEEN: Final = 6
_ZONES: Final = (
    "UTC",
    "-08:00",
    "-07:00",
    "-06:00",
    "-05:00",
    "-03:00",
    "+01:00",
    "+02:00",
    "+03:00",
    "+05:30",
    "+08:00",
    "+09:00",
    "+10:00",
    "America/Los_Angeles",
    "America/New_York",
    "Europe/London",
    "Europe/Berlin",
    "Asia/Kolkata",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
)
"""To choose from; any other zone can be typed."""
_SIZE: Final = QSize(1180, 680)


class _Files(QTableWidget):
    """Space ticks the current row, wherever in it the cursor is."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space on a row is its tick."""
        tick = self.item(self.currentRow(), 0)
        if event.key() == Qt.Key.Key_Space and tick is not None:
            if tick.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                ticked = tick.checkState() == Qt.CheckState.Checked
                tick.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)
            return
        super().keyPressEvent(event)


class ImportDialog(QDialog):
    """Shows a preview; Enter imports, Esc leaves everything as it was. Does not stop the program."""

    chosen = Signal(object)
    """ImportOptions: the person wants the import"""

    def __init__(
        self, preview: Preview, options: ImportOptions, title: str, parent: QWidget | None = None
    ) -> None:
        """`options` are what holds if nothing is changed; `title` says what is about to happen."""
        super().__init__(parent)
        self.setObjectName("importDialog")
        self.setWindowTitle(shown_in_line(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._preview, self._before = preview, options
        self.choices: Choices = from_options(options, preview.year)
        self.headline, self.doubts = label("", "strong"), label("", "secondary", wrap=True)
        self.refusal = label("", "refusal")
        self.brokers = plain_table(QTableWidget(), tr("import-dialog.brokers-that-were-found"), _BROKERS)
        self.files = plain_table(_Files(), tr("import-dialog.files-that-were-found"), _FILES)
        self.files.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.files.itemChanged.connect(self._file_changed)
        self.topic, self.year = QLineEdit(self.choices.topic), QLineEdit()
        self.import_button = QPushButton(tr("import-dialog.import-now"))
        self._lay_out(title)
        self._fill()
        room = _SIZE if parent is None else _SIZE.boundedTo(parent.size() - QSize(40, 40))
        self.resize(room)
        self.import_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self, title: str) -> None:
        lines = column(self, (16, 14, 16, 14), 6)
        lines.addWidget(label(title, "title"))
        lines.addWidget(self.headline)
        lines.addWidget(self.doubts)
        lines.addSpacing(6)
        lines.addWidget(self.brokers)
        lines.addSpacing(6)
        lines.addWidget(self.files, 1)
        lines.addSpacing(6)
        lines.addLayout(self._foot())

    def _foot(self) -> QHBoxLayout:
        self.topic.setPlaceholderText(tr("import-dialog.all-or-a-pattern-orders"))
        self.topic.setAccessibleName(tr("import-dialog.topics-to-import"))
        self.topic.setFixedWidth(190)
        self.topic.textChanged.connect(self._topic_changed)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(label(tr("exports.topics"), "secondary"))
        foot.addWidget(self.topic)
        self.year.setValidator(QIntValidator(1970, 2200, self))
        self.year.setAccessibleName(tr("import-dialog.year-in-which-logs-without-a"))
        self.year.setFixedWidth(64)
        if any(file.yearless for file in self._preview.files):
            self.year.setText("" if self.choices.year is None else str(self.choices.year))
            self.year.textChanged.connect(self._year_changed)
            foot.addSpacing(12)
            foot.addWidget(label(tr("import-dialog.year"), "secondary"))
            foot.addWidget(self.year)
        foot.addStretch(1)
        foot.addWidget(self.refusal)
        cancel = QPushButton(tr("exports.cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.import_button.setObjectName("primary")
        self.import_button.setDefault(True)
        self.import_button.clicked.connect(self.accept)
        foot.addWidget(cancel)
        foot.addWidget(self.import_button)
        return foot

    def accept(self) -> None:
        """Import with what was chosen, unless it cannot be."""
        if self.import_button.isEnabled():
            super().accept()
            self.chosen.emit(to_options(self.choices, self._before))

    def _fill(self) -> None:
        brokers = broker_rows(self._preview, self.choices)
        with QSignalBlocker(self.files):
            self._fill_files(file_rows(self._preview, self.choices))
        self._fill_brokers(brokers)
        self._say(brokers)

    def _say(self, brokers: Sequence[BrokerRow]) -> None:
        self.headline.setText(headline(brokers))
        told = doubts(self._preview, brokers, self.choices)
        self.doubts.setText(told)
        self.doubts.setVisible(bool(told))
        why = refusal(self._preview, self.choices)
        self.refusal.setText(why)
        self.import_button.setEnabled(not why)

    def _fill_brokers(self, rows: Sequence[BrokerRow]) -> None:
        for old in self.brokers.findChildren(QComboBox):
            # Deleted only when the event loop gets there, it would show under the new one.
            old.hide()
        self.brokers.setRowCount(len(rows))
        for place, row in enumerate(rows):
            texts = (
                name_of_broker(row.broker),
                row.version,
                str(row.logs or ""),
                str(row.data or ""),
                times(row.first, row.last),
                row.zone,
                row.basis,
            )
            for cell, text in enumerate(texts):
                self.brokers.setItem(place, cell, _item(text, mono=cell in (1, 2, 3, 4)))
            # What is printed in the lines is not a matter of choice, nor is what has no time.
            if row.logs and not row.printed:
                self.brokers.setItem(place, _ZONE, _item(""))
                self.brokers.setCellWidget(place, _ZONE, self._zone_box(row))
            else:
                self.brokers.removeCellWidget(place, _ZONE)
        seen = min(len(rows), _MOST_BROKERS_SEEN)
        self.brokers.setFixedHeight(self.brokers.horizontalHeader().sizeHint().height() + seen * ROW + 4)

    def _zone_box(self, row: BrokerRow) -> QComboBox:
        box = Choice()
        box.setProperty("cell", True)
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.addItems(list(dict.fromkeys((row.zone, *_ZONES))))
        box.setCurrentText(row.zone)
        box.setAccessibleName(
            tr("import-dialog.time-zone-of", broker=name_of_broker(row.broker), basis=row.basis)
        )
        box.currentTextChanged.connect(partial(self._zone_changed, row.broker))
        return box

    def _fill_files(self, rows: Sequence[FileRow]) -> None:
        self._rows = tuple(rows)
        self.files.setRowCount(len(rows))
        for place, row in enumerate(rows):
            texts = (
                row.title,
                term(row.is_.value),
                "" if row.broker is None else str(row.broker),
                times(row.first, row.last),
                size_words(row.size),
                row.told,
            )
            for cell, text in enumerate(texts):
                self.files.setItem(place, cell, self._file_cell(row, cell, text))

    def _file_cell(self, row: FileRow, cell: int, text: str) -> QTableWidgetItem:
        item = _item(text, mono=cell in (0, 2, 3, 4))
        if cell == 0:
            item.setToolTip(tip("\n".join(sorted(row.paths)[:30])))
            if row.wanted:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                out = row.paths <= self.choices.left_out
                item.setCheckState(Qt.CheckState.Unchecked if out else Qt.CheckState.Checked)
        if cell == _OWNER:
            item.setToolTip(tip(row.found_by))
            if row.editable:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        if not row.wanted or row.paths <= self.choices.left_out:
            item.setData(Qt.ItemDataRole.ForegroundRole, QGuiApplication.palette().placeholderText())
        return item

    def _file_changed(self, item: QTableWidgetItem) -> None:
        row = self._rows[item.row()]
        if item.column() == 0:
            wanted = item.checkState() == Qt.CheckState.Checked
            left = self.choices.left_out - row.paths if wanted else self.choices.left_out | row.paths
            self.choices = replace(self.choices, left_out=left)
        elif item.column() == _OWNER:
            self.choices = replace(self.choices, brokers=self._with_owner(row, item.text().strip()))
        self._fill()

    def _with_owner(self, row: FileRow, text: str) -> dict[str, int]:
        """The brokers that were said, with another one for this file; what is no id is not taken."""
        kept = dict(self.choices.brokers)
        name = row.files[0].name
        if text == "":
            kept.pop(name, None)
        elif text.isascii() and text.isdigit() and len(text) <= 9:
            kept[name] = int(text)
        return kept

    def _zone_changed(self, broker: int | None, text: str) -> None:
        zones = {key: zone for key, zone in self.choices.zones.items() if key != broker}
        found = next(
            row
            for row in broker_rows(self._preview, replace(self.choices, zones=zones))
            if row.broker == broker
        )
        if text.strip() != found.zone:
            zones[broker] = text.strip()
        self.choices = replace(self.choices, zones=zones)
        # The rows stay: somebody is typing in one of them.
        rows = broker_rows(self._preview, self.choices)
        for place, row in enumerate(rows):
            for cell, told in ((4, times(row.first, row.last)), (6, row.basis)):
                shown = self.brokers.item(place, cell)
                if shown is not None:
                    shown.setText(told)
        with QSignalBlocker(self.files):
            self._fill_files(file_rows(self._preview, self.choices))
        self._say(rows)

    def _topic_changed(self, text: str) -> None:
        self.choices = replace(self.choices, topic=text)

    def _year_changed(self, text: str) -> None:
        self.choices = replace(self.choices, year=int(text) if self.year.hasAcceptableInput() else None)
        self._say(broker_rows(self._preview, self.choices))


def title_of(paths: Sequence[str]) -> str:
    """What an import of these is called."""
    first = Path(paths[0]).name or paths[0]
    return (
        tr("import-dialog.import", first=first)
        if len(paths) == 1
        else tr("import-dialog.import-and-more", first=first, count=len(paths) - 1)
    )


def _item(text: str, *, mono: bool = False) -> QTableWidgetItem:
    item = QTableWidgetItem(shown_in_line(text))
    item.setToolTip(tip(text))
    item.setFlags(Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled)
    if mono:
        item.setFont(font(11, mono=True))
    return item
