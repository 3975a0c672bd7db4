"""The catalogues of a language: sentences by id, as GNU gettext keeps them."""

import gettext
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Final

FOLDER: Final = Path(__file__).parent.parent / "locales"
FIRST: Final = "en"
"""The language that has every sentence. What another one lacks is said in it."""
_PLURALS: Final = 101
"""Counts with which each form of each language is told: Arabic has one for 100 that 0 to 99 have not."""


def languages() -> tuple[str, ...]:
    """The languages that have a folder of catalogues, English first."""
    found = sorted(path.parent.name for path in FOLDER.glob("*/*.mo"))
    return (FIRST, *dict.fromkeys(name for name in found if name != FIRST))


@cache
def catalogues(language: str) -> gettext.NullTranslations:
    """All catalogues of a language as one; where it lacks a sentence, the English ones are asked."""
    found: gettext.NullTranslations | None = None
    for name in dict.fromkeys((language, FIRST)):
        for path in sorted((FOLDER / name).glob("*.mo")):
            with path.open("rb") as file:
                read = gettext.GNUTranslations(file)
            if found is None:
                found = read
            else:
                found.add_fallback(read)
    return found or gettext.NullTranslations()


def all_forms(id_: str) -> tuple[str, ...]:
    """What stands between the places of a sentence, in every language and with every plural; () for no id."""
    if not id_:
        return ()  # Under "" gettext keeps the head of a file.
    found: set[str] = set()
    for language in languages():
        read = catalogues(language)
        found.add(read.gettext(id_))
        if read.ngettext(id_, id_, 1) != id_:
            found.update(read.ngettext(id_, id_, number) for number in range(_PLURALS))
    found.discard(id_)
    return tuple(sorted(part for text in found for part, *_ in Formatter().parse(text)))
