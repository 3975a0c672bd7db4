"""The import report: what was read, what was not, and what was inferred."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from core.trace.trace import Origin, Trace
from gui.panels.parts import PanelHead, column
from gui.session import Session


def report_rows(trace: Trace) -> tuple[tuple[str, str], ...]:
    """The report of a trace as (what, value), nested parts joined by a dot."""
    if trace.origin == Origin.SIMULATED:
        facts = trace.facts
        wanted = ("title", "era", "release", "rule", "seed", "switches")
        return tuple((name, facts[name]) for name in wanted if facts.get(name))
    rows = list(_flat(trace.report, ""))
    rows += [
        (f"source {source.path}", _source_words(source.size, source.zone, source.zone_basis))
        for source in trace.sources
    ]
    return tuple(rows)


def _source_words(size: int, zone: str, basis: str) -> str:
    return f"{size:,} bytes, times in {zone}" + (f" ({basis})" if basis else "")


def _flat(value: Any, name: str) -> Sequence[tuple[str, str]]:  # noqa: ANN401 - plain JSON
    if isinstance(value, Mapping):
        return [
            row for key, inner in value.items() for row in _flat(inner, f"{name}.{key}" if name else str(key))
        ]
    if isinstance(value, list | tuple):
        if not value:
            return [(name, "none")]
        if all(not isinstance(inner, Mapping | list | tuple) for inner in value):
            return [(name, ", ".join(str(inner) for inner in value))]
        return [_one_line(name, inner) for inner in value]
    return [(name, f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value))]


def _one_line(name: str, value: Any) -> tuple[str, str]:  # noqa: ANN401 - plain JSON
    """One entry of a list: what it is about (a file), then the rest of what is said about it."""
    if not isinstance(value, Mapping):
        return name.replace("_", " "), str(value)
    (first, head), *rest = value.items()
    words = (
        f"{key.replace('_', ' ')} {_short(inner)}" for key, inner in rest if inner not in ("", None, [], {})
    )
    if first == "broker":
        head = f"{name}: " + ("none in particular" if head is None else f"broker {head}")
    return str(head), ", ".join(words)


def _short(value: Any) -> str:  # noqa: ANN401 - plain JSON
    """A part of a line: an interval as "lo to hi", a list with commas."""
    if isinstance(value, Mapping):
        return " to ".join("?" if inner is None else str(inner) for inner in value.values())
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


class ReportPage(QWidget):
    """One table for all traces that are open."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("report")
        self._session = session
        self.head = PanelHead("Import report")
        self.table = QTableWidget(0, 3)
        self.table.setAccessibleName("Import report")
        self.table.setProperty("plain", True)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.table.setHorizontalHeaderLabels(["Run", "What", "Value"])
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setColumnWidth(0, 160)
        self.table.setColumnWidth(1, 460)
        self.table.setWordWrap(False)
        self.table.verticalHeader().setDefaultSectionSize(26)
        self.table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        lines = column(self, (8, 8, 8, 8))
        lines.addWidget(self.head)
        lines.addWidget(self.table, 1)
        session.content_changed.connect(self._fill)

    def _fill(self, _content: object) -> None:
        rows = [(trace.name, *row) for trace in self._session.traces for row in report_rows(trace)]
        self.table.setRowCount(len(rows))
        for place, row in enumerate(rows):
            for cell, text in enumerate(row):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self.table.setItem(place, cell, item)
