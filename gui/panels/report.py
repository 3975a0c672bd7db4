"""The import report: what was read, what was not, what was inferred, and what would settle more."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from core.shown import shown_in_line
from core.trace.times import clock, zone_words
from core.trace.trace import Origin
from gui.panels.choice import Choice
from gui.panels.coverage import SPANS, CoverageDelegate, shares
from gui.panels.parts import PanelHead, column, empty, head_width, label, plain_table, rule, tip
from gui.panels.report_rows import (
    FileLine,
    ReportView,
    as_text,
    first_event,
    report_view,
    simulation_rows,
)
from gui.text.spoken import tr
from gui.theme import Theme, font
from gui.workspace.session import Session

_FILES: Final = (
    ("actions.file", 0),
    ("report.broker", 58),
    ("report.read", 58),
    ("report.noise", 58),
    ("report.unknown", 70),
    ("report.damaged", 70),
    ("", 170),
    ("report.layout-and-zone-or-why-not", 170),
)
_TIME: Final = 6
_WHY: Final = 7
_NARROW: Final = 1100
_WIDE: Final = 1400
"""From this width on a file's last column is read whole in both languages."""
_MISSING: Final = (("report.what", 110), ("report.where", 260), ("report.line-or-what-is-missing", 0))
_NUMBERS: Final = range(1, 6)
_SIDE: Final = 310
_NARROW_SIDE: Final = 240
_LEAST_FILE: Final = 180
"""Least width of the column of files: a narrower table is scrolled."""
_BAR: Final = 10
"""The width of a scroll bar."""


