"""What each column of a document may hold: type, least and most, checked by SQL before a row is read.

SQLite keeps any type in any column, so that a text may stand where a number should be. `check_rows` asks for
all columns of a table in one statement.
"""

from typing import Final, TypeAlias

import sqlalchemy as sa

from core.document.lane_order import AREA_RANGE
from core.trace.ids import NO_INDEX
from core.trace.trace import Origin
from db import budgets
from db.shapes import MOST
from db.tables import (
    BrokerRow,
    ChunkRow,
    DocumentRow,
    FactRow,
    FindingRow,
    IsrSetRow,
    KeptBlockRow,
    LaneRow,
    NoteRow,
    PartitionRow,
    RecordNameRow,
    SourceRow,
    SummaryRow,
    TieRow,
    TraceRow,
    table_of,
)

_Range: TypeAlias = tuple[int, int]

_INT: Final = (-MOST - 1, MOST)
_COUNT: Final = (0, MOST)
_ID: Final = (0, 2**31 - 1)
"""Kafka's ids of brokers and numbers of partitions are int32."""
_ID_OR_NONE: Final = (NO_INDEX, 2**31 - 1)
_EVENTS: Final = (0, budgets.MOST_EVENTS)
_SEQ: Final = (0, budgets.MOST_EVENTS - 1)

_NUMBERS: Final[dict[str, dict[str, _Range]]] = {
    "trace": {"events": _EVENTS},
    "broker": {"broker_id": _ID_OR_NONE},
    "partition": {"number": _ID_OR_NONE, "events": _EVENTS},
    "source": {"size": _COUNT, "broker": _ID_OR_NONE},
    "chunk": {"events": (1, budgets.MOST_CHUNK_EVENTS)},
    "kept_block": {
        **dict.fromkeys(("first_line", "first_byte", "last_line"), _COUNT),
        "source": _ID,
        "size": (1, budgets.MOST_BLOCK_BYTES),
    },
    "summary": {
        "place": (0, budgets.MOST_PARTITIONS),
        **dict.fromkeys(
            (
                *("records_lost", "records_possible", "records_uncommitted", "truncations", "cuts_below_hw"),
                *("high_watermark_falls", "log_end_falls", "elections", "unclean_elections", "isr_changes"),
                "gaps",
            ),
            _COUNT,
        ),
    },
    "finding": {"place": (0, budgets.MOST_FINDINGS), "partition": _ID, "seq": _SEQ},
    "tie": {"anchor_position": _COUNT, "anchor_ordinal": _COUNT},
    "note": {
        **dict.fromkeys(("anchor_position", "anchor_ordinal", "end_position", "end_ordinal"), _COUNT),
        "id": (1, MOST),
        "broker": _ID,
        "end_broker": _ID,
    },
    "lane": {"broker": _ID, "height": AREA_RANGE},
}
"""Where a number may not be any of 64 bits."""
_LENGTHS: Final[dict[str, dict[str, int]]] = {
    "trace": {"report": budgets.MOST_REPORT_BYTES},
    "fact": {"value": budgets.MOST_PROSE_BYTES},
    "partition": {"replicas": budgets.MOST_LIST_BYTES},
    "isr_set": {"members": budgets.MOST_LIST_BYTES},
    "summary": {
        **dict.fromkeys(("message", "reason", "reason_zh"), budgets.MOST_PROSE_BYTES),
        "detail": budgets.MOST_DETAIL_BYTES,
    },
    "finding": {
        "brokers": budgets.MOST_LIST_BYTES,
        **dict.fromkeys(("message", "text", "text_zh"), budgets.MOST_PROSE_BYTES),
        "evidence": budgets.MOST_EVIDENCE_BYTES,
    },
    "note": {"text": budgets.MOST_PROSE_BYTES},
    "kept_block": {"data": budgets.MOST_CELL_BYTES},
}
"""Bytes of a text or blob where they are not those of a name."""
_WORDS: Final[dict[str, dict[str, tuple[str, ...]]]] = {"trace": {"origin": tuple(Origin)}}
"""Where a text is one of a few words."""
_MOST_ROWS: Final[dict[str, int]] = {
    "document": 1,
    "trace": budgets.MOST_TRACES,
    "fact": budgets.MOST_FACTS,
    "broker": budgets.MOST_BROKERS,
    "partition": budgets.MOST_PARTITIONS,
    "source": budgets.MOST_SOURCES,
    "isr_set": budgets.MOST_ISRS,
    "record_name": budgets.MOST_RECORDS,
    "chunk": budgets.MOST_EVENTS,
    "kept_block": budgets.MOST_EVENTS,
    "summary": budgets.MOST_PARTITIONS,
    "finding": budgets.MOST_FINDINGS,
    "note": budgets.MOST_NOTES,
    "tie": budgets.MOST_TIES,
    "lane": budgets.MOST_LANES,
}


