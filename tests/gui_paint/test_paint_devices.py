"""The painter on each device, and pictures as files."""

import gc
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication, QImage, QPainter

from core.errors import TidegaugeError
from core.picture.comparison import ComparisonView, lay_out_comparison
from core.picture.figure import comparison_figure
from core.picture.marks import Fill, Layer, Line, Picture, Text
from core.picture.metrics import text_width
from core.picture.notes import PlacedNote
from gui.exports.devices import export_picture, offscreen_app
from gui.paint import paint
from gui.theme import font, load_theme
from tests.calls import calls_of
from tests.core_picture.anatomy import STATES, picture_of
from tests.core_picture.conftest import loss_beside_fix
from tests.in_words import in_words

pytestmark = pytest.mark.broad(4)

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(name="app", scope="module", autouse=True)
def _app(qapp: QGuiApplication) -> QGuiApplication:
    return offscreen_app()


@pytest.fixture(name="figure", scope="module")
def _figure() -> Picture:
    note = PlacedNote(1, 8, "B could not know that the high watermark was 2.", where="step 8")
    return comparison_figure(ComparisonView(loss_beside_fix(), None, 1600, 700, notes=(note,)))


@pytest.fixture(name="picture", scope="module")
def _picture() -> Picture:
    return lay_out_comparison(ComparisonView(loss_beside_fix(), 8, 1184, 748))


def image_of(picture: Picture, theme: str = "light", scale: float = 1.0) -> QImage:
    image = QImage(
        round(picture.width * scale),
        round(picture.height * scale),
        QImage.Format.Format_ARGB32_Premultiplied,
    )
    image.setDevicePixelRatio(scale)
    image.fill(load_theme(theme).colour("bg.lane"))
    painter = QPainter(image)
    paint(painter, picture, load_theme(theme))
    painter.end()
    return image


