"""What a learner answers with: a number, a broker, offsets, brokers, an order, or one of some statements."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from core.compare.comparison import Run
from core.message import Offsets
from core.shown import shown_in_line
from core.teaching.answers import NOBODY, Given
from core.teaching.lesson import Ask, AskKind
from core.trace.broker_names import broker_text
from gui.panels.parts import column, label
from gui.text.spoken import tr
from gui.workspace.lesson_player import CELLS_MOST, highest_end

_ACROSS: Final = 6
"""So many buttons stand in a row."""


class AnswerField(QWidget):
    """Takes an answer. `changed` is told whenever it is another one."""

    changed = Signal()

    def given(self) -> Given | None:
        """The answer; None while there is none."""
        return None

    def sweep(self, first: int, last: int, begins: bool) -> None:
        """Cells from offset `first` to `last` were swept, since a sweep that `begins` here or went on."""

    def wait(self) -> None:
        """The keyboard goes to it."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)


class NumberField(AnswerField):
    """An offset: up and down by one, digits, Home and End."""

    def __init__(self, kind: AskKind, most: int) -> None:
        """It begins on no answer: above all that can be chosen."""
        super().__init__()
        self._kind = kind
        self.spin = QSpinBox()
        self.spin.setObjectName("answerNumber")
        # One below the least stands for no answer.
        self.spin.setRange(-1, most)
        self.spin.setValue(-1)
        self.spin.setSpecialValueText("?")
        self.spin.setAccessibleName(tr("lesson.answer.offset"))
        self.told = label("", "row-text", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.spin)
        row.addWidget(self.told, 1)
        self.spin.valueChanged.connect(self._tell)
        self.setFocusProxy(self.spin)

    def wait(self) -> None:
        """The keyboard goes to it; a digit replaces what is there."""
        super().wait()
        self.spin.selectAll()

    def given(self) -> int | None:
        """The offset."""
        return None if self.spin.value() < 0 else self.spin.value()

    def _tell(self, value: int) -> None:
        self.told.setText("" if value < 0 else kept_words(self._kind, value))
        self.changed.emit()


def kept_words(kind: AskKind, offset: int) -> str:
    """What a log keeps that is cut to an offset, or what a high watermark there commits."""
    if kind is AskKind.WATERMARK:
        return (
            tr("lesson.answer.commits", offsets=Offsets(0, offset))
            if offset
            else tr("lesson.answer.commits-nothing")
        )
    return (
        tr("lesson.answer.keeps", offsets=Offsets(0, offset)) if offset else tr("lesson.answer.keeps-nothing")
    )


class StatementButton(QPushButton):
    """A statement to choose, in as many lines as it needs."""

    def __init__(self, words: str) -> None:
        """`words` is plain text."""
        super().__init__()
        self.setAccessibleName(words)
        lines = self._lines = column(self, (12, 7, 12, 7))
        told = label(words, "statement", wrap=True)
        told.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        lines.addWidget(told)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        """That of its words: a button has a line of text alone."""
        return self._lines.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """The same, at the least."""
        return self._lines.minimumSize()


