"""Pieces of Kafka's text: partitions, lists of brokers, states."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from importers.kafka.blanks import Blank, number_in, numbers_in

TP: Final = (
    r"(?:\[(?P<topic_b>[\w.\-]{1,249}),(?P<number_b>\d+)\]|(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+))"
)
"""A partition as `[t,0]` (to 0.11 in most lines) or `t-0`. Once in a pattern. A topic's name has at most 249
characters (Topic.MAX_NAME_LENGTH): where more come, nothing needs to look to their end."""
PARTITION_PREFIX: Final = (
    rf"(?:\[Partition {TP} broker=(?P<broker>\d+)\] "
    r"|Partition \[(?P<topic_o>[\w.\-]{1,249}),(?P<number_o>\d+)\] on broker (?P<broker_o>\d+): )"
)
"""`[Partition t-0 broker=1] ` since 1.0, `Partition [t,0] on broker 1: ` to 0.11."""
LOG_PREFIX: Final = r"\[(?:Unified|Merged|Local)?Log(?:Loader)? partition=(?P<topic_d>[\w.\-]{1,249})-(?P<number_d>\d+), dir=[^\]]*\] "
"""`[Log …]` from 1.0.2, `[UnifiedLog …]` from 3.1, `[LogLoader …]` from 3.0, `[LocalLog …]` from 4.0; `[MergedLog …]` is
Confluent Server's."""
OFFSET: Final = r"\(offset=(?P<%s>-?\d+),? ?segment=\[-?\d+:-?\d+\]\)"
"""An offset with its place in a segment, from 2.0: 3.5 prints nothing between the two, 3.6 a comma. `%` names the group."""
EPOCH_ENTRY: Final = r"EpochEntry[(\[]epoch=(?P<epoch>\d+), startOffset=(?P<offset>\d+)[)\]]"
"""An entry of the epoch cache, in brackets from 4.2."""
FETCHER: Final = (
    r"\[(?:ReplicaFetcherThread-\d+-(?P<leader_o>\d+)\][:,] "
    r"|ReplicaFetcher replicaId=(?P<replica>\d+), leaderId=(?P<leader>\d+), fetcherId=\d+\] )"
)
"""To 0.11 the thread names only the leader; since 1.0 both."""
IDS: Final = r"[\d, ]*"
TOPIC_ID: Final = r"(?:None|(?:Some\()?(?P<topic_id>[\w\-]{22})\)?)"
"""A topic's id as Scala (`Some(…)`) and as Java print it, or that there is none. Once in a pattern."""
_TP_GROUPS: Final = tuple((f"topic{suffix}", f"number{suffix}") for suffix in ("_b", "_d", "_o", "_s"))
_ANY_TP: Final = re.compile(r"\[([\w.\-]+),(\d+)\]|(?<![\w.\-])([\w.\-]+)-(\d+)")


def partition_of(match: re.Match[str]) -> tuple[str, int]:
    """The partition that the groups of `TP`, a prefix or a state (`_s`) caught."""
    named = match.re.groupindex
    for topic, number in _TP_GROUPS:
        if topic in named and match[topic] is not None:
            found: tuple[Any, Any] = match[topic], match[number]
            return _open_partition(*found) if isinstance(found[1], Blank) else _partition(*found)
    raise LookupError(f"no partition in the groups of {match.re.pattern}")


def group(match: re.Match[str], *names: str) -> int | None:
    """The first of some groups that took part, as an integer."""
    named = match.re.groupindex
    for name in names:
        if name in named and match[name] is not None:
            return whole(match[name])
    return None


def whole(text: Any) -> Any:  # noqa: ANN401 - a text gives an int, a blank the number in it
    """The integer that a text of digits is."""
    return number_in(text) if isinstance(text, Blank) else int(text)


def ids(text: Any) -> tuple[int, ...]:  # noqa: ANN401 - a text, or a blank
    """`1,2` or `1, 2` as integers, in the order of the text; an empty text is an empty list."""
    found: Any = numbers_in(text) if isinstance(text, Blank) else _ids(text)
    return found


@lru_cache(maxsize=1 << 12)
def _ids(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.replace(" ", "").split(",") if part)


def each(pattern: re.Pattern[str], text: Any) -> Iterator[re.Match[str]]:  # noqa: ANN401 - a text, or a blank
    """Every match in a text."""
    if isinstance(text, Blank):
        found: Any = text.found(pattern.finditer(text.shape))
        return found
    return pattern.finditer(text)


def partitions(text: Any) -> Iterator[tuple[str, int]]:  # noqa: ANN401 - a text, or a blank
    """Every partition of a list, in the order of the text."""
    for match in each(_ANY_TP, text):
        found: tuple[Any, Any] = match[1] or match[3], match[2] or match[4]
        yield _open_partition(*found) if isinstance(found[1], Blank) else _partition(*found)


def _open_partition(topic: Any, number: Blank) -> Any:  # noqa: ANN401 - a partition of blanks
    return topic, number_in(number)


@lru_cache(maxsize=1 << 16)
def _partition(topic: str, number: str) -> tuple[str, int]:
    """One value for all lines about a partition: a log names few, and each a thousand times."""
    return topic, int(number)
