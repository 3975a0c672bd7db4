"""A lesson on the screen: its text and its questions on the left, the lanes of its runs on the right."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, LiteralString

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.message import Count
from core.picture.letters import Letter, with_letters
from core.picture.marks import Picture, Ref
from core.teaching.lesson import AskKind, Block, Lesson, Pointer, pointers_of
from core.teaching.library import lesson_ids
from gui.lessons.answering import AnswerField, as_given, field_of
from gui.lessons.handle import LadderHandle
from gui.lessons.prose import LETTER, lines_of
from gui.lessons.reveal import OtherEras, Reveal
from gui.lessons.spotlight import lit
from gui.lessons.steps import StepRow, StepsBar, states_of
from gui.lessons.sweep import CellSweep
from gui.panels.parts import Elided, column, label, rule, upright_rule
from gui.panels.wrapping import Wrapping
from gui.text.spoken import tr
from gui.theme import Theme
from gui.timeline.scenes import TraceScene
from gui.timeline.stage import Stage
from gui.workspace.content import marked_times, with_room
from gui.workspace.lesson_player import (
    Player,
    Shown,
    answered,
    as_scene_shown,
    at_step,
    following,
    other_eras,
    pointed_at,
    points_of,
    shown,
    spoken_of,
    with_hint,
)
from gui.workspace.lesson_words import rule_words
from gui.workspace.session import Session

TEXT_WIDTH: Final = 500
_NARROW: Final = 420
_WIDE: Final = 1380
"""Of the page, from which on the text has all of its width."""
_BESIDE, _LOW = 1120, 600
"""Of the page: the width from which on the text stands beside the lanes, the height that it needs below."""
_NO_LIMIT: Final = 16_777_215
_LEAST_LANES: Final = 480
_HIDDEN: Final = 0.2
"""How much of the width of the lanes what is hidden has."""
_HIDDEN_MOST: Final = 0.4
_END: Final = 12
"""Lanes end so far before their right edge."""


def _with_key(words: LiteralString, key: Qt.Key) -> str:
    """The words of a button and the key that does the same."""
    return f"{tr(words)}   {QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)}"


class StepText(QLabel):
    """A paragraph of a step. A letter in it points at its mark."""

    def __init__(self, line: str) -> None:
        """`line` is rich text that prose.py made."""
        super().__init__(line)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setProperty("look", "lesson")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )


class LessonPlayer(QWidget):
    """Goes through a lesson, in a session of its own: what is open in the window stays as it is."""

    left = Signal()
    """Back to the course."""
    stood = Signal(object)
    """the Player, whenever a step is shown"""
    ended = Signal(object)
    """the Player, when one goes on from the last step and has answered something"""
    answer_given = Signal(object)
    """the Player after an answer"""

    def __init__(self, parent: QWidget | None = None) -> None:
        """No lesson yet."""
        super().__init__(parent)
        self.setObjectName("lesson")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.player: Player | None = None
        self.takes_keyboard = True
        """Whether a step takes the keyboard when it is shown; beside a text that is written it does not."""
        self.session = Session()
        self.field: AnswerField | None = None
        self._place: QPushButton | None = None
        self._stood: Shown | None = None
        self._asked_at = 0.0
        self.stage = Stage(self.session)
        self.stage.cells.setVisible(True)
        self.stage.narration.hide()
        self.stage.setMinimumWidth(_LEAST_LANES)
        self.stage.over = self._over
        self.handle = LadderHandle(self.stage)
        self.sweep = CellSweep(self.stage.cells)
        self._theme: Theme | None = None
        both = self._both = QBoxLayout(QBoxLayout.Direction.BottomToTop, self)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(0)
        self.side = self._make_text()
        both.addWidget(self.side)
        both.addWidget(upright_rule())
        right = QWidget()
        lines = column(right)
        self.run_name = Elided("", "strong")
        self.run_name.setContentsMargins(16, 10, 16, 10)
        lines.addWidget(self.run_name)
        lines.addWidget(rule())
        lines.addWidget(self.stage, 1)
        self.veil = label("", "tag")
        self.veil.setContentsMargins(16, 6, 16, 6)
        lines.addWidget(rule())
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 8, 16, 8)
        foot.addWidget(Elided(tr("lesson.wander"), "secondary"), 1)
        foot.addWidget(self.veil)
        lines.addLayout(foot)
        both.addWidget(right, 1)

    def _make_text(self) -> QWidget:
        """The column of the text: head, step, foot."""
        side = QWidget()
        side.setObjectName("panelBody")
        lines = column(side)
        head = QWidget()
        self._head = column(head, (28, 16, 28, 12), 6)
        self.place = label("", "secondary")
        self.title = label("", "headline", wrap=True)
        self.minutes, self.count = label("", "secondary"), label("", "secondary")
        self.bar = StepsBar()
        first = QHBoxLayout()
        first.addWidget(self.place)
        first.addStretch(1)
        first.addWidget(self.count)
        first.addStretch(1)
        first.addWidget(self.minutes)
        self._head.addLayout(first)
        for part in (self.title, self.bar):
            self._head.addWidget(part)
        lines.addWidget(head)
        lines.addWidget(rule())
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        lines.addWidget(self.area, 1)
        lines.addWidget(rule())
        foot = QHBoxLayout()
        foot.setContentsMargins(28, 12, 28, 12)
        foot.setSpacing(10)
        self.back = QPushButton(_with_key("lesson.back", Qt.Key.Key_PageUp))
        self.course = QPushButton(tr("lesson.to-course"))
        self.next = QPushButton(tr("lesson.next"))
        self.next.setObjectName("primary")
        ways = Wrapping(gap=10)
        ways.addWidget(self.back)
        ways.addWidget(self.course)
        foot.addLayout(ways, 1)
        foot.addWidget(self.next, 0, Qt.AlignmentFlag.AlignTop)
        lines.addLayout(foot)
        self.back.clicked.connect(lambda: self.go(-1))
        self.next.clicked.connect(lambda: self.go(1))
        self.course.clicked.connect(self.left)
        return side

    def open(self, lesson: Lesson, step: int = 0) -> None:
        """Begin a lesson, at its first step or another one."""
        self.player = at_step(Player(lesson), step)
        self._show()

    def go_on_with(self, player: Player) -> None:
        """Go on with what somebody came to."""
        self.player = player
        self._show()

    def go(self, by: int) -> None:
        """To the step after or before; from the last one back to the course.

        What is practised has the questions that were missed alone.
        """
        if self.player is None:
            return
        after = following(self.player, by)
        if after is self.player and by > 0:
            if self.player.attempts:
                self.ended.emit(self.player)
            else:
                self.left.emit()
            return
        self.player = after
        self._show()

    def return_to_text(self) -> None:
        """The cursor goes back to where the step stands."""
        if self._stood is not None:
            self.session.set_position(self._stood.position)
            self._fit(self._stood)

    def answer(self, *, skip: bool = False) -> None:
        """Take the answer, and show what happened."""
        player, field = self.player, self.field
        if player is None or player.asks is None or field is None:
            return
        given = None if skip else as_given(player.asks, field.given())
        if given is None and not skip:
            return
        self.player = answered(player, given, time.monotonic() - self._asked_at)
        self._show()
        self.answer_given.emit(self.player)

    def _answer(self, *_clicked: object, skip: bool) -> None:
        self.answer(skip=skip)

    def _may_place(self) -> None:
        """What is not answered cannot be placed."""
        if self._place is not None and self.field is not None:
            self._place.setEnabled(self.field.given() is not None)

    def hint(self) -> None:
        """One more hint."""
        if self.player is not None:
            kept = None if self.field is None else self.field
            self.player = with_hint(self.player)
            self._fill(kept)

    def set_theme(self, theme: Theme) -> None:
        """Draw the lanes in the colours of a theme."""
        self._theme = theme
        self.stage.set_theme(theme)
        self._fill(self.field)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The text beside the lanes, narrower where there is less room; under them in a narrow high page."""
        super().resizeEvent(event)
        self._keep_room()
        size = event.size()
        low = size.height() < _LOW and size.width() >= _NARROW + _LEAST_LANES
        beside = low or size.width() >= _BESIDE
        self.stage.legend.setHidden(low)
        way = QBoxLayout.Direction
        self._both.setDirection(way.LeftToRight if beside else way.BottomToTop)
        most = _NO_LIMIT if not beside else _NARROW if size.width() < _WIDE else TEXT_WIDTH
        self.side.setMinimumWidth(most if beside else 0)
        self.side.setMaximumWidth(most)
        self.side.setMaximumHeight(_NO_LIMIT if beside else size.height() * 2 // 5)

    def focus(self) -> None:
        """The keyboard goes to what is asked, else to the next step."""
        if self.field is not None:
            self.field.wait()
        else:
            self.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page Down and Page Up go through the steps, Backspace back to the text."""
        match event.key():
            case Qt.Key.Key_PageDown:
                self.go(1)
            case Qt.Key.Key_PageUp:
                self.go(-1)
            case Qt.Key.Key_Backspace:
                self.return_to_text()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.answer() if self.player is not None and self.player.asks is not None else self.go(1)
            case _:
                super().keyPressEvent(event)

    def _show(self) -> None:
        """The step that is on: its runs, its place in them, its text."""
        player = self.player
        if player is None:
            return
        seen = shown(player)
        self._stood = seen
        traces = tuple(run.history.trace for run in seen.content.runs)
        self.session.show(seen.content, traces, position=seen.position)
        waits = player.asks is not None
        self.veil.setText(tr("lesson.hidden") if waits else "")
        self.veil.setVisible(waits)
        self.run_name.setText(
            tr("lesson.run", scenario=player.now.scene.scenario, runs=as_scene_shown(player.now.scene))
            if player.now.scene.scenario
            else as_scene_shown(player.now.scene)
        )
        self._asked_at = time.monotonic()
        field = None if player.asks is None else field_of(player.asks, seen.content.runs[0])
        if field is not None:
            field.changed.connect(self._may_place)
        self.handle.ask(player.asks, seen.content.runs[0], field)
        self.sweep.ask(player, field)
        self._keep_room()
        self._fit(seen)
        self.stage.redraw_soon()
        self.stood.emit(player)
        self._fill(field)
        if self.takes_keyboard:
            self.focus()

    def _fit(self, seen: Shown) -> None:
        """The picture shows the steps that the text speaks of."""
        player, scene = self.player, self.stage.scene
        spoken = None if player is None else spoken_of(player.now.scene, seen.content)
        if player is None or spoken is None:
            self.session.set_window(None)
        elif isinstance(scene, TraceScene):
            self.session.set_window(with_room(marked_times(seen.content, *spoken)))
        else:
            self.session.set_window(None)

    def _keep_room(self) -> None:
        """What is hidden has room right of the lanes."""
        waits = self.player is not None and self.player.asks is not None
        wide = self.stage.width()
        least = min(self.handle.least_room, wide * _HIDDEN_MOST)
        self.stage.kept_right = round(max(wide * _HIDDEN, least)) if waits else 0

    def _over(self, picture: Picture) -> Picture:
        """The lanes with the letters of the text, and the veil over what is hidden."""
        player, scene, seen = self.player, self.stage.scene, self._stood
        if player is None or scene is None or seen is None:
            return picture
        look, content = self.stage.look(), seen.content
        kept = self.stage.kept_right
        picture = lit(picture, player, scene, look, content, (picture.width - _END, picture.width + kept))
        if player.asks is not None:
            wide = replace(picture, width=picture.width + kept)
            picture = self.handle.veiled(wide, picture.width - _END, scene.head(look), scene.lanes(look))
        letters = [
            Letter(
                one.letter,
                one.run,
                one.seq,
                one.broker,
                scene.x_of(content.position_of(one.run, one.seq + 1), look),
            )
            for one in points_of(player.now, content)
        ]
        return with_letters(picture, letters, look.gutter)

    def _fill(self, field: AnswerField | None) -> None:
        """The head, the text of the step that is on, and a row for each of the others."""
        player = self.player
        if player is None:
            return
        steps = player.lesson.steps
        self.title.setText(player.lesson.title)
        ids = lesson_ids()
        self.place.setText(
            tr("lesson.of-course", number=ids.index(player.lesson.id) + 1, lessons=len(ids))
            if player.lesson.id in ids
            else ""
        )
        self.minutes.setText(tr("lesson.minutes", count=Count(player.lesson.minutes)))
        self.bar.show_steps(player, self._theme)
        self.count.setText(tr("lesson.step-of", step=player.step + 1, steps=len(steps)))
        self.back.setEnabled(following(player, -1) is not player)
        last = following(player, 1) is player
        self.next.setText(_with_key("lesson.done" if last else "lesson.next", Qt.Key.Key_PageDown))
        self.field = field
        body = QWidget()
        body.setObjectName("panelBody")
        lines = column(body, (20, 14, 20, 14), 0)
        if player.now.ask is None:
            self._rows(lines, range(player.step))
        lines.addWidget(self._now(player, field))
        if player.now.ask is None:
            self._rows(lines, range(player.step + 1, len(steps)))
        lines.addStretch(1)
        self.area.setWidget(body)

    def _rows(self, lines: QVBoxLayout, places: range) -> None:
        player = self.player
        if player is None:
            return
        states = states_of(player)
        for place in places:
            title, past = player.lesson.steps[place].title, place < player.step
            row = StepRow(place + 1, title, states[place], self._theme, past=past)
            row.clicked.connect(partial(self._go_to, place))
            lines.addWidget(row)

    def _go_to(self, place: int, *_clicked: object) -> None:
        if self.player is not None:
            self.go_on_with(at_step(self.player, place))

    def _now(self, player: Player, field: AnswerField | None) -> QWidget:
        """The step that is on: its text, its question, or what was revealed."""
        now, ask = player.now, player.now.ask
        box = QFrame()
        box.setObjectName("lessonNow")
        lines = column(box, (16, 8, 8, 12), 12)
        lines.addWidget(label(now.title, "lessonStep", wrap=True))
        waits = player.asks is not None
        if ask is None or waits:
            for paragraph in self._paragraphs(now.blocks):
                lines.addWidget(paragraph)
        if waits and field is not None:
            lines.addWidget(self._question(player, field))
        elif ask is not None:
            lines.addWidget(Reveal(player, self._theme))
        if now.rule is not None and not waits:
            lines.addWidget(label(rule_words(now), "lessonRule", wrap=True))
        if ask is not None and not waits:
            for paragraph in self._paragraphs(now.revealed):
                lines.addWidget(paragraph)
            if len(eras := other_eras(now)) > 1:
                lines.addWidget(OtherEras(player, ask, eras, self._theme))
        return box

    def _paragraphs(self, blocks: Sequence[Block]) -> list[StepText]:
        pointers = {one.letter: one for one in pointers_of(blocks)}
        made = [StepText(line) for line in lines_of(blocks, self._plate())]
        for one in made:
            one.linkActivated.connect(partial(self._follow, pointers))
        return made

    def _follow(self, pointers: Mapping[str, Pointer], link: str) -> None:
        self._point(pointers[link.removeprefix(LETTER)])

    def _point(self, pointer: Pointer) -> None:
        """Select the mark of a letter, in the first run that has it."""
        content, player = self.session.content, self.player
        found = None if content is None or player is None else pointed_at(pointer, player.now.scene, content)
        if found is not None:
            self.session.select(Ref("event", *found))

    def _plate(self) -> str:
        """How a letter looks in the text: as in the lanes."""
        if self._theme is None:
            return ""
        ink, ground = (self._theme.colour(role).name() for role in ("text.inverse", "bg.inverse"))
        return f"color: {ink}; background-color: {ground}; text-decoration: none"

    def _question(self, player: Player, field: AnswerField) -> QWidget:
        ask = player.now.ask
        box = QWidget()
        box.setObjectName("question")
        lines = column(box, (0, 4, 0, 4), 10)
        if ask is None:
            return box
        if player.tries(player.step):
            lines.addWidget(
                label(
                    tr("lesson.once-more", number=len(player.tries(player.step)) + 1), "hintText", wrap=True
                )
            )
        lines.addWidget(label(ask.question, "question", wrap=True))
        if ask.context:
            lines.addWidget(label(ask.context, "lesson", wrap=True))
        lines.addWidget(field)
        if ask.kind is AskKind.LOST:
            lines.addWidget(label(tr("lesson.answer.sweep"), "secondary", wrap=True))
        for hint in ask.hints[: player.hints]:
            lines.addWidget(label(hint, "hintText", wrap=True))
        row = QHBoxLayout()
        self._place = QPushButton(tr("lesson.place"))
        self._place.setObjectName("primary")
        self._place.clicked.connect(partial(self._answer, skip=False))
        self._place.setEnabled(field.given() is not None)
        row.addWidget(self._place)
        if player.hints < len(ask.hints):
            hint = QPushButton(tr("lesson.hint"))
            hint.clicked.connect(self.hint)
            row.addWidget(hint)
        skip = QPushButton(tr("lesson.skip"))
        skip.clicked.connect(partial(self._answer, skip=True))
        row.addWidget(skip)
        row.addStretch(1)
        lines.addLayout(row)
        return box
