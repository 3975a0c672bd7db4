"""Who makes text of messages here: decided once, at the top, by whoever calls.

The layout of pictures needs texts to measure them, and an error has a text for logs. Both ask `text`. Which
language answers is a parameter of the function that a caller sees (`why`, `lay_out`), and holds within its
`speaking` alone.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, LiteralString, TypeAlias

from core.message import Message, Value

Words: TypeAlias = Callable[[Message], str]
"""Makes text of a message in one language: `gui.text.render.Renderer`."""
Language: TypeAlias = str
"""The code of a language, as its folder of catalogues is called: "en", "zh"."""
Renderers: TypeAlias = Callable[[Language], Words]
"""The renderer of each language: `gui.text.render.renderer`."""


def bare(one: Message) -> str:
    """A message without a catalogue: its id and values."""
    values = ", ".join(
        f"{name}={bare(value) if isinstance(value, Message) else value}" for name, value in one.values
    )
    return f"{one.id} ({values})" if values else one.id


_RENDERERS: Final[list[Renderers]] = [lambda _: bare]
_LASTING: Final[list[Words]] = [bare]
_WORDS: Final[ContextVar[Words | None]] = ContextVar("words", default=None)


def use(renderers: Renderers, language: Language) -> None:
    """Make text by these renderers for the whole process, in `language` wherever no `speaking` holds.

    Called where a process starts, and where another language is chosen.
    """
    _RENDERERS[0], _LASTING[0] = renderers, renderers(language)


@contextmanager
def speaking(language: Language) -> Generator[None]:
    """Within it, texts are in this language; afterwards in the one from before."""
    token = _WORDS.set(_RENDERERS[0](language))
    try:
        yield
    finally:
        _WORDS.reset(token)


def in_force() -> Words:
    """The renderer that `text` asks now."""
    return _WORDS.get() or _LASTING[0]


def text(one: Message) -> str:
    """The text of a message."""
    return in_force()(one)


def said(id_: LiteralString, /, **values: Value) -> str:
    """The text of a message that is made here."""
    return text(Message(id_, tuple(values.items())))