class ButtonsField(AnswerField):
    """One of some buttons, or several of them; digits press them."""

    def __init__(self, names: Sequence[tuple[int, str]], *, several: bool, stacked: bool = False) -> None:
        """`names` are values with what they are called."""
        super().__init__()
        self._several = several
        self._group = QButtonGroup(self)
        self._group.setExclusive(not several)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        across = 1 if stacked else _ACROSS
        for place, (value, name) in enumerate(names):
            button = StatementButton(shown_in_line(name)) if stacked else QPushButton(shown_in_line(name))
            button.setCheckable(True)
            self._group.addButton(button, value)
            grid.addWidget(button, place // across, place % across)
        self._group.idToggled.connect(self._tell)
        self._before, self._marks = frozenset[int](), True

    def _tell(self, *_toggled: object) -> None:
        self.changed.emit()

    def sweep(self, first: int, last: int, begins: bool) -> None:
        """Press the buttons of these offsets; a sweep that begins on pressed ones lets them go."""
        buttons = self.buttons
        swept = buttons.keys() & range(first, last + 1)
        if begins:
            self._before = frozenset(value for value, one in buttons.items() if one.isChecked())
            self._marks = not swept <= self._before
        wanted = self._before | swept if self._marks else self._before - swept
        for value, button in buttons.items():
            button.setChecked(value in wanted)

    @property
    def buttons(self) -> dict[int, QPushButton]:
        """By value."""
        return {self._group.id(one): one for one in self._group.buttons() if isinstance(one, QPushButton)}

    def given(self) -> int | frozenset[int] | None:
        """The value that is chosen, or all of them."""
        chosen = frozenset(value for value, button in self.buttons.items() if button.isChecked())
        if self._several:
            return chosen
        return next(iter(chosen), None)

    def wait(self) -> None:
        """The keyboard goes to the first button."""
        first = next(iter(self._group.buttons()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """1 to 9 press the button of that place."""
        place = event.key() - Qt.Key.Key_1
        buttons = self._group.buttons()
        if 0 <= place < min(len(buttons), 9):
            buttons[place].click()
        else:
            super().keyPressEvent(event)


class OffsetsField(AnswerField):
    """A range of offsets, where there are too many to mark each."""

    def __init__(self, most: int) -> None:
        """Empty: nothing is lost."""
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.first, self.last = QSpinBox(), QSpinBox()
        for spin, name in ((self.first, "lesson.answer.first"), (self.last, "lesson.answer.last")):
            spin.setRange(-1, most - 1)
            spin.setValue(-1)
            spin.setSpecialValueText("–")
            row.addWidget(label(tr(name), "secondary"))
            row.addWidget(spin)
            spin.valueChanged.connect(self._tell)
        row.addStretch(1)
        self.setFocusProxy(self.first)

    def _tell(self, _value: int) -> None:
        self.changed.emit()

    def sweep(self, first: int, last: int, begins: bool) -> None:
        """The range is what was swept; a click on the range itself takes it away."""
        most = self.last.maximum()
        wanted = (first, min(last, most))
        same = begins and wanted == (self.first.value(), self.last.value())
        if first <= most:
            self.first.setValue(-1 if same else wanted[0])
            self.last.setValue(-1 if same else wanted[1])

    def given(self) -> frozenset[int]:
        """The offsets of the range; none where it has no begin."""
        first, last = self.first.value(), self.last.value()
        return frozenset(range(first, last + 1)) if first >= 0 else frozenset()


class OrderRows(QListWidget):
    """The rows of an order. Alt+up and down move the row that is chosen."""

    move_wanted = Signal(int)
    """A row up (-1) or down (1)."""

    def event(self, event: QEvent) -> bool:
        """While the keyboard is here, these keys move a row: elsewhere in the window they move a lane."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _row_by(event) is not None
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the row, or choose another one."""
        by = _row_by(event)
        if by is None:
            super().keyPressEvent(event)
        else:
            self.move_wanted.emit(by)


def _row_by(event: QKeyEvent) -> int | None:
    """By how much a key moves a row; None for another key."""
    if not event.modifiers() & Qt.KeyboardModifier.AltModifier:
        return None
    return {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))


class OrderField(AnswerField):
    """Rows to be put in order, by dragging or Alt+up and down."""

    def __init__(self, rows: Sequence[str]) -> None:
        """The rows as the lesson has them."""
        super().__init__()
        self.rows = OrderRows()
        self.rows.move_wanted.connect(self.move_row)
        self.rows.setObjectName("answerOrder")
        self.rows.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.rows.setAccessibleName(tr("lesson.answer.order"))
        for place, row in enumerate(rows):
            item = QListWidgetItem(shown_in_line(row))
            item.setData(Qt.ItemDataRole.UserRole, place)
            self.rows.addItem(item)
        self.rows.setFixedHeight(28 * len(rows) + 6)
        lines = column(self, spacing=6)
        lines.addWidget(self.rows)
        buttons = QHBoxLayout()
        for name, by in (("lesson.answer.up", -1), ("lesson.answer.down", 1)):
            button = QPushButton(tr(name))
            button.clicked.connect(partial(self.move_row, by))
            buttons.addWidget(button)
        buttons.addStretch(1)
        lines.addLayout(buttons)
        self.setFocusProxy(self.rows)

    def wait(self) -> None:
        """The keyboard goes to the first row."""
        super().wait()
        self.rows.setCurrentRow(0)

    def given(self) -> tuple[int, ...]:
        """The places of the rows as the lesson has them, in the order in which they stand."""
        items = (self.rows.item(row) for row in range(self.rows.count()))
        return tuple(int(item.data(Qt.ItemDataRole.UserRole)) for item in items)

    def move_row(self, by: int, *_clicked: object) -> None:
        """The row that is chosen goes up or down."""
        row = self.rows.currentRow()
        if 0 <= row + by < self.rows.count():
            self.rows.insertItem(row + by, self.rows.takeItem(row))
            self.rows.setCurrentRow(row + by)
            self.changed.emit()


def field_of(ask: Ask, run: Run) -> AnswerField:
    """What takes the answer to a question about a run, which is seen up to the question."""
    most = highest_end(run)
    brokers = [(one, broker_text(run.history.trace, one)) for one in run.history.replicas]
    match ask.kind:
        case AskKind.CUT | AskKind.WATERMARK:
            return NumberField(ask.kind, most)
        case AskKind.LEADER:
            return ButtonsField([*brokers, (_NOBODY, tr("lesson.answer.nobody"))], several=False)
        case AskKind.IN_SYNC:
            return ButtonsField(brokers, several=True)
        case AskKind.LOST if most <= CELLS_MOST:
            return ButtonsField([(offset, str(offset)) for offset in range(most)], several=True)
        case AskKind.LOST:
            return OffsetsField(most)
        case AskKind.ORDER:
            return OrderField([one.text for one in ask.events])
        case AskKind.CHOICE:
            options = [(place, one.text) for place, one in enumerate(ask.options)]
            return ButtonsField(options, several=False, stacked=True)


_NOBODY: Final = 1_000_000
"""A button cannot have a number below 0."""


def as_given(ask: Ask, given: Given | None) -> Given | None:
    """The answer of a field in the numbers of the run."""
    return NOBODY if ask.kind is AskKind.LEADER and given == _NOBODY else given
