"""Which eras the quick round takes where every scenario runs in every era. The long round takes all."""

from collections.abc import Sequence
from typing import Final

import pytest

from core.kafka.eras import ERAS, Era

QUICK: Final = ("0.10.2", "0.11", "2.8", "4.1")
"""The cut to the high watermark, epochs asked for, divergence on fetch, KRaft with eligible leaders."""


def by_era(eras: Sequence[Era] = ERAS) -> list[object]:
    """The eras as parameters; those that are not in the quick round are marked slow."""
    return [pytest.param(one, id=one.id, marks=() if one.id in QUICK else pytest.mark.slow) for one in eras]


def together(eras: Sequence[Era] = ERAS) -> list[object]:
    """The eras of the quick round as one parameter, and the others as a second one that is marked slow.

    A test of a scenario in an era takes a hundredth of a second, half of it to be begun and told of: one test
    goes through several eras, where a failure shows which one it was.
    """
    quick = tuple(one for one in eras if one.id in QUICK)
    others = tuple(one for one in eras if one.id not in QUICK)
    return [
        pytest.param(some, id=" ".join(one.id for one in some), marks=marks)
        for some, marks in ((quick, ()), (others, pytest.mark.slow))
    ]
