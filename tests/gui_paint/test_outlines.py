"""Letters as shapes: they look like text, and need no font."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from core.picture.comparison import ComparisonView
from core.picture.figure import comparison_figure
from core.picture.marks import Picture
from gui.exports.devices import Outlined, export_picture, offscreen_app
from gui.theme import font
from tests.core_picture.conftest import loss_beside_fix

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(name="figure", scope="module")
def _figure(qapp: QGuiApplication) -> Picture:
    offscreen_app()
    return comparison_figure(ComparisonView(loss_beside_fix(), None, 1600, 700))


def root_of(path: Path) -> ET.Element:
    return ET.parse(path).getroot()  # noqa: S314 - written by the test


def test_an_svg_has_no_text_and_no_font_but_its_title(figure: Picture, tmp_path: Path) -> None:
    shapes = root_of(export_picture(figure, tmp_path / "shapes.svg", outlines=True))
    letters = root_of(export_picture(figure, tmp_path / "letters.svg"))
    assert not list(shapes.iter(f"{SVG}text"))
    assert list(letters.iter(f"{SVG}text"))
    assert shapes.findtext(f"{SVG}title") == letters.findtext(f"{SVG}title") == figure.title
    assert "Figure 1." in (shapes.findtext(f"{SVG}desc") or "")


def test_a_pdf_embeds_no_font(figure: Picture, tmp_path: Path) -> None:
    shapes = export_picture(figure, tmp_path / "shapes.pdf", outlines=True).read_bytes()
    letters = export_picture(figure, tmp_path / "letters.pdf").read_bytes()
    assert (b"/FontDescriptor" in letters, b"/FontDescriptor" in shapes) == (True, False)


def drawn(painter: QPainter, image: QImage, *told: object) -> list[bool]:
    image.fill(QColor("white"))
    painter.begin(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font(40, 600))
    painter.setPen(QColor("black"))
    painter.drawText(*told)  # pyright: ignore[reportCallIssue, reportArgumentType]
    painter.end()
    return [image.pixelColor(x, y).lightness() < 128 for x in range(300) for y in range(80)]


@pytest.mark.parametrize(
    "told",
    [
        (QPointF(20, 55), "e1 高水位 45"),
        (QRectF(10, 5, 280, 70), Qt.AlignmentFlag.AlignCenter, "e1 −45"),
    ],
)
def test_the_shapes_are_where_the_letters_are(qapp: QGuiApplication, told: tuple[object, ...]) -> None:
    offscreen_app()
    image = QImage(300, 80, QImage.Format.Format_RGB32)
    letters, shapes = drawn(QPainter(), image, *told), drawn(Outlined(), image, *told)
    ink = sum(letters)
    assert ink > 500
    assert sum(a and b for a, b in zip(letters, shapes, strict=True)) / ink > 0.8
    assert sum(b and not a for a, b in zip(letters, shapes, strict=True)) / ink < 0.2


def test_a_slide_is_as_large_as_it_says(figure: Picture, tmp_path: Path) -> None:
    zoom = 1920 / figure.width
    root = root_of(export_picture(figure, tmp_path / "slide.svg", zoom=zoom))
    assert root.get("viewBox") == f"0 0 {figure.width:g} {figure.height:g}"
    assert float((root.get("width") or "").removesuffix("mm")) == pytest.approx(1920 / 96 * 25.4, abs=0.1)
    image = QImage(str(export_picture(figure, tmp_path / "slide.png", zoom=zoom, scale=1)))
    assert image.width() == 1920
    page = export_picture(figure, tmp_path / "slide.pdf", zoom=zoom).read_bytes()
    assert b"/MediaBox [0 0 1440" in page
