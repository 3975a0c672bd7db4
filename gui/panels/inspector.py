"""The inspector: in words, why what is at the cursor happened, and by which rule."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from gui.content import Content
from gui.i18n import tr
from gui.panels.explain import RECORDS_LOST, Explanation, Section, Table, explain
from gui.panels.parts import PanelHead, column, label, rule
from gui.panels.rows import EvidenceRow, rows_of
from gui.panels.stretch import explain_range
from gui.session import Session

_Part: TypeAlias = tuple[Hashable, Callable[[], QWidget]]
"""What a part says, and how it is made."""


class Inspector(QWidget):
    """Shows the explanation of the selection, or of the position."""

    evidence_wanted = Signal()
    """The person asked for the raw lines."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setAccessibleName(tr("Inspector"))
        self._session = session
        self.explanation: Explanation | None = None
        self._shown: dict[Hashable, QWidget] = {}
        self.head = PanelHead(tr("Inspector"))
        self.body = QWidget()
        self.body.setObjectName("panelBody")
        self._column = column(self.body, (16, 4, 16, 16), 8)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self.body)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("Why"))
        outer = column(self)
        outer.addWidget(self.head)
        outer.addWidget(self._scroll, 1)
        session.content_changed.connect(self.refresh)
        session.position_changed.connect(self.refresh)
        session.selection_changed.connect(self.refresh)
        session.notes_changed.connect(self.refresh)
        session.range_changed.connect(self.refresh)

    def text(self) -> str:
        """All that is shown, as plain text."""
        return self.explanation.text() if self.explanation else ""

    def refresh(self, *_changed: object) -> None:
        """Say what there is to say now."""
        session = self._session
        told = None
        if session.content is not None:
            told = self._told(session.content)
        if told == self.explanation:
            return
        self.explanation = told
        self.body.setUpdatesEnabled(False)
        if told is not None:
            self.head.name.setText(told.head)
            self.head.fact.setText(told.where)
        self._fill(() if told is None else self._wanted(told))
        self.body.setUpdatesEnabled(True)
        self._scroll.verticalScrollBar().setValue(0)

    def _told(self, content: Content) -> Explanation:
        """Of the selection, else of the marked range, else of the position."""
        session, marked = self._session, self._session.range
        if session.selection is None and marked is not None and marked[1] is not None:
            return explain_range(content, marked[0], marked[1])
        return explain(content, session.position, session.selection, session.notes)

    def _wanted(self, told: Explanation) -> tuple[_Part, ...]:
        """What is to be shown, from top to bottom, each with what makes it."""
        parts: list[_Part] = []
        for place, section in enumerate(told.sections):
            first = place == 0
            made = partial(_card, section) if section.badge else partial(_plain, section, first=first)
            parts.append((("section", section, first), made))
        content = self._session.content
        if told.evidence and content is not None:
            rows = rows_of(content, told.evidence[:1])
            parts.append((("evidence", rows), partial(_evidence, rows)))
        for table in told.tables:
            parts.append((("rule", table.title), rule))
            parts.append((("table", table), partial(_table, table)))
        return tuple(parts)

    def _fill(self, wanted: tuple[_Part, ...]) -> None:
        """Show the parts; those that were shown before are used again, since most of them stay for a step."""
        while self._column.count():
            self._column.takeAt(0)
        before, self._shown = self._shown, {}
        for key, make in wanted:
            widget = before.pop(key, None) or make()
            self._shown[key] = widget
            self._column.addWidget(widget)
        self._column.addStretch(1)
        for widget in before.values():
            # Hidden first: deleted only when the event loop gets there, it would show for a frame.
            widget.hide()
            widget.deleteLater()


def _plain(section: Section, *, first: bool) -> QWidget:
    box = QWidget()
    lines = column(box, spacing=4)
    lines.addWidget(label(section.title, "title" if first else "strong", wrap=True, select=True))
    if section.aside:
        lines.addWidget(label(section.aside, "secondaryMono"))
    _add_body(lines, section)
    return box


def _card(section: Section) -> QWidget:
    box = QFrame()
    box.setObjectName("card")
    lines = column(box, (12, 10, 12, 12), 4)
    head = QHBoxLayout()
    head.setSpacing(8)
    head.addWidget(label(section.badge, "pill"))
    if section.aside:
        head.addWidget(label(section.aside, "strong"))
    head.addStretch(1)
    lines.addLayout(head)
    lines.addSpacing(4)
    lines.addWidget(label(section.title, "strong", wrap=True, select=True))
    _add_body(lines, section)
    return box


def _add_body(lines: QVBoxLayout, section: Section) -> None:
    for sentence in section.sentences:
        lines.addWidget(label(sentence, "body", wrap=True, select=True))
    if section.facts:
        lines.addWidget(_facts(section.facts))
    if section.rule:
        lines.addSpacing(4)
        lines.addWidget(label(tr("Rule"), "secondary"))
        lines.addWidget(label(section.rule, "value", wrap=True, select=True))
    if section.certainty:
        row = QHBoxLayout()
        row.addWidget(label(section.certainty, "tag"))
        row.addStretch(1)
        lines.addLayout(row)


def _facts(facts: tuple[tuple[str, str], ...]) -> QWidget:
    box = QWidget()
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 4, 0, 0)
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(1, 1)
    for row, (name, value) in enumerate(facts):
        key = label(name, "secondary", wrap=True)
        key.setFixedWidth(84)
        key.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        grid.addWidget(key, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(value, "value", wrap=True, select=True), row, 1, Qt.AlignmentFlag.AlignTop)
    return box


def _table(table: Table) -> QWidget:
    box = QWidget()
    box.setAccessibleName(table.title)
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 4, 0, 0)
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    grid.addWidget(label(table.title, "strong", wrap=True), 0, 0)
    for place, text in enumerate(table.head):
        grid.addWidget(label(text, "secondary"), 0, place + 1, Qt.AlignmentFlag.AlignRight)
    several = len(table.head) > 1
    for place, (question, *answers) in enumerate(table.rows, start=1):
        look = "differs" if several and table.differs(place - 1) else "row" if several else "body"
        grid.addWidget(label(question, look, wrap=True), place, 0)
        for cell, value in enumerate(answers, start=1):
            lost = question == tr(RECORDS_LOST) and value != "0"
            shown = label(value, "lossMono" if lost else "mono")
            grid.addWidget(shown, place, cell, Qt.AlignmentFlag.AlignRight)
    return box


def _evidence(rows: tuple[EvidenceRow, ...]) -> QWidget:
    box = QWidget()
    lines = column(box, spacing=2)
    for row in rows:
        if row.seq is not None:
            lines.addWidget(label(row.place, "secondaryMono", wrap=True, select=True))
            lines.addWidget(label(row.block, "raw", wrap=True, select=True))
    return box
