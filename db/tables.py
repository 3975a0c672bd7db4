"""The tables of a document, as it is today. How they came to be is in db/migrations.

`place` is an item's index in the trace's dictionary: what the columns of events refer to.
"""

from typing import cast

from sqlalchemy import REAL, ForeignKey, Index, LargeBinary, Table, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """All tables."""


def table_of(row: type[Base]) -> Table:
    """The table behind a class, for statements that need no objects."""
    return cast("Table", row.__table__)


def _trace() -> Mapped[int]:
    return mapped_column(ForeignKey("trace.id", ondelete="CASCADE"), primary_key=True)


class DocumentRow(Base):
    """One row: which program made the file, and when (ns, UTC)."""

    __tablename__ = "document"
    id: Mapped[int] = mapped_column(primary_key=True)
    made_by: Mapped[str] = mapped_column(Text)
    made_ns: Mapped[int]


class TraceRow(Base):
    """A trace: an incident, or a run of a simulation. `digest` is its content digest, `report` is JSON."""

    __tablename__ = "trace"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text, unique=True)
    origin: Mapped[str] = mapped_column(Text)
    events: Mapped[int]
    digest: Mapped[str] = mapped_column(Text)
    report: Mapped[str] = mapped_column(Text)


class FactRow(Base):
    """What holds for the whole trace, by key."""

    __tablename__ = "fact"
    trace_id: Mapped[int] = _trace()
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class BrokerRow(Base):
    """A broker."""

    __tablename__ = "broker"
    trace_id: Mapped[int] = _trace()
    place: Mapped[int] = mapped_column(primary_key=True)
    broker_id: Mapped[int]
    name: Mapped[str] = mapped_column(Text)
    version: Mapped[str] = mapped_column(Text)


class PartitionRow(Base):
    """A partition of a topic's incarnation. `replicas` is JSON. Times are NULL where it has no events."""

    __tablename__ = "partition"
    trace_id: Mapped[int] = _trace()
    place: Mapped[int] = mapped_column(primary_key=True)
    topic: Mapped[str] = mapped_column(Text)
    number: Mapped[int]
    incarnation: Mapped[str] = mapped_column(Text)
    replicas: Mapped[str] = mapped_column(Text)
    events: Mapped[int]
    first_at: Mapped[int | None]
    last_at: Mapped[int | None]
    __table_args__ = (Index("partition_by_name", "trace_id", "topic", "number"),)


class SourceRow(Base):
    """A file, archive member or script that evidence points into."""

    __tablename__ = "source"
    trace_id: Mapped[int] = _trace()
    place: Mapped[int] = mapped_column(primary_key=True)
    path: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(Text)
    size: Mapped[int]
    broker: Mapped[int]
    zone: Mapped[str] = mapped_column(Text)
    zone_basis: Mapped[str] = mapped_column(Text)


class IsrSetRow(Base):
    """An interned in-sync set; `members` is JSON, in the order in which Kafka printed it."""

    __tablename__ = "isr_set"
    trace_id: Mapped[int] = _trace()
    place: Mapped[int] = mapped_column(primary_key=True)
    members: Mapped[str] = mapped_column(Text)


class RecordNameRow(Base):
    """The name of a record in a simulated run."""

    __tablename__ = "record_name"
    trace_id: Mapped[int] = _trace()
    place: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)


class ChunkRow(Base):
    """A block of events: of one partition, of the broker-level ones, or of several small partitions."""

    __tablename__ = "chunk"
    id: Mapped[int] = mapped_column(primary_key=True)
    trace_id: Mapped[int] = mapped_column(ForeignKey("trace.id", ondelete="CASCADE"), index=True)
    events: Mapped[int]


class ChunkPartRow(Base):
    """The row index of a chunk: [start, start + events) are of this partition (-1: broker-level), by Seq."""

    __tablename__ = "chunk_part"
    chunk_id: Mapped[int] = mapped_column(ForeignKey("chunk.id", ondelete="CASCADE"), primary_key=True)
    start: Mapped[int] = mapped_column(primary_key=True)
    trace_id: Mapped[int] = mapped_column(ForeignKey("trace.id", ondelete="CASCADE"))
    partition: Mapped[int]
    events: Mapped[int]
    __table_args__ = (Index("chunk_part_by_partition", "trace_id", "partition"),)


