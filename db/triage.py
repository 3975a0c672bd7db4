"""What triage shows, as rows: a summary a partition, and the findings."""

import json
from typing import Any, Final

import sqlalchemy as sa

from core.diagnose.summary import PartitionSummary, Spell, Triage
from core.diagnose.verdict import Finding, Severity
from db.tables import FindingRow, SummaryRow, table_of

_SUMMARIES: Final = table_of(SummaryRow)
_FINDINGS: Final = table_of(FindingRow)
_NUMBERS: Final = (
    "reason",
    "reason_zh",
    "at",
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
    "seen",
)
"""Fields that a row and a summary have by the same name."""


def write_triage(connection: sa.Connection, trace_id: int, triage: Triage) -> None:
    """Store both tables of one trace."""
    summaries = [_summary_row(trace_id, one) for one in triage.summaries]
    findings = [_finding_row(trace_id, place, one) for place, one in enumerate(triage.findings)]
    if summaries:
        connection.execute(sa.insert(_SUMMARIES), summaries)
    if findings:
        connection.execute(sa.insert(_FINDINGS), findings)


def read_triage(connection: sa.Connection, trace_id: int) -> Triage | None:
    """What was stored; None where nothing was, as in a document from before."""
    if not sa.inspect(connection).has_table(_SUMMARIES.name):
        return None
    rows = connection.execute(
        sa.select(_SUMMARIES).where(_SUMMARIES.c.trace_id == trace_id).order_by(_SUMMARIES.c.place)
    ).all()
    if not rows:
        return None
    found = connection.execute(
        sa.select(_FINDINGS).where(_FINDINGS.c.trace_id == trace_id).order_by(_FINDINGS.c.place)
    )
    return Triage(tuple(map(_summary, rows)), tuple(map(_finding, found)))


def _summary_row(trace_id: int, one: PartitionSummary) -> dict[str, Any]:
    detail = {
        "findings": dict(one.findings),
        "spells": [[spell.start, spell.end, spell.leader, spell.epoch] for spell in one.spells],
        "marks": [list(mark) for mark in one.marks],
    }
    return {
        "trace_id": trace_id,
        "place": one.partition,
        "check_id": one.check,
        **{name: getattr(one, name) for name in _NUMBERS},
        "detail": json.dumps(detail, separators=(",", ":")),
    }


def _summary(row: Any) -> PartitionSummary:  # noqa: ANN401 - a row of SQLAlchemy has no better type
    detail = json.loads(row.detail)
    return PartitionSummary(
        partition=row.place,
        check=row.check_id,
        **{name: getattr(row, name) for name in _NUMBERS},
        findings=detail["findings"],
        spells=tuple(Spell(*spell) for spell in detail["spells"]),
        marks=tuple((at, check) for at, check in detail["marks"]),
    )


def _finding_row(trace_id: int, place: int, one: Finding) -> dict[str, Any]:
    return {
        "trace_id": trace_id,
        "place": place,
        "check_id": one.check,
        "severity": one.severity.value,
        "partition": one.partition,
        "brokers": json.dumps(one.brokers),
        "start": one.start,
        "end": one.end,
        "seq": one.seq,
        "text": one.text,
        "text_zh": one.text_zh,
        "evidence": json.dumps([int(seq) for seq in one.evidence]),
    }


def _finding(row: Any) -> Finding:  # noqa: ANN401 - as above
    return Finding(
        check=row.check_id,
        severity=Severity(row.severity),
        partition=row.partition,
        brokers=tuple(json.loads(row.brokers)),
        start=row.start,
        end=row.end,
        seq=row.seq,
        text=row.text,
        evidence=tuple(json.loads(row.evidence)),
        text_zh=row.text_zh,
    )
