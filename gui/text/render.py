"""From a message to text in one language."""

from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from string import Formatter
from typing import Any, Final

from core.message import LEGACY, AtLeast, Count, Listing, Message, Names, Value, message
from gui.text.catalogues import FIRST, catalogues
from gui.text.values import Verbatim, written

_CAPITAL: Final = "capital"
"""`{who:capital}` begins the sentence: its first letter is a capital one, but for that of a name."""
_SMALL: Final = "small"
"""`{why:small}` stands within the sentence: its first letter is a small one."""
_SENTENCE: Final = "sentence"
"""`{why:sentence}` is a sentence of its own: a full stop is put behind it unless it has one."""
_WAYS: Final = frozenset((_CAPITAL, _SMALL, _SENTENCE))
_ENDS: Final = (".", "?", "!", "。", "？", "！")
_PARSER: Final = Formatter()
_PLAIN: Final = frozenset((int, str, Verbatim, Count))
"""Values of these types alone make a text that is kept: none of them depends on the zone that is shown."""
_MOST_KEPT: Final = 4096
_VALUE: Final = itemgetter(1)
_Part = tuple[str, str, str]
"""What stands before a place, the name of its value ("" behind the last place), how it is written."""
_Parts = tuple[_Part, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Renderer:
    """Makes text of messages. `language` is that of the catalogues that it asks.

    There is one of each language: as a key it stands for that language.
    """

    language: str
    _single: dict[str, _Parts] = field(default_factory=dict[str, _Parts], repr=False)
    """By id: sentences without a plural, taken apart."""
    _taken_apart: dict[str, _Parts] = field(default_factory=dict[str, _Parts], repr=False)
    """By sentence."""
    _kept: dict[tuple[Any, ...], str] = field(default_factory=dict[tuple[Any, ...], str], repr=False)
    """By id, values and their types (a text that is finished equals one that is not): each frame says again
    what the one before it said."""

    def __call__(self, message: Message) -> str:
        """The text of a message. One whose id is in no catalogue is written as id and values."""
        types = tuple(map(type, map(_VALUE, message.values)))
        if not _PLAIN.issuperset(types):
            return self._made(message)
        key = (message.id, message.values, types)
        text = self._kept.get(key)
        if text is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            text = self._kept[key] = self._made(message)
        return text

    def _made(self, message: Message) -> str:
        values = dict(message.values)
        parts = self._single.get(message.id) or self._parts(message.id, values)
        if not parts:
            return self._bare(message)
        if len(parts) == 1 and not parts[0][1]:
            return parts[0][0]
        found: list[str] = []
        for literal, name, how in parts:
            found.append(literal)
            if name:
                found.append(self._written(values[name], how) if name in values else f"{{{name}}}")
        return "".join(found)

    def _parts(self, id_: str, values: dict[str, Value]) -> _Parts:
        if not id_:
            return ()  # Under "" gettext keeps the head of a file.
        found, count = catalogues(self.language), values.get("count")
        if isinstance(count, Count | AtLeast):
            sentence = found.ngettext(id_, id_, count.number)
            if sentence != id_:
                return self._apart(sentence)
        sentence = found.gettext(id_)
        if sentence == id_:
            return ()
        parts = self._apart(sentence)
        if not isinstance(count, Count | AtLeast):
            self._single[id_] = parts
        return parts

    def _apart(self, sentence: str) -> _Parts:
        parts = self._taken_apart.get(sentence)
        if parts is None:
            parts = tuple((text, name or "", how or "") for text, name, how, _ in _PARSER.parse(sentence))
            self._taken_apart[sentence] = parts
        return parts

    def _written(self, value: Value, how: str) -> str:
        if how not in _WAYS and type(value) in (int, float):
            return format(value, how)
        text = written(value, self)
        if how == _CAPITAL and not _is_name(value):
            return text[:1].upper() + text[1:]
        if how == _SMALL:
            return text[:1].lower() + text[1:]
        if how == _SENTENCE and not text.endswith(_ENDS):
            return self(message("value.sentence", words=Verbatim(text)))
        return text

    def _bare(self, message: Message) -> str:
        """A sentence of a later version, or one that an earlier version kept as text."""
        values = dict(message.values)
        if message.id == LEGACY:
            text = values.get(f"text_{self.language}") or values.get("text")
            if isinstance(text, str):
                return written(text, self)
        said = ", ".join(f"{name}={written(value, self)}" for name, value in message.values)
        return written(f"{message.id} ({said})" if said else message.id, self)


def _is_name(value: Value) -> bool:
    """Whether a name from the evidence comes first: a record m1 stays m1 where it begins a sentence, too."""
    if isinstance(value, Names | Listing):
        return bool(value.items) and _is_name(value.items[0])
    return isinstance(value, str) and not isinstance(value, Verbatim)


@cache
def renderer(language: str = FIRST) -> Renderer:
    """The renderer of a language."""
    return Renderer(language)


def finished(text: str) -> Verbatim:
    """Text that a renderer made, as a value of another message."""
    return Verbatim(text)


def language_name(language: str) -> str:
    """What a language calls itself."""
    return renderer(language)(message("language.name"))
