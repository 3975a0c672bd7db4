"""Notes on ranges, lanes and arrows, with a colour and a shape."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def _columns() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("end_key", sa.Text),
        sa.Column("end_position", sa.Integer),
        sa.Column("end_partition", sa.Text),
        sa.Column("end_ordinal", sa.Integer),
        sa.Column("end_broker", sa.Integer),
        sa.Column("colour", sa.Text, nullable=False, server_default=""),
        sa.Column("shape", sa.Text, nullable=False, server_default=""),
    )


def upgrade() -> None:
    """Add what a note may say besides. A note from before has no end, and looks as they all did."""
    for column in _columns():
        op.add_column("note", column)


def downgrade() -> None:
    """Forget it: ranges and arrows stay as notes on their first place."""
    for column in _columns():
        op.drop_column("note", column.name)
