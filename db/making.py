"""Write a new document: whole or not at all, where the caller owns its place."""

import json
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from core.diagnose.verdict.summary import Triage
from core.document.lane_order import LaneOrder
from core.errors import DocumentError
from core.leftovers import staging
from core.message import message
from core.trace.digest import content_digest
from core.trace.trace import Trace
from core.work import Work
from db.chunks import write_chunks
from db.dictionaries import write_dictionaries
from db.engine import make, make_tables, told
from db.lanes import write_lanes
from db.lines import write_lines
from db.notes import Note, write_note
from db.owner import put
from db.tables import DocumentRow, TraceRow, table_of
from db.ties import Tie, write_ties
from db.triage import write_triage

_TRACES: Final = table_of(TraceRow)


def make_owned(
    target: Path,
    traces: Sequence[Trace],
    *,
    notes: Sequence[Note],
    ties: Sequence[Tie],
    lanes: LaneOrder,
    found: Sequence[Triage | None],
    replace: bool,
    work: Work,
) -> tuple[Note, ...]:
    """As `create`, where the caller owns `target` (db.owner.owned) already."""
    with told(target, "written"), staging(target) as part:
        part.touch()
        stored = _write(part, traces, (notes, ties, lanes), found, work)
        refuse_existing(target, replace=replace)
        put(part, target)
    return stored


def refuse_existing(target: Path, *, replace: bool) -> None:
    """Raise DocumentError where something stands at `target` that may not be replaced."""
    try:
        there, folder = target.exists(), target.is_dir()
    except OSError:
        return  # Writing will say why, with the same words as for any other place that cannot be reached.
    if folder:
        raise DocumentError(message("error.document.on-folder"), where=str(target))
    if there and not replace:
        raise DocumentError(
            message("error.document.exists"),
            where=str(target),
            advice=message("error.document.exists.way-out"),
        )


def _write(
    part: Path,
    traces: Sequence[Trace],
    added: tuple[Sequence[Note], Sequence[Tie], LaneOrder],
    found: Sequence[Triage | None],
    work: Work,
) -> tuple[Note, ...]:
    engine = make(part)
    total = sum(map(len, traces))
    done = 0
    try:
        work.step(0, total, message("progress.document"))
        make_tables(engine)
        with engine.begin() as connection:
            connection.execute(sa.insert(DocumentRow).values(made_by=_program(), made_ns=time.time_ns()))
            for place, trace in enumerate(traces, start=1):
                before = done
                connection.execute(
                    sa.insert(_TRACES).values(
                        id=place,
                        name=trace.name,
                        origin=str(trace.origin),
                        events=len(trace),
                        digest=content_digest(trace),
                        report=json.dumps(dict(trace.report)),
                    ),
                )
                write_dictionaries(connection, place, trace)
                write_chunks(
                    connection,
                    place,
                    trace,
                    lambda rows, before=before: work.step(before + rows, total, message("progress.document")),
                )
                write_lines(connection, place, trace.lines)
                done += len(trace)
            for place, triage in enumerate(found, start=1):
                if triage is not None:
                    write_triage(connection, place, triage)
            notes, ties, lanes = added
            stored = tuple(write_note(connection, note) for note in notes)
            write_ties(connection, ties)
            write_lanes(connection, lanes)
        return stored
    finally:
        engine.dispose()


def _program() -> str:
    try:
        return f"tidegauge {version('tidegauge')}"
    except PackageNotFoundError:
        return "tidegauge"