def _bad(column: sa.Column[object], table: str) -> str:
    """SQL that is true of a row whose value in the column cannot be."""
    name = f'"{column.name}"'
    if isinstance(column.type, sa.Boolean):
        good = f"typeof({name})='integer' AND {name} BETWEEN 0 AND 1"
    elif isinstance(column.type, sa.Integer):
        low, high = _NUMBERS.get(table, {}).get(column.name, _INT)
        # The least number of 64 bits cannot be written in SQL.
        within = "" if (low, high) == _INT else f" AND {name} BETWEEN {low} AND {high}"
        good = f"typeof({name})='integer'{within}"
    elif isinstance(column.type, sa.Float):
        good = f"typeof({name})='real' AND {name} BETWEEN 0.0 AND 1.0"
    elif isinstance(column.type, sa.LargeBinary):
        most = _LENGTHS[table][column.name]
        good = f"typeof({name})='blob' AND length({name})<={most}"
    else:
        words = _WORDS.get(table, {}).get(column.name)
        most = _LENGTHS.get(table, {}).get(column.name, budgets.MOST_NAME_BYTES)
        listed = ", ".join(f"'{word}'" for word in words or ())
        within = f"length(CAST({name} AS BLOB))<={most}" if words is None else f"{name} IN ({listed})"
        good = f"typeof({name})='text' AND {within}"
    null = f"{name} IS NOT NULL AND " if column.nullable else ""
    return f"({null}NOT ({good}))"


def _placed(table: sa.Table) -> bool:
    """Whether the places of its rows are those of a dictionary: 0 to the last, none left out."""
    return table.name in ("broker", "partition", "source", "isr_set", "record_name", "finding")


_CHECKS: Final[dict[str, dict[str, str]]] = {
    table.name: {column.name: _bad(column, table.name) for column in table.columns}
    for table in map(
        table_of,
        (
            *(DocumentRow, TraceRow, FactRow, BrokerRow, PartitionRow, SourceRow, IsrSetRow, RecordNameRow),
            *(ChunkRow, KeptBlockRow, SummaryRow, FindingRow, TieRow, LaneRow, NoteRow),
        ),
    )
}

_TOLD: Final = {"summary": ("reason", "reason_zh"), "finding": ("text", "text_zh")}
"""Columns up to version 0005, which had sentences in two languages in place of a message."""
for _table, _names in _TOLD.items():
    _CHECKS[_table].update({name: _bad(sa.Column(name, sa.Text, nullable=False), _table) for name in _names})


def check_rows(connection: sa.Connection, table: sa.Table, trace_id: int | None = None) -> int:
    """How many rows a table has, of one trace where that is said. Columns of other versions may be missing.

    Raises ValueError where there are more than db.budgets allows, where a value has another type, is out of
    its range or too long, and where the places of a dictionary are not 0 to the last.
    """
    there = {row[1] for row in connection.exec_driver_sql(f'PRAGMA table_info("{table.name}")')}
    checks = {name: bad for name, bad in _CHECKS[table.name].items() if name in there}
    where = "" if trace_id is None else f" WHERE trace_id={int(trace_id)}"
    every = ["count(*)", "max(place)" if _placed(table) else "0", f"total({' OR '.join(checks.values())})"]
    if _placed(table):
        every.append("min(place)")
    asked = f'SELECT {", ".join(every)} FROM "{table.name}"{where}'  # noqa: S608 - names of our own tables
    count, last, bad, *first = connection.exec_driver_sql(asked).one()
    if bad:
        _tell(connection, table.name, checks, where)
    if count > _MOST_ROWS[table.name]:
        message = f"the table {table.name} has {count:,} rows, at most {_MOST_ROWS[table.name]:,} are read"
        raise ValueError(message)
    if _placed(table) and count and (first[0], last) != (0, count - 1):
        message = f"the places of the table {table.name} are not 0 to {count - 1}"
        raise ValueError(message)
    return int(count)


def _tell(connection: sa.Connection, table: str, checks: dict[str, str], where: str) -> None:
    """Raise ValueError that names the first column with a value that cannot be."""
    for name, bad in checks.items():
        asked = f'SELECT total({bad}) FROM "{table}"{where}'  # noqa: S608 - names of our own tables
        count = connection.exec_driver_sql(asked).scalar_one()
        if count:
            rows = "row" if count == 1 else "rows"
            message = f"{int(count)} {rows} of the table {table} cannot have that {name}"
            raise ValueError(message)
