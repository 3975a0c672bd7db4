"""From the state at a cursor to the plain dict that `tidegauge state --json` prints."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from core.history.chain import Bound, because, step_message
from core.history.coarse_times import state_at
from core.history.inference import Quantity, rules_of
from core.history.open import Opened
from core.history.state import Band, History, PartitionState, ReplicaState, Role
from core.trace.evidence import evidence_list
from core.trace.times import rfc3339
from core.trace.trace import Trace
from core.words import text

_ROLES = {Role.STARTING: "unknown"}
"""The JSON knows leader, follower, offline and unknown: STARTING, with no role yet, is unknown."""
_VALUES: Final = {Quantity.LOG_END: "leo", Quantity.HIGH_WATERMARK: "hw"}
NOTHING: Final[Mapping[int, Opened]] = MappingProxyType({})


def band_dict(band: Band) -> dict[str, Any]:
    """{"lo", "hi", "basis"} of a band; a bound that is not known is None."""
    return {"lo": band.lo, "hi": band.hi, "basis": band.basis.name.lower()}


def _time_of(trace: Trace, cursor: int) -> str | None:
    """The time of the last event before a cursor; None at cursor 0."""
    return rfc3339(int(trace.columns["at"][cursor - 1])) if cursor else None


def _because(trace: Trace, chains: Iterable[Sequence[Bound]]) -> list[list[dict[str, Any]]]:
    """What the bounds of a band rest on: chains of steps, each with its evidence."""
    return [
        [
            {
                "broker": step.broker,
                "value": _VALUES[step.quantity],
                "side": str(step.side),
                "bound": step.value,
                "rule": step.rule,
                "cursor": step.cursor,
                "at": _time_of(trace, step.cursor),
                "text": text(step_message(trace, step)),
                "evidence": evidence_list(trace, step.seqs),
            }
            for step in steps
        ]
        for steps in chains
    ]


def _value_dict(
    band: Band, quantity: Quantity, replica: ReplicaState, asked: tuple[Opened, int] | None
) -> dict[str, Any]:
    """A log end offset or a high watermark, with its rules and, where that is asked, what it rests on."""
    known = band_dict(band) | {"rules": list(rules_of(band))}
    if asked is None:
        return known
    opened, cursor = asked
    chains = because(opened, replica.broker, quantity, cursor, band)
    return known | {"because": _because(opened.history.trace, chains)}


def _replica_dict(replica: ReplicaState, asked: tuple[Opened, int] | None) -> dict[str, Any]:
    """The values of one replica; of `asked`, what they rest on at a cursor."""
    return {
        "broker": replica.broker,
        "role": _ROLES.get(replica.role, replica.role.value),
        "alive": replica.alive,
        "in_isr": replica.in_isr,
        "epoch": replica.epoch,
        "log_start": band_dict(replica.log_start),
        "local_start": None if replica.local_start is None else band_dict(replica.local_start),
        "leo": _value_dict(replica.leo, Quantity.LOG_END, replica, asked),
        "hw": _value_dict(replica.hw, Quantity.HIGH_WATERMARK, replica, asked),
        "lso": band_dict(replica.lso),
        "epochs": None if replica.epochs is None else [list(entry) for entry in replica.epochs],
    }


def partition_dict(history: History, state: PartitionState, opened: Opened | None = None) -> dict[str, Any]:
    """The values of one partition at the state's cursor; with `opened`, what their bounds rest on, too."""
    asked = None if opened is None else (opened, state.cursor)
    tp = history.trace.partitions[history.partition].tp
    return {
        "topic": tp.topic,
        "partition": tp.partition,
        "leader": state.leader,
        "leader_epoch": state.leader_epoch,
        "isr": None if state.isr is None else list(state.isr),
        "replicas": [_replica_dict(replica, asked) for replica in state.replicas],
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
    trace: Trace,
    histories: Sequence[History],
    cursor: int,
    moment: int | None = None,
    opened: Mapping[int, Opened] = NOTHING,
) -> dict[str, Any]:
    """The answer to one `--at`: all opened partitions at a cursor of the trace. `at` is None at cursor 0.

    `opened`, by number of the partition, says of which ones is told what each bound rests on.

    With a moment, in ns: bands are those of that moment, not of the whole time until the next event.
    """
    return {
        "at": _time_of(trace, cursor),
        "cursor": cursor,
        "partitions": [
            partition_dict(history, state_at(history, cursor, moment), opened.get(history.partition))
            for history in _current_of_each_name(trace, histories, cursor)
        ],
    }
