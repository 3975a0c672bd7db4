"""The conditions of a script: their forms in words."""

import re
from typing import Final

from core.sim.script import Condition

_NAME: Final = r"(?P<broker>\w[\w-]*)"
_OTHER: Final = r"(?P<other>\w[\w-]*)"
_NUMBER: Final = r"(?P<number>\d{1,15})"

FORMS: Final[tuple[tuple[str, str, re.Pattern[str]], ...]] = tuple(
    (kind, words, re.compile(pattern))
    for kind, words, pattern in (
        ("quiet", "quiet", r"quiet"),
        ("appended", "B has appended offset 1", rf"{_NAME} has appended offset {_NUMBER}"),
        ("leo", "B has log end offset 2", rf"{_NAME} has log end offset {_NUMBER}"),
        ("hw", "B has high watermark 1", rf"{_NAME} has high watermark {_NUMBER}"),
        (
            "checkpointed",
            "B has checkpointed high watermark 1",
            rf"{_NAME} has checkpointed high watermark {_NUMBER}",
        ),
        ("sends_fetch", "B sends a fetch", rf"{_NAME} sends a fetch(?: at offset {_NUMBER})?"),
        ("parks_fetch", "A parks a fetch of B", rf"{_NAME} parks a fetch of {_OTHER}"),
        ("leads", "B leads", rf"{_NAME} leads"),
        ("follows", "B follows A", rf"{_NAME} follows {_OTHER}"),
        ("in_isr", "B is in the ISR", rf"{_NAME} is in the ISR"),
        ("not_in_isr", "B is not in the ISR", rf"{_NAME} is not in the ISR"),
    )
)
"""(kind, an example, pattern). `high watermark` and `log end offset` hold at the number and above."""


def parse_condition(text: str) -> Condition | None:
    """The condition that the words say, or None if no form fits.

    Each but `quiet` may end with "in partition 1"; without that it is about partition 0.
    """
    words = " ".join(text.split())
    main, _, index = words.partition(" in partition ")
    if index and not re.fullmatch(r"\d{1,4}", index):
        return None
    for kind, _, pattern in FORMS:
        match = pattern.fullmatch(main)
        if match:
            said = match.groupdict()
            number = said.get("number")
            return Condition(
                kind,
                broker=said.get("broker") or "",
                other=said.get("other") or "",
                number=None if number is None else int(number),
                text=words,
                partition=int(index or 0),
            )
    return None


def examples() -> str:
    """One example of each form, for a message."""
    return "; ".join(words for _, words, _ in FORMS)
