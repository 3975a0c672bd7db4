"""The first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    _dictionaries()
    _events()
    _people()


def downgrade() -> None:
    """There is nothing before the first version."""


def _of_trace() -> sa.Column[int]:
    return sa.Column("trace_id", sa.Integer, sa.ForeignKey("trace.id", ondelete="CASCADE"), primary_key=True)


def _number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=null)


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=null)


def _place() -> sa.Column[int]:
    return sa.Column("place", sa.Integer, primary_key=True)


def _dictionaries() -> None:
    op.create_table(
        "document", sa.Column("id", sa.Integer, primary_key=True), _text("made_by"), _number("made_ns")
    )
    op.create_table(
        "trace",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        _text("origin"),
        _number("events"),
        _text("digest"),
        _text("report"),
    )
    op.create_table("fact", _of_trace(), sa.Column("key", sa.Text, primary_key=True), _text("value"))
    op.create_table("broker", _of_trace(), _place(), _number("broker_id"), _text("name"), _text("version"))
    op.create_table(
        "partition",
        _of_trace(),
        _place(),
        _text("topic"),
        _number("number"),
        _text("incarnation"),
        _text("replicas"),
        _number("events"),
        _number("first_at", null=True),
        _number("last_at", null=True),
    )
    op.create_index("partition_by_name", "partition", ["trace_id", "topic", "number"])
    op.create_table(
        "source",
        _of_trace(),
        _place(),
        _text("path"),
        _text("sha256"),
        _number("size"),
        _number("broker"),
        _text("zone"),
        _text("zone_basis"),
    )
    op.create_table("isr_set", _of_trace(), _place(), _text("members"))
    op.create_table("record_name", _of_trace(), _place(), _text("name"))


def _events() -> None:
    op.create_table(
        "chunk",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("trace_id", sa.Integer, sa.ForeignKey("trace.id", ondelete="CASCADE"), nullable=False),
        _number("events"),
    )
    op.create_index("ix_chunk_trace_id", "chunk", ["trace_id"])
    chunk = sa.ForeignKey("chunk.id", ondelete="CASCADE")
    op.create_table(
        "chunk_part",
        sa.Column("chunk_id", sa.Integer, chunk, primary_key=True),
        sa.Column("start", sa.Integer, primary_key=True),
        sa.Column("trace_id", sa.Integer, sa.ForeignKey("trace.id", ondelete="CASCADE"), nullable=False),
        _number("partition"),
        _number("events"),
    )
    op.create_index("chunk_part_by_partition", "chunk_part", ["trace_id", "partition"])
    op.create_table(
        "chunk_column",
        sa.Column("chunk_id", sa.Integer, sa.ForeignKey("chunk.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        _text("codec"),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "kept_block",
        _of_trace(),
        sa.Column("source", sa.Integer, primary_key=True),
        sa.Column("first_line", sa.Integer, primary_key=True),
        sa.Column("first_byte", sa.Integer, primary_key=True),
        _number("last_line"),
        _number("size"),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "rare_event",
        _of_trace(),
        sa.Column("seq", sa.Integer, primary_key=True),
        _number("at_ns"),
        _text("kind"),
        _text("partition", null=True),
        *(
            _number(name, null=True)
            for name in ("broker", "replica", "leader", "epoch", "from_offset", "to_offset")
        ),
        _text("isr", null=True),
    )
    op.create_index("ix_rare_event_kind", "rare_event", ["kind"])


def _people() -> None:
    op.create_table(
        "note",
        sa.Column("id", sa.Integer, primary_key=True),
        _text("trace_name"),
        _text("anchor_key"),
        _number("anchor_position"),
        _text("anchor_partition"),
        _number("anchor_ordinal"),
        _text("text"),
        _text("author"),
        _number("created_ns"),
        _text("kind"),
        _number("broker", null=True),
        sqlite_autoincrement=True,
    )
