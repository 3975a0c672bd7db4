"""Several texts as one, with what a language puts between them."""

from collections.abc import Iterable
from typing import LiteralString

from core.message import Message
from core.words import said, text


def commas(parts: Iterable[str]) -> str:
    """Parts of one clause: "leader, epoch 3"."""
    return joined("picture.commas", parts)


def semicolons(parts: Iterable[str]) -> str:
    """Clauses of one sentence."""
    return joined("picture.semicolons", parts)


def text_of(one: Message | None) -> str:
    """The text of a message; "" where there is none."""
    return "" if one is None else text(one)


def joined(id_: LiteralString, parts: Iterable[str]) -> str:
    """Texts put together two by two with a sentence that has places for `head` and `last`."""
    found = ""
    for place, part in enumerate(parts):
        found = said(id_, head=found, last=part) if place else part
    return found
