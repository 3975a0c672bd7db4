"""The page that lists all partitions, worst first, and opens the one that a person chooses."""

from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QStackedWidget,
    QTableView,
    QToolButton,
    QWidget,
)

from core.diagnose.verdict.summary import Triage
from core.trace.times import clock
from gui.panels.count_lists import KEY, add_row, chosen, filter_list, fit_rows
from gui.panels.parts import PanelHead, clear_rows, column, label, rule, upright_rule
from gui.terms import check_words
from gui.text.spoken import tr
from gui.theme import Theme
from gui.triage.cells import HIGH, TriageDelegate
from gui.triage.grid import RolesGrid
from gui.triage.model import TriageModel
from gui.triage.rows import Choice, Column, Row, by_check, by_leader, by_topic, table_of
from gui.triage.side import Side
from gui.triage.strip import BrokersOverTime
from gui.workspace.content import Content, Moment
from gui.workspace.session import Session

_NARROW: Final = 1400
"""Below it the columns are narrower, so that the finding keeps its room."""
_CROWDED: Final = 1100
"""Below it the side has the least that its facts need."""
_LEAST_FINDING: Final = 220
_EDGES: Final = 14
"""What the rules between the columns and a scroll bar take."""
_NARROW_WIDTHS: Final = {
    Column.PLACE: 44,
    Column.PARTITION: 140,
    Column.RECORDS: 76,
    Column.BAND: 116,
    Column.CUTS: 44,
    Column.ELECTIONS: 48,
    Column.ISR: 44,
    Column.SEEN: 56,
}
_WIDTHS: Final = {
    Column.PLACE: 64,
    Column.PARTITION: 168,
    Column.RECORDS: 92,
    Column.BAND: 176,
    Column.CUTS: 52,
    Column.ELECTIONS: 58,
    Column.ISR: 52,
    Column.SEEN: 58,
}
_TOPICS: Final = 200
_LEADERS: Final = 8
"""Leaders that are listed: those of most losses."""
_STORY: Final = 12
_DRAG: Final = "triage.drag-to-choose-a-stretch"
_CLICK: Final = "triage.click-for-a-moment-drag-for"
_RANKING: Final = "triage.committed-loss-acknowledged-loss-possible-loss"


