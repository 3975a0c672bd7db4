"""From a verdict on one partition to its story: fault, election, cuts, last copy gone."""

from collections.abc import Collection

import numpy as np

from core.diagnose.account.find import partition_losses
from core.diagnose.account.story import (
    Step,
    StepKind,
    counted_ranges,
    election_steps,
    fault_steps,
    gone_steps,
    most_telling,
    silences,
)
from core.diagnose.verdict.facts import PartitionVerdict, Severity
from core.diagnose.verdict.seen import seen_in
from core.trace.trace import Trace


def partition_steps(trace: Trace, verdict: PartitionVerdict, brokers: Collection[int]) -> tuple[Step, ...]:
    """The steps of what one partition lost or may have lost, in order of time; () where it is neither.

    `brokers` are those of its replicas: each fault is of one of them.
    """
    alarms = [one for one in verdict.losses if one.severity is not Severity.NOTICE]
    losses = tuple(partition_losses(trace, verdict, alarms))
    steps = [*gone_steps(trace, counted_ranges(losses)), *election_steps(trace, losses)]
    if not steps:
        return ()
    begun, silent = min(one.at for one in steps), silences(trace, seen_in(trace))
    faults = [
        step
        for broker in sorted(set(brokers) & set(silent))
        for step in fault_steps(trace, {broker: silent[broker]}, begun)
    ]
    return tuple(most_telling([*faults, *steps]))


def seq_of(trace: Trace, step: Step) -> int:
    """The event at which a step is seen: of a fault the last one of its broker at that time."""
    if step.seq is not None:
        return step.seq
    times, columns = trace.columns["at"], trace.columns
    first, end = (int(times.searchsorted(step.at, side=side)) for side in ("left", "right"))
    own = np.isin(columns["broker"][first:end], step.brokers) | np.isin(
        columns["replica"][first:end], step.brokers
    )
    places = np.flatnonzero(own) if step.kind is StepKind.SILENT else np.zeros(0, np.intp)
    return first + int(places[-1]) if len(places) else max(end - 1, 0)
