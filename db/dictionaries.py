"""The small things of a trace as rows: brokers, partitions, sources, in-sync sets, record names, facts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import sqlalchemy as sa

from core.trace.by_partition import order_of
from core.trace.ids import BrokerId, TopicPartition
from core.trace.trace import Broker, Partition, Source, Trace
from db.allowed import check_rows
from db.budgets import MOST_LIST_BYTES, MOST_REPLICAS
from db.reported import check_facts
from db.shapes import integer, listed, loaded
from db.tables import Base, BrokerRow, FactRow, IsrSetRow, PartitionRow, RecordNameRow, SourceRow, table_of

_BROKERS: Final = listed(integer(-1, 2**31 - 1), MOST_REPLICAS)

_INSERTS = {
    "fact": "INSERT INTO fact (trace_id, key, value) VALUES (?, ?, ?)",
    "broker": "INSERT INTO broker (trace_id, place, broker_id, name, version) VALUES (?, ?, ?, ?, ?)",
    "partition": (
        "INSERT INTO partition (trace_id, place, topic, number, incarnation, replicas, events,"
        " first_at, last_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    ),
    "source": (
        "INSERT INTO source (trace_id, place, path, sha256, size, broker, zone, zone_basis)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    ),
    "isr_set": "INSERT INTO isr_set (trace_id, place, members) VALUES (?, ?, ?)",
    "record_name": "INSERT INTO record_name (trace_id, place, name) VALUES (?, ?, ?)",
}


@dataclass(frozen=True, slots=True)
class PartitionInfo:
    """What is known of a partition without reading its events. Times are None where it has none."""

    partition: Partition
    events: int
    first_at: int | None
    last_at: int | None


@dataclass(frozen=True, slots=True)
class Dictionaries:
    """Everything of a trace but its columns, its lines and its report."""

    brokers: tuple[Broker, ...]
    partitions: tuple[Partition, ...]
    sources: tuple[Source, ...]
    isrs: tuple[tuple[int, ...], ...]
    records: tuple[str, ...]
    facts: Mapping[str, str]


def write_dictionaries(connection: sa.Connection, trace_id: int, trace: Trace) -> None:
    """Store them all."""
    rows: dict[str, list[tuple[Any, ...]]] = {
        "fact": list(trace.facts.items()),
        "broker": [(place, b.broker_id, b.name, b.version) for place, b in enumerate(trace.brokers)],
        "partition": _partition_rows(trace),
        "source": [
            (place, s.path, s.sha256, s.size, s.broker, s.zone, s.zone_basis)
            for place, s in enumerate(trace.sources)
        ],
        "isr_set": [(place, json.dumps(members)) for place, members in enumerate(trace.isrs)],
        "record_name": list(enumerate(trace.records)),
    }
    for table, values in rows.items():
        if values:
            connection.exec_driver_sql(_INSERTS[table], [(trace_id, *row) for row in values])


def read_dictionaries(connection: sa.Connection, trace_id: int) -> Dictionaries:
    """Read them all, each in the order of its places. Raises ValueError where one is not what was written."""

    def rows(row: type[Base], order: str) -> list[Any]:
        return _checked_rows(connection, trace_id, row, ("*",), order)

    # Partitions have the same replicas over and over.
    @cache
    def replicas(raw: str) -> tuple[BrokerId, ...]:
        return tuple(map(BrokerId, loaded(raw, _BROKERS, "partition.replicas", MOST_LIST_BYTES)))

    named = _checked_rows(
        connection, trace_id, PartitionRow, ("topic", "number", "incarnation", "replicas"), "place"
    )
    read = Dictionaries(
        brokers=tuple(Broker(BrokerId(r.broker_id), r.name, r.version) for r in rows(BrokerRow, "place")),
        # A list of them, as there may be a hundred thousand.
        partitions=tuple(
            [
                Partition(TopicPartition(topic, number, incarnation), replicas(raw))
                for topic, number, incarnation, raw in named
            ]
        ),
        sources=tuple(
            Source(r.path, r.sha256, r.size, BrokerId(r.broker), r.zone, r.zone_basis)
            for r in rows(SourceRow, "place")
        ),
        isrs=tuple(
            tuple(loaded(r.members, _BROKERS, "isr_set.members", MOST_LIST_BYTES))
            for r in rows(IsrSetRow, "place")
        ),
        records=tuple(r.name for r in rows(RecordNameRow, "place")),
        facts=MappingProxyType({r.key: r.value for r in rows(FactRow, "key")}),
    )
    check_facts(read.facts, len(read.sources))
    return read


def read_infos(
    connection: sa.Connection, trace_id: int, partitions: tuple[Partition, ...]
) -> tuple[PartitionInfo, ...]:
    """What is known of the partitions of `read_dictionaries`, which has checked the table."""
    told = _rows(connection, trace_id, table_of(PartitionRow), ("events", "first_at", "last_at"), "place")
    return tuple([PartitionInfo(one, *row) for one, row in zip(partitions, told, strict=True)])


def _checked_rows(
    connection: sa.Connection, trace_id: int, row: type[Base], names: Sequence[str], order: str
) -> list[Any]:
    """Some columns of the rows of a trace, in order, after all columns of the table were checked."""
    table = table_of(row)
    check_rows(connection, table, trace_id)
    return _rows(connection, trace_id, table, names, order)


def _rows(
    connection: sa.Connection, trace_id: int, table: sa.Table, names: Sequence[str], order: str
) -> list[Any]:
    """The same, without a check."""
    asked = f'SELECT {", ".join(names)} FROM "{table.name}" WHERE trace_id = ? ORDER BY "{order}"'  # noqa: S608
    return list(connection.exec_driver_sql(asked, (trace_id,)).all())


def _partition_rows(trace: Trace) -> list[tuple[Any, ...]]:
    owner, at = trace.columns["partition"], trace.columns["at"]
    order = order_of(owner)
    bounds = np.searchsorted(owner[order], np.arange(len(trace.partitions) + 1, dtype=owner.dtype)).tolist()
    rows: list[tuple[Any, ...]] = []
    for place, partition in enumerate(trace.partitions):
        first, end = bounds[place : place + 2]
        times = (int(at[order[first]]), int(at[order[end - 1]])) if end > first else (None, None)
        tp = partition.tp
        replicas = json.dumps(partition.replicas)
        rows.append((place, tp.topic, tp.partition, tp.incarnation, replicas, end - first, *times))
    return rows
