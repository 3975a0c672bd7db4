"""From the rows of a simulation to log start, log end offset and high watermark: each change is an event."""

from typing import Final

from core.history.positions import place_after
from core.history.state import UNKNOWN_BAND, Band, Steps
from core.history.steps import StepWriter
from core.history.view import Row, View
from core.trace.vocabulary import Basis

_LEO: Final = frozenset(
    {
        "appended",
        "tier_joined",
        "leo_sample",
        "log_loaded",
        "log_created",
        "truncated",
        "log_gap",
        "became_leader",
        "became_follower",
    },
)
"""Kinds whose `leo` is the log end of their replica."""
_HW: Final = frozenset(
    {"hw_loaded", "hw_sample", "hw_moved", "log_loaded", "became_leader", "became_follower"}
)
"""Kinds whose `hw` is the high watermark of their replica."""


def _leo(row: Row) -> int | None:
    """The log end offset that a row states of its replica, or None."""
    if row.kind in _LEO and row.leo is not None:
        return row.leo
    if row.kind in ("truncated", "log_reset"):
        return row.offset
    return None


def _hw(row: Row) -> int | None:
    """The high watermark that a row states of its replica, or None."""
    return row.hw if row.kind in _HW else None


def _log_start(row: Row) -> int | None:
    """The log start offset that a row states of its replica, or None."""
    return row.offset if row.kind == "log_reset" else row.log_start


def exact_steps(view: View, broker: int) -> tuple[Steps[Band], Steps[Band], Steps[Band]]:
    """Log start, log end offset and high watermark of one replica over cursors, as bands of one value.

    Each holds until the next row that states it.
    """
    writers = (StepWriter(UNKNOWN_BAND), StepWriter(UNKNOWN_BAND), StepWriter(UNKNOWN_BAND))
    for row in view.rows:
        if row.partition != view.partition or row.replica != broker:
            continue
        if row.kind == "log_deleted":
            for writer in writers:
                writer.put(place_after(row.number), UNKNOWN_BAND)
        for writer, value in zip(writers, (_log_start(row), _leo(row), _hw(row)), strict=True):
            if value is not None:
                writer.put(place_after(row.number), Band(value, value, Basis.OBSERVED, "stated"))
    start, leo, hw = writers
    return start.steps(view), leo.steps(view), hw.steps(view)
