"""Known counterexamples of the model of replication, and a search for others within chosen bounds."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
    QWidget,
)

from core.model.exploration import Exploration
from core.model.invariants import INVARIANTS
from core.model.state import Bounds, State
from core.model.stories import STORIES, Story
from core.model.variants import ABLATIONS, VARIANTS, ablated
from gui.lessons.page import EntryList, EntryRow
from gui.lessons.rows import Entry
from gui.panels.choice import Choice
from gui.panels.parts import Elided, Paragraph, column, label, rule, scrolling_panel, upright_rule
from gui.text.spoken import language, tr, worded
from gui.theme import Theme
from gui.workspace.exploring import Question

_CHOSEN: Final = ("kip-320", 2, 2, 2, 3)
"""What is chosen first: variant, replicas, log size, records and epochs."""
_MOST_REPLICAS: Final = 4
_MOST: Final = 4
"""Larger worlds are for the command line: their states take more than a window should."""


class CounterexamplesPage(QWidget):
    """The known ones on the left, the search on the right. It knows nothing of what is open."""

    played = Signal(object)
    """the Question whose shortest counterexample is to be shown"""
    asked = Signal(object)
    """the Question to be explored"""

    def __init__(self, parent: QWidget | None = None) -> None:
        """No rows until it is seen."""
        super().__init__(parent)
        self.setObjectName("lessons")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.stories = EntryList(tr("counterexamples.known"))
        self.stories.chosen.connect(self._play_story)
        self.variant, self.invariant = Choice(), Choice()
        self.spins = [QSpinBox() for _name in _NUMBERS]
        self.explore = QPushButton(tr("counterexamples.explore"))
        self.play = QPushButton(tr("counterexamples.play"))
        self.badge = Paragraph("", "row-text")
        head = QHBoxLayout()
        head.setContentsMargins(16, 9, 16, 9)
        head.setSpacing(16)
        head.addWidget(label(tr("actions.counterexamples"), "title"))
        head.addWidget(Elided(tr("counterexamples.each-is-found-anew"), "secondary"), 1)
        both = QHBoxLayout()
        both.setSpacing(0)
        both.addWidget(self.stories, 3)
        both.addWidget(upright_rule())
        both.addWidget(self._search(), 2)
        lines = column(self)
        lines.addLayout(head)
        lines.addWidget(rule())
        lines.addLayout(both, 1)
        self._changed()

    def showEvent(self, event: QShowEvent) -> None:
        """Make the rows when they are seen first."""
        super().showEvent(event)
        if not self.stories.rows:
            self.stories.fill([_row(one) for one in STORIES])
            self.stories.choose("")

    def set_theme(self, theme: Theme) -> None:
        """The style sheet has all its colours."""

    def focus(self) -> None:
        """The keyboard goes to the first row."""
        if self.stories.rows:
            self.stories.focus(self.stories.rows[0])

    def question(self) -> Question:
        """What the fields ask."""
        replicas, size, records, epochs = (one.value() for one in self.spins)
        return Question(
            _VARIANTS[self.variant.currentIndex()],
            Bounds(replicas, size, records, epochs),
            INVARIANTS[self.invariant.currentIndex()],
            language(),
        )

    def begin(self, asked: Question) -> None:
        """Say that states are being explored."""
        self.badge.setText(tr("counterexamples.exploring", question=_question_words(asked)))

    def show_found(self, asked: Question, found: Exploration[State]) -> None:
        """Say what was found, if the fields still ask the same."""
        if self.question() != asked:
            return
        verdict, name = found.verdicts[0], asked.invariant.name
        states, bounds = f"{found.distinct:,}", _question_words(asked)
        broken = verdict.counterexample
        if broken is not None:
            self.badge.setText(tr("counterexamples.broken", name=name, bounds=bounds, states=len(broken)))
        elif verdict.holds:
            self.badge.setText(tr("counterexamples.holds", name=name, bounds=bounds, states=states))
        else:
            self.badge.setText(tr("counterexamples.open", name=name, bounds=bounds, states=states))
        self.play.setEnabled(broken is not None)

    def _search(self) -> QWidget:
        """Fields, the two buttons, and the badge."""
        inside = QWidget()
        inside.setObjectName("panelBody")
        lines = column(inside, (16, 12, 16, 16), 12)
        lines.addWidget(Paragraph(tr("counterexamples.choose"), "row-text"))
        lines.addWidget(self._fields())
        buttons = QHBoxLayout()
        buttons.addWidget(self.explore)
        buttons.addWidget(self.play)
        buttons.addStretch(1)
        lines.addLayout(buttons)
        lines.addWidget(self.badge)
        lines.addStretch(1)
        self.explore.clicked.connect(lambda: self.asked.emit(self.question()))
        self.play.clicked.connect(lambda: self.played.emit(self.question()))
        return scrolling_panel(tr("counterexamples.search"), inside)

    def _fields(self) -> QWidget:
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self.variant.addItems([one.name for one in _VARIANTS])
        self.invariant.addItems([one.name for one in INVARIANTS])
        name, *numbers = _CHOSEN
        self.variant.setCurrentText(str(name))
        self.invariant.setCurrentText("StrongIsr")
        for (least, most), spin, value in zip(_RANGES, self.spins, numbers, strict=True):
            spin.setRange(least, most)
            spin.setValue(int(value))
            spin.valueChanged.connect(self._changed)
        self.variant.currentIndexChanged.connect(self._changed)
        self.invariant.currentIndexChanged.connect(self._changed)
        names = (tr("counterexamples.variant"), tr("counterexamples.invariant"), *map(tr, _NUMBERS))
        for row, (text, field) in enumerate(
            zip(names, (self.variant, self.invariant, *self.spins), strict=True)
        ):
            field.setAccessibleName(text)
            grid.addWidget(label(text, "secondary"), row, 0)
            grid.addWidget(field, row, 1)
        return box

    def _changed(self, *_value: object) -> None:
        """What was found is about something else."""
        self.badge.setText(worded(INVARIANTS[self.invariant.currentIndex()].sentence))
        self.play.setEnabled(False)

    def _play_story(self, entry: Entry) -> None:
        story = next(one for one in STORIES if one.id == entry.head)
        self.played.emit(Question(story.variant, story.bounds, story.invariant, language()))


_NUMBERS: Final = (
    "counterexamples.replicas",
    "counterexamples.log-size",
    "counterexamples.records",
    "counterexamples.epochs",
)
_RANGES: Final = ((1, _MOST_REPLICAS), (1, _MOST), (0, _MOST), (0, _MOST))
"""Of each number the least and the most."""
_VARIANTS: Final = (*VARIANTS, *map(ablated, ABLATIONS))


def _row(story: Story) -> EntryRow:
    entry = Entry(story.id, worded(story.title), worded(story.text), "")
    opens = tr(
        "counterexamples.row",
        variant=story.variant.name,
        invariant=story.invariant.name,
        closed=story.closed,
    )
    return EntryRow(entry, opens)


def _question_words(asked: Question) -> str:
    bounds = asked.bounds
    return tr(
        "counterexamples.bounds",
        variant=asked.variant.name,
        replicas=bounds.replicas,
        size=bounds.log_size,
        records=bounds.records,
        epochs=bounds.epochs,
    )
