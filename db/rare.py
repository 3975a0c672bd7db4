"""The rare events of a trace as plain rows, for people who ask a document in SQL."""

from itertools import repeat

import numpy as np
import sqlalchemy as sa

from core.trace.trace import EMPTY, Trace
from core.trace.vocabulary import KINDS, NAME

_GROUPS = frozenset({"process", "leadership", "isr", "truncation"})
_VALUES = ("broker", "replica", "leader", "epoch", "from_offset", "offset")
_INSERT = (
    "INSERT INTO rare_event (trace_id, seq, at_ns, kind, partition, broker, replica, leader, epoch, "
    "from_offset, to_offset, isr) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def write_rare_events(connection: sa.Connection, trace_id: int, trace: Trace) -> None:
    """Copy elections, roles, ISR changes, truncations and what processes did into rows."""
    numbers = [kind.number for kind in KINDS if kind.group in _GROUPS]
    seqs = np.flatnonzero(np.isin(trace.columns["kind"], numbers))
    places = [*(str(partition.tp) for partition in trace.partitions), None]
    isrs = [*(",".join(map(str, members)) for members in trace.isrs), None]

    def column(name: str) -> list[int]:
        return trace.columns[name][seqs].tolist()

    # Indexes of nothing are NO_INDEX, which is the last place of a list.
    rows = zip(
        repeat(trace_id),
        seqs.tolist(),
        column("at"),
        [NAME[kind] for kind in column("kind")],
        [places[place] for place in column("partition")],
        *(_said(column(name), EMPTY[name]) for name in _VALUES),
        [isrs[isr] for isr in column("isr")],
        strict=False,
    )
    if len(seqs):
        connection.exec_driver_sql(_INSERT, list(rows))


def _said(values: list[int], nothing: int) -> list[int | None]:
    return [None if value == nothing else value for value in values]
