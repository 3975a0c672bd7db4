"""How the lanes are arranged."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table. Lanes of a document from before stand as usual."""
    op.create_table(
        "lane",
        sa.Column("broker", sa.Integer, primary_key=True),
        sa.Column("place", sa.Integer),
        sa.Column("folded", sa.Boolean, nullable=False),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.Column("opened", sa.Boolean, nullable=False),
        sa.Column("height", sa.Integer),
    )


def downgrade() -> None:
    """Forget it."""
    op.drop_table("lane")
