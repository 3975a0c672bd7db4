"""The words that may stay in a redacted export: Kafka's own, those of its rules, and common English ones.

`kafka_words.txt` has the words of the grammar (written by .ci/kafka_words.py, which a test holds against the
rules). `other_words.txt` is kept by hand: Kafka's classes, settings, errors and enumerations as releases 0.10
to 4.3 print them, the exceptions of the JDK, levels, months, and English words that tie a sentence together.
Neither has a word that names a person, a company or a machine.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
_FILES: Final = ("kafka_words.txt", "other_words.txt")
NUMBER: Final = re.compile(
    r"[-+~]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?(?:ms|ns|us|s|m|h|d|%|[KMGT]i?B|[kKMGT]|B|L)?", re.ASCII
)
"""Offsets, epochs, ids of brokers, sizes, durations, versions. Addresses are asked for before."""
ADDRESS: Final = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}", re.ASCII)
_NO_ADDRESS: Final = re.compile(r"127\.\d+\.\d+\.\d+|0(?:\.\d+){3}", re.ASCII)
"""This machine, and versions before 1.0."""
_STAMP: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d(?::?\d\d){0,2}(?:[.,]\d+)?)?Z?|\d\d[.,]\d+Z?|\d+Z|\d\dT\d\d", re.ASCII
)
_SEPARATORS: Final = re.compile(r"[!-/:-@\[-`{-~]+")
"""Between the parts of a token: the punctuation of ASCII."""
_LONGEST_PUNCTUATION: Final = 3


@cache
def known_words() -> frozenset[str]:
    """Every word that may stay, in small letters."""
    return frozenset(word for name in _FILES for word in (_FOLDER / name).read_text(encoding="utf-8").split())


def is_number(token: str) -> bool:
    """Whether a token is a number or a stamp, and no address."""
    if ADDRESS.fullmatch(token):
        return _NO_ADDRESS.fullmatch(token) is not None
    return NUMBER.fullmatch(token) is not None or _STAMP.fullmatch(token) is not None


def is_known(token: str) -> bool:
    """Whether a token without blanks says nothing of anybody: all of its parts are known words or numbers.

    `kafka.server.ReplicaManager` and `leader-epoch-checkpoint` are; `acme-3` and `10.1.2.3` are not.
    """
    if is_listed(token):
        return True
    if any(not _NO_ADDRESS.fullmatch(match[0]) for match in ADDRESS.finditer(token)):
        return False
    parts = [part for part in _SEPARATORS.split(token) if part]
    if not parts:
        # A rule of dashes or an arrow; what is longer and mixed may be a password.
        return token.isascii() and (len(token) <= _LONGEST_PUNCTUATION or len(set(token)) == 1)
    return all(is_listed(part) for part in parts)


def is_listed(part: str) -> bool:
    """Whether a token is one of the words, or a number."""
    # Letters beyond ASCII may become ASCII in small letters (the sign of Kelvin), and are no words of Kafka.
    return (part.isascii() and part.lower() in known_words()) or is_number(part)
