"""Which records of a run are of transactions, and which are their markers, as batches carry it (KIP-98)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.trace.trace import Event, Trace
from core.trace.vocabulary import NUMBER

_KINDS: Final = ("transaction_written", "transaction_committed", "transaction_aborted")


@dataclass(frozen=True, slots=True)
class Writer:
    """What the header of a batch says of its producer. `aborts` is None but for a marker."""

    producer: int
    epoch: int
    sequence: int
    aborts: bool | None = None


def writers(trace: Trace) -> Mapping[int, Writer]:
    """From the number of a record to its producer, for the records of transactions and their markers.

    A record is named by the first replica that appends it: others copy it. Sequence numbers count from 0 in
    each producer epoch of each partition.
    """
    found: dict[int, Writer] = {}
    numbers: dict[tuple[int, int, int], int] = {}
    wanted = [NUMBER[kind] for kind in _KINDS]
    for seq in np.flatnonzero(np.isin(trace.columns["kind"], wanted)).tolist():
        event = trace.event(seq)
        if event.cause is None:
            continue
        appended = trace.event(event.cause)
        if event.kind == "transaction_written":
            _number(found, numbers, event, appended)
        else:
            record = _record(appended, event.values["offset"])
            epoch = event.values["epoch"]
            found.setdefault(
                record, Writer(event.values["aux"], epoch, -1, event.kind == "transaction_aborted")
            )
    return found


def _number(
    found: dict[int, Writer], numbers: dict[tuple[int, int, int], int], event: Event, appended: Event
) -> None:
    producer, epoch = event.values["aux"], event.values["epoch"]
    key = (event.values["partition"], producer, epoch)
    for offset in range(event.values["from_offset"], event.values["offset"]):
        record = _record(appended, offset)
        if record not in found:
            found[record] = Writer(producer, epoch, numbers.get(key, 0))
            numbers[key] = numbers.get(key, 0) + 1


def _record(appended: Event, offset: int) -> int:
    return int(appended.values["aux"] + offset - appended.values["from_offset"])
