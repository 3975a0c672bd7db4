"""Cut a text into what may stay and what is hidden, token by token: what no list allows is hidden."""

import re
import string
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from core.trace.known_words import is_known, is_listed

TOKEN: Final = re.compile(r"[^\s,;()\[\]{}<>\"'=:|]+")
"""What stands between blanks, brackets, quotes and signs of a list."""
_PARTITION: Final = re.compile(r"(.+)-(\d{1,10})((?:\.[0-9a-fA-F]{32}-(?:delete|future|stray))?)")
_GONE: Final = re.compile(r"(\.)([0-9a-fA-F]{32})(-\w+)")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX: Final = re.compile(r"[0-9a-fA-F]{32}")
_ID: Final = re.compile(r"(?=.*[\dA-Z_-])[\w\-]{22}", re.ASCII)
"""16 bytes as Kafka writes an id of a topic, a cluster or a directory."""
_SHAPES: Final = (("uuid", _UUID), ("hex", _HEX), ("id", _ID))
_FILE: Final = re.compile(
    r"(.+?)(\.(?:log|index|timeindex|txnindex|snapshot|checkpoint|properties|gz|zip|tar|tgz|xz|zst|txt|out|json|toml"
    r"|jsonl|csv|parquet|tide)(?:\.\d[\d-]*)?)+"
)
_NUMBERED: Final = re.compile(r"(.+?)((?:-\d{1,10})+)((?:\.[0-9a-fA-F]{32}-(?:delete|future|stray))?)")
_LONGEST: Final = 256
"""A longer token that is not known is hidden whole: no name of Kafka's is as long."""
_PUNCTUATION: Final = string.punctuation
_SLASH: Final = re.compile(r"([/\\]+)")
_CHINESE: Final = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")


@dataclass(frozen=True, slots=True)
class Hidden:
    """A part of a token that is hidden, and what its pseudonym looks like."""

    name: str
    shape: str = ""
    """"uuid", "hex" and "id" have pseudonyms of the same letters, which the grammar reads as before."""


Part: TypeAlias = "str | Hidden"
Parts: TypeAlias = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Cutter:
    """What is known of the names of all traces when one of their tokens is cut.

    `kept` are topics that stay, `topics` those that are hidden, `names` every other name that is hidden
    wherever it stands, `within` finds such a name inside of a token.
    """

    kept: Collection[str]
    topics: Collection[str]
    names: Mapping[str, str]
    within: re.Pattern[str] | None

    def cut(self, token: str) -> Parts:
        """A token without blanks as parts; a part that is a text stays."""
        if token in self.kept:
            return (token,)
        if token in self.names or token.lower() in self.names:
            return (Hidden(token),)
        partition = _PARTITION.fullmatch(token)
        if partition is not None and (partition[1] in self.kept or partition[1] in self.topics):
            topic: Part = partition[1] if partition[1] in self.kept else Hidden(partition[1])
            return (topic, f"-{partition[2]}", *self._gone(partition[3]))
        if is_listed(token):
            return (token,)
        if len(token) > _LONGEST:
            return self._path(token) if is_path(token) else (Hidden(token),)
        match = self.within.search(token) if self.within is not None else None
        if match is not None and match[0] != token:
            before, after = token[: match.start()], token[match.end() :]
            return (*self._maybe(before), Hidden(match[0]), *self._maybe(after))
        if is_known(token):
            return (token,)
        shape = next((shape for shape, form in _SHAPES if form.fullmatch(token)), "")
        return (Hidden(token, shape),) if shape else self._composed(token)

    def _composed(self, token: str) -> Parts:
        """A token that is no name and no word of its own: its pieces."""
        if is_path(token):
            return self._path(token)
        bare = token.strip(_PUNCTUATION)
        if bare and bare != token:
            start = token.index(bare)
            return (*self._edge(token[:start]), *self.cut(bare), *self._edge(token[start + len(bare) :]))
        file = _FILE.fullmatch(token)
        if file is not None:
            return (*self.cut(file[1]), token[file.end(1) :])
        numbered = _NUMBERED.fullmatch(token)
        if numbered is not None:
            return (*self.cut(numbered[1]), numbered[2], *self._gone(numbered[3]))
        return (Hidden(token),)

    def _path(self, token: str) -> Parts:
        pieces = [self._piece(piece) for piece in _SLASH.split(token)]
        return tuple(part for parts in pieces for part in parts)

    def _piece(self, piece: str) -> Parts:
        return (piece,) if _SLASH.fullmatch(piece) else self._maybe(piece)

    def _maybe(self, piece: str) -> Parts:
        return self.cut(piece) if piece else ()

    @staticmethod
    def _edge(text: str) -> Parts:
        """Punctuation around a word: as much of it as a sentence or a path has."""
        return () if not text else (text,) if len(set(text)) == 1 or is_known(text) else (Hidden(text),)

    @staticmethod
    def _gone(text: str) -> Parts:
        """What follows the name of a folder that will be deleted, or becomes a replica's."""
        match = _GONE.fullmatch(text)
        return () if match is None else (match[1], Hidden(match[2], "hex"), match[3])


def is_path(token: str) -> bool:
    """Whether a token has parts between slashes."""
    return "/" in token or "\\" in token


def is_plain(name: str) -> bool:
    """Whether a name is made of words that may stay: then it is hidden only where it stands as a name."""
    return all(map(is_listed, TOKEN.findall(name)))


def chinese_apart(text: str, told: Callable[[str], str], instead: str | None = None) -> str:
    """A Chinese sentence of the program's own: its Chinese stays, or is `instead`. The rest is `told`."""
    made: list[str] = []
    end = 0
    for match in _CHINESE.finditer(text):
        made += [told(text[end : match.start()]), match[0] if instead is None else instead]
        end = match.end()
    return "".join([*made, told(text[end:])])


def shaped(shape: str, number: int) -> str:
    """The pseudonym of an id: as long as the id, and of letters that it may have."""
    if shape == "uuid":
        return f"00000000-0000-0000-0000-{number:012}"
    if shape == "hex":
        return f"{number:032}"
    return f"id-{number:019}"
