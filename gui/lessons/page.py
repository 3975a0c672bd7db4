"""Questions on the left, scenarios on the right; a field filters both, and each row opens what it tells."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QScrollArea, QSizePolicy, QWidget

from core.sim.ablation.by_era import costs_by_era
from gui.lessons.chips import CostChip
from gui.lessons.rows import Entry, chosen, question_entries, scenario_entries
from gui.panels.parts import Elided, PanelHead, column, label, rule, tip, upright_rule
from gui.panels.wrapping import Wrapping
from gui.text.sentences import first_sentence_of
from gui.text.spoken import language, tr
from gui.theme import Theme

_HEAD: Final = 34


class EntryRow(QPushButton):
    """A row of a list: what it is about, what it says, and what a click opens."""

    moved = Signal(int)
    """Up (-1) or down (1) was pressed."""
    era_wanted = Signal(object)
    """the Entry, in one era"""

    def __init__(
        self, entry: Entry, opens: str, body: QWidget | None = None, chips: Sequence[CostChip] = ()
    ) -> None:
        """`opens` says in a few words what a click shows; `body` stands in place of the entry's text.

        `chips` are what a scenario costs, era by era; a click on one opens it in its first era.
        """
        super().__init__()
        self.entry = entry
        self.setObjectName("entryRow")
        self.setAutoDefault(True)
        self.setAccessibleName(entry.title)
        self.setAccessibleDescription(f"{entry.text} {opens}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        lines = column(self, (16, 9, 16, 9), 3)
        lines.addWidget(_through(label(entry.title, "strong", wrap=True)))
        lines.addWidget(_through(body or _told(entry, short=bool(chips))))
        lines.addWidget(_through(label(opens, "faintMono", wrap=True)))
        self.chips = tuple(chips)
        self.setToolTip(tip(entry.text) if chips else "")
        if chips:
            line = Wrapping()
            for chip in chips:
                chip.clicked.connect(partial(self._open_in, chip))
                line.addWidget(chip)
            lines.addLayout(line)

    def _open_in(self, chip: CostChip, *_clicked: object) -> None:
        """Open the scenario in the first era of a chip."""
        self.era_wanted.emit(replace(self.entry, runs=(chip.cost.first,), place=None))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down go to the next row, Enter and Space open."""
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.moved.emit(step)


def _told(entry: Entry, *, short: bool) -> QWidget:
    """The text of an entry; `short` is its first sentence on one line, with the whole as a tip of the row."""
    if not short:
        return label(entry.text, "row-text", wrap=True)
    return Elided(first_sentence_of(entry.text), "row-text")


def _through(widget: QWidget) -> QWidget:
    widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return widget


class EntryList(QWidget):
    """A head with a count, and rows that scroll."""

    chosen = Signal(object)
    """the Entry whose row was opened"""

    def __init__(self, title: str) -> None:
        """No rows yet."""
        super().__init__()
        self.rows: tuple[EntryRow, ...] = ()
        self.head = PanelHead(title)
        self.head.setFixedHeight(_HEAD)
        inside = QWidget()
        inside.setObjectName("panelBody")
        self._lines = column(inside)
        self.none = label("", "secondary", wrap=True)
        self.none.setContentsMargins(16, 12, 16, 12)
        self._lines.addWidget(self.none)
        self._lines.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setAccessibleName(title)
        self.area.setWidget(inside)
        lines = column(self)
        lines.addWidget(self.head)
        lines.addWidget(rule())
        lines.addWidget(self.area, 1)

    def fill(self, rows: Sequence[EntryRow]) -> None:
        """Put the rows there, in their order."""
        self.rows = tuple(rows)
        for place, row in enumerate(self.rows):
            row.clicked.connect(lambda _checked=False, row=row: self.chosen.emit(row.entry))
            row.moved.connect(partial(self.go, row))
            row.era_wanted.connect(self.chosen)
            self._lines.insertWidget(place, row)

    def shown(self) -> tuple[EntryRow, ...]:
        """The rows that fit what is asked for."""
        return tuple(row for row in self.rows if not row.isHidden())

    def choose(self, asked: str) -> None:
        """Show the rows that hold all words."""
        for row, fits in zip(self.rows, chosen([row.entry for row in self.rows], asked), strict=True):
            row.setVisible(fits)
        count, every = len(self.shown()), len(self.rows)
        self.head.fact.setText(
            f"{every}" if count == every else tr("lessons.count-of-all", count=count, every=every)
        )
        self.none.setText(tr("lessons.nothing-here-has-all-of-these") if not count else "")
        self.none.setVisible(not count)

    def go(self, row: EntryRow, step: int) -> None:
        """To the row after or before one, as far as there is one."""
        rows = self.shown()
        place = rows.index(row) + step
        if 0 <= place < len(rows):
            self.focus(rows[place])

    def focus(self, row: EntryRow) -> None:
        """The keyboard goes to a row, which is seen whole."""
        row.setFocus(Qt.FocusReason.TabFocusReason)
        self.area.ensureWidgetVisible(row, 0, 8)


