"""`tidegauge lesson export`: a lesson for print, as slides and for PowerPoint, with all of its words."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide
from pypdf import PdfReader

from core.teaching.library import lesson
from gui.cli import run
from tests.cli.conftest import Tell
from tests.cli.test_lesson_page import KINDS, NOTE, every_kind

pytestmark = pytest.mark.slow

WORDS = {
    "watermark": "2",
    "cut": "1",
    "choice": "B cuts",
    "order": "B is killed, B cuts its log",
    "in-sync": "B",
    "leader": "B",
    "lost": "1",
}
"""In hw-loss under 0.10.2 B cuts m1 (offset 1), which A had promised; then B leads alone."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("lesson")
    (made / "lesson.md").write_text(every_kind(), encoding="utf-8")
    for ending in ("pdf", "pptx", "png"):
        assert run(["lesson", "export", str(made), "-o", str(made / f"a.{ending}")]) == 0
    return made


def _pages(path: Path) -> list[str]:
    """The text of each page without blanks: a reader puts them where letters stand apart."""
    return [re.sub(r"\s", "", page.extract_text()) for page in PdfReader(path).pages]


def _squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def _words(slide: Slide) -> str:
    shapes: list[Any] = list(slide.shapes)
    return "\n".join(one.text_frame.text for one in shapes if one.has_text_frame)


def test_a_printed_lesson_has_every_heading_question_and_answer(folder: Path) -> None:
    pages = _pages(folder / "a.pdf")

    first = next(number for number, page in enumerate(pages) if page.startswith("Answers"))
    # Pages from 0: answers begin on the front of a sheet, never on the back of a question.
    assert first % 2 == 0
    steps, answers = "".join(pages[:first]), "".join(pages[first:])
    for kind, words in WORDS.items():
        assert _squeezed(f"About {kind}") in steps
        assert _squeezed(f"What of the {kind}?") in steps
        assert _squeezed(f"What of the {kind}?What happened: {words}Revealed text of {kind}.") in answers
        assert _squeezed(f"Revealed text of {kind}.") not in steps
    assert NOTE.replace(" ", "") not in steps + answers


def test_a_printed_figure_is_drawn_as_vectors_with_its_letters(folder: Path) -> None:
    reader = PdfReader(folder / "a.pdf")

    assert not [image for page in reader.pages for image in page.images]
    assert "brokerA" in _pages(folder / "a.pdf")[0]


def test_slides_for_powerpoint_open_with_titles_questions_answers_and_vector_figures(folder: Path) -> None:
    slides: list[Any] = list(Presentation(str(folder / "a.pptx")).slides)

    # A question and what happened are two slides; here none needs a second page.
    assert len(slides) == 2 * len(KINDS)
    for place, (kind, words) in enumerate(WORDS.items()):
        asks, reveals = slides[2 * place : 2 * place + 2]
        told = [
            "\n".join(one.text_frame.text for one in slide.shapes if isinstance(one, Shape))
            for slide in (asks, reveals)
        ]
        assert asks.shapes.title is not None
        assert asks.shapes.title.text_frame.text == f"{place + 1}. About {kind}"
        assert all(f"What of the {kind}?" in one for one in told)
        assert f"What happened: {words}" in told[1]
        assert "What happened" not in told[0]
        assert not asks.has_notes_slide
    for slide in slides:
        (svg,) = [
            part.target_part.blob
            for part in slide.part.rels.values()
            if part.target_part.content_type == "image/svg+xml"
        ]
        assert ET.fromstring(svg).tag.endswith("svg")  # noqa: S314 - what we wrote a moment ago
        pictures: list[Any] = [one for one in slide.shapes if one.shape_type is MSO_SHAPE_TYPE.PICTURE]
        assert len(pictures) == 1
        assert pictures[0].element.xpath("./p:nvPicPr/p:cNvPr/@descr")


def test_slides_as_pictures_are_numbered_and_the_reveal_is_one_of_its_own(folder: Path) -> None:
    names = sorted(one.name for one in folder.glob("*.png"))

    assert names == sorted(
        f"a-{number:02}{behind}.png" for number in range(1, len(KINDS) + 1) for behind in ("", "-revealed")
    )
    for name in names:
        with Image.open(folder / name) as image:
            assert image.size == (1920, 1080)
    assert (folder / "a-02.png").read_bytes() != (folder / "a-02-revealed.png").read_bytes()


def test_notes_stand_where_they_are_asked_for(tell: Tell, folder: Path, tmp_path: Path) -> None:
    assert tell("lesson", "export", folder, "--notes", "-o", tmp_path / "n.pdf").code == 0
    assert "".join(_pages(tmp_path / "n.pdf")).count(_squeezed(NOTE)) == len(KINDS)
    assert tell("lesson", "export", folder, "--notes", "-o", tmp_path / "n.pptx").code == 0
    for slide in Presentation(str(tmp_path / "n.pptx")).slides:
        assert slide.notes_slide.notes_text_frame is not None
        assert slide.notes_slide.notes_text_frame.text == f"{NOTE}."
    refused = tell("lesson", "export", folder, "--notes", "-o", tmp_path / "n.png")
    assert (refused.code, list(tmp_path.glob("*.png"))) == (2, [])


def test_a_lesson_is_printed_in_chinese(tell: Tell, tmp_path: Path) -> None:
    told = tell("lesson", "export", "loss-by-truncation", "--lang", "zh", "-o", tmp_path / "a.pdf")

    assert told.code == 0
    words = "".join(_pages(tmp_path / "a.pdf"))
    for step in lesson("loss-by-truncation", "zh").steps:
        assert _squeezed(step.title) in words
        assert step.ask is None or _squeezed(step.ask.question) in words


def test_without_the_library_for_powerpoint_it_is_named(
    tell: Tell, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.handouts.powerpoint.find_spec", lambda _name: None)

    told = tell("lesson", "export", folder, "-o", tmp_path / "a.pptx")
    assert told.code == 2
    assert 'pip install "tidegauge[pptx]"' in " ".join(told.err.split())


def test_steps_that_do_not_fit_a_screen_at_eight_metres_are_named(
    tell: Tell, folder: Path, tmp_path: Path
) -> None:
    assert tell("lesson", "check", folder).code == 0
    long = every_kind().replace(
        "What of the cut?", "What of the cut? " + "So many words for one question. " * 40
    )
    (tmp_path / "lesson.md").write_text(long, encoding="utf-8")

    told = tell("lesson", "check", tmp_path, "--present", "--json")
    assert told.code == 1
    assert '"lesson.problem.too-full"' in told.out
    assert '"least": 40' in told.out
    # Half as far again: letters half as large again.
    assert '"least": 60' in tell("lesson", "check", tmp_path, "--present", "--json", "--last-row", "12").out
    assert tell("lesson", "check", tmp_path).code == 0
