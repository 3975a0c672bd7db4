"""From a row to whether it is a broker's own line, and to the log of that broker in which it is printed."""

from typing import Final

from core.history.positions import place_after
from core.history.rows import ENDS, is_own_line
from core.history.view import View
from core.trace.ids import Place

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
"""Kinds that a broker prints about itself only in server.log (and on the console)."""

_OF_QUORUM: Final = frozenset(
    {
        "quorum_member_starting",
        "quorum_role_changed",
        "vote_answered",
        "became_leader",
        "became_follower",
        "hw_sample",
    }
)
"""Kinds that a member of the metadata quorum prints there (QuorumState, KafkaRaftClient)."""
_WARNINGS: Final = frozenset(
    {"fetch_failed", "fetch_offset_reset", "truncation_decided", "truncation_noop", "hw_loaded", "leo_sample"}
)
"""Those that some releases print at WARN or ERROR: they do not show that INFO lines are there."""
_SURE: Final = SERVER_LOG - _WARNINGS
_SURE_OF_QUORUM: Final = _SURE | _OF_QUORUM
_SERVER_LOG_OF_QUORUM: Final = SERVER_LOG | _OF_QUORUM


def first_server_log_place(view: View, broker: int) -> Place | None:
    """The place of the first line of a broker's server.log, in which it prints its starts and its cuts.

    None where that log is missing, or has nothing but warnings: starts and cuts are printed at INFO. The
    state change log and the controller's log may have lines without it, but a log that becomes shorter is not
    seen there.
    """
    if broker not in view.server_logs:
        view.server_logs[broker] = _find_first_server_log_place(view, broker)
    return view.server_logs[broker]


def _find_first_server_log_place(view: View, broker: int) -> Place | None:
    """The place of `first_server_log_place`, found anew."""
    rows = view.rows
    sure_kinds, kinds = (_SURE_OF_QUORUM, _SERVER_LOG_OF_QUORUM) if view.of_quorum else (_SURE, SERVER_LOG)
    sure = rows.numbers(sure_kinds, broker=broker, replica=broker)
    if not any(is_own_line(rows[number], broker) for number in sure):
        return None
    printed = rows.numbers(kinds, broker=broker, replica=broker)
    return next(place_after(number) for number in printed if is_own_line(rows[number], broker))
