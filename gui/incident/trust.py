"""The column beside the page: how far the account can be trusted, and what to collect next."""

from math import ceil
from typing import Final

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from core.diagnose.account.advice import Advice, Helps
from core.diagnose.account.doubts import Doubt, Fact
from core.diagnose.account.page import Coverage, IncidentPage
from core.message import Count, Moment, message
from core.picture.marks import Glyph, Sign
from core.picture.metrics import text_width
from core.shown import shown_in_line
from core.trace.broker_names import broker_text, broker_value
from core.trace.times import clock
from core.trace.trace import Trace
from gui.glyphs import draw_sign
from gui.panels.coverage import shares
from gui.panels.parts import Elided, Paragraph, column, draw_tick, label, rule
from gui.terms import lasting
from gui.text.spoken import tr, worded
from gui.theme import Theme, font

_BAR: Final = 10
_NAME: Final = 72
_WIDEST_NAME: Final = 120
_NAME_SIZE: Final = 11.0
"""Of letters of the look "secondary", in pixels."""
_HATCH: Final = 5


class CoverageBar(QWidget):
    """From when to when a broker's files speak, over the time of all; gaps are hatched, with their length."""

    def __init__(self, trace: Trace, one: Coverage, span: tuple[int, int]) -> None:
        """`span` is the time of all."""
        super().__init__()
        self.theme: Theme | None = None
        self._gaps = one.gaps
        self._spans = shares([one.span] if one.span else [], span)
        self._holes = shares(one.gaps, span)
        self.setFixedHeight(16)
        self.setMinimumWidth(80)
        who = broker_value(trace, one.broker)
        if one.span is None:
            told = tr("incident.page.coverage-none", who=who)
        else:
            gaps = message("incident.page.coverage-gaps", count=Count(len(one.gaps)))
            first, last = Moment(one.span[0]), Moment(one.span[1])
            told = tr("incident.page.coverage-name", who=who, first=first, last=last, gaps=gaps)
        self.setAccessibleName(shown_in_line(told))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A track, what is covered, what is not."""
        if self.theme is None:
            return
        painter = QPainter(self)
        top = (self.height() - _BAR) / 2
        painter.fillRect(QRectF(0, top, self.width(), _BAR), self.theme.colour("bg.sunken"))
        for first, last in self._spans:
            painter.fillRect(self._part(first, last, top), self.theme.colour("text.2"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for (first, last), (begin, end) in zip(self._holes, self._gaps, strict=False):
            self._hatch(painter, self._part(first, last, top), lasting(end - begin))
        painter.end()

    def _part(self, first: float, last: float, top: float) -> QRectF:
        return QRectF(first * self.width(), top, max((last - first) * self.width(), 1.0), _BAR)

    def _hatch(self, painter: QPainter, part: QRectF, words: str) -> None:
        if self.theme is None:
            return
        painter.save()
        painter.setClipRect(part)
        painter.fillRect(part, self.theme.colour("bg.panel"))
        painter.setPen(QPen(self.theme.colour("line.edge"), 1))
        at = part.left() - part.height()
        while at < part.right():
            painter.drawLine(QLineF(at, part.bottom(), at + part.height(), part.top()))
            at += _HATCH
        painter.restore()
        painter.setFont(font(10))
        wide = painter.fontMetrics().horizontalAdvance(words) + 6
        if wide + 8 < part.width():
            plate = QRectF(part.center().x() - wide / 2, part.top() - 1, wide, part.height() + 2)
            painter.fillRect(plate, self.theme.colour("bg.panel"))
            painter.setPen(self.theme.colour("text.2"))
            painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)


class Mark(QWidget):
    """A tick, a half circle, a dash, or a question: what an advice or an answer is worth, as a shape."""

    def __init__(self, shape: str, role: str, size: int = 18) -> None:
        """`shape` is "tick", "half", "dash", "?" or a sign; `role` its colour."""
        super().__init__()
        self.shape, self._role = shape, role
        self.theme: Theme | None = None
        self.setFixedSize(QSize(size, size))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The shape."""
        if self.theme is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self.theme.colour(self._role)
        if self.shape == "tick":
            draw_tick(painter, self.rect(), colour)
        elif isinstance(self.shape, Glyph):
            draw_sign(
                painter, Sign(self.width() / 2, self.height() / 2, self.shape, 24, self._role), self.theme
            )
        elif self.shape == "half":
            painter.setPen(QPen(colour, 1.4))
            painter.drawEllipse(QRectF(3.5, 3.5, 11, 11))
            painter.setBrush(colour)
            painter.drawChord(QRectF(3.5, 3.5, 11, 11), 90 * 16, 180 * 16)
        elif self.shape == "dash":
            painter.setPen(QPen(colour, 1.8))
            painter.drawLine(QLineF(4, 9, 14, 9))
        else:
            painter.setFont(font(11, 600, mono=True))
            painter.setPen(colour)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.shape)
        painter.end()


