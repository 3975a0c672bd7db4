"""From what a broker's logs state to the loggers that somebody set to WARN: no line of theirs is there."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.kafka.releases import version_numbers
from core.message import Message, message

_LOADS: Final = frozenset({"log_loaded", "log_created"})
_BEGINS: Final = frozenset({"hw_loaded"})
_FETCHERS: Final = frozenset({"fetcher_added", "fetcher_removed"})


@dataclass(frozen=True, slots=True)
class Logger:
    """A logger that prints at INFO by default.

    `beside`: kinds of other loggers; a broker with some of each of these sets has some of `own`, too.
    `since`: the first release for which that holds. `settles`: what stays unknown without its lines.
    """

    name: str
    beside: tuple[frozenset[str], ...]
    own: frozenset[str]
    settles: Message
    since: tuple[int, ...] = ()


LOG_MANAGER: Final = Logger("kafka.log.LogManager", (_BEGINS,), _LOADS, message("report.settles.loaded"))
PARTITION: Final = Logger(
    "kafka.cluster.Partition",
    (_LOADS, _FETCHERS),
    _BEGINS | {"isr_shrink_proposed", "isr_expand_proposed"},
    message("report.settles.in-sync"),
    since=(1, 0),
)
"""Before 1.0 a replica is loaded without a word (Replica.scala and Partition.scala of 0.10.2.2 and 1.0.2)."""
FETCHER_MANAGER: Final = Logger(
    "kafka.server.ReplicaFetcherManager",
    (_BEGINS, frozenset({"became_follower"})),
    _FETCHERS,
    message("report.settles.fetchers"),
)
LOGGERS: Final = (LOG_MANAGER, PARTITION, FETCHER_MANAGER)


def silent_loggers(kinds: Collection[str], releases: Sequence[str]) -> Iterator[Logger]:
    """The loggers of which a broker has no line, from the kinds of its lines and its releases."""
    printed = frozenset(kinds)
    for one in LOGGERS:
        beside = not any(map(printed.isdisjoint, one.beside))
        if beside and printed.isdisjoint(one.own) and (not one.since or reach(releases, one.since)):
            yield one


def reach(releases: Sequence[str], since: tuple[int, ...]) -> bool:
    """Whether all releases of a broker are at least `since`; not where none is known."""
    return bool(releases) and all(version_numbers(one) >= since for one in releases)
