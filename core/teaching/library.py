"""The lessons that ship with the program, and what one finds in a folder: a file for each language."""

from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from core.errors import QuestionError
from core.message import Listing, message
from core.sim.translations import LESSONS
from core.teaching.lesson import Lesson
from core.teaching.reading import language_of_name, parse_lesson

COURSE: Final = "course"
ENGLISH: Final = "lesson.md"


@cache
def lesson_ids() -> tuple[str, ...]:
    """The ids of the lessons, in the order of the course: their folders begin with two digits."""
    folders = sorted(one.name for one in (LESSONS / COURSE).iterdir() if (one / ENGLISH).is_file())
    return tuple(name.partition("-")[2] for name in folders)


@cache
def lesson(lesson_id: str, language: str = "en") -> Lesson:
    """A lesson in a language, or in English where it is not translated. Raises QuestionError."""
    for folder in (LESSONS / COURSE).iterdir():
        if folder.name.partition("-")[2] == lesson_id and lesson_id:
            texts = texts_of(folder)
            name = next((one for one in texts if language_of_name(one) == language), ENGLISH)
            return parse_lesson(texts[name], lesson_id, f"{folder.name}/{name}")
    ids = Listing(lesson_ids())
    raise QuestionError(
        message("error.lesson.none", name=lesson_id), advice=message("error.lesson.known", names=ids)
    )


def new_lesson_text() -> str:
    """The text of a small lesson that holds, to be changed."""
    return (LESSONS / "new-lesson.md").read_text(encoding="utf-8")


def lessons_of(folder: Traversable | Path) -> list[tuple[str, Lesson]]:
    """The lesson of a folder in each of its languages, or that of one file, by the file's name.

    Raises QuestionError where there is none, ScenarioError where one is wrong.
    """
    texts = {folder.name: folder.read_text(encoding="utf-8")} if folder.is_file() else {}
    where = "" if folder.is_file() else f"{folder.name}/"
    if folder.is_dir():
        texts = texts_of(folder)
    if not texts:
        raise QuestionError(
            message("error.lesson.no-text", path=str(folder)), advice=message("error.lesson.text-is")
        )
    name = folder.name.rpartition("-")[2] if folder.is_file() else folder.name
    return [(where + one, parse_lesson(text, name, where + one)) for one, text in texts.items()]


def texts_of(folder: Traversable | Path) -> Mapping[str, str]:
    """By the name of the file, the texts of a lesson in each of its languages."""
    files = sorted(one.name for one in folder.iterdir() if one.name.startswith("lesson."))
    return {name: (folder / name).read_text(encoding="utf-8") for name in files if name.endswith(".md")}