_SHAPES: Final = {
    Helps.PREVENTS: ("tick", "ok"),
    Helps.KEEPS: ("half", "text"),
    Helps.NOT: ("dash", "text.2"),
}


def advice_row(one: Advice) -> QWidget:
    """What to do, with what it brings and where that is from."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 5, 0, 5)
    row.setSpacing(10)
    row.addWidget(Mark(*_SHAPES[one.helps]), 0, Qt.AlignmentFlag.AlignTop)
    told = Paragraph(worded(one.message), "value")
    told.setAlignment(Qt.AlignmentFlag.AlignTop)
    row.addWidget(told, 1)
    right = QVBoxLayout()
    right.setSpacing(1)
    look = "okStrong" if one.helps is Helps.PREVENTS else "strong"
    for text, style in ((worded(one.outcome), look), (worded(one.basis), "secondary")):
        told = label(text, style)
        told.setAlignment(Qt.AlignmentFlag.AlignRight)
        right.addWidget(told)
    right.addStretch(1)
    row.addLayout(right)
    return made


def trust_section(trace: Trace, page: IncidentPage) -> QWidget:
    """Coverage, facts and doubts."""
    made = QWidget()
    lines = column(made, spacing=4)
    names = {one.broker: broker_text(trace, one.broker) for one in page.coverage}
    width = max((ceil(text_width(name, _NAME_SIZE)) + 4 for name in names.values()), default=0)
    width = min(max(width, _NAME), _WIDEST_NAME)
    for one in page.coverage:
        row = QHBoxLayout()
        row.setSpacing(8)
        name = Elided(names[one.broker], "secondary")
        name.setFixedWidth(width)
        row.addWidget(name)
        row.addWidget(CoverageBar(trace, one, page.span), 1)
        lines.addLayout(row)
    lines.addLayout(_ends(trace, page, width + 8))
    for fact in page.facts:
        lines.addWidget(rule())
        lines.addWidget(_fact_row(fact))
    if page.doubts:
        lines.addSpacing(8)
        lines.addWidget(label(tr("incident.page.doubts-title"), "strong", wrap=True))
        for doubt in page.doubts:
            lines.addWidget(_doubt_row(doubt))
    return made


def _ends(trace: Trace, page: IncidentPage, left: int) -> QHBoxLayout:
    """From when to when the bars are, which begin at `left`."""
    row = QHBoxLayout()
    row.setContentsMargins(left, 0, 0, 4)
    simulated = not trace.sources or page.span[0] == 0
    for at in () if simulated else page.span:
        row.addWidget(label(clock(at)[:8], "faintMono"))
        if at == page.span[0]:
            row.addStretch(1)
    return row


def _fact_row(fact: Fact) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 1, 0, 1)
    row.setSpacing(12)
    row.addWidget(label(worded(fact.label), "body"), 0, Qt.AlignmentFlag.AlignTop)
    value = label(worded(fact.value), "warnStrong" if fact.assumed else "strong", wrap=True, select=True)
    value.setAlignment(Qt.AlignmentFlag.AlignRight)
    row.addWidget(value, 1)
    return made


def _doubt_row(doubt: Doubt) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 3, 0, 3)
    row.setSpacing(10)
    mark = Mark("tick", "ok") if doubt.settled else Mark("?", "text.2")
    row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
    texts = QVBoxLayout()
    texts.setSpacing(1)
    texts.addWidget(Paragraph(worded(doubt.question), "value"))
    texts.addWidget(Paragraph(worded(doubt.answer), "secondary"))
    row.addLayout(texts, 1)
    return made


def collect_section(page: IncidentPage) -> QWidget:
    """What to collect, numbered."""
    made = QWidget()
    lines = column(made, spacing=6)
    if not page.collect:
        lines.addWidget(label(tr("incident.page.collect-none"), "secondary", wrap=True))
    for number, one in enumerate(page.collect, 1):
        row = QHBoxLayout()
        row.setSpacing(10)
        count = label(str(number), "circleHollow")
        row.addWidget(count, 0, Qt.AlignmentFlag.AlignTop)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(Paragraph(worded(one.what), "value"))
        texts.addWidget(Paragraph(worded(one.settles), "secondary"))
        row.addLayout(texts, 1)
        lines.addLayout(row)
    return made
