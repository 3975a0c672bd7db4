"""A made-up language: every sentence of the catalogues with accents on its letters, and a third longer.

What is shown without an accent was said past the catalogues.
What has no room in it would have none in German.
"""

import re
import shutil
from collections.abc import Container, Generator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Final

import pytest
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as BabelMessage
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from core.sim.articles import claims, risks
from core.sim.library import scenario, scenario_ids
from core.sim.questions import questions
from gui.text import catalogues
from gui.text.render import renderer
from tests.visible_texts import without_identifiers

LANGUAGE: Final = "qps"
NAME: Final = "Þseudo"
_PLAIN: Final = "acdeghijklnorstuwyzACDEGHIJKLNORSTUWYZ"
_ACCENTED: Final = "áçďéğĥíĵķľñóřšťúŵýžÁÇĎÉĞĤÍĴĶĽÑÓŘŠŤÚŴÝŽ"
_LETTERS: Final = str.maketrans(_PLAIN, _ACCENTED)
_WORD: Final = re.compile(rf"[A-Za-z{_ACCENTED}'-]+")
KNOWN: Final = frozenset(
    (
        *("Tidegauge", "Kafka", "KRaft", "ZooKeeper", "Python", "Qt", "Linux", "offscreen"),
        # Kafka's own terms.
        *("LEO", "ISR", "HW", "broker", "Broker"),
        *("Ctrl", "Alt", "Shift", "Esc", "Space", "Home", "End", "Up", "Down", "Return", "Delete"),
        *("UTC", "local", "English", "seudo"),
    )
)
"""Names of programs, terms of Kafka, keys as Qt names them, a zone, the master of Spark, languages."""
_AS_IT_IS: Final = {"page.lang"}
"""Ids of what a machine reads."""


def pseudo(text: str) -> str:
    """A sentence in the made-up language, with its places as they are."""
    parts: list[str] = []
    for literal, name, how, _ in Formatter().parse(text):
        parts.append(literal.replace("{", "{{").replace("}", "}}").translate(_LETTERS))
        if name is not None:
            parts.append(f"{{{name}:{how}}}" if how else f"{{{name}}}")
    words = [word for word in text.split() if word.isalpha()]
    return "".join(parts) + (" ~~~~~" * (len(text) // 18 + 1) if len(words) > 1 else "")


def plain_words(text: str, known: Container[str] = ()) -> list[str]:
    """The words of a text in which a letter has no accent that would have one, and which are not known."""
    return [
        word
        for word in _WORD.findall(without_identifiers(text))
        if len(word) > 2 and word.isascii() and word not in known and any(letter in _PLAIN for letter in word)
    ]


@cache
def _lessons() -> re.Pattern[str]:
    """Titles, stories, steps, questions, articles of the lessons, sentence by sentence: they have no ids."""
    told = {text["en"] for one in questions() for text in (one.ask, one.answer)}
    told |= {text["en"] for one in claims() for text in (one.title, one.article, one.kafka)}
    told |= {one.rule["en"] for one in risks()}
    for id_ in scenario_ids():
        one = scenario(id_)
        told.update((one.title["en"], one.story["en"]))
        told.update(text["en"] for step in one.steps for text in (step.label, step.effect) if text)
    parts = told | {part for text in told for part in re.split(r"(?<=[.:?]) ", text)}
    # A text of one word may be a part of a name: "replaced" is no lesson's in "disk-replaced".
    return re.compile(
        rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(parts, key=len, reverse=True)))})(?![\w-])"
    )


def without_lessons(text: str) -> str:
    """A text without the lessons in it, which are English in a language that has no texts of them."""
    return _lessons().sub(" ", text)


@cache
def _compiled(places: Path) -> bytes:
    """The English catalogues in a folder, translated and compiled."""
    whole = Catalog(locale="en")
    for path in sorted((places / "en").glob("*.po")):
        with path.open("rb") as file:
            for entry in read_po(file, locale="en"):
                if entry.id and entry.id not in _AS_IT_IS:
                    whole.add(entry.id, _translated(entry))
    made = BytesIO()
    write_mo(made, whole)
    return made.getvalue()


@contextmanager
def dropped(folder: Path) -> Generator[str]:
    """Within it there is one more language, by a single file beside the catalogues; gives its name."""
    places = folder / "locales"
    shutil.copytree(catalogues.FOLDER, places)
    (places / LANGUAGE).mkdir()
    (places / LANGUAGE / "all.mo").write_bytes(_compiled(catalogues.FOLDER))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogues, "FOLDER", places)
        catalogues.catalogues.cache_clear()
        renderer.cache_clear()
        yield LANGUAGE
    catalogues.catalogues.cache_clear()
    renderer.cache_clear()


def _translated(entry: BabelMessage) -> str | tuple[str, ...]:
    if entry.id == "language.name":
        return NAME
    if isinstance(entry.string, str):
        return pseudo(entry.string)
    return tuple(pseudo(form or "") for form in entry.string or ())