class ChunkColumnRow(Base):
    """One column of a chunk: `seq` or a column of the trace; see db/codec.py for the codec."""

    __tablename__ = "chunk_column"
    chunk_id: Mapped[int] = mapped_column(ForeignKey("chunk.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    codec: Mapped[str] = mapped_column(Text)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class KeptBlockRow(Base):
    """Raw lines of one source, compressed together; db/lines.py knows the inside."""

    __tablename__ = "kept_block"
    trace_id: Mapped[int] = _trace()
    source: Mapped[int] = mapped_column(primary_key=True)
    first_line: Mapped[int] = mapped_column(primary_key=True)
    first_byte: Mapped[int] = mapped_column(primary_key=True)
    last_line: Mapped[int]
    size: Mapped[int]
    data: Mapped[bytes] = mapped_column(LargeBinary)


class SummaryRow(Base):
    """What triage shows of a partition, made at import.

    `detail` (JSON): findings by check, spells, marks, and which counts are lower bounds (db/triage.py).
    `message` (JSON, core/message_json.py) is that of the worst finding, NULL where there is none.
    """

    __tablename__ = "summary"
    trace_id: Mapped[int] = _trace()
    place: Mapped[int] = mapped_column(primary_key=True)
    check_id: Mapped[str | None] = mapped_column(Text)
    message: Mapped[str | None] = mapped_column(Text)
    at: Mapped[int | None]
    records_lost: Mapped[int]
    records_possible: Mapped[int]
    records_uncommitted: Mapped[int]
    truncations: Mapped[int]
    cuts_below_hw: Mapped[int]
    high_watermark_falls: Mapped[int]
    log_end_falls: Mapped[int]
    elections: Mapped[int]
    unclean_elections: Mapped[int]
    isr_changes: Mapped[int]
    under_replicated_ns: Mapped[int]
    under_min_isr_ns: Mapped[int]
    leaderless_ns: Mapped[int]
    gaps: Mapped[int]
    seen: Mapped[float] = mapped_column(REAL)
    detail: Mapped[str] = mapped_column(Text)


class FindingRow(Base):
    """A finding, made at import; `place` counts from the worst.

    `brokers`, `message` (core/message_json.py) and `evidence` (Seqs) are JSON.
    """

    __tablename__ = "finding"
    trace_id: Mapped[int] = _trace()
    place: Mapped[int] = mapped_column(primary_key=True)
    check_id: Mapped[str] = mapped_column(Text)
    severity: Mapped[str] = mapped_column(Text)
    partition: Mapped[int | None]
    brokers: Mapped[str] = mapped_column(Text)
    start: Mapped[int]
    end: Mapped[int | None]
    seq: Mapped[int]
    message: Mapped[str] = mapped_column(Text)
    evidence: Mapped[str] = mapped_column(Text)


class TieRow(Base):
    """One end of a tie: in which trace, and on what evidence. The ends of a tie share `tie_id`."""

    __tablename__ = "tie"
    tie_id: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    trace_name: Mapped[str] = mapped_column(Text)
    anchor_key: Mapped[str] = mapped_column(Text)
    anchor_position: Mapped[int]
    anchor_partition: Mapped[str] = mapped_column(Text)
    anchor_ordinal: Mapped[int]


class LaneRow(Base):
    """What a person did to the lane of a broker; `place` from top to bottom, NULL where it has its usual one.

    `opened`: where lanes fold by themselves. `height`: of its log area, in logical pixels; NULL is its share.
    """

    __tablename__ = "lane"
    broker: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[int | None]
    folded: Mapped[bool]
    pinned: Mapped[bool]
    hidden: Mapped[bool]
    opened: Mapped[bool]
    height: Mapped[int | None]


class NoteRow(Base):
    """What a person wrote on a position. The anchor's columns are those of db.anchors.Anchor."""

    __tablename__ = "note"
    id: Mapped[int] = mapped_column(primary_key=True)
    trace_name: Mapped[str] = mapped_column(Text)
    anchor_key: Mapped[str] = mapped_column(Text)
    anchor_position: Mapped[int]
    anchor_partition: Mapped[str] = mapped_column(Text)
    anchor_ordinal: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    author: Mapped[str] = mapped_column(Text)
    created_ns: Mapped[int]
    kind: Mapped[str] = mapped_column(Text)
    broker: Mapped[int | None]
    end_key: Mapped[str | None] = mapped_column(Text)
    end_position: Mapped[int | None]
    end_partition: Mapped[str | None] = mapped_column(Text)
    end_ordinal: Mapped[int | None]
    end_broker: Mapped[int | None]
    colour: Mapped[str] = mapped_column(Text, server_default="")
    shape: Mapped[str] = mapped_column(Text, server_default="")
    __table_args__ = ({"sqlite_autoincrement": True},)
