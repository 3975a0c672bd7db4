"""A lesson as a PDF of A4 pages: steps with vector figures, questions to fill in by pen, answers at the end.

Lengths are those of the figures: 826 are 170 mm, so that letters of 14 have 8 points.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen, QTextDocument

from core.picture.marks import Picture
from core.picture.product import product_words
from core.shown import shown_in_line
from core.teaching.lesson import Ask, Lesson
from core.words import Language, said, speaking
from gui.handouts.handout import FIGURE, Asked, Sheet, sheets_of
from gui.handouts.prose import blocks_html, control_of, head_words, labels_of, letters_html, run_words, told
from gui.paint import paint
from gui.theme import Theme, font, load_theme
from gui.workspace.lesson_words import answer_words, rule_words

_MM: Final = FIGURE / 170
"""Of our lengths, one millimetre of the page."""
_MARGIN: Final = 20 * _MM
_TALL: Final = 257 * _MM
"""Of a page between its margins."""
_RESOLUTION: Final = 1200
_BODY: Final = 18.0
"""10.5 points."""
_SMALL: Final = 14.0
_APART: Final = 12.0
_BOX: Final = 16.0
"""A box to tick."""
_STYLE: Final = """
p, li { line-height: 143%; } p { margin: 0 0 8px 0; } ul, ol { margin: 0 0 8px 0; -qt-list-indent: 1; }
h1 { font-size: 34px; margin: 0 0 6px 0; } h2 { font-size: 24px; margin: 0 0 8px 0; }
h3 { font-size: 18px; margin: 0 0 6px 0; }
.second { color: #4a5060; font-size: 14px; } .rule { font-weight: 600; }
.letter { background-color: #14161a; color: #ffffff; font-weight: 700; }
ul.letters { list-style-type: none; font-size: 14px; } code { font-family: "JetBrains Mono"; }
"""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is not torn apart: its height, and how it is drawn with its top left corner at the origin."""

    height: float
    draw: Callable[[QPainter], None]


def lesson_pdf(lesson: Lesson, lang: Language, *, notes: bool = False) -> bytes:
    """The file; `notes` are the speaker's. Needs `offscreen_app`. Raises QuestionError."""
    sheets = sheets_of(lesson, lang)
    with speaking(lang):
        theme = load_theme("light")
        steps = [_step(sheet, theme, notes=notes) for sheet in sheets]
        steps[0] = (_head(lesson), *steps[0])
        pages = _laid_out(steps)
        asked = [(sheet, sheet.step.ask, sheet.asked) for sheet in sheets]
        answers = [
            (_answer(sheet, ask, more),) for sheet, ask, more in asked if ask is not None and more is not None
        ]
        if answers:
            if len(pages) % 2:
                # Answers are never on the back of their question.
                pages.append([])
            head = _html(f"<h1>{told(said('lesson.handout.answers'))}</h1>")
            pages += _laid_out([(head, *answers[0]), *answers[1:]])
        return _drawn(lesson, pages)


def _laid_out(groups: Sequence[Sequence[Piece]]) -> list[list[tuple[float, Piece]]]:
    """Pages of pieces with their tops. A group stays together where a page can hold it."""
    pages: list[list[tuple[float, Piece]]] = [[]]
    y = 0.0
    for group in groups:
        whole = sum(one.height + _APART for one in group)
        if pages[-1] and y + whole > _TALL and whole <= _TALL:
            pages.append([])
            y = 0.0
        for one in group:
            if pages[-1] and y + one.height > _TALL:
                pages.append([])
                y = 0.0
            pages[-1].append((y, one))
            y += one.height + _APART
        y += 2 * _APART
    return pages


def _drawn(lesson: Lesson, pages: Sequence[Sequence[tuple[float, Piece]]]) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_RESOLUTION)
    writer.setTitle(shown_in_line(lesson.title))
    writer.setCreator("Tidegauge")
    none = QMarginsF(0, 0, 0, 0)
    writer.setPageLayout(
        QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, none)
    )
    painter = QPainter()
    if not painter.begin(writer):
        raise OSError("no page was begun")
    scale = _RESOLUTION / 25.4 / _MM
    painter.scale(scale, scale)
    for number, page in enumerate(pages, start=1):
        if number > 1:
            writer.newPage()
        for top, one in page:
            painter.save()
            painter.translate(_MARGIN, _MARGIN + top)
            one.draw(painter)
            painter.restore()
        _foot(painter, f"{shown_in_line(lesson.title)}, {product_words([])}", f"{number}")
    if not painter.end() or not buffer.size():
        raise OSError("nothing was drawn; memory may be short")
    return bytes(buffer.data().data())


def _foot(painter: QPainter, words: str, number: str) -> None:
    painter.setFont(font(_SMALL))
    line = QRectF(_MARGIN, _MARGIN + _TALL + 7 * _MM, FIGURE, 5 * _MM)
    painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
    painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, number)


