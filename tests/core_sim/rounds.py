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
