"""The speaker's screen: what the room sees, what comes next, notes, clock, steps; never shown to the room."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, LiteralString

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QListWidget,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from core.message import Count
from core.picture.viewing import FLOOR, Room
from core.shown import shown_in_line
from core.teaching.markdown import plain_text
from gui.lessons.audience import Audience
from gui.panels.parts import column, empty, label, rule
from gui.text.spoken import tr
from gui.workspace.lesson_player import Player
from gui.workspace.lesson_presenting import Presenting

SWITCHES: Final[Mapping[str, tuple[LiteralString, Qt.Key]]] = {
    "freeze": ("lesson.speaker.freeze", Qt.Key.Key_F),
    "blank": ("lesson.speaker.blank", Qt.Key.Key_B),
    "laser": ("lesson.speaker.laser", Qt.Key.Key_L),
    "pen": ("lesson.speaker.pen", Qt.Key.Key_E),
    "zoom": ("lesson.speaker.zoom", Qt.Key.Key_Z),
    "steps": ("lesson.speaker.steps", Qt.Key.Key_G),
    "notes": ("lesson.speaker.notes", Qt.Key.Key_N),
    "swap": ("lesson.speaker.swap", Qt.Key.Key_S),
    "leave": ("lesson.speaker.leave", Qt.Key.Key_Escape),
}
"""What the speaker switches: words and key."""
_SMALLEST: Final = 13
_NOTES_STEPS: Final = (-6, 12)
"""So many steps the letters of the notes may be smaller or larger."""
_NOTES_SHARE: Final = 54
"""Letters of the notes: so many stand across a screen, about."""


class Speaker(QWidget):
    """Shows a state; what is done on it goes to the presenter."""

    switched = Signal(str)
    """a name of SWITCHES"""
    step_wanted = Signal(int)
    counted = Signal(tuple)
    """hands for each option"""
    measured = Signal(object)
    """the Room: how wide its picture is, and how far its last row sits"""

    def __init__(self) -> None:
        """Of no lesson yet."""
        super().__init__()
        self.setObjectName("speaker")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle(tr("lesson.speaker"))
        lines = column(self, (20, 12, 20, 12), 10)
        # It fills a screen, whatever its parts would like.
        lines.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        lines.addLayout(self._make_head())
        lines.addWidget(rule())
        middle = QGridLayout()
        middle.setHorizontalSpacing(18)
        self.now, self.next = Audience(pointer=True), Audience(pointer=True)
        self.now.setMinimumSize(420, 236)
        self.next.setMinimumSize(200, 112)
        middle.addWidget(self.now, 0, 0, 3, 1)
        middle.addWidget(label(tr("lesson.speaker.next"), "strong"), 0, 1)
        middle.addWidget(self.next, 1, 1)
        middle.addLayout(self._make_answer(), 2, 1)
        self.steps = QListWidget()
        self.steps.setAccessibleName(tr("lesson.speaker.steps"))
        self.steps.setMinimumWidth(220)
        # A title that has no room in a line goes on in the next one.
        self.steps.setWordWrap(True)
        self.steps.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.steps.itemActivated.connect(self._choose)
        self.steps.itemClicked.connect(self._choose)
        middle.addWidget(label(tr("lesson.speaker.steps"), "strong"), 0, 2)
        middle.addWidget(self.steps, 1, 2, 2, 1)
        for place, share in enumerate((6, 3, 2)):
            middle.setColumnStretch(place, share)
        middle.setRowStretch(1, 3)
        middle.setRowStretch(2, 1)
        lines.addLayout(middle, 5)
        lines.addWidget(label(tr("lesson.handout.notes"), "secondary"))
        self.notes = QLabel("")
        self.notes.setObjectName("speakerNotes")
        self.notes.setTextFormat(Qt.TextFormat.PlainText)
        self.notes.setWordWrap(True)
        self.notes.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.notes.setContentsMargins(14, 10, 14, 10)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.notes)
        lines.addWidget(area, 3)
        self.warning = label("", "strong", wrap=True)
        self.warning.hide()
        lines.addWidget(self.warning)
        lines.addLayout(self._make_measures())
        lines.addLayout(self._make_switches())
        self._notes_steps = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Letters as large as the screen allows: 24 pixels of 1920."""
        super().resizeEvent(event)
        size = max(self.width() // 80, _SMALLEST)
        self.setStyleSheet(
            f"QWidget {{ font-size: {size}px; }} QLabel[look='clock'] {{ font-size: {size * 3 // 2}px; }}"
        )
        self.size_notes(0)

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(24)
        self.state, self.place = label("", "title"), label("", "row-text")
        self.spent, self.left, self.clock = label("", "clock"), label("", "clock"), label("", "clock")
        head.addWidget(self.state)
        head.addWidget(self.place, 1)
        for part, words in (
            (self.spent, "lesson.speaker.spent"),
            (self.left, "lesson.speaker.left"),
            (self.clock, "lesson.speaker.clock"),
        ):
            both = QVBoxLayout()
            both.setSpacing(0)
            both.addWidget(part)
            both.addWidget(label(tr(words), "secondary"))
            head.addLayout(both)
        return head

    def _make_answer(self) -> QVBoxLayout:
        """What the run answers, and a field for the hands of each option."""
        lines = QVBoxLayout()
        self.answer = label("", "strong", wrap=True)
        lines.addWidget(self.answer)
        self.hands = QHBoxLayout()
        lines.addLayout(self.hands)
        lines.addStretch(1)
        self.counts: list[QSpinBox] = []
        return lines

    def _make_measures(self) -> QHBoxLayout:
        """How wide the picture is and how far the last row sits, and how it sees the smallest letters."""
        row = QHBoxLayout()
        self.wide, self.far = QDoubleSpinBox(), QDoubleSpinBox()
        for field, words, least, most in (
            (self.wide, "lesson.speaker.wide", 0.5, 20.0),
            (self.far, "lesson.speaker.far", 1.0, 60.0),
        ):
            field.setRange(least, most)
            field.setDecimals(1)
            field.setSingleStep(0.1)
            field.setSuffix(tr("lesson.speaker.metres"))
            field.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            field.setAccessibleName(tr(words))
            field.valueChanged.connect(self._tell_measures)
            row.addWidget(label(tr(words), "secondary"))
            row.addWidget(field)
        self.letters = label("", "row-text")
        row.addWidget(self.letters)
        row.addStretch(1)
        return row

    def _make_switches(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.buttons: dict[str, QPushButton] = {}
        for name, (words, key) in SWITCHES.items():
            shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
            button = QPushButton(f"{tr(words)}   {shown}")
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setCheckable(name in {"freeze", "blank", "laser", "pen", "zoom"})
            button.clicked.connect(partial(self._switch, name))
            self.buttons[name] = button
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _choose(self, _item: object) -> None:
        self.step_wanted.emit(self.steps.currentRow())

    def _switch(self, name: str, *_clicked: object) -> None:
        self.switched.emit(name)

    def show_state(self, state: Presenting, answer: str, options: Sequence[str]) -> None:
        """The words of a state; `answer` and `options` are those of the question that waits."""
        player = state.now.player
        self.state.setText(_air_words(state))
        self.place.setText(
            tr(
                "lesson.speaker.place",
                title=shown_in_line(player.lesson.title),
                step=player.step + 1,
                steps=len(player.lesson.steps),
            )
        )
        self.notes.setText(plain_text(player.now.notes))
        self.answer.setText(answer)
        self._show_steps(player)
        self._show_hands(state, options)
        for name, on in (
            ("freeze", state.kept is not None),
            ("blank", state.blank),
            ("laser", state.laser),
            ("pen", state.pen),
            ("zoom", state.now.alone is not None),
        ):
            self.buttons[name].setChecked(on)

    def _show_steps(self, player: Player) -> None:
        titles = [
            f"{place}  {shown_in_line(step.title)}" for place, step in enumerate(player.lesson.steps, start=1)
        ]
        if titles != [self.steps.item(row).text() for row in range(self.steps.count())]:
            self.steps.clear()
            self.steps.addItems(titles)
        self.steps.setCurrentRow(player.step)

    def _show_hands(self, state: Presenting, options: Sequence[str]) -> None:
        if len(self.counts) == len(options) and state.now.counts:
            return
        empty(self.hands)
        self.counts = []
        for number, words in enumerate(options, start=1):
            field = QSpinBox()
            field.setRange(0, 9999)
            field.setAccessibleName(tr("lesson.speaker.hands", option=words))
            # By its number on the room's picture: the words of some have no room here.
            field.setPrefix(f"{number}: ")
            field.setToolTip(words)
            field.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            field.valueChanged.connect(self._tell_hands)
            self.hands.addWidget(field)
            self.counts.append(field)

    def _tell_hands(self, _value: int) -> None:
        self.counted.emit(tuple(one.value() for one in self.counts))

    def show_measures(self, room: Room) -> None:
        """The measures of a room in their fields."""
        for field, cm in ((self.wide, room.width_cm), (self.far, room.distance_cm)):
            with QSignalBlocker(field):
                field.setValue(cm / 100)

    def _tell_measures(self, _value: float) -> None:
        self.measured.emit(Room(round(self.wide.value() * 100), round(self.far.value() * 100)))

    def tell_letters(self, minutes: float) -> None:
        """Under what angle the last row sees the smallest letters, and whether it reads them."""
        told = tr("lesson.speaker.letters", minutes=round(minutes))
        if minutes < FLOOR:
            told = tr("lesson.speaker.too-small", minutes=round(minutes), least=FLOOR)
        self.letters.setText(told)

    def tell_time(self, seconds: int, minutes: int, clock: str) -> None:
        """Time in the lesson, what is left of its minutes, the time of the day."""
        self.spent.setText(_minutes(seconds))
        left = minutes * 60 - seconds
        self.left.setText(_minutes(left) if left >= 0 else tr("lesson.speaker.over", time=_minutes(-left)))
        self.clock.setText(clock)

    def size_notes(self, by: int) -> None:
        """Larger or smaller letters of the notes."""
        self._notes_steps = min(max(self._notes_steps + by, _NOTES_STEPS[0]), _NOTES_STEPS[1])
        size = self.width() / _NOTES_SHARE * (1 + self._notes_steps / 10)
        self.notes.setStyleSheet(f"font-size: {max(round(size), _SMALLEST)}px;")

    def warn(self, words: str) -> None:
        """Something that the speaker has to know; "" takes it back."""
        self.warning.setText(words)
        self.warning.setVisible(bool(words))


def _air_words(state: Presenting) -> str:
    if state.blank:
        return tr("lesson.speaker.is-blank")
    if state.kept is not None:
        return tr("lesson.speaker.is-frozen", steps=Count(abs(state.ahead)))
    return tr("lesson.speaker.again") if state.asked else tr("lesson.speaker.on-air")


def _minutes(seconds: int) -> str:
    return f"{seconds // 60:02}:{seconds % 60:02}"
