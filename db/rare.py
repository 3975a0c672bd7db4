"""The rare events of a trace as plain rows, for people who ask a document in SQL."""

import numpy as np
import sqlalchemy as sa

from core.trace.trace import Trace
from core.trace.vocabulary import KINDS

_GROUPS = frozenset({"process", "leadership", "isr", "truncation"})
_INSERT = (
    "INSERT INTO rare_event (trace_id, seq, at_ns, kind, partition, broker, replica, leader, epoch, "
    "from_offset, to_offset, isr) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def write_rare_events(connection: sa.Connection, trace_id: int, trace: Trace) -> None:
    """Copy elections, roles, ISR changes, truncations and what processes did into rows."""
    numbers = [kind.number for kind in KINDS if kind.group in _GROUPS]
    rows: list[tuple[int | str | None, ...]] = []
    for seq in np.flatnonzero(np.isin(trace.columns["kind"], numbers)).tolist():
        event = trace.event(seq)
        place, isr = event.get("partition"), event.get("isr")
        rows.append(
            (
                trace_id,
                seq,
                event.at,
                event.kind,
                None if place is None else str(trace.partitions[place].tp),
                *(
                    event.get(name)
                    for name in ("broker", "replica", "leader", "epoch", "from_offset", "offset")
                ),
                None if isr is None else ",".join(map(str, trace.isrs[isr])),
            ),
        )
    if rows:
        connection.exec_driver_sql(_INSERT, rows)
