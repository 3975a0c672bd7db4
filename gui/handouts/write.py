"""A lesson as a file to take along, of the kind that its ending names."""

from pathlib import Path
from typing import Final

from core.errors import QuestionError
from core.message import Listing, message
from core.teaching.lesson import Lesson
from core.words import Language
from db.making import refuse_existing
from gui.workspace.files import whole, write_text

ENDINGS: Final = (".html", ".pdf", ".png", ".pptx")
"""What a lesson can be written as."""


def write_handout(
    lesson: Lesson, lang: Language, target: Path, *, notes: bool = False, replace: bool = False
) -> list[Path]:
    """Write it, and give the files: one, or one a slide. `notes` are the speaker's.

    Raises TidegaugeError for another ending, a file that is there (unless `replace`), a question that its run
    does not answer, and where the disk refuses.
    """
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise QuestionError(
            message("error.lesson.no-handout", ending=target.suffix or target.name),
            advice=message("error.lesson.handouts", names=Listing(ENDINGS)),
        )
    if notes and ending == ".png":
        raise QuestionError(
            message("error.lesson.no-place-for-notes"),
            advice=message("error.lesson.no-place-for-notes.way-out"),
        )
    from gui.exports.devices import offscreen_app

    offscreen_app()
    files = _made(lesson, lang, target, notes=notes)
    for one in files:
        refuse_existing(one, replace=replace)
    for one, content in files.items():
        if isinstance(content, str):
            write_text(one, content)
        else:
            with whole(one) as part:
                part.write_bytes(content)
    return list(files)


def _made(lesson: Lesson, lang: Language, target: Path, *, notes: bool) -> dict[Path, str | bytes]:
    """By file, what is to be in it."""
    match target.suffix.lower():
        case ".html":
            from gui.handouts.page import lesson_page

            return {target: lesson_page(lesson, lang, notes=notes)}
        case ".pdf":
            from gui.handouts.printed import lesson_pdf

            return {target: lesson_pdf(lesson, lang, notes=notes)}
        case ".pptx":
            from gui.handouts.powerpoint import lesson_pptx

            return {target: lesson_pptx(lesson, lang, notes=notes)}
        case _:
            return _slides(lesson, lang, target)


def _slides(lesson: Lesson, lang: Language, target: Path) -> dict[Path, str | bytes]:
    """A picture a slide, numbered: NAME-05.png asks, and NAME-05-revealed.png shows what happened.

    What a slide has no room for is on NAME-05-2.png.
    """
    from core.picture.projector import WIDE, projected
    from gui.exports.devices import png_bytes
    from gui.handouts.slides import slides_of
    from gui.theme import load_theme

    found: dict[Path, str | bytes] = {}
    for slide in slides_of(lesson, lang):
        picture = projected(slide.shown)
        behind = f"{'-revealed' if slide.revealed else ''}{f'-{slide.page}' if slide.page > 1 else ''}"
        name = f"{target.stem}-{slide.number:02}{behind}{target.suffix}"
        found[target.with_name(name)] = png_bytes(picture, load_theme("light"), WIDE / picture.width)
    return found
