"""From the state at a cursor to the plain dict that `tidegauge state --json` prints."""

from collections.abc import Sequence
from typing import Any

from core.history.coarse_times import state_at
from core.history.inference import rules_of
from core.history.state import Band, History, PartitionState, ReplicaState, Role
from core.trace.times import rfc3339
from core.trace.trace import Trace

_ROLES = {Role.STARTING: "unknown"}
"""The JSON knows leader, follower, offline and unknown: STARTING, with no role yet, is unknown."""


def band_dict(band: Band) -> dict[str, Any]:
    """{"lo", "hi", "basis"} of a band; a bound that is not known is None."""
    return {"lo": band.lo, "hi": band.hi, "basis": band.basis.name.lower()}


def _replica_dict(replica: ReplicaState) -> dict[str, Any]:
    """The values of one replica."""
    return {
        "broker": replica.broker,
        "role": _ROLES.get(replica.role, replica.role.value),
        "alive": replica.alive,
        "in_isr": replica.in_isr,
        "epoch": replica.epoch,
        "log_start": band_dict(replica.log_start),
        "leo": band_dict(replica.leo) | {"rules": list(rules_of(replica.leo))},
        "hw": band_dict(replica.hw) | {"rules": list(rules_of(replica.hw))},
        "lso": band_dict(replica.lso),
        "epochs": None if replica.epochs is None else [list(entry) for entry in replica.epochs],
    }


def partition_dict(history: History, state: PartitionState) -> dict[str, Any]:
    """The values of one partition at the state's cursor."""
    tp = history.trace.partitions[history.partition].tp
    return {
        "topic": tp.topic,
        "partition": tp.partition,
        "leader": state.leader,
        "leader_epoch": state.leader_epoch,
        "isr": None if state.isr is None else list(state.isr),
        "replicas": [_replica_dict(replica) for replica in state.replicas],
    }


def _current_of_each_name(trace: Trace, histories: Sequence[History], cursor: int) -> list[History]:
    """One history of each name: of several incarnations of a topic the last one that exists at the cursor."""
    owner = trace.columns["partition"]
    found: dict[str, History] = {}
    for history in histories:
        name = str(trace.partitions[history.partition].tp)
        if name not in found or bool((owner[:cursor] == history.partition).any()):
            found[name] = history
    return list(found.values())


def state_dict(
    trace: Trace, histories: Sequence[History], cursor: int, moment: int | None = None
) -> dict[str, Any]:
    """The answer to one `--at`: all opened partitions at a cursor of the trace. `at` is None at cursor 0.

    With a moment, in ns: bands are those of that moment, not of the whole time until the next event.
    """
    at = int(trace.columns["at"][cursor - 1]) if cursor else None
    return {
        "at": None if at is None else rfc3339(at),
        "cursor": cursor,
        "partitions": [
            partition_dict(history, state_at(history, cursor, moment))
            for history in _current_of_each_name(trace, histories, cursor)
        ],
    }
