"""No rows beside the chunks: questions in SQL are asked of the events themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_NUMBERS = ("broker", "replica", "leader", "epoch", "from_offset", "to_offset")


def upgrade() -> None:
    """Drop the copy of some events, which nothing read."""
    op.drop_index("ix_rare_event_kind", "rare_event")
    op.drop_table("rare_event")


def downgrade() -> None:
    """Make the table again, without rows: no program reads them."""
    op.create_table(
        "rare_event",
        sa.Column("trace_id", sa.Integer, sa.ForeignKey("trace.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at_ns", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("partition", sa.Text),
        *(sa.Column(name, sa.Integer) for name in _NUMBERS),
        sa.Column("isr", sa.Text),
    )
    op.create_index("ix_rare_event_kind", "rare_event", ["kind"])
