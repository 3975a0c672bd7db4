"""What replication promises, asked of a whole run: pure functions over a trace with everything observed.

A promise is the same in every era; which eras break it is the question. They hold while nobody elects an
unclean leader, and no disk loses what was acknowledged.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

import numpy as np

from core.kafka.promises import Invariant
from core.message import Message, message
from core.trace.ids import UNSAID, Seq
from core.trace.trace import Trace
from core.trace.vocabulary import NAME, NUMBER, CutReason


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise that was broken, first at the row `seq`, in a step of the script. `sentence` says by what."""

    invariant: Invariant
    seq: Seq
    step: int
    partition: int
    sentence: Message


@dataclass(slots=True)
class _Log:
    """A replica as the events tell it. Entries are (record, epoch); None below the log start."""

    entries: list[tuple[int, int] | None] = field(default_factory=list[tuple[int, int] | None])
    hw: int = 0
    leads: int | None = None
    """The epoch in which it leads."""


@dataclass(slots=True)
class _Partition:
    """What is known of a partition at a place of the trace."""

    logs: dict[int, _Log]
    committed: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """By offset: the record, and the latest epoch in which a leader is known to have had it committed."""
    leaders: dict[int, int] = field(default_factory=dict[int, int])
    written: dict[tuple[int, int], tuple[int, int | None]] = field(
        default_factory=dict[tuple[int, int], tuple[int, "int | None"]]
    )
    """By (epoch, offset): the record, and the one before it."""
    changed: bool = False
    found: dict[Invariant, Violation] = field(default_factory=dict[Invariant, Violation])


_OF_LOG: Final = ("appended", "tier_joined", "truncated", "log_reset", "log_start_moved", "log_created")
_OF_ROLE: Final = ("became_leader", "became_follower", "broker_crashed", "broker_exited", "broker_stopped")
_USED: Final = (*_OF_LOG, *_OF_ROLE, "hw_moved", "hw_loaded")
_COLUMNS: Final[tuple[str, ...]] = (
    "at",
    "kind",
    "partition",
    "replica",
    "epoch",
    "hw",
    "log_start",
    "from_offset",
    "offset",
    "aux",
)


def violations(trace: Trace) -> tuple[Violation, ...]:
    """The first breach of each promise in each partition, in the order of the trace.

    A promise on states is asked at the end of each instant: what one message does is one step, as it is for a
    broker that holds the lock of the partition.
    """
    states = [
        _Partition({int(broker): _Log() for broker in partition.replicas}) for partition in trace.partitions
    ]
    used = np.isin(trace.columns["kind"], [NUMBER[kind] for kind in _USED])
    columns = [trace.columns[name][used].tolist() for name in _COLUMNS]
    seqs = np.flatnonzero(used).tolist()
    before = -1
    last = 0
    for seq, *values in zip(seqs, *columns, strict=True):
        row: dict[str, int] = dict(zip(_COLUMNS, values, strict=True))
        if row["at"] != before:
            _ask_states(trace, states, last)
        before, last = row["at"], seq
        kind = NAME[row["kind"]]
        if row["partition"] < 0:
            for state in states:
                _down(state, row["replica"])
        else:
            _apply(trace, states[row["partition"]], kind, row, (seq, row["partition"]))
    _ask_states(trace, states, last)
    found = [one for state in states for one in state.found.values()]
    return tuple(sorted(found, key=lambda one: one.seq))


def _down(state: _Partition, broker: int) -> None:
    if broker in state.logs:
        state.logs[broker].leads = None


def _report(
    trace: Trace, state: _Partition, invariant: Invariant, place: tuple[int, int], sentence: Message
) -> None:
    seq, partition = place
    if invariant not in state.found:
        step = int(trace.columns["position"][seq])
        state.found[invariant] = Violation(invariant, Seq(seq), step, partition, sentence)


def _apply(
    trace: Trace, state: _Partition, kind: str, row: Mapping[str, int], place: tuple[int, int]
) -> None:
    log = state.logs.setdefault(row["replica"], _Log())
    state.changed = True
    if kind == "tier_joined":
        del log.entries[row["from_offset"] :]
    if kind in ("appended", "tier_joined"):
        _append(trace, state, log, row, place)
    elif kind == "truncated":
        del log.entries[row["offset"] :]
        if row["aux"] == CutReason.RECOVERY:
            # Nothing is in memory before hw_loaded.
            log.hw = min(log.hw, row["offset"])
    elif kind == "log_reset":
        log.entries = [None] * row["offset"]
    elif kind in ("log_start_moved", "log_created"):
        start = max(row["log_start"], 0)
        log.entries[:start] = [None] * start
    elif kind in ("hw_moved", "hw_loaded"):
        _move_hw(trace, state, row["replica"], row["hw"], place)
    elif kind == "became_leader":
        _lead(trace, state, row["replica"], row["epoch"], place)
    else:
        log.leads = None


