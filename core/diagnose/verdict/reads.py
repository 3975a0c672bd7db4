"""From what consumers got to the records of a loss that they had read."""

from typing import Final

from core.diagnose.verdict.case import Case
from core.diagnose.verdict.ranges import joined
from core.diagnose.verdict.takeovers import Takeover
from core.history.epoch_runs import slice_runs
from core.trace.ids import Place

_CONSUMED: Final = frozenset({"consumed"})


def read_of(case: Case, takeover: Takeover, epoch: int, first: int, end: int) -> list[tuple[int, int]]:
    """The ranges that a consumer got of the records [first, end) of an epoch that the leader lacks.

    Only a simulation tells of consumers. By the rules of every release they read what is below the high
    watermark of the broker that they ask: of a follower whose log differs that need not be committed
    (KIP-392), and a switch shows them all. What a leader writes that came back in its own epoch is other
    records.
    """
    until = takeover.place if takeover.epoch == epoch else case.end
    return joined(
        (max(first, run.start), min(end, run.end))
        for row in case.of(_CONSUMED)
        if row.number < until and row.replica is not None
        if row.from_offset is not None and row.offset is not None
        for run in slice_runs(case.runs(row.replica, Place(row.number + 1)), row.from_offset, row.offset)
        if run.epoch == epoch and run.start < end and first < run.end
    )
