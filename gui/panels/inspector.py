"""The inspector: in words, why what is at the cursor happened, and by which rule."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.panels.explain import RECORDS_LOST, explain
from gui.panels.explanation import Explanation, Section, Table
from gui.panels.parts import BREAK, Flow, PanelHead, Paragraph, column, label, rule
from gui.panels.rows import EvidenceRow, rows_of
from gui.panels.stretch import explain_range
from gui.panels.x_ray_box import XRayBox
from gui.text.spoken import tr
from gui.workspace.content import Content
from gui.workspace.session import Session

_LEAST: Final = 300
"""Least width of the panel."""
_CROWDED: Final = 4
"""Columns of a table from which their values may take several lines."""
_STILL: Final = 96
"""Tables stay where they are while what stands above them needs less room by no more, in pixels: a step that
says a sentence in fewer lines moves nothing, and paints nothing anew below it."""
_MOST_SPARE: Final = 2
_MOST_SHAPES: Final = 24


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the panel: what it says from label to label, and how it is made.

    Two of one `shape` differ in their texts alone: the widget of one can show the other.
    """

    shape: Hashable
    texts: tuple[str, ...]
    make: Callable[[], QWidget]
    below: bool = False
    """Whether it stands below what is told, as tables do."""


class Inspector(QWidget):
    """Shows the explanation of the selection, or of the position."""

    evidence_wanted = Signal()
    """The person asked for the raw lines."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        """Follows the session."""
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setAccessibleName(tr("actions.inspector"))
        self.setMinimumWidth(_LEAST)
        self._session = session
        self.explanation: Explanation | None = None
        self._late = False
        """Whether what there is to say is not made of widgets yet: those take long, and hidden they wait."""
        self._still_in: Content | None = None
        """In what the tables stay where they are."""
        self._shown: list[tuple[_Part, QWidget]] = []
        self._spare: dict[Hashable, list[tuple[_Part, QWidget]]] = defaultdict(list)
        self.head = PanelHead(tr("actions.inspector"))
        self.body = Flow()
        self.body.setObjectName("panelBody")
        outer_column = column(self.body, (16, 4, 16, 16), 8)
        self._above, self._below = Flow(), Flow()
        self._columns = tuple(column(box, spacing=8) for box in (self._above, self._below))
        for box in (self._above, self._below):
            outer_column.addWidget(box)
        self._columns[0].addStretch(1)
        outer_column.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidget(self.body)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(tr("inspector.why"))
        outer = column(self)
        outer.addWidget(self.head)
        outer.addWidget(self._scroll, 1)
        session.content_changed.connect(self.refresh)
        session.causes_changed.connect(self.refresh)
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
        if told is not None:
            self.head.name.setText(told.head)
            self.head.fact.setText(told.where)
        self._late = True
        if self.isVisible():
            self._show_told()

    def showEvent(self, event: QShowEvent) -> None:
        """Make what was not made while nobody saw it."""
        super().showEvent(event)
        if self._late:
            self._show_told()

    def _show_told(self) -> None:
        self._late = False
        before = {widget: part.texts for part, widget in self._shown}
        self._fill(() if self.explanation is None else self._wanted(self.explanation))
        self._settle([widget for part, widget in self._shown if before.get(widget) != part.texts])
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
            parts.append(_Part(_shape(section, first=first), _texts(section), made))
        content = self._session.content
        if told.evidence and content is not None:
            lines = rows_of(content, told.evidence[:1])
            rows = tuple(row for row in lines if row.seq is not None and row.place)
            texts = tuple(text for row in rows for text in (row.place, row.block))
            parts.append(_Part(("evidence", len(rows)), texts, partial(_evidence, rows)))
        for shown in told.x_rays:
            parts.append(_Part("rule", (), rule))
            parts.append(_Part(("x-ray", shown), (), partial(XRayBox, shown)))
        for table in told.tables:
            texts = (table.title, *table.head, *(cell for row in table.rows for cell in row))
            parts.append(_Part("rule", (), rule, below=True))
            parts.append(_Part(("table", _looks(table)), texts, partial(_table, table), below=True))
        return tuple(parts)

    def _fill(self, wanted: tuple[_Part, ...]) -> None:
        """Show the parts in the widgets of those shown before: most stay for a step, or say other words."""
        before = [widget for _, widget in self._shown]
        for part, widget in self._shown:
            self._spare[part.shape].append((part, widget))
        self._shown = [(part, _taken(self._spare[part.shape], part) or part.make()) for part in wanted]
        shown = [widget for _, widget in self._shown]
        if shown == before:
            return
        for widget in before:
            widget.setVisible(widget in shown)
            for lines in self._columns:
                # Not takeAt(): the item that it hands out lives on, and a box then keeps an old height.
                lines.removeWidget(widget)
        for below, lines in enumerate(self._columns):
            widgets = [widget for part, widget in self._shown if part.below == below]
            for place, widget in enumerate(widgets):
                lines.insertWidget(place, widget)
                widget.show()
        self._below.setVisible(any(part.below for part, _ in self._shown))
        self._drop_spare()

    def _settle(self, changed: Sequence[QWidget]) -> None:
        """All is as high as its texts need before it is painted. `changed` are those that say other words.

        By itself Qt goes from box to box, to the outer ones after the next frame: that would show texts cut.
        """
        for widget in changed:
            for box in (*widget.findChildren(Flow), widget):
                box.updateGeometry()
        self._above.updateGeometry()
        self._keep_still()
        self.body.updateGeometry()
        QCoreApplication.sendPostedEvents(self._scroll.viewport(), QEvent.Type.LayoutRequest.value)
        for lines in self._columns:
            # Where its box stays as high as it was, Qt would do so after the next frame.
            lines.activate()

    def _keep_still(self) -> None:
        """Leave the tables where they are while what stands above them needs a little less room."""
        # Where nothing is shown Qt says -1.
        needed = max(self._columns[0].heightForWidth(self._above.width()), 0)
        had = self._above.minimumHeight()
        same = self._still_in is self._session.content and not self._below.isHidden()
        self._still_in = self._session.content
        self._above.setMinimumHeight(had if same and 0 <= had - needed <= _STILL else needed)

    def _drop_spare(self) -> None:
        """Keep some of each shape for steps to come, which alternate between few of them."""
        for shape, kept in tuple(self._spare.items()):
            for _, widget in kept[:-_MOST_SPARE]:
                widget.deleteLater()
            del kept[:-_MOST_SPARE]
            if len(self._spare) > _MOST_SHAPES and shape not in {part.shape for part, _ in self._shown}:
                for _, widget in self._spare.pop(shape):
                    widget.deleteLater()


def _taken(spare: list[tuple[_Part, QWidget]], part: _Part) -> QWidget | None:
    """A widget of this shape, saying what the part says; None where there is none left."""
    if not spare:
        return None
    place = next((place for place, (one, _) in enumerate(spare) if one.texts == part.texts), 0)
    before, widget = spare.pop(place)
    labels = widget.findChildren(QLabel) if before.texts != part.texts else []
    for shown, old, new in zip(labels, before.texts, part.texts, strict=False):
        if old != new:
            shown.setText(new)
    return widget


def _shape(section: Section, *, first: bool) -> Hashable:
    says = (section.badge, section.aside, section.rule, section.certainty)
    return ("section", first, len(section.sentences), len(section.facts), *map(bool, says))


def _texts(section: Section) -> tuple[str, ...]:
    """The labels of a section, in the order in which they are made."""
    badge = (section.badge,) if section.badge else ()
    aside = (section.aside,) if section.aside else ()
    facts = (text for fact in section.facts for text in fact)
    said = (tr("inspector.rule"), section.rule) if section.rule else ()
    certainty = (section.certainty,) if section.certainty else ()
    head = (*badge, *aside, section.title) if section.badge else (section.title, *aside)
    return (*head, *section.sentences, *facts, *said, *certainty)


def _looks(table: Table) -> tuple[tuple[str, ...], ...]:
    """How each row of a table looks, cell by cell."""
    several, losses = len(table.head) > 1, tr(RECORDS_LOST)
    found: list[tuple[str, ...]] = []
    for place, (question, *answers) in enumerate(table.rows):
        look = "differs" if several and table.differs(place) else "row" if several else "body"
        gone = question == losses
        found.append((look, *("lossMono" if gone and value != "0" else "mono" for value in answers)))
    return (table.head, *found)


def _plain(section: Section, *, first: bool) -> QWidget:
    box = Flow()
    lines = column(box, spacing=4)
    lines.addWidget(Paragraph(section.title, "title" if first else "strong"))
    if section.aside:
        lines.addWidget(label(section.aside, "secondaryMono"))
    _add_body(lines, section)
    return box


def _card(section: Section) -> QWidget:
    box = Flow()
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
    lines.addWidget(Paragraph(section.title, "strong"))
    _add_body(lines, section)
    return box


def _add_body(lines: QVBoxLayout, section: Section) -> None:
    for sentence in section.sentences:
        lines.addWidget(Paragraph(sentence, "body"))
    if section.facts:
        lines.addWidget(_facts(section.facts))
    if section.rule:
        lines.addSpacing(4)
        lines.addWidget(label(tr("inspector.rule"), "secondary"))
        lines.addWidget(Paragraph(section.rule, "value"))
    if section.certainty:
        row = QHBoxLayout()
        row.addWidget(label(section.certainty, "tag"))
        row.addStretch(1)
        lines.addLayout(row)


def _facts(facts: tuple[tuple[str, str], ...]) -> QWidget:
    box = Flow()
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
        grid.addWidget(Paragraph(value, "value"), row, 1, Qt.AlignmentFlag.AlignTop)
    return box


def _table(table: Table) -> QWidget:
    box = Flow()
    box.setAccessibleName(table.title)
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 4, 0, 0)
    crowded = len(table.head) >= _CROWDED
    grid.setHorizontalSpacing(8 if crowded else 14)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    grid.addWidget(label(table.title, "strong", wrap=True), 0, 0)
    for place, text in enumerate(table.head):
        grid.addWidget(label(text, "secondary"), 0, place + 1, Qt.AlignmentFlag.AlignRight)
    for place, (row, looks) in enumerate(zip(table.rows, _looks(table)[1:], strict=True), start=1):
        grid.addWidget(label(row[0], looks[0], wrap=True), place, 0)
        for cell, (value, look) in enumerate(zip(row[1:], looks[1:], strict=True), start=1):
            words = value.replace("-", f"-{BREAK}") if crowded else value
            shown = label(words, look, wrap=crowded)
            shown.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(shown, place, cell)
    return box


def _evidence(rows: tuple[EvidenceRow, ...]) -> QWidget:
    box = Flow()
    lines = column(box, spacing=2)
    for row in rows:
        lines.addWidget(Paragraph(row.place, "secondaryMono"))
        if row.block:
            lines.addWidget(Paragraph(row.block, "raw"))
    return box