def _append(
    trace: Trace, state: _Partition, log: _Log, row: Mapping[str, int], place: tuple[int, int]
) -> None:
    epoch = row["epoch"]
    for number, offset in enumerate(range(row["from_offset"], row["offset"])):
        above = log.entries[offset - 1] if 0 < offset <= len(log.entries) else None
        entry = (row["aux"] + number, None if above is None else above[0])
        known = state.written.setdefault((epoch, offset), entry)
        if known[0] != entry[0] or (None not in (known[1], entry[1]) and known[1] != entry[1]):
            here, there = (
                message("promise.record-after", record=_record(trace, one), before=_record(trace, before))
                for one, before in (entry, known)
            )
            broken = message(
                "promise.broken.same-entry",
                offset=offset,
                epoch=epoch,
                who=_name(trace, row["replica"]),
                here=here,
                there=there,
            )
            _report(trace, state, "same-entry-same-log", place, broken)
        log.entries[offset:] = [(entry[0], epoch)]


def _move_hw(trace: Trace, state: _Partition, broker: int, hw: int, place: tuple[int, int]) -> None:
    log = state.logs[broker]
    if log.leads is not None and hw < log.hw:
        broken = message("promise.broken.rises", who=_name(trace, broker), before=log.hw, now=hw)
        _report(trace, state, "high-watermark-of-leader-rises", place, broken)
    log.hw = hw
    if log.leads is not None:
        _commit(state, log, log.leads)


def _commit(state: _Partition, log: _Log, epoch: int) -> None:
    """What is below a leader's high watermark is committed."""
    for offset in range(len(state.committed), min(log.hw, len(log.entries))):
        entry = log.entries[offset]
        # A record below the log start is gone by rule: nobody has to hold it.
        state.committed.append((-1 if entry is None else entry[0], epoch))


def _lead(trace: Trace, state: _Partition, broker: int, epoch: int, place: tuple[int, int]) -> None:
    log = state.logs[broker]
    if epoch == UNSAID:
        return
    other = state.leaders.setdefault(epoch, broker)
    if other != broker:
        broken = message(
            "promise.broken.one-leader", who=_name(trace, broker), epoch=epoch, other=_name(trace, other)
        )
        _report(trace, state, "one-leader-per-epoch", place, broken)
    log.leads = epoch
    for offset, (record, since) in enumerate(state.committed):
        entry = log.entries[offset] if offset < len(log.entries) else (UNSAID, 0)
        if record >= 0 and since < epoch and entry is not None and entry[0] != record:
            broken = message(
                "promise.broken.kept",
                record=_record(trace, record),
                offset=offset,
                since=since,
                who=_name(trace, broker),
                epoch=epoch,
            )
            _report(trace, state, "committed-record-kept", place, broken)
            break
    _commit(state, log, epoch)


def _ask_states(trace: Trace, states: list[_Partition], seq: int) -> None:
    for number, state in enumerate(states):
        if state.changed:
            state.changed = False
            _ask_agreement(trace, state, (seq, number))


def _ask_agreement(trace: Trace, state: _Partition, place: tuple[int, int]) -> None:
    for (one, first), (other, second) in combinations(sorted(state.logs.items()), 2):
        common = min(first.hw, second.hw)
        if first.entries[:common] == second.entries[:common]:
            continue
        for offset, (left, right) in enumerate(
            zip(first.entries[:common], second.entries[:common], strict=False)
        ):
            if left is not None and right is not None and left != right:
                broken = message(
                    "promise.broken.agree",
                    offset=offset,
                    who=_name(trace, one),
                    record=_record(trace, left[0]),
                    epoch=left[1],
                    other=_name(trace, other),
                    other_record=_record(trace, right[0]),
                    other_epoch=right[1],
                )
                _report(trace, state, "logs-agree-below-high-watermark", place, broken)
                break


def _name(trace: Trace, broker: int) -> str:
    return next((one.name for one in trace.brokers if one.broker_id == broker), str(broker))


def _record(trace: Trace, number: int | None) -> str | Message:
    if number is None:
        return message("promise.no-record")
    known = 0 <= number < len(trace.records)
    return trace.records[number] if known else message("promise.record", number=number)
