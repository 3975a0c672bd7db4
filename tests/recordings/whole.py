"""Recordings with nothing taken away: each is read and judged once for all tests of a process.

One worker has all tests that are `grouped` by recordings: the other one would read them, too. What is shared
here is frozen, or to be left as it is; what a test changes it unpacks for itself.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from core.diagnose.verdict.check import diagnose
from core.diagnose.verdict.facts import Verdict
from core.trace.trace import Trace
from importers.load import load
from importers.samples import sample_path
from tests.archives import unpack_recording
from tests.recordings.referee import Heard


@dataclass(frozen=True, eq=False)
class Whole:
    """A recording as the program sees it, beside its truth."""

    truth: dict[str, Any]
    trace: Trace

    @cached_property
    def verdict(self) -> Verdict:
        """What `check` says of it."""
        return diagnose(self.trace)

    def heard(self) -> Heard:
        """The same by partition, with their histories."""
        return _heard(self)


@lru_cache(maxsize=2)
def _heard(one: Whole) -> Heard:
    """Of the recordings whose tests run: histories of all of them are too much to keep."""
    return Heard(one.trace, one.verdict)


@cache
def whole(name: str) -> Whole:
    """The recording of that name."""
    with TemporaryDirectory() as folder:
        found, truth = unpack_recording(name, Path(folder))
        return Whole(truth, load([found]))


@cache
def sampled(name: str) -> Trace:
    """What the importer makes of a recording that the program brings along."""
    return load([sample_path(name)])


def grouped(names: Iterable[str], *marks: pytest.MarkDecorator) -> list[Any]:
    """Parameters of tests, so that one worker has all tests of a recording."""
    return [
        pytest.param(name, id=name, marks=[*marks, pytest.mark.xdist_group(f"recording {name}")])
        for name in names
    ]
