"""How the lanes of a document are arranged, a row a broker that a person did something to."""

import sqlalchemy as sa

from core.document.lane_order import USUAL, LaneOrder
from db.allowed import check_rows
from db.tables import LaneRow, table_of

_LANES = table_of(LaneRow)


def read_lanes(connection: sa.Connection) -> LaneOrder:
    """The arrangement; the usual one in a document from before there were any. Raises ValueError."""
    if not sa.inspect(connection).has_table(_LANES.name):
        return USUAL
    check_rows(connection, _LANES)
    rows = connection.execute(sa.select(_LANES).order_by(_LANES.c.place, _LANES.c.broker)).all()
    return LaneOrder(
        order=tuple(row.broker for row in rows if row.place is not None),
        folded=frozenset(row.broker for row in rows if row.folded),
        pinned=frozenset(row.broker for row in rows if row.pinned),
        hidden=frozenset(row.broker for row in rows if row.hidden),
        opened=frozenset(row.broker for row in rows if row.opened),
        heights=tuple(sorted((row.broker, row.height) for row in rows if row.height is not None)),
    )


def write_lanes(connection: sa.Connection, lanes: LaneOrder) -> None:
    """Store this arrangement instead of the one there is. By what it was sorted last is not kept."""
    connection.execute(sa.delete(_LANES))
    heights = dict(lanes.heights)
    told = {*lanes.order, *lanes.folded, *lanes.pinned, *lanes.hidden, *lanes.opened, *heights}
    for broker in sorted(told):
        connection.execute(
            sa.insert(_LANES).values(
                broker=broker,
                place=lanes.order.index(broker) if broker in lanes.order else None,
                folded=broker in lanes.folded,
                pinned=broker in lanes.pinned,
                hidden=broker in lanes.hidden,
                opened=broker in lanes.opened,
                height=heights.get(broker),
            )
        )