def colours(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", STATES)
def test_every_state_is_painted_in_both_themes(name: str, theme: str) -> None:
    assert len(colours(image_of(picture_of(STATES[name]), theme))) > 5


def test_lost_records_are_red_and_the_water_is_blue(picture: Picture) -> None:
    found = colours(image_of(picture))

    assert load_theme("light").colour("loss").rgb() in found
    assert load_theme("light").colour("hw").rgb() in found


def test_columns_are_filled_from_their_tops_to_their_bottoms() -> None:
    """Steps, empty columns and single ones, against the numbers themselves."""
    chance = np.random.default_rng(5)
    tops = np.repeat(chance.integers(2, 30, 40), chance.integers(1, 6, 40)).astype(float)
    heights = np.repeat(chance.integers(0, 3, 30), 4)[: len(tops)] * chance.integers(1, 9, len(tops))
    assert {0, 1} <= set(np.minimum(heights, 1).tolist())
    fill = Fill(3.0, tops, tops + heights.astype(float), "text")
    image = image_of(Picture(len(tops) + 6, 60, (Layer("static", (fill,)),)))
    ink = load_theme("light").colour("text").rgb()
    for column, (top, height) in enumerate(zip(tops.tolist(), heights.tolist(), strict=True)):
        painted = [y for y in range(60) if image.pixel(3 + column, y) == ink]
        assert painted == list(range(int(top), int(top + height)))


def test_what_follows_a_step_is_as_smooth_as_alone() -> None:
    """Steps and columns are painted without smoothing; arrow heads and what is slanted never are."""
    step = Line(((2, 4.5), (30, 4.5)), "text", arrow=6.0)
    slanted = Line(((2, 10), (30, 23)), "text")
    alone = image_of(Picture(40, 30, (Layer("one", (step,)), Layer("other", (slanted,)))))
    assert image_of(Picture(40, 30, (Layer("static", (step, slanted)),))) == alone
    ink, paper = (load_theme("light").colour(role).rgb() for role in ("text", "bg.lane"))
    for rows in (range(8), range(9, 30)):
        assert {alone.pixel(x, y) for x in range(40) for y in rows} - {ink, paper}


def test_only_the_layers_asked_for_are_painted(picture: Picture) -> None:
    theme = load_theme("light")
    image = QImage(1184, 748, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    paint(painter, picture, theme, layers=("cursor",))
    painter.end()

    assert image.pixelColor(700, 300).alpha() == 0
    assert theme.colour("bg.selected").rgb() in colours(image)


def test_a_step_is_painted_with_few_of_the_calls_of_a_frame(picture: Picture) -> None:
    """How long both take is measured by the bench."""
    theme = load_theme("light")
    image = QImage(1184, 748, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    paint(painter, picture, theme)

    whole = calls_of(lambda: paint(painter, picture, theme))
    step = calls_of(lambda: paint(painter, picture, theme, layers=("cursor",)))
    painter.end()

    assert 0 < step < whole / 5


@pytest.mark.slow
def test_painting_leaves_the_count_of_none_alone(picture: Picture) -> None:
    """PySide6 6.12 took references of None and True away with each frame, until Python broke."""

    image, theme = image_of(picture), load_theme("light")

    def counts() -> tuple[int, int]:
        for _ in range(20):
            painter = QPainter(image)
            paint(painter, picture, theme)
            painter.end()
        gc.collect()
        return sys.getrefcount(None), sys.getrefcount(True)

    counts()
    before, after = counts(), counts()

    # A frame has more than 400 marks: one reference a mark would be 8,000.
    assert abs(after[0] - before[0]) < 20
    assert abs(after[1] - before[1]) < 20


def test_a_png_has_twice_the_pixels(figure: Picture, tmp_path: Path) -> None:
    file = export_picture(figure, tmp_path / "loss.png", scale=2)

    image = QImage(str(file))
    assert (image.width(), image.height()) == (3200, round(figure.height * 2))
    assert image.text("Title") == figure.title
    assert len(colours(image)) > 50


def test_an_svg_is_well_formed_and_its_text_is_text(figure: Picture, tmp_path: Path) -> None:
    file = export_picture(figure, tmp_path / "loss.svg")

    root = ET.parse(file).getroot()  # noqa: S314 - written by ourselves a line above
    written = {"".join(text.itertext()).strip() for text in root.iter(f"{SVG}text")}
    assert root.get("version") == "1.1"
    assert {mark.text for mark in figure.marks() if isinstance(mark, Text)} <= written
    assert (root.findtext(f"{SVG}title") or "").strip() == figure.title
    assert any("Inter" in (text.get("font-family") or "") for text in root.iter(f"{SVG}text"))


def test_a_pdf_carries_title_and_fonts(figure: Picture, tmp_path: Path) -> None:
    content = export_picture(figure, tmp_path / "loss.pdf").read_bytes()

    assert content.startswith(b"%PDF-")
    assert b"Inter" in content
    assert figure.title.encode("utf-16-be") in content


def test_an_existing_file_is_not_replaced_unless_asked(picture: Picture, tmp_path: Path) -> None:
    file = tmp_path / "mine.svg"
    file.write_text("mine", encoding="utf-8")

    with pytest.raises(TidegaugeError, match=r"already exists.*--replace"):
        export_picture(picture, file)
    assert file.read_text(encoding="utf-8") == "mine"
    assert "<svg" in export_picture(picture, file, replace=True).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["loss.gif", "loss", "nowhere/loss.png"])
def test_what_cannot_be_written_is_said_with_advice(picture: Picture, tmp_path: Path, name: str) -> None:
    with pytest.raises(TidegaugeError) as raised:
        export_picture(picture, tmp_path / name)

    assert in_words(raised.value).advice
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_nothing_behind(picture: Picture, tmp_path: Path) -> None:
    (tmp_path / "loss.png").mkdir()

    with pytest.raises(TidegaugeError, match="cannot be written"):
        export_picture(picture, tmp_path / "loss.png", replace=True)

    assert [path.name for path in tmp_path.iterdir()] == ["loss.png"]


@pytest.mark.parametrize(
    ("weight", "mono"), [(400, False), (500, False), (600, False), (700, False), (400, True), (600, True)]
)
def test_the_table_of_widths_is_that_of_the_fonts(weight: int, mono: bool) -> None:  # noqa: FBT001
    image = QImage(10, 10, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    painter.setFont(font(100, weight, mono=mono))
    metrics = painter.fontMetrics()
    for char in "aM0:–→·…−≥≠ÄB":
        assert metrics.horizontalAdvance(char) == pytest.approx(
            text_width(char, 100, weight, mono=mono), abs=1.0
        )
    painter.end()
