"""From a trace to the settings of its topics, as far as the evidence states them."""

import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from core.trace.trace import Trace

CHANGED: Final = "changed"
"""The value of a setting that was not the same at all times, or in all that is stated."""

_OVER_TIME: Final = ".over-time"
UNKNOWN_THEN: Final = "?"
"""In the place of a value over time: the broker stated another before and another later, and none then."""

CLUSTER_ID: Final = "cluster"
"""The fact of a trace under which the id of its cluster stands, where its files state one."""


def topic_setting(trace: Trace, topic: str, name: str) -> str | None:
    """The topic's own value, else the one that all brokers that state theirs have.

    None where nothing states it, where brokers differ, and where it changed. The default of Kafka is not an
    observation.
    """
    own = trace.facts.get(f"config.topic-{topic}.{name}")
    if own is not None:
        return None if own == CHANGED else own
    names = (f"config.broker-{broker.broker_id}.{name}" for broker in trace.brokers)
    of_brokers = {trace.facts[one] for one in names if one in trace.facts}
    return of_brokers.pop() if len(of_brokers) == 1 else None


def script_tables(trace: Trace) -> Mapping[str, Any] | None:
    """The tables of the script that a simulated trace is a run of; None of any other. Not to be changed."""
    script = trace.facts.get("script")
    return None if script is None else _read(script)


@lru_cache(maxsize=8)
def _read(script: str) -> Mapping[str, Any]:
    return tomllib.loads(script)


def over_time(name: str) -> str:
    """The name of the fact with each value that the fact `name` had, and from when on."""
    return name + _OVER_TIME


def values_and_times(values: Sequence[tuple[int, str]]) -> str:
    """The text of that fact, from times in ns and values, oldest first."""
    return " ".join(f"{at} {value}" for at, value in values)


def stated_over_time(trace: Trace, name: str) -> tuple[tuple[int, str], ...]:
    """The values that a fact of a broker had, each with the time in ns from which on it held, oldest first.

    Nothing where it is not stated. The first value holds before its time, too: nothing states another.
    """
    words = trace.facts.get(over_time(name), "").split()
    if words:
        return tuple(zip(map(int, words[::2]), words[1::2], strict=True))
    value = trace.facts.get(name, "")
    return ((0, value),) if value else ()


def stated_at(trace: Trace, name: str, at: int | None = None) -> tuple[str, ...]:
    """The value of a fact of a broker at a time in ns; without a time all that it had, oldest first.

    Nothing where it is not known.
    """
    values = stated_over_time(trace, name)
    if at is not None:
        place = bisect_right(values, at, key=lambda one: one[0])
        values = values[max(place - 1, 0) : max(place, 1)]
    return tuple(value for _, value in values if value != UNKNOWN_THEN)
