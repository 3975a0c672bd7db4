"""Pictures as files: PNG, SVG 1.1 and PDF, from the same marks and the same painter as the window."""

import os
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QMarginsF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPainterPath,
    QPdfWriter,
    QTransform,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from core.errors import TidegaugeError
from core.message import Listing, message
from core.picture.marks import Picture
from core.picture.metrics import text_width
from gui.paint import paint
from gui.theme import MONO_FAMILIES, Theme, load_fonts, load_theme
from gui.workspace.files import whole

SUFFIXES: Final = (".png", ".svg", ".pdf")
_DPI: Final = 96
_POINTS: Final = 0.75
"""Points of a logical pixel: 72 by 96."""
_TEXT: Final = re.compile(
    r'(<text\b[^>]*?\bfont-family="([^",]+)[^"]*" font-size="([\d.]+)" font-weight="(\d+)"[^>]*?)\s*>'
    r"([^<]+)</text>"
)
"""Of a text as Qt writes it: its tag, the first family, size, weight, and its words."""
_LARGER: Final = 32
"""Letters are taken from so large a font: hinting and rounding of the small one change nothing then. What Qt
remembers of glyphs that a thread drew with it still changes last digits, which nobody sees."""


class Outlined(QPainter):
    """Draws text as filled paths, in the two ways in which pictures ask for it: at a point, amid a box."""

    def drawText(self, where: QPointF | QRectF, *told: object) -> None:  # type: ignore[override]
        """`(point, words)` on the baseline, or `(box, AlignCenter, words)`."""
        words, face = str(told[-1]), QFont(self.font())
        face.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        face.setPixelSize(face.pixelSize() * _LARGER)
        if isinstance(where, QRectF):
            metrics = QFontMetricsF(face)
            left = where.center().x() - metrics.horizontalAdvance(words) / _LARGER / 2
            base = where.center().y() + (metrics.ascent() - metrics.descent()) / _LARGER / 2
            where = QPointF(left, base)
        path = QPainterPath()
        path.addText(QPointF(0, 0), face, words)
        placed = QTransform.fromTranslate(where.x(), where.y()).scale(1 / _LARGER, 1 / _LARGER).map(path)
        placed.setFillRule(Qt.FillRule.WindingFill)
        self.fillPath(placed, self.pen().color())


def offscreen_app() -> QApplication:
    """The running application, or one without a screen. Fonts are loaded.

    It is of the kind that the window needs: a process can have only one application, and of one kind.
    """
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        app = QApplication(["tidegauge"])
    load_fonts()
    return app