class ReportPage(QWidget):
    """The report of one of the traces that are open; with several, one chooses."""

    line_wanted = Signal(int, int)
    """run, event: the person wants to see where a file's lines are used"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("report")
        self._session = session
        self.view: ReportView | None = None
        self._stale = True
        self.head = PanelHead(tr("actions.import-report"))
        self.run = Choice()
        self.run.setAccessibleName(tr("report.run-whose-report-is-shown"))
        self.run.currentIndexChanged.connect(self._show_run)
        copy = QPushButton(tr("report.copy-as-text"))
        copy.clicked.connect(self.copy)
        self.files = plain_table(QTableWidget(), tr("report.files-by-what-became-of-their"), _FILES)
        self.files.setItemDelegateForColumn(_TIME, CoverageDelegate(self.files))
        self.files.itemActivated.connect(self._go)
        self.missing = plain_table(QTableWidget(), tr("report.what-is-missing-or-was-not"), _MISSING)
        self.facts = plain_table(
            QTableWidget(),
            tr("report.what-this-run-was-made-from"),
            (("report.what", 200), ("report.value", 0)),
        )
        self.side = QWidget()
        self._side_lines = column(self.side, (16, 8, 16, 16), 4)
        head = QHBoxLayout()
        head.setContentsMargins(0, 8, 16, 0)
        head.setSpacing(8)
        head.addWidget(self.head, 1)
        head.addWidget(self.run)
        head.addWidget(copy)
        self.pages = QStackedWidget()
        self.pages.addWidget(self._imported())
        self.pages.addWidget(self.facts)
        lines = column(self)
        lines.addLayout(head)
        lines.addWidget(self.pages, 1)
        session.content_changed.connect(self._wait_or_fill)

    def _imported(self) -> QWidget:
        below = QWidget()
        lines = column(below)
        self.missing_head = PanelHead(tr("report.not-understood-or-not-there"), inset=8)
        lines.addWidget(self.missing_head)
        lines.addWidget(self.missing, 1)
        left = QSplitter(Qt.Orientation.Vertical)
        left.addWidget(self.files)
        left.addWidget(below)
        left.setHandleWidth(1)
        left.setChildrenCollapsible(False)
        left.setStretchFactor(0, 3)
        left.setStretchFactor(1, 2)
        self.aside = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.side)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setFixedWidth(_SIDE)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(tr("report.what-was-found-out-and-what"))
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(8, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(left, 1)
        row.addWidget(scroll)
        return page

    def set_theme(self, theme: Theme) -> None:
        """The bars in the theme's colours."""
        delegate = self.files.itemDelegateForColumn(_TIME)
        if isinstance(delegate, CoverageDelegate):
            delegate.theme = theme
        self.files.viewport().update()

    def copy(self) -> None:
        """What is shown, as text, to the clipboard."""
        traces = self._session.traces
        if self.view is not None:
            QGuiApplication.clipboard().setText(as_text(self.view))
        elif traces:
            rows = simulation_rows(traces[max(self.run.currentIndex(), 0)])
            QGuiApplication.clipboard().setText("\n".join(f"{what}: {value}" for what, value in rows))

    def _wait_or_fill(self, content: object) -> None:
        """A page that nobody sees is filled when somebody does."""
        self._stale = not self.isVisible()
        if not self._stale:
            self._fill(content)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was opened while it was hidden."""
        super().showEvent(event)
        if self._stale:
            self._stale = False
            self._fill(None)

    def _fill(self, _content: object) -> None:
        traces = self._session.traces
        self.run.blockSignals(True)
        self.run.clear()
        self.run.addItems([shown_in_line(trace.name) for trace in traces])
        self.run.blockSignals(False)
        self.run.setVisible(len(traces) > 1)
        self._show_run(0)

    def _show_run(self, run: int) -> None:
        traces = self._session.traces
        self.view = None
        if not 0 <= run < len(traces):
            return
        trace = traces[run]
        if trace.origin == Origin.SIMULATED:
            self.head.fact.setText(tr("report.a-simulated-run"))
            _fill(self.facts, simulation_rows(trace))
            self.pages.setCurrentWidget(self.facts)
            return
        self.view = report_view(trace)
        self.head.fact.setText(self.view.headline)
        self._fill_files(self.view)
        self._fill_missing(self.view)
        self._fill_side(self.view)
        self.pages.setCurrentIndex(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is room, what was found of a file is not cut off before its path is."""
        super().resizeEvent(event)
        least = head_width(tr(_FILES[_WHY][0]))
        self.files.setColumnWidth(_WHY, max(least, 170 if self.width() < _WIDE else 250))
        narrow = self.width() < _NARROW
        self.aside.setFixedWidth(_NARROW_SIDE if narrow else _SIDE)
        others = sum(self.files.columnWidth(place) for place in range(1, len(_FILES)))
        room = self.width() - self.aside.width() - others - _BAR - 8
        resized = QHeaderView.ResizeMode
        fits = resized.Stretch if room >= _LEAST_FILE else resized.Interactive
        self.files.horizontalHeader().setSectionResizeMode(0, fits)
        if room < _LEAST_FILE:
            self.files.setColumnWidth(0, _LEAST_FILE)

    def _fill_files(self, view: ReportView) -> None:
        _fill(self.files, [_cells(line) for line in view.files])
        for cell in _NUMBERS:
            number = self.files.horizontalHeaderItem(cell)
            if number is not None:
                number.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        header = self.files.horizontalHeaderItem(_TIME)
        if header is not None and view.span is not None:
            first, last = view.span
            header.setText(f"{clock(first)[:8]} – {clock(last)[:8]} {zone_words(last)}")
        for place, line in enumerate(view.files):
            for cell in _NUMBERS:
                item = self.files.item(place, cell)
                if item is not None:
                    item.setFont(font(11, mono=True))
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            bar = self.files.item(place, _TIME)
            if bar is not None:
                bar.setData(SPANS, (shares(line.spans, view.span), shares(line.gaps, view.span)))
                spans = (f"{clock(first)} – {clock(last)} {zone_words(last)}" for first, last in line.spans)
                bar.setToolTip("\n".join(spans))

    def _fill_missing(self, view: ReportView) -> None:
        _fill(self.missing, [(row.kind, row.where, row.what) for row in view.missing])
        self.missing.setColumnHidden(1, not any(row.where for row in view.missing))
        count = len(view.missing)
        told = f"{count:,}" if count else tr("report.every-line-was-understood-and-nothing")
        self.missing_head.fact.setText(told)

    def _fill_side(self, view: ReportView) -> None:
        lines = self._side_lines
        empty(lines)
        lines.addWidget(label(tr("report.found-out"), "section", wrap=True))
        for broker in view.brokers:
            lines.addSpacing(6)
            version = f"  Kafka {broker.version}" if broker.version else ""
            lines.addWidget(label(f"{broker.name}{version}", "value", wrap=True, select=True))
            for zone in broker.zones:
                lines.addWidget(label(tr("report.time-zone", zone=zone), "secondary", wrap=True, select=True))
            for told in broker.clocks:
                lines.addWidget(label(told, "secondary", wrap=True, select=True))
        lines.addSpacing(10)
        lines.addWidget(rule())
        lines.addSpacing(6)
        lines.addWidget(label(tr("report.what-would-settle-more"), "section", wrap=True))
        if not view.further:
            lines.addWidget(label(tr("report.nothing-that-is-known-of"), "secondary", wrap=True))
        for evidence, settles in view.further:
            lines.addSpacing(6)
            lines.addWidget(label(evidence, "value", wrap=True, select=True))
            lines.addWidget(label(settles, "secondary", wrap=True, select=True))
        lines.addStretch(1)
        # Wrapped labels ask for more height than they need at this width.
        self.side.setMinimumHeight(max(lines.heightForWidth(_SIDE - _BAR), 1))

    def _go(self, item: QTableWidgetItem) -> None:
        """To the first event of the shown partition that a line of this file gave."""
        content, run = self._session.content, max(self.run.currentIndex(), 0)
        if self.view is None or content is None or run >= len(content.runs):
            return
        line = self.view.files[item.row()]
        history = content.runs[run].history
        seq = first_event(history.trace, line.sources, history.trace.seqs_of(history.partition).tolist())
        if seq is None:
            shown = history.trace.partitions[history.partition].tp
            self.head.fact.setText(tr("report.no-line-of-is-used-for", name=line.name, shown=str(shown)))
        else:
            self.line_wanted.emit(run, seq)


def _cells(line: FileLine) -> tuple[str, ...]:
    broker = "" if line.broker is None else str(line.broker)
    counts = [f"{count:,}" if count or line.spans else "" for count in line.counts]
    told = line.told if line.read_as == "log" or line.faults else f"{line.read_as}, {line.told}"
    return (line.name, broker, *counts, "", told)


def _fill(table: QTableWidget, rows: Sequence[Sequence[str]]) -> None:
    table.setRowCount(len(rows))
    for place, row in enumerate(rows):
        for cell, text in enumerate(row):
            item = QTableWidgetItem(shown_in_line(text))
            item.setToolTip(tip(text))
            table.setItem(place, cell, item)
