"""One run of a lifted scenario, and what it comes to for records, producers and availability."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.sim.ablation.outcome import LostRange, Outcome, outcome_of
from core.sim.ablation.setup import Setup
from core.sim.script import Produce
from core.sim.truth import Promise
from core.trace.ids import NO_INDEX
from core.trace.trace import Event, Trace
from core.trace.units import MILLISECOND_NS, SECOND_NS
from core.trace.vocabulary import NUMBER
from core.work import QUIET, Work

_GONE: Final = frozenset({"broker_crashed", "broker_stopped", "broker_exited", "broker_frozen"})
_PARTITION: Final = 0
"""A lifted scenario has one partition; the run of a quorum has its log beside it."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What a run comes to. `unled_ms` is how long no broker that runs led the partition."""

    outcome: Outcome
    unled_ms: int
    unconfirmed: int
    """Records that producers wrote and were never told of."""
    unmet: int
    """Steps whose condition did not come true within its limit."""

    @property
    def committed_lost(self) -> tuple[LostRange, ...]:
        """What was below a high watermark and is gone."""
        return tuple(one for one in self.outcome.lost if one.promise is Promise.COMMITTED)

    @property
    def loses_nothing(self) -> bool:
        """No record that was committed or acknowledged is gone, and no logs differ."""
        return not self.outcome.lost and not self.outcome.diverged

    @property
    def keeps_committed(self) -> bool:
        """No committed record is gone, and no logs differ. What only a leader had confirmed may be gone."""
        return not self.committed_lost and not self.outcome.diverged

    @property
    def unled_s(self) -> int:
        """The time without a leader in whole seconds."""
        return round(self.unled_ms * MILLISECOND_NS / SECOND_NS)


def replay(setup: Setup, work: Work = QUIET) -> Replay:
    """Run it. Raises CancelledError if `work` was stopped."""
    trace = setup.run(work)
    asked = sum(len(one.action.records) for one in setup.scenario.steps if isinstance(one.action, Produce))
    unmet = sum(1 for _ in _events(trace, ("condition_not_met",)))
    return Replay(
        outcome_of(trace, _PARTITION), _unled_ms(trace), max(asked - _acknowledged_records(trace), 0), unmet
    )


def _events(trace: Trace, kinds: Iterable[str]) -> Iterator[Event]:
    """The events of some kinds, of the partition and of brokers as a whole."""
    wanted = np.isin(trace.columns["kind"], [NUMBER[one] for one in kinds])
    wanted &= np.isin(trace.columns["partition"], (_PARTITION, NO_INDEX))
    return map(trace.event, np.flatnonzero(wanted).tolist())


def _acknowledged_records(trace: Trace) -> int:
    """How many records producers were told of."""
    ranges = ((one.get("from_offset"), one.get("offset")) for one in _events(trace, ("acknowledged",)))
    return sum(end - first for first, end in ranges if first is not None and end is not None)


def _unled_ms(trace: Trace) -> int:
    """From the end of a leader's process, or a decision that nobody leads, to the next leader."""
    leader: int | None = None
    since: int | None = None
    total = 0
    for event in _events(trace, (*_GONE, "became_leader", "leaderless", "broker_thawed")):
        if event.kind == "became_leader":
            total += 0 if since is None else event.at - since
            leader, since = event.values["broker"], None
        elif event.kind == "leaderless" or (event.kind in _GONE and event.get("replica") == leader):
            since = event.at if since is None else since
        elif event.kind == "broker_thawed" and event.get("replica") == leader and since is not None:
            total, since = total + event.at - since, None
    end = int(trace.columns["at"][-1])
    return (total + (0 if since is None else end - since)) // MILLISECOND_NS
