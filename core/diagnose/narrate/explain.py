"""Words that many sentences of a story share."""

from collections.abc import Mapping, Sequence
from typing import Final

RULE_WORDS: Final = {
    "high-watermark": "its own high watermark",
    "leader-epoch": "where the leader said that its epoch ended",
    "diverging-epoch": "where the leader said that the logs diverge",
    "leader-end": "the leader's log end offset, as its fetch was out of range",
    "reset": "its whole log, to start anew",
    "recovery": "it was not on the disk",
    "unknown": "nothing names the rule",
}
"""Why a replica cut to an offset, in brackets after it."""


def offsets_text(first: int, end: int) -> str:
    """Half-open offsets as a person says them, the last one included."""
    if end - first <= 2:
        return f"offset {first}" if end - first == 1 else f"offsets {first} and {end - 1}"
    return f"offsets {first} to {end - 1}"


def brokers_text(names: Mapping[int, str], brokers: Sequence[int]) -> str:
    """A; A and B; A, B and C."""
    words = [names.get(broker, f"broker {broker}") for broker in brokers]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]
