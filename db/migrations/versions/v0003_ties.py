"""Ties made by hand between the traces of a comparison."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table. A document from before has no ties."""
    op.create_table(
        "tie",
        sa.Column("tie_id", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("trace_name", sa.Text, nullable=False),
        sa.Column("anchor_key", sa.Text, nullable=False),
        sa.Column("anchor_position", sa.Integer, nullable=False),
        sa.Column("anchor_partition", sa.Text, nullable=False),
        sa.Column("anchor_ordinal", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    """Forget the ties."""
    op.drop_table("tie")
