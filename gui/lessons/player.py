"""A lesson on the screen: its text and its questions on the left, the lanes of its runs on the right."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QWidget

from core.message import Count
from core.picture.marks import Ref
from core.teaching.lesson import Block, Lesson, Pointer
from core.teaching.places import cursor_of
from gui.lessons.answering import AnswerField, as_given, field_of
from gui.lessons.prose import LETTER, lines_of, pointers_of
from gui.lessons.reveal import Reveal
from gui.panels.parts import Elided, column, label, rule, upright_rule
from gui.text.spoken import tr
from gui.theme import Theme
from gui.timeline.stage import Stage
from gui.workspace.lesson_player import (
    Player,
    Shown,
    answered,
    as_scene_shown,
    at_step,
    shown,
    with_hint,
)
from gui.workspace.lesson_words import rule_words
from gui.workspace.session import Session

TEXT_WIDTH: Final = 500
_LEAST_LANES: Final = 480


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
    answer_given = Signal(object)
    """the Player after an answer"""

    def __init__(self, parent: QWidget | None = None) -> None:
        """No lesson yet."""
        super().__init__(parent)
        self.setObjectName("lesson")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.player: Player | None = None
        self.session = Session()
        self.field: AnswerField | None = None
        self._stood: Shown | None = None
        self._asked_at = 0.0
        self.stage = Stage(self.session)
        self.stage.cells.setVisible(True)
        self.stage.narration.hide()
        self.stage.setMinimumWidth(_LEAST_LANES)
        both = QHBoxLayout(self)
        both.setContentsMargins(0, 0, 0, 0)
        both.setSpacing(0)
        both.addWidget(self._make_text())
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
        lines.addWidget(self.veil)
        both.addWidget(right, 1)

    def _make_text(self) -> QWidget:
        """The column of the text: head, step, foot."""
        side = QWidget()
        side.setObjectName("panelBody")
        side.setFixedWidth(TEXT_WIDTH)
        lines = column(side)
        head = QWidget()
        self._head = column(head, (28, 16, 28, 12), 6)
        self.place = label("", "secondary")
        self.title = label("", "headline", wrap=True)
        self.bar = label("", "faintMono")
        for part in (self.place, self.title, self.bar):
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
        self.back, self.course = QPushButton(tr("lesson.back")), QPushButton(tr("lesson.to-course"))
        self.next = QPushButton(tr("lesson.next"))
        self.next.setObjectName("primary")
        self.count = label("", "secondary")
        foot.addWidget(self.back)
        foot.addWidget(self.course)
        foot.addStretch(1)
        foot.addWidget(self.count)
        foot.addStretch(1)
        foot.addWidget(self.next)
        lines.addLayout(foot)
        self.back.clicked.connect(lambda: self.go(-1))
        self.next.clicked.connect(lambda: self.go(1))
        self.course.clicked.connect(self.left)
        return side

    def open(self, lesson: Lesson, step: int = 0) -> None:
        """Begin a lesson, at its first step or another one."""
        self.player = at_step(Player(lesson), step)
        self._show()

    def go(self, by: int) -> None:
        """To the step after or before; from the last one back to the course."""
        if self.player is None:
            return
        after = at_step(self.player, self.player.step + by)
        if after is self.player and by > 0:
            self.left.emit()
            return
        self.player = after
        self._show()

    def return_to_text(self) -> None:
        """The cursor goes back to where the step stands."""
        if self._stood is not None:
            self.session.set_window(None)
            self.session.set_position(self._stood.position)

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

    def hint(self) -> None:
        """One more hint."""
        if self.player is not None:
            kept = None if self.field is None else self.field
            self.player = with_hint(self.player)
            self._fill(kept)

    def set_theme(self, theme: Theme) -> None:
        """Draw the lanes in the colours of a theme."""
        self.stage.set_theme(theme)

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
        self.stage.redraw_soon()
        self._fill(None if player.asks is None else field_of(player.asks, seen.content.runs[0]))
        self.focus()

    def _fill(self, field: AnswerField | None) -> None:
        """The text of the step that is on, with its question or what was revealed."""
        player = self.player
        if player is None:
            return
        steps = player.lesson.steps
        self.title.setText(player.lesson.title)
        self.place.setText(tr("lesson.minutes", count=Count(player.lesson.minutes)))
        self.bar.setText(" ".join("■" if one <= player.step else "□" for one in range(len(steps))))
        self.count.setText(tr("lesson.step-of", step=player.step + 1, steps=len(steps)))
        self.back.setEnabled(player.step > 0)
        self.next.setText(tr("lesson.done") if player.step == len(steps) - 1 else tr("lesson.next"))
        body = QWidget()
        body.setObjectName("panelBody")
        lines = column(body, (28, 20, 28, 20), 12)
        lines.addWidget(label(player.now.title, "lessonStep", wrap=True))
        for paragraph in self._paragraphs(player.now.blocks):
            lines.addWidget(paragraph)
        self.field = field
        if player.asks is not None and field is not None:
            lines.addWidget(self._question(player, field))
        elif player.now.ask is not None:
            lines.addWidget(Reveal(player))
            for paragraph in self._paragraphs(player.now.revealed):
                lines.addWidget(paragraph)
        if player.now.rule is not None and player.asks is None:
            lines.addWidget(label(rule_words(player.now), "lessonRule", wrap=True))
        lines.addStretch(1)
        self.area.setWidget(body)

    def _paragraphs(self, blocks: Sequence[Block]) -> list[StepText]:
        pointers = pointers_of(blocks)
        made = [StepText(line) for line in lines_of(blocks)]
        for one in made:
            one.linkActivated.connect(partial(self._follow, pointers))
        return made

    def _follow(self, pointers: Mapping[str, Pointer], link: str) -> None:
        self._point(pointers[link.removeprefix(LETTER)])

    def _point(self, pointer: Pointer) -> None:
        """Select the mark of a letter, in the first run that has it."""
        content, player = self.session.content, self.player
        if content is None or player is None:
            return
        spot = pointer.spot
        if spot.step is None and spot.at_ns is None:
            spot = replace(spot, step=player.now.scene.spot.step)
        for number, run in enumerate(content.runs):
            seq = cursor_of(spot, run) - 1
            if seq < len(run.history.trace):
                self.session.select(Ref("event", number, seq))
                return

    def _question(self, player: Player, field: AnswerField) -> QWidget:
        ask = player.now.ask
        box = QWidget()
        box.setObjectName("question")
        lines = column(box, (0, 4, 0, 4), 10)
        if ask is None:
            return box
        lines.addWidget(label(ask.question, "question", wrap=True))
        if ask.context:
            lines.addWidget(label(ask.context, "lesson", wrap=True))
        lines.addWidget(field)
        for hint in ask.hints[: player.hints]:
            lines.addWidget(label(hint, "hintText", wrap=True))
        row = QHBoxLayout()
        place = QPushButton(tr("lesson.place"))
        place.setObjectName("primary")
        place.clicked.connect(partial(self._answer, skip=False))
        place.setEnabled(field.given() is not None)
        field.changed.connect(lambda: place.setEnabled(field.given() is not None))
        row.addWidget(place)
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
