"""One cause as a box: what it is, how sure, its partitions as chips, and the line that decides."""

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Final

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QWidget

from core.diagnose.account.page import Cause, Chip, Line
from core.picture.metrics import text_width
from core.trace.trace import Trace
from gui.incident.stops import ChipButton, ChipField, Stop
from gui.panels.parts import Elided, Paragraph, column, label
from gui.text.spoken import tr, worded, words
from gui.text.values import written
from gui.theme import Theme

_WIDE: Final = 820
"""From this width on the decisive line is beside the chips."""
_LINE: Final = 340
_SHARE: Final = 0.4
"""Of the box, at most, that the decisive line is wide beside the chips: there it goes on in further lines."""
_ANY: Final = 16_777_215
"""Qt's own bound of a width: none."""
_PLACE_SIZE: Final = 12.0
_TEXT_SIZE: Final = 11.0
"""Of letters of the looks "mono" and "secondaryMono", in pixels."""
_SLACK: Final = 4


class CauseBox(QFrame):
    """A cause with its chips."""

    def __init__(
        self,
        trace: Trace,
        cause: Cause,
        go: Callable[[Chip], object],
        show_all: Callable[[Cause], object],
    ) -> None:
        """`go` opens the partition of a chip, `show_all` all partitions of this cause."""
        super().__init__()
        self.setObjectName("cause")
        self.setProperty("proven", cause.proven)
        self.cause = cause
        self.name = Stop(_capital(worded(cause.name)))
        self.name.setObjectName("causeName")
        self.chips = [
            ChipButton(str(trace.partitions[chip.partition].tp), chip)
            for group in cause.groups
            for chip in group.chips
        ]
        for chip in self.chips:
            chip.clicked.connect(partial(go, chip.chip))
        if self.chips:
            self.name.clicked.connect(partial(go, self.chips[0].chip))
        gone = any(chip.lost or chip.possible for group in cause.groups for chip in group.chips)
        self.size_told = label(worded(cause.size), "lossStrong" if gone else "strong")
        self.sure = label(worded(cause.sure), "strongSmall")
        self.name.setAccessibleDescription(
            worded(cause.size) + "; " + worded(cause.sure) + "; " + worded(cause.sentence)
        )
        lines = column(self, (18, 10, 18, 12), 4)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.name)
        head.addWidget(self.size_told)
        head.addStretch(1)
        head.addWidget(self.sure)
        lines.addLayout(head)
        lines.addWidget(Paragraph(worded(cause.sentence), "body"))
        self.below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.below.setSpacing(16)
        self.decisive: QWidget | None = None
        self.field: ChipField | None = None
        if self.chips:
            more = Stop()
            more.clicked.connect(partial(show_all, cause))
            chips = iter(self.chips)
            groups = [
                ("" if group.caption is None else worded(group.caption), [next(chips) for _ in group.chips])
                for group in cause.groups
            ]
            self.field = ChipField(groups, more)
            self.below.addWidget(self.field, 1)
        self._whole = 0
        if cause.line is not None:
            self.decisive, self._whole = _decisive(cause.line)
            self.below.addWidget(self.decisive, 0)
        lines.addLayout(self.below)

    def stops(self) -> list[QPushButton]:
        """What the keys go through: its name, then its chips."""
        return [self.name, *(self.field.shown() if self.field is not None else [])]

    def set_theme(self, theme: Theme) -> None:
        """The signs in the theme's colours."""
        for chip in self.chips:
            chip.theme = theme
            chip.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room the decisive line is below the chips."""
        super().resizeEvent(event)
        wide = event.size().width() >= _WIDE
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        if self.below.direction() != way:
            self.below.setDirection(way)
        if self.decisive is not None:
            most = max(_LINE, round(event.size().width() * _SHARE))
            self.decisive.setMinimumWidth(min(self._whole, most) if wide else 0)
            self.decisive.setMaximumWidth(most if wide else _ANY)


def _decisive(line: Line) -> tuple[QWidget, int]:
    """The line of a log, with its place; and how wide it is in one line."""
    made = QWidget()
    lines = column(made, spacing=1)
    place = Elided(written(line.place, words()), "mono")
    lines.addWidget(label(tr("incident.page.decisive"), "secondary"))
    lines.addWidget(place)
    whole = text_width(place.text(), _PLACE_SIZE, mono=True)
    if line.text:
        told = Paragraph(line.text.strip(), "secondaryMono")
        lines.addWidget(told)
        whole = max(whole, text_width(told.text(), _TEXT_SIZE, mono=True))
    lines.addStretch(1)
    return made, ceil(whole) + _SLACK


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
