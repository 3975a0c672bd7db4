"""From a trace to the settings of its topics, as far as the evidence states them."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from core.trace.trace import Trace

CHANGED: Final = "changed"
"""The value of a setting that was not the same at all times, or in all that is stated."""

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
