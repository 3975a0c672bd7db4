"""Where something that a person added is tied to: to evidence, never to a time, a Seq or a pixel.

So a note stays where it is when a zone is changed, a clock is corrected or more logs are added.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.trace.ids import NO_INDEX, Cursor
from core.trace.trace import Origin, Trace

START: Final = "start"
"""The key of the anchor at cursor 0, before anything has happened."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The place just after one event.

    `key` is the SHA-256 of the source, or names the simulation ("sim:" and what decides its outcome), or is
    START. `position` is the byte in that source, or the step of the script. One line may give several events:
    `partition` ("orders-0", "" for a broker-level event) and `ordinal` among those of the line and the
    partition say which. So the anchor is the same in a whole trace and in one that holds a single partition.
    """

    key: str
    position: int = 0
    partition: str = ""
    ordinal: int = 0


def anchor_of(trace: Trace, cursor: int) -> Anchor:
    """The anchor of a cursor: of the event applied last. Raises IndexError outside of 0..N."""
    if cursor == 0:
        return Anchor(START)
    event = trace.event(cursor - 1)
    place = event.get("partition")
    same = _same(trace, event.source, event.position, NO_INDEX if place is None else place)
    return Anchor(
        key=_key(trace, event.source),
        position=event.position,
        partition="" if place is None else str(trace.partitions[place].tp),
        ordinal=int(np.searchsorted(same, cursor - 1)),
    )


def resolve(trace: Trace, anchor: Anchor) -> Cursor | None:
    """The cursor that an anchor means in this trace; None where its evidence is not there."""
    if anchor.key == START:
        return Cursor(0)
    place = trace.partition_index(anchor.partition) if anchor.partition else NO_INDEX
    if place is None:
        return None
    for source in (NO_INDEX, *range(len(trace.sources))):
        if _key(trace, source) == anchor.key:
            same = _same(trace, source, anchor.position, place)
            if anchor.ordinal < len(same):
                return Cursor(int(same[anchor.ordinal]) + 1)
    return None


def _key(trace: Trace, source: int) -> str:
    digest = trace.sources[source].sha256 if source != NO_INDEX else ""
    if trace.origin != Origin.SIMULATED:
        return digest
    return ":".join(("sim", digest, *(trace.facts.get(name, "") for name in ("era", "switches", "seed"))))


def _same(trace: Trace, source: int, position: int, partition: int) -> NDArray[np.int64]:
    """Seqs of the events of one partition that one line, batch or step gave."""
    columns = trace.columns
    found = (
        (columns["position"] == position)
        & (columns["source"] == source)
        & (columns["partition"] == partition)
    )
    return np.flatnonzero(found).astype(np.int64)