def export_picture(
    picture: Picture,
    path: str | Path,
    *,
    theme: str = "light",
    scale: float = 2,
    zoom: float = 1,
    title: str = "",
    outlines: bool = False,
    replace: bool = False,
    check: Callable[[Path], None] | None = None,
) -> Path:
    """Write a picture as the kind that the suffix names, and give the path.

    The file appears whole or not at all: it is written beside its place and renamed. `scale` is pixels per
    logical pixel of a PNG; everything comes out `zoom` times as large. With `outlines` letters of SVG and
    PDF are shapes: they need no font, and cannot be read back. Raises TidegaugeError for another suffix, an
    existing file (unless `replace`), or no rights, and what `check` raises of the finished file.
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise TidegaugeError(
            message("error.export.no-suffix", name=target.name),
            advice=message("error.export.no-suffix.way-out", names=Listing(tuple(SUFFIXES))),
        )
    if target.exists() and not replace:
        raise TidegaugeError(
            message("error.export.exists", name=str(target)), advice=message("error.export.exists.way-out")
        )
    if not target.parent.is_dir():
        raise TidegaugeError(
            message("error.export.no-folder", name=str(target.parent)),
            advice=message("error.export.no-folder.way-out"),
        )
    offscreen_app()
    words = title or picture.title
    colours = load_theme(theme)
    drawers: dict[str, Callable[[QBuffer], bool]] = {
        ".png": lambda buffer: _png(picture, buffer, colours, scale, zoom),
        ".svg": lambda buffer: _svg(picture, buffer, colours, words, zoom, outlined=outlines),
        ".pdf": lambda buffer: _pdf(picture, buffer, colours, words, zoom, outlined=outlines),
    }
    with whole(target, check) as part:
        part.write_bytes(_drawn(drawers[suffix]))
    return target


def _drawn(draw: Callable[[QBuffer], bool]) -> bytes:
    """What a device of Qt writes. Into memory: of a full disk Qt says nothing, and leaves half a file."""
    buffer = QBuffer()
    if not draw(buffer) or not buffer.size():
        raise OSError("nothing was drawn; memory may be short")
    return bytes(buffer.data().data())


def image_of(picture: Picture, theme: Theme, scale: float, *, enlarged: bool = False) -> QImage:
    """A picture as pixels, with its title and its text for people who do not see it. Needs `offscreen_app`.

    `scale` is pixels per logical pixel; a slide is `enlarged`. Raises OSError for too many pixels.
    """
    size = QSize(round(picture.width * scale), round(picture.height * scale))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise OSError(f"an image of {size.width()} x {size.height()} pixels is too large")
    image.setDevicePixelRatio(scale)
    image.fill(theme.colour("bg.lane"))
    image.setText("Title", picture.title)
    image.setText("Description", picture.alt)
    # Enlarged, hinted letters would stand apart as a small font wants it.
    painter = Outlined() if enlarged else QPainter()
    painter.begin(image)
    paint(painter, picture, theme)
    painter.end()
    return image


def png_bytes(picture: Picture, theme: Theme, scale: float) -> bytes:
    """An enlarged picture as a PNG, `scale` pixels per logical pixel. Needs `offscreen_app`."""
    return _drawn(lambda buffer: _png(picture, buffer, theme, 1, scale))


def svg_bytes(picture: Picture, theme: Theme, title: str) -> bytes:
    """A picture as an SVG whose letters are shapes. Needs `offscreen_app`."""
    return _drawn(lambda buffer: _svg(picture, buffer, theme, title, 1, outlined=True))


def _png(picture: Picture, buffer: QBuffer, theme: Theme, scale: float, zoom: float) -> bool:
    image = image_of(picture, theme, scale * zoom, enlarged=zoom != 1)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    return image.save(buffer, "PNG")  # type: ignore[reportCallIssue,reportArgumentType]


def _svg(picture: Picture, buffer: QBuffer, theme: Theme, title: str, zoom: float, *, outlined: bool) -> bool:
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    painter = Outlined() if outlined else QPainter()
    drawn = _draw_svg(generator, picture, theme, title, painter, zoom)
    if drawn and not outlined:
        buffer.close()
        buffer.setData(_with_widths(_text_in(buffer)).encode())
    return drawn


def svg_text(picture: Picture, theme: Theme, title: str) -> str:
    """A picture as the text of an SVG file. Needs `offscreen_app`."""
    buffer = QBuffer()
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    _draw_svg(generator, picture, theme, title, QPainter(), 1)
    return _with_widths(_text_in(buffer))


def _text_in(buffer: QBuffer) -> str:
    return bytes(buffer.data().data()).decode("utf-8")


def _with_widths(svg: str) -> str:
    """The same where each text says how wide it is: so it keeps its plate where its font is not there."""
    return _TEXT.sub(_with_width, svg)


def _with_width(found: re.Match[str]) -> str:
    head, family, size, weight, text = found.groups()
    mono = family.startswith(MONO_FAMILIES[0])
    width = text_width(unescape(text), float(size), int(weight), mono=mono)
    return f'{head} textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs">{text}</text>'


def _draw_svg(
    generator: QSvgGenerator, picture: Picture, theme: Theme, title: str, painter: QPainter, zoom: float
) -> bool:
    generator.setSize(QSize(round(picture.width * zoom), round(picture.height * zoom)))
    generator.setViewBox(QRectF(0, 0, picture.width, picture.height))
    generator.setResolution(_DPI)
    generator.setTitle(title)
    generator.setDescription(picture.alt)
    if not painter.begin(generator):
        return False
    paint(painter, picture, theme)
    return painter.end()


def _pdf(picture: Picture, buffer: QBuffer, theme: Theme, title: str, zoom: float, *, outlined: bool) -> bool:
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DPI)
    writer.setTitle(title)
    writer.setCreator("Tidegauge")
    size = QSizeF(picture.width * _POINTS * zoom, picture.height * _POINTS * zoom)
    page = QPageSize(size, QPageSize.Unit.Point, title, QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    painter = Outlined() if outlined else QPainter()
    if not painter.begin(writer):
        return False
    painter.scale(zoom, zoom)
    paint(painter, picture, theme)
    return painter.end()
