"""A lesson as slides for PowerPoint: lanes as vectors, titles, questions and answers as text of the slides.

python-pptx is an extra of the program. It has no SVG: as PowerPoint itself does, a picture is a PNG
that names the SVG beside it, which newer programs show in its place.
"""

import io
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from core.errors import QuestionError
from core.message import message
from core.picture.marks import Picture
from core.picture.projector import lanes_of
from core.shown import shown_in_line
from core.teaching.lesson import Lesson
from core.teaching.markdown import plain_text
from core.words import Language, speaking
from gui.exports.devices import png_bytes, svg_bytes
from gui.handouts.prose import head_words
from gui.handouts.slides import Slide, slides_of
from gui.theme import load_theme

if TYPE_CHECKING:
    from pptx.presentation import Presentation
    from pptx.slide import Slide as Page

_WIDE: Final = 13.333
_TALL: Final = 7.5
_MARGIN: Final = 0.45
_LANES: Final = 8.2
"""How wide the lanes are; words stand beside them."""
_TITLE: Final = 28
_TEXT: Final = 24
_SMALL: Final = 14
_SHARP: Final = 4
"""Pixels of the PNG per logical pixel."""
_NAMES_SVG: Final = (
    '<a:extLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main">'
    '<a:ext uri="{{96DAC541-7B7A-43D3-8B79-37D633B846F1}}"><asvg:svgBlip r:embed="{relation}"/></a:ext>'
    "</a:extLst>"
)
"""The extension by which a picture names its SVG ([MS-ODRAWXML], svgBlip)."""


def lesson_pptx(lesson: Lesson, lang: Language, *, notes: bool = False) -> bytes:
    """The file; `notes` are the speaker's, on the pages for them. Needs `offscreen_app`.

    Raises QuestionError where python-pptx is not installed.
    """
    if find_spec("pptx") is None:
        raise QuestionError(message("error.lesson.no-pptx"), advice=message("error.lesson.no-pptx.way-out"))
    from pptx import Presentation
    from pptx.util import Inches

    made = Presentation()
    made.slide_width, made.slide_height = Inches(_WIDE), Inches(_TALL)
    with speaking(lang):
        made.core_properties.title = shown_in_line(lesson.title)
        made.core_properties.subject = head_words(lesson)
        made.core_properties.author = "Tidegauge"
        for number, slide in enumerate(slides_of(lesson, lang), start=1):
            _slide(made, slide, number, notes=notes)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def _slide(made: "Presentation", slide: Slide, number: int, *, notes: bool) -> None:
    # The layout with a title and nothing else: the outline and screen readers find it.
    page = made.slides.add_slide(made.slide_layouts[5])
    shown = slide.shown
    _title(page, f"{slide.number}. {shown.heading}")
    _text(page, [(f"{shown.title}, {shown.runs}", _SMALL, False)], (_MARGIN, 0.15, 12.4, 0.35))
    lines = [(shown.question, _TEXT, True)]
    lines += [(f"{place}  {option}", _TEXT, False) for place, option in enumerate(shown.options, start=1)]
    lines += [(shown.answer, _TEXT, True), (shown.verdict, _TEXT, True), (shown.sentence, _TEXT, False)]
    told = [line for line in lines if line[0]]
    lanes = lanes_of(shown, 480, 300)
    left = _MARGIN
    if lanes is not None:
        _lanes(page, lanes, (_MARGIN, 1.35, _LANES, 5.8), number)
        left += _LANES + 0.3
    if told:
        _text(page, told, (left, 1.35, _WIDE - left - _MARGIN, 5.8))
    if notes and slide.step.notes:
        frame = page.notes_slide.notes_text_frame
        if frame is not None:
            frame.text = plain_text(slide.step.notes)


def _title(page: "Page", words: str) -> None:
    from pptx.util import Inches, Pt

    title = page.shapes.title
    if title is None:
        raise TypeError(words)
    title.left, title.top, title.width, title.height = (Inches(one) for one in (_MARGIN, 0.45, 12.4, 0.8))
    frame = title.text_frame
    frame.text = words
    frame.word_wrap = True
    run = frame.paragraphs[0].runs[0]
    run.font.size, run.font.bold = Pt(_TITLE), True
    frame.paragraphs[0].alignment = _left()


def _left() -> Any:  # noqa: ANN401 - an enumeration of an optional library
    from pptx.enum.text import PP_ALIGN

    return PP_ALIGN.LEFT


def _text(page: "Page", lines: list[tuple[str, int, bool]], box: tuple[float, float, float, float]) -> None:
    """Lines of text with their size in points, and whether they are bold, in a box in inches."""
    from pptx.util import Inches, Pt

    frame = page.shapes.add_textbox(*(Inches(one) for one in box)).text_frame
    frame.word_wrap = True
    for place, (words, size, bold) in enumerate(lines):
        paragraph = frame.paragraphs[0] if place == 0 else frame.add_paragraph()
        run = paragraph.add_run()
        run.text = words
        run.font.size, run.font.bold = Pt(size), bold
        paragraph.space_after = Pt(size / 2)


def _lanes(page: "Page", picture: Picture, box: tuple[float, float, float, float], number: int) -> None:
    """The lanes within a box in inches, as large as they fit: a PNG, and the SVG that it stands for."""
    from pptx.opc.constants import RELATIONSHIP_TYPE
    from pptx.opc.package import Part
    from pptx.opc.packuri import PackURI
    from pptx.oxml import parse_xml
    from pptx.util import Inches

    theme = load_theme("light")
    left, top, wide, tall = box
    scale = min(wide / picture.width, tall / picture.height)
    size = (Inches(picture.width * scale), Inches(picture.height * scale))
    png = io.BytesIO(png_bytes(picture, theme, _SHARP))
    placed: Any = page.shapes.add_picture(png, Inches(left), Inches(top), *size)
    placed.name = f"lanes-{number}"
    # The library has no name for the text that is told in place of a picture.
    placed.element.nvPicPr.cNvPr.set("descr", picture.alt)
    svg = Part(
        PackURI(f"/ppt/media/lanes{number}.svg"),
        "image/svg+xml",
        page.part.package,
        svg_bytes(picture, theme, picture.title),
    )
    relation = page.part.relate_to(svg, RELATIONSHIP_TYPE.IMAGE)
    placed.element.blipFill.blip.append(parse_xml(_NAMES_SVG.format(relation=relation)))
