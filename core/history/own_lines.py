"""Which rows are a broker's own words, and in which of its logs they are printed."""

from typing import Final

from core.history.rows import ENDS, is_own_line
from core.history.view import View

__all__ = ["ENDS", "SERVER_LOG", "first_server_log_place", "is_own_line"]

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

_WARNINGS: Final = frozenset(
    {"fetch_failed", "fetch_offset_reset", "truncation_decided", "truncation_noop", "hw_loaded", "leo_sample"}
)
"""Of these some that some releases print at WARN or ERROR: they do not show that INFO lines are there."""
_SURE: Final = SERVER_LOG - _WARNINGS


def first_server_log_place(view: View, broker: int) -> int | None:
    """The place from which the log speaks in which a broker prints its starts and its cuts (server.log).

    The state change log and the controller's go on without it, and a value that they state may fall unseen.
    None where nothing but warnings is there: starts and cuts are printed at INFO.
    """
    rows = view.rows
    sure = rows.numbers(_SURE, broker=broker, replica=broker)
    if not any(is_own_line(rows[number], broker) for number in sure):
        return None
    printed = rows.numbers(SERVER_LOG, broker=broker, replica=broker)
    return next(number + 1 for number in printed if is_own_line(rows[number], broker))
