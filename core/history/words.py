"""Which rows are a broker's own words, and in which of its logs they are printed."""

from typing import Final

from core.history.view import Row, View
from core.trace.vocabulary import Basis

ENDS: Final = frozenset({"broker_stopped", "broker_crashed", "broker_exited"})
SERVER_LOG: Final = frozenset(
    {
        "broker_starting",
        "broker_started",
        "shutdown_requested",
        "broker_stopped",
        "isr_shrink_proposed",
        "isr_expand_proposed",
        "fetcher_added",
        "fetcher_removed",
        "fetch_failed",
        "fetch_offset_reset",
        "log_loaded",
        "log_created",
        "hw_loaded",
        "leo_sample",
        "truncated",
        "truncation_noop",
        "truncation_decided",
        "truncation_not_needed",
        "appended",
    }
)
"""What a broker prints of itself only in server.log (and on the console)."""


def is_own_word(row: Row, broker: int) -> bool:
    """Whether the broker's own log says this row."""
    told = row.kind == "evidence_gap" or (row.kind in ENDS and row.basis >= Basis.HELD)
    return row.broker == broker and not row.disk and not told


def first_log_word(view: View, broker: int) -> int | None:
    """The place from which the log speaks in which a broker prints its starts and its cuts (server.log).

    The state change log and the controller's go on without it, and a value that they state may fall unseen.
    """
    for row in view.rows:
        if row.kind in SERVER_LOG and row.replica == broker and is_own_word(row, broker):
            return row.number + 1
    return None