class LessonsPage(QWidget):
    """Every question and every scenario. It knows nothing of what is open."""

    chosen = Signal(object)
    """the Entry to be opened"""

    def __init__(self, eras: str, parent: QWidget | None = None) -> None:
        """`eras` names the runs that a scenario opens in."""
        super().__init__(parent)
        self.setObjectName("lessons")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("lessons.words-of-a-question-or-a"))
        self.field.setAccessibleName(tr("lessons.show-questions-and-scenarios-with"))
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(150)
        self.field.setMaximumWidth(300)
        self.field.installEventFilter(self)
        self.articles = QPushButton(tr("actions.what-the-articles-say"))
        self.articles.setAutoDefault(True)
        self._eras = eras
        self._theme: Theme | None = None
        self.questions, self.scenarios = (
            EntryList(tr("lessons.what-readers-asked")),
            EntryList(tr("lessons.scenarios")),
        )
        lines = column(self)
        lines.addLayout(self._head())
        lines.addWidget(rule())
        both = QHBoxLayout()
        both.setSpacing(0)
        both.addWidget(self.questions, 1)
        both.addWidget(upright_rule())
        both.addWidget(self.scenarios, 1)
        lines.addLayout(both, 1)
        for part in (self.questions, self.scenarios):
            part.chosen.connect(self.chosen)
        self.field.textChanged.connect(self._choose)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the rows when they are seen first: a window that only shows logs never needs them."""
        super().showEvent(event)
        if not self.questions.rows:
            spoken = language()
            self.questions.fill([EntryRow(entry, opens(entry)) for entry in question_entries(spoken)])
            self.scenarios.fill(
                [
                    EntryRow(
                        entry,
                        f"▸ {entry.head}    {self._eras}",
                        chips=[CostChip(one) for one in costs_by_era(entry.scenario)],
                    )
                    for entry in scenario_entries(spoken)
                ]
            )
            self._dress()
            self._choose(self.field.text())

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(16, 7, 16, 7)
        row.setSpacing(16)
        row.addWidget(label(tr("actions.questions-and-scenarios"), "title"))
        row.addWidget(Elided(tr("lessons.each-opens-where-its-answer-is"), "secondary"))
        row.addStretch(1)
        row.addWidget(self.articles)
        row.addWidget(self.field)
        return row

    def set_theme(self, theme: Theme) -> None:
        """The style sheet has all colours but those of the chips."""
        self._theme = theme
        self._dress()

    def _dress(self) -> None:
        for row in self.scenarios.rows:
            for chip in row.chips:
                chip.theme = self._theme
                chip.update()

    def focus(self) -> None:
        """The keyboard goes to the field, so that typing filters."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """From the field, down goes to the rows, and Enter opens the first."""
        if watched is self.field and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            lists = [part for part in (self.questions, self.scenarios) if part.shown()]
            if lists and event.key() == Qt.Key.Key_Down:
                lists[0].focus(lists[0].shown()[0])
                return True
            if lists and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                lists[0].shown()[0].click()
                return True
        return super().eventFilter(watched, event)

    def _choose(self, asked: str) -> None:
        for part in (self.questions, self.scenarios):
            part.choose(asked)


def opens(entry: Entry) -> str:
    """What the row of a question opens: "hw-loss, step 8    0.10.2 beside 0.11"."""
    place = entry.place
    where = tr("lessons.step", scenario=entry.scenario, step=place.step if place else 1)
    return f"▸ {where}    {tr('lessons.beside').join(_run(name) for name in entry.runs)}"


def _run(name: str) -> str:
    """The name of an era with its switches, for a person: "0.11 with truncation=leader-end"."""
    base, *switches = name.split("+")
    return tr("lessons.with", era=base, switches=", ".join(switches)) if switches else base
