"""What is said of the selected column, and the way to its event."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gui.conformance.words import Broken, Words
from gui.panels.parts import Elided, Paragraph, column, empty, label, rule
from gui.text.spoken import tr


class Details(QWidget):
    """Of one era: the event that it could not have made, counts, what is not decided, what was not read."""

    event_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty until a column is shown."""
        super().__init__(parent)
        self.setObjectName("panelBody")
        self.go = QPushButton(tr("conformance.go"))
        self.go.setObjectName("primary")
        self.go.setToolTip(tr("conformance.go.tip"))
        self.go.clicked.connect(self.event_wanted)
        self._head = QVBoxLayout()
        self._more = QVBoxLayout()
        lines = column(self, (16, 10, 16, 16), 8)
        for part in (self._head, self._more):
            part.setSpacing(8)
        row = QHBoxLayout()
        row.addWidget(self.go)
        row.addStretch(1)
        lines.addLayout(self._head)
        lines.addLayout(row)
        lines.addLayout(self._more)
        lines.addStretch(1)
        self.show_words(None)

    def show_words(self, words: Words | None) -> None:
        """Say this of a column; None is that no column is there."""
        empty(self._head)
        empty(self._more)
        self.go.setVisible(words is not None and words.broken is not None)
        if words is None:
            return
        self._head.addWidget(Elided(words.name, "partition"))
        verdict = tr("conformance.own", verdict=words.verdict) if words.own else words.verdict
        self._head.addWidget(label(verdict, "secondary", wrap=True))
        if words.broken is not None:
            self._show_broken(words.broken)
        add = self._more.addWidget
        add(rule())
        if words.sought:
            add(Paragraph(words.sought, "row-text"))
        add(Paragraph(words.counts, "row-text"))
        for sentence in words.open:
            add(Paragraph(sentence, "row-text"))
        if words.unread:
            add(rule())
            add(label(tr("conformance.unread"), "section", wrap=True))
            for needs, rules in words.unread:
                add(Paragraph(needs, "row-text"))
                add(Paragraph(rules, "secondaryMono"))

    def _show_broken(self, broken: Broken) -> None:
        add = self._head.addWidget
        add(rule())
        add(Paragraph(broken.sentence, "value"))
        add(label(tr("conformance.rule", rule=broken.rule), "secondaryMono", wrap=True, select=True))
        add(label(broken.when, "secondaryMono", wrap=True, select=True))
        for where, raw in broken.lines:
            add(label(where, "secondaryMono", wrap=True, select=True))
            if raw:
                add(label(raw, "raw", wrap=True, select=True))
