"""Sentences of a text that a person wrote, in English or Chinese."""

import re
from typing import Final

from core.shown import shown_in_line

_SENTENCE: Final = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？])", re.DOTALL)


def first_sentence_of(words: str) -> str:
    """The first sentence of a text, on one line; all of it where it has no end. "hw-loss.toml" ends none."""
    found = _SENTENCE.match(words)
    return shown_in_line(found[0] if found else words)
