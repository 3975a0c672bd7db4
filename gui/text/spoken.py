"""The language that this process speaks, and texts in it."""

from typing import Final

from core.message import Message, Value
from core.words import use
from gui.text.catalogues import FIRST, languages
from gui.text.render import Renderer, renderer

_CHOSEN: Final[list[str]] = [FIRST]


def language() -> str:
    """The language spoken now, as its folder of catalogues is called: "en", "zh"."""
    return _CHOSEN[0]


def speak(wanted: str) -> str:
    """Speak a language from now on, in core, too; English where there are no catalogues of it.

    Gives the language. Widgets that are there already keep the texts they were made with.
    """
    _CHOSEN[0] = wanted if wanted in languages() else FIRST
    use(renderer, language())
    return language()


def words() -> Renderer:
    """Makes text of messages in the language spoken now."""
    return renderer(language())


def worded(message: Message) -> str:
    """The text of a message in the language spoken now."""
    return words()(message)


def tr(id_: str, /, **values: Value) -> str:
    """The sentence with this id in the language spoken now, its places filled from `values`.

    The id is a literal, or one from a table of literals.
    """
    return worded(Message(id_, tuple(values.items())))
