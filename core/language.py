"""The language in which sentences are made. Kafka's own terms and the names of brokers stay as they are.

Deep functions make fragments of a sentence; which language they speak is decided once, at the top, by a
parameter of the function that a caller sees (`why`, `lay_out`), and holds for that call alone.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Literal, TypeAlias

Language: TypeAlias = Literal["en", "zh"]

_SPOKEN: Final[ContextVar[Language]] = ContextVar("spoken", default="en")


@contextmanager
def speaking(language: Language) -> Generator[None]:
    """Within it, `say` and `word` give a language; afterwards what they gave before."""
    token = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def spoken(texts: Mapping[str, str]) -> str:
    """Of texts by language that of the one spoken now, else the English one, else ""."""
    return texts.get(_SPOKEN.get()) or texts.get("en", "")


def say(en: str, zh: str) -> str:
    """One of two sentences of the same meaning: that of the language spoken now."""
    return zh if _SPOKEN.get() == "zh" else en
