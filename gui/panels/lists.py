"""The left dock: findings worst first, notes, and the ledger of what was lost."""

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from core.diagnose.verdict import LossClass, Severity
from core.picture.marks import Ref
from core.trace.times import clock
from core.trace.trace import Origin
from gui.content import Content
from gui.panels.parts import PanelHead, column, empty, label, rule
from gui.session import Session

_KEY: Final = Qt.ItemDataRole.UserRole


class _RowList(QListWidget):
    """A list whose rows are a title and a line of facts, as high as they need to be."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)

    def add(self, title: str, facts: str, key: object) -> None:
        item = QListWidgetItem(f"{title}\n{facts}")
        item.setData(_KEY, key)
        item.setToolTip(f"{title}\n{facts}")
        item.setSizeHint(QSize(0, 50))
        self.addItem(item)


class FindingsPanel(QWidget):
    """What diagnosis found, worst first. Enter or a click moves the cursor there."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self._session = session
        self.head = PanelHead("Findings")
        self.list = _RowList("Findings, worst first")
        self.list.itemActivated.connect(self._open)
        self.list.itemClicked.connect(self._open)
        outer = column(self)
        outer.addWidget(self.head)
        outer.addWidget(self.list, 1)
        session.content_changed.connect(self._fill)

    def go(self, place: int) -> None:
        """Move to the finding at a place of the list, if there is one."""
        item = self.list.item(place)
        if item is not None:
            self.list.setCurrentItem(item)
            self._open(item)

    def _fill(self, content: Content | None) -> None:
        self.list.clear()
        self.head.fact.setText("")
        if content is None:
            return
        several = len(content.runs) > 1
        for index, run in enumerate(content.runs):
            simulated = run.history.trace.origin == Origin.SIMULATED
            for finding in run.verdict.findings:
                when = f"{finding.start / 1e6:,.0f} ms" if simulated else clock(finding.start)
                facts = f"{run.title}, {when}" if several else when
                self.list.add(finding.text, facts, (index, finding.seq))
        count = self.list.count()
        self.head.fact.setText(f"{count}, worst first" if count else "")
        if not count:
            item = QListWidgetItem("Nothing lost, nothing diverged, nothing unusual in what the evidence covers.")
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)

    def _open(self, item: QListWidgetItem) -> None:
        where, content = item.data(_KEY), self._session.content
        if where is not None and content is not None:
            run, seq = where
            self._session.set_position(content.position_of(run, seq + 1))


class NotesPanel(QWidget):
    """The notes, by position. Enter or a click goes to one; a double click edits it."""

    edit_wanted = Signal(int)
    """key of the note"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self._session = session
        self.head = PanelHead("Notes")
        self.list = _RowList("Notes, by position")
        self.list.setMinimumHeight(60)
        self.list.itemActivated.connect(self._open)
        self.list.itemClicked.connect(self._open)
        self.list.itemDoubleClicked.connect(lambda item: self.edit_wanted.emit(item.data(_KEY)))
        outer = column(self)
        outer.addWidget(self.head)
        outer.addWidget(self.list, 1)
        session.notes_changed.connect(self._fill)

    def _fill(self, *_changed: object) -> None:
        self.list.clear()
        session = self._session
        for place, note in enumerate(session.notes):
            position = session.note_position(note)
            where = "its place is not in what is open" if position is None else f"position {position}"
            self.list.add(f"{place + 1}  {note.text}", where, note.key)
        self.head.fact.setText(str(len(session.notes)) if session.notes else "N adds one")

    def _open(self, item: QListWidgetItem) -> None:
        note = self._session.note(item.data(_KEY))
        if note is None:
            return
        position = self._session.note_position(note)
        if position is not None:
            self._session.set_position(position)
        self._session.select(Ref("note", note.run, note.key, text=note.text))


class LedgerPanel(QWidget):
    """How many records went, by what had been promised about them."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.head = PanelHead("Loss ledger")
        self.head.fact.setText("records")
        outer = column(self)
        outer.addWidget(rule())
        outer.addWidget(self.head)
        self._body = QWidget()
        self._column = column(self._body, (16, 0, 16, 12), 4)
        outer.addWidget(self._body)
        session.content_changed.connect(self._fill)

    def _fill(self, content: Content | None) -> None:
        empty(self._column)
        if content is None:
            return
        for text, counts in ledger(content):
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(label(text, "body", wrap=True), 1)
            for count in counts:
                red = count != "0" and text.startswith(("committed", "acknowledged"))
                cell = label(count, "lossMono" if red else "mono")
                cell.setMinimumWidth(26)
                cell.setAlignment(Qt.AlignmentFlag.AlignRight)
                row.addWidget(cell)
            self._column.addWidget(line)


def ledger(content: Content) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(what, records per run): removed from a log, then lost by class, then what may have been committed."""
    rows: list[tuple[str, tuple[str, ...]]] = []
    removed: list[str] = []
    for run in content.runs:
        known = [cut.records for cut in run.verdict.truncations]
        total = sum(count for count in known if count)
        removed.append(f"≥ {total}" if None in known else str(total))
    rows.append(("removed from a log", tuple(removed)))
    for loss_class, text in (
        (LossClass.COMMITTED, "committed, then gone"),
        (LossClass.ACKNOWLEDGED, "acknowledged, then gone"),
        (LossClass.POSSIBLY_ACKNOWLEDGED, "possibly acknowledged"),
        (LossClass.UNCOMMITTED, "never committed"),
    ):
        counts = tuple(
            str(sum(loss.end_offset - loss.first_offset for loss in run.verdict.losses if loss.loss_class is loss_class))
            for run in content.runs
        )
        rows.append((text, counts))
    danger = tuple(str(sum(loss.severity is Severity.DANGER for loss in run.verdict.losses)) for run in content.runs)
    rows.append(("ranges that evidence does not settle", danger))
    return tuple(rows)
