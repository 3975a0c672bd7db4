"""Ties by hand: moments of several traces that a person says are the same. Each is kept on its evidence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import sqlalchemy as sa

from core.trace.trace import Trace
from db.allowed import check_rows
from db.anchors import Anchor, anchor_of, resolve
from db.tables import TieRow, table_of

_TIES = table_of(TieRow)


@dataclass(frozen=True, slots=True)
class Tie:
    """The same moment in each of several traces, (name of the trace, anchor); the names differ."""

    ends: tuple[tuple[str, Anchor], ...]


def tie_of(traces: Sequence[Trace], cursors: Sequence[int]) -> Tie:
    """The tie of a cursor a trace. Raises IndexError for a cursor outside of its trace."""
    pairs = zip(traces, cursors, strict=True)
    return Tie(tuple((trace.name, anchor_of(trace, cursor)) for trace, cursor in pairs))


def cursors_of(ties: Iterable[Tie], traces: Sequence[Trace]) -> tuple[tuple[int, ...], ...]:
    """The cursors, one a trace, of each tie that has an end in all of them and in no other.

    A tie whose evidence is not there (any more) is left out, and so is one that says the same again.
    """
    found: dict[tuple[int, ...], None] = {}
    for tie in ties:
        ends = dict(tie.ends)
        if set(ends) != {trace.name for trace in traces}:
            continue
        cursors = [resolve(trace, ends[trace.name]) for trace in traces]
        known = tuple(cursor for cursor in cursors if cursor is not None)
        if len(known) == len(traces):
            found[known] = None
    return tuple(found)


def tied_among(ties: Iterable[Tie], traces: Sequence[Trace], made: Iterable[Sequence[int]]) -> list[Tie]:
    """The ties `made` between some traces, cursors each, instead of those there were; ties of others stay."""
    names = {trace.name for trace in traces}
    others = [tie for tie in ties if {name for name, _ in tie.ends} != names]
    return [*others, *(tie_of(traces, cursors) for cursors in made)]


def read_ties(connection: sa.Connection) -> tuple[Tie, ...]:
    """All ties, in the order in which they were made; none in a document from before there were ties.

    Raises ValueError where a row is no end of a tie.
    """
    if not sa.inspect(connection).has_table(_TIES.name):
        return ()
    check_rows(connection, _TIES)
    rows = connection.execute(sa.select(_TIES).order_by(_TIES.c.tie_id, _TIES.c.place))
    return tuple(
        Tie(
            tuple(
                (
                    row.trace_name,
                    Anchor(row.anchor_key, row.anchor_position, row.anchor_partition, row.anchor_ordinal),
                )
                for row in ends
            )
        )
        for _, ends in groupby(rows, key=lambda row: row.tie_id)
    )


def write_ties(connection: sa.Connection, ties: Sequence[Tie]) -> None:
    """Store these ties, and no other."""
    connection.execute(sa.delete(_TIES))
    for number, tie in enumerate(ties, start=1):
        for place, (name, anchor) in enumerate(tie.ends):
            connection.execute(
                sa.insert(_TIES).values(
                    tie_id=number,
                    place=place,
                    trace_name=name,
                    anchor_key=anchor.key,
                    anchor_position=anchor.position,
                    anchor_partition=anchor.partition,
                    anchor_ordinal=anchor.ordinal,
                )
            )
