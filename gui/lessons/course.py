"""The course: its lessons as a path of cards, what was reached in them, the final test, and the player."""

import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from core.compare.comparison import Run
from core.message import Count, Listing
from core.teaching.lesson import Lesson
from core.teaching.library import lesson, lesson_ids
from gui.lessons.player import LessonPlayer
from gui.lessons.results import ResultsPage
from gui.lessons.writer import LessonWriter
from gui.panels.parts import Elided, column, label, rule
from gui.panels.previews import CaseView, LaneView
from gui.panels.views import Views
from gui.panels.wrapping import Wrapping
from gui.text.spoken import language, tr
from gui.theme import Theme
from gui.workspace.lesson_final import SEEDS, final_test
from gui.workspace.lesson_player import Player
from gui.workspace.progress import Progress, as_words, of_words, with_player

_CARD: Final = 220
_ACROSS: Final = ((1600, 6), (1150, 4), (0, 3))
"""From which width of the page on so many cards stand in a row."""


class LessonCard(QPushButton):
    """A lesson: number, title, one line, minutes, questions, and what was reached."""

    moved = Signal(int)
    """An arrow key was pressed: the card before (-1) or after (1) is wanted."""

    def __init__(self, number: int, one: Lesson) -> None:
        """Nothing was reached yet."""
        super().__init__()
        self.lesson = one
        self.setObjectName("welcomeCard")
        self.setAutoDefault(True)
        self.setAccessibleName(tr("lesson.numbered", number=number, title=one.title))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.reached = label("", "strongSmall")
        self.facts = tr(
            "lesson.opens",
            minutes=tr("lesson.minutes", count=Count(one.minutes)),
            questions=tr("lesson.questions", count=Count(len(one.questions))),
        )
        lines = column(self, (14, 12, 14, 12), 6)
        self.lane = LaneView() if one.steps[0].scene.scenario else CaseView()
        lines.addWidget(self.lane)
        title = tr("lesson.numbered", number=number, title=one.title)
        for made in (label(title, "title", wrap=True), label(one.line, "row-text", wrap=True)):
            lines.addWidget(made)
        lines.addStretch(1)
        runs = dict.fromkeys(name.partition("+")[0] for step in one.steps for name in step.scene.runs)
        lines.addWidget(label(self.facts, "secondary", wrap=True))
        foot = QHBoxLayout()
        if runs:
            foot.addWidget(Elided(tr("lesson.slide.runs", runs=Listing(tuple(runs))), "pillHollow"))
        foot.addStretch(1)
        foot.addWidget(self.reached)
        lines.addLayout(foot)
        for made in self.findChildren(QWidget):
            made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_progress(self, known: Progress | None, *, last: bool) -> None:
        """What was reached; `last` is the lesson that was on last."""
        words = ""
        if known is not None and known.answered:
            words = tr("lesson.right-of", right=known.right, questions=len(self.lesson.questions))
            if isinstance(self.lane, CaseView):
                self.lane.show_solved(solved=known.answered >= len(self.lesson.questions))
        elif known is not None:
            words = tr("lesson.at-step", step=known.step + 1, steps=len(self.lesson.steps))
        self.reached.setText(words)
        self.setAccessibleDescription(" ".join(filter(None, (self.lesson.line, self.facts, words))))
        self.setProperty("last", last)
        self.style().polish(self)

    def show_theme(self, theme: Theme) -> None:
        """The lane has colours that the style sheet does not reach."""
        self.lane.theme = theme
        self.lane.update()

    def sizeHint(self) -> QSize:
        """As high as its text at its width."""
        layout = self.layout()
        height = layout.heightForWidth(max(self.width(), _CARD)) if layout is not None else 0
        return QSize(_CARD, max(height, 120))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go to the next card, Enter and Space open."""
        keys = Qt.Key
        ways = {keys.Key_Down: 1, keys.Key_Right: 1, keys.Key_Up: -1, keys.Key_Left: -1}
        step = ways.get(keys(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.moved.emit(step)


class CoursePage(Views):
    """The path of lessons, or the lesson that is on."""

    finished = Signal(object)
    """the Player, whenever a question was answered"""
    previews_wanted = Signal(tuple)
    """(id, scene) of each lesson whose card has no lane yet"""
    write_wanted = Signal()
    present_wanted = Signal()
    """Of what is `chosen`."""
    progressed = Signal(tuple)
    """what is to be remembered of all lessons"""

    def __init__(self, parent: QWidget | None = None) -> None:
        """The cards are made when they are seen first."""
        super().__init__(parent)
        self.setObjectName("course")
        self.player, self.results, self.writer = LessonPlayer(), ResultsPage(), LessonWriter()
        self.rows: tuple[LessonCard, ...] = ()
        self._known: dict[str, Progress] = {}
        self._theme: Theme | None = None
        self._listed = QWidget()
        self._listed.setObjectName("lessons")
        self._listed.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        lines = column(self._listed)
        lines.addLayout(self._head())
        lines.addWidget(rule())
        inside = QWidget()
        inside.setObjectName("panelBody")
        self._cards = column(inside, (28, 20, 28, 20), 16)
        self._path, self._called = QGridLayout(), QGridLayout()
        self._path.setSpacing(16)
        self._called.setSpacing(16)
        self._calls = label(tr("lesson.on-call"), "title")
        self._cards.addLayout(self._path)
        self._cards.addWidget(self._calls)
        self._cards.addLayout(self._called)
        self._cards.addWidget(self._make_final())
        self._cards.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        lines.addWidget(area, 1)
        self.addWidget(self._listed)
        self.addWidget(self.player)
        self.addWidget(self.results)
        self.addWidget(self.writer)
        self.writer.left.connect(self.show_list)
        self.player.ended.connect(self._show_results)
        self.results.back_wanted.connect(self._back_to_lesson)
        self.results.course_wanted.connect(self.show_list)
        self.results.practice_wanted.connect(self._practise)
        self.player.left.connect(self.show_list)
        self.player.answer_given.connect(self.finished)
        self.player.stood.connect(self._reached)

    def _make_final(self) -> QWidget:
        """The final test: a seed, by chance until somebody sets one, and what begins it."""
        box = QFrame()
        box.setObjectName("card")
        line = QHBoxLayout(box)
        line.setContentsMargins(14, 12, 14, 12)
        line.setSpacing(16)
        words = QWidget()
        said = column(words, spacing=4)
        said.addWidget(label(tr("lesson.final"), "title"))
        said.addWidget(label(tr("lesson.final.about"), "row-text", wrap=True))
        line.addWidget(words, 1)
        self.seed = QSpinBox()
        self.seed.setRange(0, SEEDS - 1)
        self.seed.setValue(secrets.randbelow(SEEDS))
        self.seed.setAccessibleName(tr("lesson.final.seed"))
        line.addWidget(label(tr("lesson.final.seed"), "secondary"))
        line.addWidget(self.seed)
        self.final = QPushButton(tr("lesson.final.begin"))
        self.final.setAutoDefault(True)
        self.final.clicked.connect(self._begin_final)
        line.addWidget(self.final)
        return box

    def _begin_final(self, *_clicked: object) -> None:
        self.begin(final_test(self.seed.value(), language()))

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(28, 20, 28, 14)
        head.setSpacing(24)
        words = QWidget()
        said = column(words, spacing=4)
        said.addWidget(label(tr("lesson.course"), "headline"))
        said.addWidget(label(tr("lesson.course.about"), "row-text", wrap=True))
        self.told = label("", "strong")
        self.go_on = QPushButton()
        self.go_on.setObjectName("primary")
        self.go_on.setAutoDefault(True)
        self.go_on.clicked.connect(self._go_on)
        self.new = QPushButton(tr("actions.write-lesson"))
        self.new.setAutoDefault(True)
        self.new.clicked.connect(self.write_wanted)
        self.present = QPushButton(tr("actions.present"))
        self.present.setAutoDefault(True)
        self.present.clicked.connect(self.present_wanted)
        does = Wrapping(gap=12)
        for one in (self.new, self.present, self.go_on):
            does.addWidget(one)
        head.addWidget(words, 1)
        head.addWidget(self.told)
        head.addLayout(does)
        return head

    def remember(self, lines: Sequence[str]) -> None:
        """What was reached before, as `progressed` told it."""
        self._known = of_words(lines)
        self._tell()

    def showEvent(self, event: object) -> None:
        """Make the cards when they are seen first."""
        if not self.rows:
            found = [lesson(one, language()) for one in lesson_ids()]
            self.rows = tuple(self._card(number, one) for number, one in enumerate(found, start=1))
            self._arrange()
            self._tell()
        self._ask_for_previews()

    def _ask_for_previews(self) -> None:
        """Those of scenarios first: recordings take longer."""
        missing = [
            (card.lesson.id, card.lesson.steps[0].scene) for card in self.rows if card.lane.run is None
        ]
        simulated = [one for one in missing if one[1].scenario]
        if missing:
            self.previews_wanted.emit(tuple(simulated or missing))

    def show_previews(self, runs: Mapping[str, Run]) -> None:
        """Draw the lanes of the cards, by lesson."""
        for card in self.rows:
            if card.lesson.id in runs:
                card.lane.theme = self._theme
                card.lane.show_run(runs[card.lesson.id])
        if runs:
            self._ask_for_previews()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More cards beside one another where there is room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        across = next(count for width, count in _ACROSS if self.width() >= width)
        called = [card for card in self.rows if card.lesson.steps[0].scene.recording]
        for grid, cards in (
            (self._path, [one for one in self.rows if one not in called]),
            (self._called, called),
        ):
            for place, card in enumerate(cards):
                grid.addWidget(card, place // across, place % across)
            for place in range(_ACROSS[0][1]):
                grid.setColumnStretch(place, 1 if place < across else 0)
        self._calls.setVisible(bool(called))

    def _card(self, number: int, one: Lesson) -> LessonCard:
        card = LessonCard(number, one)
        card.clicked.connect(partial(self._begin, one))
        card.moved.connect(partial(self._go, number - 1))
        return card

    def _reached(self, player: Player) -> None:
        self._known = with_player(self._known, player)
        self._tell()
        self.progressed.emit(as_words(self._known))

    def _tell(self) -> None:
        """The cards, the numbers and the button say what was reached."""
        last = self._last()
        for card in self.rows:
            card.show_progress(self._known.get(card.lesson.id), last=card is last and bool(self._known))
        right = sum(self._known[one.lesson.id].right for one in self.rows if one.lesson.id in self._known)
        every = sum(len(one.lesson.questions) for one in self.rows)
        self.told.setText(tr("lesson.right-of", right=right, questions=every) if self._known else "")
        if last is not None:
            number = self.rows.index(last) + 1
            step = self._step_of(last.lesson) + 1
            self.go_on.setText(
                tr("lesson.go-on", number=number, step=step) if self._known else tr("lesson.begin")
            )

    def _last(self) -> LessonCard | None:
        """The lesson that was on last, else the first."""
        cards = {card.lesson.id: card for card in self.rows}
        found = next((cards[name] for name in self._known if name in cards), None)
        return found or (self.rows[0] if self.rows else None)

    def _step_of(self, one: Lesson) -> int:
        known = self._known.get(one.id)
        return 0 if known is None else min(known.step, len(one.steps) - 1)

    def _go_on(self, *_clicked: object) -> None:
        last = self._last()
        if last is not None:
            self.begin(last.lesson, self._step_of(last.lesson))

    def _begin(self, one: Lesson, *_clicked: object) -> None:
        self.begin(one)

    def _go(self, place: int, by: int) -> None:
        if 0 <= place + by < len(self.rows):
            self.rows[place + by].setFocus(Qt.FocusReason.TabFocusReason)

    def begin(self, one: Lesson, step: int = 0) -> None:
        """Open a lesson."""
        self.setCurrentWidget(self.player)
        self.player.open(one, step)

    def write(self, told: str) -> None:
        """Write on the text of a lesson."""
        self.setCurrentWidget(self.writer)
        self.writer.begin(told)

    def _show_results(self, player: Player) -> None:
        self.setCurrentWidget(self.results)
        self.results.show_result(player)

    def _practise(self, player: Player) -> None:
        self.setCurrentWidget(self.player)
        self.player.go_on_with(player)

    def _back_to_lesson(self) -> None:
        self.setCurrentWidget(self.player)
        self.player.focus()

    def show_list(self) -> None:
        """Back to the path, with the keyboard on what goes on."""
        self.setCurrentWidget(self._listed)
        self.focus()

    def set_theme(self, theme: Theme) -> None:
        """The lanes have colours that the style sheet does not reach."""
        self._theme = theme
        for card in self.rows:
            card.show_theme(theme)
        self.player.set_theme(theme)
        self.writer.set_theme(theme)

    def focus(self) -> None:
        """The keyboard goes to the lesson that is on, or to what goes on."""
        if self.currentWidget() is self.player:
            self.player.focus()
        else:
            self.go_on.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def chosen(self) -> tuple[Lesson, int]:
        """The lesson that is on and its step; while the list is seen the one that goes on, from its begin."""
        on, last = self.on, self._last()
        if on is not None:
            return on.lesson, on.step
        return lesson(lesson_ids()[0], language()) if last is None else last.lesson, 0

    @property
    def on(self) -> Player | None:
        """The lesson that is on; None while the list is seen."""
        return self.player.player if self.currentWidget() is self.player else None
