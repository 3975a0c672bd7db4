"""Who makes text of messages here: decided once, at the top, by whoever calls.

The layout of pictures needs texts to measure them, and an error has a text for logs. Both ask `text`. Which
renderer answers is a parameter of the function that a caller sees, and holds within its `rendering` alone.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, LiteralString, TypeAlias

from core.message import Message, Value

Words: TypeAlias = Callable[[Message], str]
"""Makes text of a message in one language: `gui.text.render.Renderer`."""


def bare(one: Message) -> str:
    """A message without a catalogue: its id and values."""
    values = ", ".join(
        f"{name}={bare(value) if isinstance(value, Message) else value}" for name, value in one.values
    )
    return f"{one.id} ({values})" if values else one.id


_LASTING: Final[list[Words]] = [bare]
_WORDS: Final[ContextVar[Words | None]] = ContextVar("words", default=None)


def use(words: Words) -> None:
    """Answer with this renderer wherever no `rendering` holds: for the whole process, set where it starts."""
    _LASTING[0] = words


@contextmanager
def rendering(words: Words) -> Generator[None]:
    """Within it, `text` asks this renderer; afterwards the one from before."""
    token = _WORDS.set(words)
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
