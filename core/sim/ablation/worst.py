"""The scenario in which a flip costs most, by release: computed once from docs/ablations.md, and kept.

`worst.json` is made anew with that page, and tests/core_sim/test_ablations.py holds it against runs.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from core.sim.ablation.outcome import Aspect

FILE: Final = "worst.json"


@dataclass(frozen=True, slots=True)
class Worst:
    """A scenario, and how much more of an aspect it costs: records, offsets or seconds, before and after."""

    scenario: str
    aspect: Aspect
    before: int
    after: int


def worst_of(release: str, flip: str) -> Worst | None:
    """The worst that a flip ("truncation=high-watermark") does to any scenario in a release.

    More records lost are worse than more offsets at which logs differ, and these than more time without a
    leader. None where it makes nothing worse.
    """
    return _table().get(release, {}).get(flip)


@cache
def _table() -> Mapping[str, Mapping[str, Worst]]:
    text = files("core.sim.ablation").joinpath(FILE).read_text(encoding="utf-8")
    return {
        release: {
            flip: Worst(scenario, Aspect(aspect), before, after)
            for flip, (scenario, aspect, before, after) in flips.items()
        }
        for release, flips in json.loads(text).items()
    }