def _html(html: str, width: float = FIGURE) -> Piece:
    """Text as wide as the page, or as `width`."""
    document = QTextDocument()
    document.setUseDesignMetrics(True)
    document.setDocumentMargin(0)
    face = font(_BODY)
    face.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    document.setDefaultFont(face)
    document.setDefaultStyleSheet(_STYLE)
    document.setHtml(html)
    document.setTextWidth(width)
    return Piece(document.size().height(), document.drawContents)


def _head(lesson: Lesson) -> Piece:
    return _html(
        f"<h1>{told(lesson.title)}</h1><p>{told(lesson.line)}</p>"
        f'<p class="second">{told(head_words(lesson))}</p>'
    )


def _step(sheet: Sheet, theme: Theme, *, notes: bool) -> tuple[Piece, ...]:
    step = sheet.step
    texts = (
        f"<h2>{sheet.number}. {told(step.title)}</h2>{blocks_html(step.blocks)}{letters_html(sheet.letters)}"
    )
    pieces = [
        _html(texts),
        _figure(sheet.picture, theme),
        _html(f'<p class="second">{told(run_words(step))}</p>'),
    ]
    if step.ask is not None and sheet.asked is not None:
        pieces.append(_question(step.ask, sheet.asked))
    elif step.rule is not None:
        pieces.append(_html(f'<p class="rule">{told(rule_words(step))}</p>'))
    if notes and step.notes:
        pieces.append(_html(f"<h3>{told(said('lesson.handout.notes'))}</h3>{blocks_html(step.notes)}"))
    return tuple(pieces)


def _figure(picture: Picture, theme: Theme) -> Piece:
    """A picture in a frame, as wide as the page; smaller where it would be higher."""
    scale = min(FIGURE / picture.width, _TALL / 2 / picture.height)

    def draw(painter: QPainter) -> None:
        painter.scale(scale, scale)
        paint(painter, picture, theme)
        painter.setPen(QPen(theme.colour("line.hair"), 1))
        painter.drawRect(QRectF(0, 0, picture.width, picture.height))

    return Piece(picture.height * scale, draw)


def _question(ask: Ask, asked: Asked) -> Piece:
    """A box with the question, and what one fills in by pen."""
    inner = FIGURE - 32
    context = f"<p>{told(ask.context)}</p>" if ask.context else ""
    parts = [_html(f"<h3>{told(ask.question)}</h3>{context}", inner), *_to_fill_in(ask, asked, inner)]

    def draw(painter: QPainter) -> None:
        painter.setPen(QPen(Qt.GlobalColor.black, 1.2))
        painter.drawRoundedRect(QRectF(0, 0, FIGURE, height), 6, 6)
        painter.translate(16, 12)
        for one in parts:
            painter.save()
            one.draw(painter)
            painter.restore()
            painter.translate(0, one.height + 6)

    height = sum(one.height + 6 for one in parts) + 18
    return Piece(height, draw)


def _to_fill_in(ask: Ask, asked: Asked, width: float) -> list[Piece]:
    """Boxes to tick, or lines to write on."""
    labels = list(labels_of(ask, asked.run, asked.most).values())
    match control_of(ask, asked.most):
        case "number":
            return [_blank(said("lesson.answer.offset"))]
        case "range":
            return [_blank(said("lesson.answer.first")), _blank(said("lesson.answer.last"))]
        case "order":
            return [_ticked(one, 2 * _BOX, width) for one in labels]
        case _:
            pass
    if max(map(len, labels), default=0) > 16:
        return [_ticked(one, _BOX, width) for one in labels]
    return [_row(labels[at : at + 6]) for at in range(0, len(labels), 6)]


def _blank(words: str) -> Piece:
    def draw(painter: QPainter) -> None:
        painter.setFont(font(_BODY))
        painter.drawText(QPointF(0, 22), words)
        painter.drawLine(QPointF(260, 26), QPointF(420, 26))

    return Piece(34, draw)


def _ticked(words: str, wide: float, width: float) -> Piece:
    """A box to write in, and what it stands for."""
    text = _html(f"<p>{told(words)}</p>", width - wide - 12)

    def draw(painter: QPainter) -> None:
        painter.drawRect(QRectF(0, 4, wide, _BOX))
        painter.translate(wide + 12, 0)
        text.draw(painter)

    return Piece(text.height, draw)


def _row(labels: Sequence[str]) -> Piece:
    """Boxes to tick beside each other."""

    def draw(painter: QPainter) -> None:
        painter.setFont(font(_BODY))
        for place, words in enumerate(labels):
            x = place * 130
            painter.drawRect(QRectF(x, 4, _BOX, _BOX))
            painter.drawText(QPointF(x + _BOX + 8, 19), words)

    return Piece(28, draw)


def _answer(sheet: Sheet, ask: Ask, asked: Asked) -> Piece:
    truth = answer_words(ask, asked.answer, asked.run)
    rule = f'<p class="rule">{told(rule_words(sheet.step))}</p>' if sheet.step.rule is not None else ""
    return _html(
        f"<h3>{sheet.number}. {told(ask.question)}</h3>"
        f"<p><b>{told(said('lesson.handout.happened', answer=truth))}</b></p>"
        f"{blocks_html(sheet.step.revealed)}{letters_html(asked.letters)}{rule}"
    )
