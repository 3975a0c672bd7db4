"""Logs that end before others, or in the middle of a line, with the gaps behind; logs not understood."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from core.history.own_lines import SERVER_LOG
from core.history.positions import place_before, places_between
from core.history.view import View
from core.trace.ids import Place
from core.trace.trace import Trace

ROLES: Final = frozenset({"became_leader", "became_follower", "leader_and_isr_received", "metadata_applied"})
"""Kinds that a broker prints in its state-change.log when it is notified of a role."""
PRINTED: Final[Mapping[str, frozenset[str]]] = {"server": SERVER_LOG, "state-change": ROLES}
"""What a broker prints in no other log, by log."""
_FOLLOWS: Final = frozenset({"fetcher_added", "became_follower", "leader_and_isr_received"})
_CUTS: Final = frozenset(
    {"truncated", "truncation_decided", "truncation_noop", "fetch_offset_reset", "hw_moved"}
)
"""Kinds that a replica prints as it cuts its log; a high watermark is printed as it falls with it."""


def cut_off(broker: int, log: str) -> str:
    """The name of the fact with the times, in ns, at which a log of a broker was cut off."""
    return f"log.broker-{broker}.{log}.cut-off"


def torn_tails(broker: int) -> str:
    """The name of the fact with the times, in ns, at which a broker loaded a log with a damaged last batch.

    Its machine went down, not the process alone: then batches are whole, but for one that was being written.
    """
    return f"log.broker-{broker}.torn"


def lost_ends(broker: int) -> str:
    """The name of the fact with the times, in ns, at which a broker loaded a log that had lost its end."""
    return f"log.broker-{broker}.lost-end"


def failed_directories(broker: int) -> str:
    """The name of the fact with the log directories of a broker that failed.

    A line for each log in them: when, in ns, the partition, the path.
    """
    return f"log.broker-{broker}.failed-directories"


def log_ends(broker: int, log: str) -> str:
    """The name of the fact with the time, in ns, of the last record of a log of a broker."""
    return f"log.broker-{broker}.{log}.ends"


def unread(broker: int) -> str:
    """The name of the fact with the number of lines on replication in logs of a broker that no rule reads.

    It is there where they are more than a few: nothing follows then from a line that is missing.
    """
    return f"log.broker-{broker}.unread"


def silent_on_loading(broker: int) -> str:
    """The name of the fact that logs of a broker have lines on replicas, and none on any log that it loaded.

    LogManager prints those, at INFO: somebody set its logger to WARN, and nothing follows from their absence.
    Not where no line would tell of a cut, either.
    """
    return f"log.broker-{broker}.silent-on-loading"


def silent_on_sets(broker: int) -> str:
    """The name of the fact that logs of a broker have lines on replicas, and none of Partition.

    That class prints at INFO how a leader changes its in-sync set, and from 1.0 on with which high
    watermark a log is loaded. Somebody set its logger to WARN: nothing follows where such lines are missing.
    """
    return f"log.broker-{broker}.silent-on-sets"


def searched(broker: int) -> str:
    """The name of the fact that a search for words kept a part of a broker's logs: starts are not seen."""
    return f"log.broker-{broker}.searched"


def ended_before(view: View, broker: int, at: int) -> bool:
    """Whether a broker's server.log is known to end before a moment, in ns: somebody kept its beginning."""
    stated = view.trace.facts.get(log_ends(broker, "server"))
    return stated is not None and int(stated) < at


def cut_off_spans(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans from where a log was cut off to the next such line of the broker, or to the end."""
    for log, kinds in PRINTED.items():
        printed = view.rows.own_lines_of(broker, kinds)
        spans = (_silence(view, printed, at) for at in times_of(view.trace, cut_off(broker, log)))
        yield from (span for span in spans if span[0] <= span[1])


def not_understood_spans(view: View, broker: int) -> Iterator[tuple[Place, Place]]:
    """Spans from where a replica begins to follow to the next line on it, in logs that are not understood.

    It cuts its log there, once or twice, and the line on that may be among those that no rule reads.
    """
    if unread(broker) not in view.trace.facts:
        return
    about = view.rows.about(broker, view.partition)
    for number, after in pairwise((*about, len(view.rows))):
        if view.rows[number].kind in _FOLLOWS | _CUTS:
            yield places_between(number, after)


def times_of(trace: Trace, fact: str) -> Sequence[int]:
    """The times, in ns, that a fact lists; none where the trace does not have it."""
    return [int(at) for at in trace.facts.get(fact, "").split(",") if at]


def _silence(view: View, printed: Sequence[int], at: int) -> tuple[Place, Place]:
    """The places from a moment on at which a log is silent. `printed` are the numbers of its rows."""
    next_line = bisect_right(printed, at, key=lambda number: view.rows[number].at)
    after = printed[next_line] if next_line < len(printed) else len(view.rows)
    return Place(int(np.searchsorted(view.rows.column("at"), at, "right"))), place_before(after)
