"""What a run cost: records lost, offsets that diverge, time without a leader. By its events alone."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from core.trace.trace import Event, Trace
from core.trace.vocabulary import NUMBER

Begin = Callable[[Trace], Any]
_ASKED = ("fetch_sent", "fetch_received", "fetch_answered", "fetch_diverged", "truncation_not_needed")
"""What is asked and answered, and moves nothing yet."""


def _moving(trace: Trace) -> Iterator[Event]:
    """The events that may move something: a follower that asks for ever makes 240,000 of the others."""
    asked = np.isin(trace.columns["kind"], [NUMBER[kind] for kind in _ASKED])
    return map(trace.event, np.flatnonzero(~asked).tolist())


def cost(trace: Trace, begin: Begin) -> str:
    lost, diverged = 0, 0
    for index in range(len(trace.partitions)):
        state = begin(trace)
        state.partition = index
        committed: dict[tuple[int, str], None] = {}
        for event in _moving(trace):
            state.apply(event)
            seen = state.replicas.get(state.name(event.get("replica") or -1))
            if seen is not None and seen.role == "leader" and event.kind in ("hw_moved", "became_leader"):
                held = seen.names(seen.start, seen.hw)
                committed.update(dict.fromkeys(enumerate(held, start=seen.start)))
        up = [seen for seen in state.replicas.values() if seen.role != "down"]
        holders = [seen for seen in up if seen.role == "leader"] or list(state.replicas.values())
        last = max(holders, key=lambda seen: seen.epoch or 0)
        lost += sum(
            last.names(offset, offset + 1) != [name] for offset, name in committed if offset >= last.start
        )
        diverged += len(
            {
                offset
                for one, other in combinations(up, 2)
                for offset in range(max(one.start, other.start), min(one.leo, other.leo))
                if one.log[offset - one.start] != other.log[offset - other.start]
            }
        )
    seconds = leaderless_s(trace)
    parts = [
        f"{lost} lost" if lost else "",
        f"{diverged} diverged" if diverged else "",
        f"no leader {seconds} s" if seconds else "",
    ]
    return ", ".join(part for part in parts if part) or "-"


def leaderless_s(trace: Trace) -> int:
    """For how many seconds a partition had no leader, over all partitions."""
    since: dict[int, int] = {}
    total = 0
    end = int(trace.columns["at"][-1])
    for event in _moving(trace):
        if event.kind == "leaderless":
            since[event.values["partition"]] = event.at
        elif event.kind == "leader_elected" and event.values["partition"] in since:
            total += event.at - since.pop(event.values["partition"])
    total += sum(end - begun for begun in since.values())
    return round(total / 1_000_000_000)
