"""The language in which sentences are made. Kafka's own terms and the names of brokers stay as they are.

Deep functions make fragments of a sentence; which language they speak is decided once, at the top, by a
parameter of the function that a caller sees (`why`, `lay_out`), and holds for that call alone.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final, TypeAlias

from core.words import Words, rendering

Language: TypeAlias = str

_SPOKEN: Final[ContextVar[Language]] = ContextVar("spoken", default="en")
_RENDERERS: Final[list[Callable[[Language], Words]]] = []
"""The last one says who makes text of messages in a language."""


def render_with(renderers: Callable[[Language], Words]) -> None:
    """Within `speaking`, text of messages is made by the renderer of that language, too."""
    _RENDERERS.append(renderers)


@contextmanager
def speaking(language: Language) -> Generator[None]:
    """Within it, `say`, `word` and messages give a language; afterwards what they gave before."""
    token = _SPOKEN.set(language)
    try:
        with rendering(_RENDERERS[-1](language)) if _RENDERERS else nullcontext():
            yield
    finally:
        _SPOKEN.reset(token)


def say(en: str, zh: str) -> str:
    """One of two sentences of the same meaning: that of the language spoken now."""
    return zh if _SPOKEN.get() == "zh" else en
