"""Releases of Kafka as numbers that compare."""

from functools import cache
from typing import Final

_DIGITS: Final = 9
"""The most digits that one number of a release has."""


@cache
def version_numbers(text: str) -> tuple[int, ...]:
    """0.10.2.2 as (0, 10, 2, 2); () where the text has no numbers."""
    numbers: list[int] = []
    for part in text.split("."):
        digits = part.split("-", maxsplit=1)[0]
        # More digits than a release has are none, and int() refuses thousands of them.
        if not digits.isdecimal() or len(digits) > _DIGITS:
            break
        numbers.append(int(digits))
    return tuple(numbers)
