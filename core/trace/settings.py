"""From a trace to the settings of its topics, as far as the evidence states them."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from weakref import WeakKeyDictionary

from core.trace.trace import Trace

CHANGED: Final = "changed"
"""The value of a setting of a topic that was not the same at all times; `over_time` has when it was which."""

OVER_TIME: Final = ".over-time"
_AT: Final = r"-?(?:[0-9]{1,18}|[1-8][0-9]{18})"
_PAIRS: Final = re.compile(rf"{_AT} [^ ]+(?: {_AT} [^ ]+)*")
UNKNOWN_THEN: Final = "?"
"""In the place of a value over time: the broker stated another before and another later, and none then."""

NOT_SET: Final = "-"
"""In the place of a value over time: the topic had none of its own then, and what its brokers set held."""

CLUSTER_ID: Final = "cluster"
"""The fact of a trace under which the id of its cluster stands, where its files state one."""


def topic_setting(trace: Trace, topic: str, name: str, at: int | None = None) -> str | None:
    """The topic's own value, else that of all brokers that state theirs: at a time in ns, or always.

    None where nothing states it, where brokers differ, where it changed, and where it is not known when it
    did. The default of Kafka is not an observation.
    """
    found = {_in_force(trace, name, own, at) for _, own in at_time(own_over_time(trace, topic, name), at)}
    return found.pop() if len(found) == 1 else None


def _in_force(trace: Trace, name: str, own: str, at: int | None) -> str | None:
    """The value that holds for a topic with this one of its own, at a time in ns or always."""
    if own == UNKNOWN_THEN:
        return None
    if own != NOT_SET:
        return own
    found = {value for stated in _of_brokers(trace, name) for _, value in at_time(stated, at)}
    return found.pop() if len(found) == 1 and UNKNOWN_THEN not in found else None


def own_over_time(trace: Trace, topic: str, name: str) -> tuple[tuple[int, str], ...]:
    """The values that the topic itself had, each with the time in ns from which on it held, oldest first.

    Never empty: `NOT_SET` where nothing states one, `UNKNOWN_THEN` where it changed, and nothing states when.
    The first holds before its time, too.
    """
    stated = stated_over_time(trace, f"config.topic-{topic}.{name}")
    return tuple((at, UNKNOWN_THEN if own == CHANGED else own) for at, own in stated) or ((0, NOT_SET),)


def own_at(trace: Trace, topic: str, name: str, at: int | None) -> tuple[str, ...]:
    """What `own_over_time` has at a time in ns; without a time all of it."""
    return tuple(value for _, value in at_time(own_over_time(trace, topic, name), at))


def topic_setting_over_time(trace: Trace, topic: str, name: str) -> tuple[tuple[int, str | None], ...]:
    """The values of `topic_setting`, each with the time in ns from which on it holds, oldest first."""
    of_all = [own_over_time(trace, topic, name), *_of_brokers(trace, name)]
    times = {at for stated in of_all for at, _ in stated[1:]}
    return tuple((at, topic_setting(trace, topic, name, at)) for at in (0, *sorted(times)))


_StatedOverTime = tuple[tuple[int, str], ...]
_OF_BROKERS: Final[WeakKeyDictionary[Trace, dict[str, frozenset[_StatedOverTime]]]] = WeakKeyDictionary()
"""What was found for each trace that is still held: each of its partitions asks."""


def _of_brokers(trace: Trace, name: str) -> frozenset[_StatedOverTime]:
    """What brokers state of a setting over time, each answer once: it is the same for all topics."""
    found = _OF_BROKERS.setdefault(trace, {})
    if name not in found:
        brokers = (int(broker.broker_id) for broker in trace.brokers)
        found[name] = frozenset(stated_over_time(trace, of_broker(one, name)) for one in brokers)
    return found[name]


def of_broker(broker: int, setting: str) -> str:
    """The name of the fact with a setting of a broker."""
    return f"config.broker-{broker}.{setting}"


def feature_level(feature: str) -> str:
    """The name of the fact with the level of a feature of the cluster, such as metadata.version."""
    return f"feature.{feature}"


def version_of(broker: int) -> str:
    """The name of the fact with the release of a broker, where several are stated over time."""
    return f"version.broker-{broker}"


def script_tables(trace: Trace) -> Mapping[str, Any] | None:
    """The tables of the script that a simulated trace is a run of; None of any other. Not to be changed."""
    script = trace.facts.get("script")
    return None if script is None else _read(script)


@lru_cache(maxsize=8)
def _read(script: str) -> Mapping[str, Any]:
    return tomllib.loads(script)


def over_time(name: str) -> str:
    """The name of the fact with each value that the fact `name` had, and from when on."""
    return name + OVER_TIME


def is_over_time(text: str) -> bool:
    """Whether a text is one of `values_and_times`."""
    return _PAIRS.fullmatch(text) is not None


def values_and_times(values: Sequence[tuple[int, str]]) -> str:
    """The text of that fact, from times in ns and values without blanks, oldest first."""
    return " ".join(f"{at} {value}" for at, value in values)


def stated_over_time(trace: Trace, name: str) -> tuple[tuple[int, str], ...]:
    """The values that a fact of a broker had, each with the time in ns from which on it held, oldest first.

    Nothing where it is not stated. The first value holds before its time, too: nothing states another.
    """
    stated = trace.facts.get(over_time(name), "")
    if is_over_time(stated):
        words = stated.split(" ")
        return tuple(zip(map(int, words[::2]), words[1::2], strict=True))
    value = trace.facts.get(name, "")
    return ((0, value),) if value else ()


def stated_at(trace: Trace, name: str, at: int | None = None) -> tuple[str, ...]:
    """The value of a fact of a broker at a time in ns; without a time all that it had, oldest first.

    Nothing where it is not known.
    """
    return tuple(value for _, value in at_time(stated_over_time(trace, name), at) if value != UNKNOWN_THEN)


def at_time(values: tuple[tuple[int, str], ...], at: int | None) -> tuple[tuple[int, str], ...]:
    """Of values over time that of one time in ns; all of them without a time."""
    if at is None:
        return values
    place = bisect_right(values, at, key=lambda one: one[0])
    return values[max(place - 1, 0) : max(place, 1)]
