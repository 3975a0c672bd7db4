"""Without a partition named, the story is of the one that lost most, as truth.json counts what was lost."""

from pathlib import Path

import pytest

from core.diagnose.verdict.check import diagnose, worst_partition
from importers.load import load
from tests.archives import unpack_recording

pytestmark = pytest.mark.broad(8)

WITH_LOSSES = ("k0102-hw-loss", "k0102-divergence", "k28-ibp0102-hw-loss", "k39-unclean-loss", "k43-chaos")
"""Recordings whose losses are found whole, or nearly: the largest is the largest of the truth, too."""


@pytest.mark.parametrize("name", WITH_LOSSES)
def test_the_partition_that_lost_most_is_told_first(name: str, tmp_path: Path) -> None:
    found, truth = unpack_recording(name, tmp_path)
    lost = {partition: len(records) for partition, records in truth["lost"].items()}
    trace = load([found])

    first = str(trace.partitions[worst_partition(trace, diagnose(trace))].tp)

    assert max(lost.values()) > 0
    assert lost[first] == max(lost.values())
