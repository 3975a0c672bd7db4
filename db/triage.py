"""What triage shows, as rows: a summary a partition, and the findings."""

import json
from functools import lru_cache
from typing import Any, Final

import sqlalchemy as sa

from core.diagnose.verdict.facts import Finding, Severity
from core.diagnose.verdict.summary import PartitionSummary, Spell, Triage, as_known
from core.message import LEGACY, Message
from core.message_json import from_plain, json_of
from db.allowed import check_rows
from db.budgets import (
    MOST_DETAIL_BYTES,
    MOST_EVIDENCE_BYTES,
    MOST_LIST_BYTES,
    MOST_PROSE_BYTES,
    MOST_REPLICAS,
)
from db.shapes import anything, integer, listed, loaded, nothing_or, record, row, word, yes_or_no
from db.tables import FindingRow, PartitionRow, SummaryRow, TraceRow, table_of

_SUMMARIES: Final = table_of(SummaryRow)
_FINDINGS: Final = table_of(FindingRow)
_PARTITIONS: Final = table_of(PartitionRow)
_TRACES: Final = table_of(TraceRow)
_BROKERS: Final = listed(integer(-1, 2**31 - 1), MOST_REPLICAS)
_BOUNDS: Final = ("lost_at_least", "possible_at_least", "uncommitted_at_least")
"""Fields of a summary that documents from before do not have."""
_DETAIL: Final = record(
    {
        "findings": record({}, others=integer(0)),
        "spells": listed(row(integer(), integer(), nothing_or(integer()), nothing_or(integer()))),
        "marks": listed(row(integer(), word)),
    },
    dict.fromkeys(_BOUNDS, yes_or_no),
)
_NUMBERS: Final = (
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
    """Store both tables of one trace, with what a later version had stored there."""
    triage = triage.stored or triage
    summaries = [_summary_row(trace_id, one) for one in triage.summaries]
    findings = [_finding_row(trace_id, place, one) for place, one in enumerate(triage.findings)]
    if summaries:
        connection.execute(sa.insert(_SUMMARIES), summaries)
    if findings:
        connection.execute(sa.insert(_FINDINGS), findings)


def read_triage(connection: sa.Connection, trace_id: int) -> Triage | None:
    """What was stored, as far as this version knows its checks (core.diagnose.verdict.summary.as_known).

    None where nothing was stored, as in a document from before. Raises ValueError.
    """
    if not sa.inspect(connection).has_table(_SUMMARIES.name):
        return None
    for table in (_SUMMARIES, _FINDINGS):
        check_rows(connection, table, trace_id)
    partitions = sa.select(sa.func.count()).select_from(_PARTITIONS).where(_PARTITIONS.c.trace_id == trace_id)
    count = connection.execute(partitions).scalar_one()
    events = connection.execute(sa.select(_TRACES.c.events).where(_TRACES.c.id == trace_id)).scalar_one()
    rows = _rows(connection, _SUMMARIES, trace_id).all()
    if not rows:
        return None
    whole = Triage(
        tuple(_summary(row, count) for row in rows),
        tuple(_finding(row, count, events) for row in _rows(connection, _FINDINGS, trace_id)),
    )
    return as_known(whole)


def _rows(connection: sa.Connection, table: sa.Table, trace_id: int) -> sa.CursorResult[Any]:
    """The rows of a trace with the columns that they have in this version of the document."""
    every = sa.select(sa.text("*")).select_from(table)
    return connection.execute(every.where(table.c.trace_id == trace_id).order_by(table.c.place))


def _summary_row(trace_id: int, one: PartitionSummary) -> dict[str, Any]:
    detail = {
        "findings": dict(one.findings),
        "spells": [[spell.start, spell.end, spell.leader, spell.epoch] for spell in one.spells],
        "marks": [list(mark) for mark in one.marks],
        **{name: True for name in _BOUNDS if getattr(one, name)},
    }
    return {
        "trace_id": trace_id,
        "place": one.partition,
        "check_id": one.check,
        "message": None if one.reason is None else json_of(one.reason),
        **{name: getattr(one, name) for name in _NUMBERS},
        "detail": json.dumps(detail, separators=(",", ":")),
    }


def _summary(row: Any, partitions: int) -> PartitionSummary:  # noqa: ANN401 - a row of SQLAlchemy has no better type
    _check_place(row.place, partitions)
    if row.check_id is not None:
        word(row.check_id, "summary.check_id")
    detail = loaded(row.detail, _DETAIL, "summary.detail", MOST_DETAIL_BYTES)
    for check in detail["findings"]:
        word(check, "summary.detail.findings")
    return PartitionSummary(
        partition=row.place,
        check=row.check_id,
        reason=_reason(row),
        **{name: getattr(row, name) for name in _NUMBERS},
        findings=detail["findings"],
        spells=tuple(Spell(*spell) for spell in detail["spells"]),
        marks=tuple((at, check) for at, check in detail["marks"]),
        **{name: detail.get(name, False) for name in _BOUNDS},
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
        "message": json_of(one.message),
        "evidence": json.dumps([int(seq) for seq in one.evidence]),
    }


def _finding(row: Any, partitions: int, events: int) -> Finding:  # noqa: ANN401 - as above
    if row.partition is not None:
        _check_place(row.partition, partitions)
    word(row.check_id, "finding.check_id")
    integer(0, events - 1)(row.seq, "finding.seq")
    evidence = loaded(row.evidence, listed(integer(0, events - 1)), "finding.evidence", MOST_EVIDENCE_BYTES)
    return Finding(
        check=row.check_id,
        severity=Severity(row.severity),
        partition=row.partition,
        brokers=tuple(loaded(row.brokers, _BROKERS, "finding.brokers", MOST_LIST_BYTES)),
        start=row.start,
        end=row.end,
        seq=row.seq,
        message=_message(row.message, "finding.message")
        if "message" in row._fields
        else _legacy(row.text, row.text_zh),
        evidence=tuple(evidence),
    )


def _reason(row: Any) -> Message | None:  # noqa: ANN401 - as above
    if "message" not in row._fields:
        return _legacy(row.reason, row.reason_zh) if row.reason else None
    return None if row.message is None else _message(row.message, "summary.message")


def _legacy(text: str, text_zh: str) -> Message:
    """What documents have up to version 0005: a sentence in both languages."""
    return Message(LEGACY, (("text", text), ("text_zh", text_zh)))


@lru_cache(maxsize=1_000)
def _message(raw: str, path: str) -> Message:
    """The same is said of thousands of partitions: that a broker stopped."""
    parts = loaded(raw, anything, path, MOST_PROSE_BYTES)
    try:
        return from_plain(parts)
    except ValueError as error:
        message = f"{path} is no message: {error}"
        raise ValueError(message) from error


def _check_place(place: int, partitions: int) -> None:
    if place >= partitions:
        message = f"triage speaks of partition {place}, there are {partitions}"
        raise ValueError(message)
