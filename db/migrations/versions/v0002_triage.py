"""What triage shows, stored at import."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_COUNTS = (
    "records_lost",
    "records_possible",
    "records_uncommitted",
    "truncations",
    "cuts_below_hw",
    "high_watermark_falls",
    "log_end_falls",
    "elections",
    "unclean_elections",
    "isr_changes",
    "under_replicated_ns",
    "under_min_isr_ns",
    "leaderless_ns",
    "gaps",
)


def upgrade() -> None:
    """Make the two tables. A document from before has none of their rows."""
    op.create_table(
        "summary",
        *_of_trace(),
        _text("check_id", null=True),
        _text("reason"),
        _text("reason_zh"),
        _number("at", null=True),
        *(_number(name) for name in _COUNTS),
        sa.Column("seen", sa.REAL, nullable=False),
        _text("detail"),
    )
    op.create_table(
        "finding",
        *_of_trace(),
        _text("check_id"),
        _text("severity"),
        _number("partition", null=True),
        _text("brokers"),
        _number("start"),
        _number("end", null=True),
        _number("seq"),
        _text("text"),
        _text("text_zh"),
        _text("evidence"),
    )


def downgrade() -> None:
    """Forget what was found; it can be found again."""
    op.drop_table("finding")
    op.drop_table("summary")


def _of_trace() -> tuple[sa.Column[int], sa.Column[int]]:
    trace = sa.ForeignKey("trace.id", ondelete="CASCADE")
    return (
        sa.Column("trace_id", sa.Integer, trace, primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
    )


def _number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=null)


def _text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=null)
