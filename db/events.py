"""What the columns of events may say: numbers of kinds, indexes into dictionaries, and the order of Seq."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from core.trace.ids import NO_INDEX, UNSAID
from core.trace.trace import VALUES, Column
from core.trace.vocabulary import NAME, Basis

_DICTIONARIES: Final = {"partition": "partition", "isr": "isr_set", "source": "source"}
"""The columns that are indexes, and the tables that they point into."""
_BOUNDS: Final[Mapping[str, tuple[int, int | None]]] = {
    "broker": (NO_INDEX, None),
    "replica": (NO_INDEX, None),
    "position": (0, None),
    "line": (0, None),
    "at_least": (0, 2 ** len(VALUES) - 1),
    "at_most": (0, 2 ** len(VALUES) - 1),
    "basis": (min(Basis), max(Basis)),
    "kind": (0, max(NAME)),
}
"""The least and the most of columns that are no indexes."""
_KNOWN: Final = np.zeros(max(NAME) + 1, dtype=bool)
_KNOWN[list(NAME)] = True


def check_events(
    connection: sa.Connection,
    trace_id: int,
    seqs: NDArray[np.int64],
    columns: Mapping[str, Column],
    *,
    whole: bool,
) -> None:
    """Raise ValueError where an event says what none can; `seqs` are those of the events, in their order.

    `columns` may be some of them alone. `whole`: these are all events of the trace. Times that go back are
    refused where a trace is frozen.
    """
    asked = "SELECT events FROM trace WHERE id = ?"
    count = connection.exec_driver_sql(asked, (trace_id,)).scalar_one()
    if whole and len(seqs) != count:
        message = f"there should be {count:,} events, {len(seqs):,} are there"
        raise ValueError(message)
    if not len(seqs):
        return
    _within(seqs, "seq", 0, count - 1)
    if (seqs[1:] <= seqs[:-1]).any():
        message = "two events have the same seq"
        raise ValueError(message)
    for name, table in _DICTIONARIES.items():
        if name not in columns:
            continue
        places = f'SELECT count(*) FROM "{table}" WHERE trace_id = ?'  # noqa: S608 - names of our own tables
        there = connection.exec_driver_sql(places, (trace_id,)).scalar_one()
        _within(columns[name], name, NO_INDEX, there - 1)
    for name, (least, most) in _BOUNDS.items():
        if name in columns:
            _within(columns[name], name, least, most)
    if "kind" in columns and not _KNOWN[columns["kind"]].all():
        message = "the number of a kind of event is not known"
        raise ValueError(message)
    causes = columns.get("cause")
    if causes is not None and ((causes != UNSAID) & ((causes < 0) | (causes >= count))).any():
        message = "the cause of an event is not an event"
        raise ValueError(message)


def _within(values: Column, name: str, least: int, most: int | None = None) -> None:
    low, high = int(values.min()), int(values.max())
    if low < least or (most is not None and high > most):
        message = f"an event has a {name} that cannot be: {low if low < least else high}"
        raise ValueError(message)
