"""The story of an incident: its lanes, and below them a row of its steps."""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from core.diagnose.account.story import Step, StepKind, Story
from core.message import Count
from core.picture.incident import lay_out_story
from core.picture.marks import Picture
from core.shown import shown_in_line
from core.trace.times import clock, virtual_time
from core.trace.trace import Origin, Trace
from core.words import speaking
from gui.incident.stops import Stop
from gui.paint import paint
from gui.panels.parts import Elided, column, label
from gui.text.spoken import language, tr, worded
from gui.theme import Theme

_STEP: Final = 176
"""Least width of a step in the row."""


class StoryLanes(QWidget):
    """The lanes, as wide as the column."""

    def __init__(self, trace: Trace, story: Story) -> None:
        """Laid out when its width is known."""
        super().__init__()
        self._trace, self._story = trace, story
        self.theme: Theme | None = None
        self.picture = self._laid_out(900)
        self.setAccessibleName(self.picture.title)
        self.setAccessibleDescription(self.picture.alt)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(round(self.picture.height))

    def _laid_out(self, width: int) -> Picture:
        with speaking(language()):
            return lay_out_story(self._trace, self._story, width)

    def sizeHint(self) -> QSize:
        """As high as its lanes."""
        return QSize(400, round(self.picture.height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        super().resizeEvent(event)
        self.picture = self._laid_out(max(event.size().width(), 320))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The marks."""
        if self.theme is None:
            return
        painter = QPainter(self)
        paint(painter, self.picture, self.theme)
        painter.end()


class StepButton(Stop):
    """One step: its number, when, what; Enter opens the partition there."""

    def __init__(self, trace: Trace, number: int, step: Step) -> None:
        """`number` counts from 1."""
        super().__init__()
        self.setObjectName("step")
        self.step = step
        at = virtual_time(step.at) if trace.origin is Origin.SIMULATED else clock(step.at)
        told = worded(step.message)
        name = tr("incident.page.step-name", number=number, at=at, told=told)
        self.setAccessibleName(shown_in_line(name))
        gone = step.kind is StepKind.GONE
        grid = QGridLayout(self)
        grid.setContentsMargins(4, 3, 4, 3)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(0)
        self.number = label(str(number), "circleLoss" if gone else "circle")
        self.words = Elided(told, "lossStrong" if gone else "value")
        self.time = label(at, "secondaryMono")
        grid.addWidget(self.number, 0, 0, 2, 1)
        grid.addWidget(self.time, 0, 1)
        grid.addWidget(self.words, 1, 1)
        grid.setColumnStretch(1, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Words may end in an ellipsis: all of them are in the name and the tip."""
        return QSize(96, self.sizeHint().height())


class StorySection(QWidget):
    """Lanes and steps."""

    def __init__(self, trace: Trace, story: Story, go: Callable[[Step], object]) -> None:
        """`go` opens what a step is about."""
        super().__init__()
        lines = column(self, spacing=6)
        self.lanes = StoryLanes(trace, story)
        lines.addWidget(self.lanes)
        self.steps = [StepButton(trace, number, step) for number, step in enumerate(story.steps, 1)]
        for step in self.steps:
            step.clicked.connect(partial(go, step.step))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._columns = 0
        lines.addLayout(self._grid)
        self.more: QLabel | None = None
        if story.left_out:
            self.more = label(tr("incident.page.story-more", count=Count(story.left_out)), "secondary")
            lines.addWidget(self.more)
        self._arrange(max(len(self.steps), 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many steps beside each other as have room."""
        super().resizeEvent(event)
        self._arrange(max(event.size().width() // _STEP, 1))

    def _arrange(self, columns: int) -> None:
        columns = min(columns, max(len(self.steps), 1))
        if columns == self._columns:
            return
        for place in range(self._columns):
            self._grid.setColumnStretch(place, 0)
        self._columns = columns
        for place, step in enumerate(self.steps):
            self._grid.addWidget(step, place // columns, place % columns)
        for place in range(columns):
            self._grid.setColumnStretch(place, 1)

    def set_theme(self, theme: Theme) -> None:
        """The lanes in the theme's colours."""
        self.lanes.theme = theme
        self.lanes.update()
