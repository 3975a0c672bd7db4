"""Without a partition named, the story is of the one that lost most, as truth.json counts what was lost."""

import pytest

from core.diagnose.verdict.check import worst_partition
from tests.recordings.whole import grouped, whole

pytestmark = pytest.mark.broad(8)

WITH_LOSSES = ("k0102-hw-loss", "k0102-divergence", "k28-ibp0102-hw-loss", "k39-unclean-loss", "k43-chaos")
"""Recordings whose losses are found whole, or nearly: the largest is the largest of the truth, too."""


@pytest.mark.parametrize("name", grouped(WITH_LOSSES))
def test_the_partition_that_lost_most_is_told_first(name: str) -> None:
    trace = whole(name).trace
    lost = {partition: len(records) for partition, records in whole(name).truth["lost"].items()}

    first = str(trace.partitions[worst_partition(trace, whole(name).verdict)].tp)

    assert max(lost.values()) > 0
    assert lost[first] == max(lost.values())
