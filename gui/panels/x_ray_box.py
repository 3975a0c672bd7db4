"""The x-ray of a cut in the inspector: four numbered rows, both caches, other releases to choose."""

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from gui.panels.parts import Flow, Paragraph, column, label, tip
from gui.panels.x_ray import Cache, Outcome, XRayShown
from gui.text.spoken import tr
from gui.theme import font

_CIRCLE: Final = 17
_NAME: Final = 64
_A_ROW: Final = 4
"""Releases side by side."""


class _Number(QWidget):
    """A number in a circle on the rail that joins it with the next."""

    def __init__(self, number: int, *, last: bool) -> None:
        super().__init__()
        self._number, self._last = number, last
        self.setFixedWidth(_CIRCLE + 6)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """At least the circle."""
        return QSize(_CIRCLE + 6, _CIRCLE + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The circle at the top, the rail down to the next one."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = self.palette().text().color()
        painter.setPen(QPen(ink, 1))
        middle = 1 + _CIRCLE / 2
        if not self._last:
            painter.drawLine(QPointF(middle, _CIRCLE + 1), QPointF(middle, self.height()))
        circle = QRectF(1, 1, _CIRCLE - 1, _CIRCLE - 1)
        if self._last:
            painter.setBrush(ink)
        painter.drawEllipse(circle)
        painter.setFont(font(10, 600))
        painter.setPen(self.palette().base().color() if self._last else ink)
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, str(self._number))
        painter.end()


class XRayBox(Flow):
    """All of an x-ray. A click on a release says what it would have done."""

    def __init__(self, shown: XRayShown) -> None:
        """As it is shown."""
        super().__init__()
        self.setAccessibleName(tr("x-ray.title"))
        self._outcomes = shown.outcomes
        lines = column(self, spacing=6)
        head = QHBoxLayout()
        if shown.badge:
            head.addWidget(label(shown.badge, "pill"))
        head.addWidget(label(tr("x-ray.title"), "strong"))
        head.addStretch(1)
        lines.addLayout(head)
        if shown.rule:
            lines.addWidget(Paragraph(shown.rule, "secondary"))
        lines.addWidget(_steps(shown))
        lines.addWidget(_caches(shown.caches))
        if shown.outcomes:
            lines.addWidget(Paragraph(shown.condition, "strong"))
            lines.addWidget(self._releases())
            self.words = Paragraph("", "body")
            lines.addWidget(self.words)
            self._choose(_first_other(shown))

    def _releases(self) -> QWidget:
        """A button for each group of releases."""
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(4)
        self.buttons = QButtonGroup(self)
        for place, one in enumerate(self._outcomes):
            button = QToolButton()
            button.setProperty("look", "release")
            button.setText(f"{one.releases}\n{one.log_end}")
            button.setAccessibleName(f"{one.releases}: {one.log_end}. {one.words}")
            button.setToolTip(tip(one.words))
            button.setProperty("loses", one.loses)
            button.setCheckable(True)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self.buttons.addButton(button, place)
            grid.addWidget(button, place // _A_ROW, place % _A_ROW)
        self.buttons.idClicked.connect(self._choose)
        return box

    def _choose(self, place: int) -> None:
        """Say what the releases of a button would have done."""
        self.buttons.button(place).setChecked(True)
        one = self._outcomes[place]
        self.words.setText(tr("x-ray.outcome", releases=one.releases, words=one.words))

    def changeEvent(self, event: QEvent) -> None:
        """Numbers are drawn in the colours of the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()


def _first_other(shown: XRayShown) -> int:
    """The first release that would have left another log end offset; else the first."""
    here: Outcome = shown.outcomes[0]
    return next((place for place, one in enumerate(shown.outcomes) if one.log_end != here.log_end), 0)


def _steps(shown: XRayShown) -> QWidget:
    """Question, answer, rule and result, numbered."""
    box = Flow()
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 2, 0, 2)
    grid.setHorizontalSpacing(6)
    grid.setVerticalSpacing(0)
    grid.setColumnStretch(2, 1)
    for row, step in enumerate(shown.steps):
        grid.addWidget(_Number(row + 1, last=row + 1 == len(shown.steps)), row, 0)
        name = label(step.name, "secondary")
        name.setFixedWidth(_NAME)
        grid.addWidget(name, row, 1, Qt.AlignmentFlag.AlignTop)
        text = Paragraph(step.text, "body")
        text.setContentsMargins(0, 0, 0, 6)
        grid.addWidget(text, row, 2, Qt.AlignmentFlag.AlignTop)
    return box


def _caches(caches: tuple[Cache, ...]) -> QWidget:
    """The leader epoch caches of both sides, the row that decided marked."""
    box = Flow()
    across = QHBoxLayout(box)
    across.setContentsMargins(0, 0, 0, 0)
    across.setSpacing(16)
    for cache in caches:
        side = Flow()
        lines = column(side, spacing=2)
        lines.addWidget(Paragraph(cache.title, "strong"))
        if cache.rows:
            lines.addWidget(_rows(cache))
        if cache.note:
            lines.addWidget(Paragraph(cache.note, "secondary"))
        lines.addStretch(1)
        across.addWidget(side, 1)
    return box


def _rows(cache: Cache) -> QWidget:
    box = QWidget()
    box.setAccessibleName(cache.title)
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(10)
    grid.setVerticalSpacing(2)
    heads = (tr("x-ray.cache.epoch"), tr("x-ray.cache.start"), tr("x-ray.cache.end"))
    for place, text in enumerate(heads):
        grid.addWidget(label(text, "secondary"), 0, place)
    for number, row in enumerate(cache.rows, start=1):
        decides = number - 1 == cache.deciding
        for place, text in enumerate(row):
            shown = label(text, "decides" if decides else "mono" if place < 2 else "secondaryMono")
            grid.addWidget(shown, number, place)
    grid.setColumnStretch(2, 1)
    return box
