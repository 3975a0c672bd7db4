"""The local log start offset of a replica over cursors: where its own disk begins (KIP-405, 3.6).

What lies below it, from the log start on, is in the remote tier alone. It only rises, until the log is made
anew: then the disk begins where the log does.
"""

from typing import Final

from core.history.positions import place_after
from core.history.state import UNKNOWN_BAND, Band, Steps
from core.history.steps import StepWriter
from core.history.view import Row, View
from core.trace.vocabulary import Basis

_MOVED: Final = frozenset({"local_start_moved"})
_READ: Final = _MOVED | {"log_reset", "log_created", "log_deleted"}


def local_start_steps(view: View, broker: int) -> Steps[Band] | None:
    """What rows state of it, with 0 for a disk that begins where the log does; None where no row does.

    In a simulation a value holds until the next. Of real logs lines may be missing: it lies between the one
    before and the one after.
    """
    moved = view.rows.of(_MOVED)
    if not any(row.partition == view.partition and row.replica == broker for row in moved):
        return None
    mine = [row for row in view.rows.of(_READ) if row.partition == view.partition and row.replica == broker]
    writer = StepWriter(_known(view, 0, mine[0]))
    for row, after in zip(mine, (*mine[1:], None), strict=True):
        low = (row.offset or 0) if row.kind in _MOVED else 0
        band = UNKNOWN_BAND if row.kind == "log_deleted" else _known(view, low, after)
        writer.put(place_after(row.number), band)
    return writer.steps(view)


def _known(view: View, low: int, after: Row | None) -> Band:
    """From a row that states `low` to the next one."""
    if view.exact:
        return Band(low, low, Basis.OBSERVED, "stated")
    high = after.offset if after is not None and after.kind in _MOVED else None
    return Band(low, None if high is None or high < low else high, Basis.BOUNDED)
