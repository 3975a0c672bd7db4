"""Releases of Kafka as numbers that compare."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

_DIGITS: Final = 9
"""The most digits that one number of a release has."""
_CONFLUENT: Final = re.compile(r"(?P<major>[5-8])\.(?P<minor>\d{1,2})\.[\d\-]{1,16}-(?:ccs|ce)(?:-.*)?")
"""How brokers of Confluent Platform name their release from 5.3 on ("7.4.0-ccs"); before, as Kafka's."""
_FIRST_OF: Final[Mapping[str, tuple[int, int]]] = {"5": (2, 0), "6": (2, 6), "7": (3, 0), "8": (4, 0)}
"""By major number of Confluent Platform: the release of Kafka in its minor number 0; each next has the next
one (Supported Versions and Interoperability, in its documentation)."""


@cache
def version_numbers(text: str) -> tuple[int, ...]:
    """0.10.2.2 as (0, 10, 2, 2); () where the text has no numbers.

    Of a release of Confluent Platform the numbers of its Kafka: 7.4.0-ccs is (3, 4). Its last number counts
    other changes than Kafka's.
    """
    platform = _CONFLUENT.fullmatch(text)
    if platform is not None:
        major, minor = _FIRST_OF[platform["major"]]
        return major, minor + int(platform["minor"])
    numbers: list[int] = []
    for part in text.split("."):
        digits = part.split("-", maxsplit=1)[0]
        # More digits than a release has are none, and int() refuses thousands of them.
        if not digits.isdecimal() or len(digits) > _DIGITS:
            break
        numbers.append(int(digits))
    return tuple(numbers)
