"""The catalogues of a language: sentences by id, as GNU gettext keeps them."""

import gettext
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent.parent / "locales"
FIRST: Final = "en"
"""The language that has every sentence. What another one lacks is said in it."""


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
