"""What was found as messages: id and values in place of sentences."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
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
_LEGACY = "json_object('id', 'legacy', 'values', json_object('text', {text}, 'text_zh', {text}_zh))"
"""A sentence that an earlier version wrote stays as it is, in both languages."""


def upgrade() -> None:
    """Make both tables anew, with what the old ones hold."""
    _summaries(sa.Column("message", sa.Text))
    same = ", ".join(("trace_id", "place", "check_id", "at", *_COUNTS, "seen", "detail"))
    legacy = f"CASE WHEN reason = '' THEN NULL ELSE {_LEGACY.format(text='reason')} END"
    _moved("summary", same, "message", legacy)
    _findings(_text("message"))
    same = 'trace_id, place, check_id, severity, partition, brokers, start, "end", seq, evidence'
    _moved("finding", same, "message", _LEGACY.format(text="text"))


def downgrade() -> None:
    """Forget what was found; it can be found again."""
    op.drop_table("finding")
    op.drop_table("summary")
    _summaries(_text("reason"), _text("reason_zh"))
    op.rename_table("summary_made_anew", "summary")
    _findings(_text("text"), _text("text_zh"))
    op.rename_table("finding_made_anew", "finding")


def _moved(table: str, same: str, new: str, value: str) -> None:
    """Fill the table that was made anew from the old one, and put it in its place."""
    op.execute(
        f"INSERT INTO {table}_made_anew ({same}, {new}) SELECT {same}, {value} FROM {table}"  # noqa: S608 - names of ours
    )
    op.drop_table(table)
    op.rename_table(f"{table}_made_anew", table)


def _summaries(*texts: sa.Column[str]) -> None:
    op.create_table(
        "summary_made_anew",
        *_of_trace(),
        _text("check_id", null=True),
        *texts,
        _number("at", null=True),
        *(_number(name) for name in _COUNTS),
        sa.Column("seen", sa.REAL, nullable=False),
        _text("detail"),
    )


def _findings(*texts: sa.Column[str]) -> None:
    op.create_table(
        "finding_made_anew",
        *_of_trace(),
        _text("check_id"),
        _text("severity"),
        _number("partition", null=True),
        _text("brokers"),
        _number("start"),
        _number("end", null=True),
        _number("seq"),
        *texts,
        _text("evidence"),
    )


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