class TriagePage(QWidget):
    """Filters left, brokers over time and the table in the centre, the selected partition right."""

    partition_wanted = Signal(str, object)
    sql_wanted = Signal()
    beside_wanted = Signal(str)
    """a partition that is to stand beside what the lanes show"""
    """topic-partition, to be opened at a Moment; None is where it has most to tell"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("triage")
        self._session = session
        self.model = TriageModel(self)
        self.strip = BrokersOverTime()
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("triage.topic-partition-or-finding"))
        self.field.setAccessibleName(tr("triage.show-partitions-with"))
        self.field.setClearButtonEnabled(True)
        self.field.setMaximumWidth(260)
        self.field.setMinimumWidth(120)
        self.field.installEventFilter(self)
        self.head = PanelHead(tr("triage.partitions"))
        self.rows, self.grid = self._table(), RolesGrid(self.model)
        self.views = QStackedWidget()
        self.views.addWidget(self.rows)
        self.views.addWidget(self.grid)
        self.as_list, self.as_grid = _switch(tr("triage.list")), _switch(tr("triage.grid"))
        self.as_list.setChecked(True)
        self._moment: int | None = None
        self.checks, self.topics = filter_list(tr("triage.worst-finding")), filter_list(tr("triage.topic"))
        self.leaders = filter_list(tr("triage.leader-before-the-loss"))
        self.side = Side(session)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._filters())
        row.addWidget(upright_rule())
        row.addWidget(self._centre(), 1)
        row.addWidget(upright_rule())
        row.addWidget(self._details())
        self.field.textChanged.connect(self._choose)
        self.checks.currentItemChanged.connect(self._choose)
        self.topics.currentItemChanged.connect(self._choose)
        self.leaders.currentItemChanged.connect(self._choose)
        self.strip.stretch_chosen.connect(self._choose)
        self.strip.moment_chosen.connect(self._choose_moment)
        self.as_grid.toggled.connect(self._show_as)
        self.rows.activated.connect(self._open)
        self.grid.activated.connect(self._open)
        for rows in (self.rows, self.grid.cells):
            rows.installEventFilter(self)
        self.grid.cells.selectionModel().currentRowChanged.connect(self._select_as_grid)
        self.rows.selectionModel().currentRowChanged.connect(self._preview)
        self.side.partition_wanted.connect(self.partition_wanted)
        session.triage_changed.connect(self._fill)
        session.content_changed.connect(self._follow)
        session.position_changed.connect(self._go_to_cursor)
        if session.triage is not None:
            self._fill(session.triage)
            self._follow(session.content)

    def _table(self) -> QTableView:
        table = QTableView()
        table.setAccessibleName(tr("triage.partitions-worst-first"))
        table.setModel(self.model)
        self.delegate = TriageDelegate(table)
        table.setItemDelegate(self.delegate)
        table.setShowGrid(False)
        table.setSortingEnabled(True)
        table.sortByColumn(Column.PLACE, Qt.SortOrder.AscendingOrder)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(HIGH)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return table

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns and sides that fit the width."""
        super().resizeEvent(event)
        width = event.size().width()
        narrow = width < _NARROW
        self.left.setFixedWidth(184 if narrow else 240)
        self.right.setFixedWidth(208 if width < _CROWDED else 248 if narrow else 320)
        for place, wide in (_NARROW_WIDTHS if narrow else _WIDTHS).items():
            self.rows.setColumnWidth(place, wide)
        # Where the columns have no room beside each other they are scrolled, and the finding can be read.
        others = sum(self.rows.columnWidth(place) for place in _WIDTHS)
        room = width - self.left.width() - self.right.width() - others - _EDGES
        self.rows.setColumnWidth(Column.FINDING, max(room, _LEAST_FINDING))

    def _filters(self) -> QWidget:
        self.left = left = QWidget()
        lines = column(left)
        for head, fact, widget in (
            (tr("lists.findings"), tr("triage.partitions-noun"), self.checks),
            (tr("exports.topics"), tr("triage.with-loss"), self.topics),
            (tr("triage.leader-before-the-loss"), "", self.leaders),
        ):
            made = PanelHead(head)
            made.fact.setText(fact)
            lines.addWidget(made)
            lines.addWidget(widget, 1)
            lines.addWidget(rule())
        lines.addWidget(PanelHead(tr("triage.ranking")))
        words = label(tr(_RANKING), "secondary", wrap=True)
        words.setContentsMargins(16, 0, 12, 12)
        words.setAlignment(Qt.AlignmentFlag.AlignTop)
        # In a low window the lists above leave it less room than its words need.
        room = QScrollArea()
        room.setFrameShape(QFrame.Shape.NoFrame)
        room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        room.setWidgetResizable(True)
        room.setWidget(words)
        lines.addWidget(room, 1)
        return left

    def _centre(self) -> QWidget:
        centre = QWidget()
        lines = column(centre)
        self.over_time = PanelHead(tr("triage.brokers-over-time"))
        self.over_time.fact.setText(tr(_DRAG))
        lines.addWidget(self.over_time)
        lines.addWidget(self.strip)
        lines.addWidget(rule())
        head = QHBoxLayout()
        head.setContentsMargins(0, 6, 16, 6)
        head.setSpacing(4)
        head.addWidget(self.head, 1)
        self.sql = QToolButton()
        self.sql.setObjectName("switch")
        self.sql.setText(tr("query.from-triage"))
        self.sql.clicked.connect(self.sql_wanted)
        head.addWidget(self.sql)
        head.addSpacing(8)
        head.addWidget(self.as_list)
        head.addWidget(self.as_grid)
        head.addSpacing(8)
        head.addWidget(self.field)
        lines.addLayout(head)
        self.later = label("", "secondary", wrap=True)
        self.later.setContentsMargins(16, 0, 16, 6)
        self.later.hide()
        lines.addWidget(self.later)
        lines.addWidget(self.views, 1)
        return centre

    def _details(self) -> QWidget:
        self.right = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.side)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(tr("triage.what-was-found-of-the-selected"))
        return scroll

    def set_theme(self, theme: Theme) -> None:
        """Draw in the colours of a theme."""
        self.delegate.theme = self.strip.theme = theme
        self.grid.set_theme(theme)
        self.rows.viewport().update()
        self.strip.update()
        self.side.set_theme(theme)

    def selected(self) -> Row | None:
        """The selected row."""
        return self.model.row(self.rows.currentIndex().row())

    def focus(self) -> None:
        """The keyboard goes to the table, or to the grid."""
        seen = self.grid.cells if self.as_grid.isChecked() else self.rows
        seen.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def choose_check(self, check: str | None) -> None:
        """Show the partitions with this worst finding; None is all of them."""
        keys = [self.checks.item(row).data(KEY) for row in range(self.checks.count())]
        self.checks.setCurrentRow(keys.index(check) if check in keys else 0)

    def find(self) -> None:
        """The keyboard goes to the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """From the field, down goes to the rows, and Enter opens the first; with Ctrl beside the lanes."""
        if isinstance(event, QKeyEvent) and watched is not self.field:
            return self._beside(event) or super().eventFilter(watched, event)
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down:
                self.focus()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._open(self.rows.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def _beside(self, event: QKeyEvent) -> bool:
        row = self.selected()
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if row is None or not enter or event.modifiers() != Qt.KeyboardModifier.ControlModifier:
            return False
        if event.type() == QEvent.Type.KeyPress:
            self.beside_wanted.emit(row.name)
        # A key of the window would come first: here it means the row.
        event.accept()
        return True

    def _fill(self, triage: Triage | None) -> None:
        traces = self._session.traces
        partitions = traces[0].partitions if triage is not None and traces else ()
        table = table_of(triage if triage is not None and partitions else Triage((), ()), partitions)
        for widget in (self.field, self.checks, self.topics, self.leaders):
            widget.blockSignals(True)
        self.field.clear()
        self.model.show(table)
        self.delegate.table = table
        self.strip.show_table(table, traces[0] if table.rows else None)
        self.grid.show_trace(traces[0] if table.rows else None)
        clear_rows(self.checks)
        add_row(self.checks, tr("triage.all"), f"{len(table.rows):,}", None)
        for check, count in by_check(table):
            add_row(
                self.checks, check_words(check) if check else tr("triage.nothing-found"), f"{count:,}", check
            )
        clear_rows(self.topics)
        add_row(self.topics, tr("triage.all"), "", None)
        for topic, lost, every in by_topic(table)[:_TOPICS]:
            add_row(self.topics, topic, tr("triage.lost-of-all", lost=lost, every=every), topic)
        clear_rows(self.leaders)
        add_row(self.leaders, tr("triage.all"), "", None)
        for broker, lost, possible in by_leader(table)[:_LEADERS]:
            counts = (f"{lost:,}" if lost else "", f"{possible:,}?" if possible else "")
            counted = " + ".join(count for count in counts if count)
            add_row(self.leaders, tr("triage.broker", broker=broker), counted, str(broker))
        for widget in (self.field, self.checks, self.topics, self.leaders):
            widget.blockSignals(False)
        for rows in (self.checks, self.topics, self.leaders):
            fit_rows(rows)
        count = 0 if triage is None else triage.later
        self.later.setText(
            tr("triage.1-finding-was-made-by-a")
            if count == 1
            else tr("triage.findings-were-made-by-a-later", count=count)
        )
        self.later.setVisible(bool(count))
        self._select_first()

    def _choose(self, *_changed: object) -> None:
        leader = chosen(self.leaders)
        self.model.choose(
            Choice(
                self.field.text(),
                chosen(self.checks),
                chosen(self.topics),
                None if leader is None else int(leader),
                self.strip.stretch,
            )
        )
        self._select_first()

    def _select_first(self) -> None:
        shown, every = self.model.rowCount(), len(self.model.table.rows)
        stretch = self.strip.stretch
        fact = f"{every:,}"
        if stretch:
            first, last = clock(stretch[0]), clock(stretch[1])
            fact = tr("triage.shown-of-all.stretch", shown=shown, every=every, first=first, last=last)
        elif shown < every:
            fact = tr("triage.shown-of-all", shown=shown, every=every)
        self.head.fact.setText(fact)
        flags = QItemSelectionModel.SelectionFlag
        self.rows.selectionModel().setCurrentIndex(self.model.index(0, 0), flags.ClearAndSelect | flags.Rows)
        self._preview()

    def _open(self, index: QModelIndex) -> None:
        row = self.model.row(index.row())
        if row is not None:
            self.partition_wanted.emit(row.name, self.moment() if self.as_grid.isChecked() else None)

    def moment(self) -> Moment | None:
        """The moment of the grid: the one that was chosen, else the cursor of what is open."""
        content, traces = self._session.content, self._session.traces
        if content is None or not traces or not self.model.table.rows:
            return None
        if self._moment is not None:
            return Moment(self._moment)
        cursor = self._session.cursors[0]
        at = content.runs[0].history.time_of(cursor)
        return Moment(self.model.table.first if at is None else at, cursor)

    def showEvent(self, event: QShowEvent) -> None:
        """What moved on while nobody looked."""
        super().showEvent(event)
        self._show_moment()

    def _show_as(self, _grid: bool) -> None:
        self.views.setCurrentWidget(self.grid if self.as_grid.isChecked() else self.rows)
        hint = _CLICK if self.as_grid.isChecked() else _DRAG
        self.over_time.fact.setText(tr(hint))
        self._show_moment()

    def _follow(self, content: Content | None) -> None:
        traces = self._session.traces
        if content is None or not self.model.table.rows:
            return
        if self.grid.model.trace is not traces[0]:
            # Of a large document another partition: the rows are the same.
            self.grid.show_trace(traces[0])
        history = content.runs[0].history
        self.grid.take({history.partition: history})
        self._go_to_cursor()

    def _choose_moment(self, moment: int | None) -> None:
        self._moment = moment
        self._show_moment()

    def _go_to_cursor(self, *_position: object) -> None:
        self._moment = None
        self._show_moment()

    def _show_moment(self) -> None:
        if not self.isVisible():
            return
        moment = self.moment() if self.as_grid.isChecked() else None
        self.grid.show_moment(moment, chosen=self._moment is not None)
        self.strip.show_moment(None if moment is None else moment.at)

    def _select_as_grid(self, index: QModelIndex) -> None:
        if index.row() not in (-1, self.rows.currentIndex().row()):
            self.rows.setCurrentIndex(self.model.index(index.row(), 0))

    def _preview(self, *_changed: object) -> None:
        row, cell = self.selected(), self.grid.cells.currentIndex()
        if cell.row() != self.rows.currentIndex().row():
            beside = self.grid.model.index(self.rows.currentIndex().row(), max(cell.column(), 0))
            self.grid.cells.setCurrentIndex(beside)
        self.side.show_row(row, self.model.table, self._session.account)


def _switch(name: str) -> QToolButton:
    made = QToolButton()
    made.setObjectName("switch")
    made.setText(name)
    made.setCheckable(True)
    made.setAutoExclusive(True)
    return made
