"""Put a trace that was read again, with more logs, in the place of the one that a document holds."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.diagnose.verdict.summary import Triage
from core.errors import QuestionError
from core.message import Listing, message
from core.trace.trace import Trace
from core.work import QUIET, Work
from db.anchors import Anchor, resolve
from db.document import Identity, open_document
from db.engine import told
from db.making import make_owned
from db.notes import Note
from db.owner import owned, real
from db.ties import Tie


def rebuild(
    path: str | Path,
    trace: Trace,
    work: Work = QUIET,
    *,
    found: Triage | None = None,
    expected: Identity | None = None,
) -> tuple[Note, ...]:
    """Replace the trace of that name, and keep the other traces, notes, ties, lanes. `found` is its triage.

    Notes of a later version stay as any other. Its findings on the replaced trace go with it: they tell of
    events by their Seqs, which are others now.

    Written as `create` writes: whole or not at all. A note on a line of a file that has grown since moves to
    the grown file, if that has the same line there. Gives the notes whose evidence is not in the new trace:
    they are kept too, and listed as unresolved. `expected` is as for `open_document`. Nobody else writes the
    document between reading and replacing it. Raises QuestionError, DocumentError, CancelledError.
    """
    target = real(path)
    with told(target, "written"), owned(target):
        return _rebuild(target, trace, found, expected, work)


def _rebuild(
    target: Path, trace: Trace, found: Triage | None, expected: Identity | None, work: Work
) -> tuple[Note, ...]:
    with open_document(target, expected=expected) as document:
        names = [info.name for info in document.infos()]
        if trace.name not in names:
            raise QuestionError(
                message("error.document.no-trace", name=trace.name),
                where=str(target),
                advice=message("error.choose-from", names=Listing(tuple(names))),
            )
        before = document.trace(trace.name)
        traces = [trace if name == trace.name else document.trace(name) for name in names]
        triages = [found if name == trace.name else document.triage(name) for name in names]
        moved = _moved(before, trace)
        notes = tuple(
            replace(note, anchor=moved(note.anchor), end=moved(note.end) if note.end else None)
            if note.trace_name == trace.name
            else note
            for note in (*document.notes(), *document.later_notes())
        )
        ties = tuple(
            Tie(tuple((name, moved(end) if name == trace.name else end) for name, end in tie.ends))
            for tie in document.ties()
        )
        lanes = document.lanes()
    make_owned(target, traces, notes=notes, ties=ties, lanes=lanes, found=triages, replace=True, work=work)
    return tuple(
        note
        for note in notes
        if note.is_known and note.trace_name == trace.name and resolve(trace, note.anchor) is None
    )


def _moved(before: Trace, after: Trace) -> Callable[[Anchor], Anchor]:
    """Where an anchor of `before` is in `after`: the same, or at the same line of the file that has grown."""
    digests = {source.sha256 for source in after.sources}
    known = {source.sha256: number for number, source in enumerate(before.sources)}
    said = {(line.source, line.byte): line.text for line in before.lines}
    says = {(line.source, line.byte): line.text for line in after.lines}

    def move(anchor: Anchor) -> Anchor:
        if anchor.key in digests or anchor.key not in known:
            return anchor
        number = known[anchor.key]
        text = said.get((number, anchor.position))
        for place, source in enumerate(after.sources):
            grown = _same_file(source.path, before.sources[number].path)
            if grown and text is not None and says.get((place, anchor.position)) == text:
                return replace(anchor, key=source.sha256)
        return anchor

    return move


def _same_file(one: str, other: str) -> bool:
    """Whether two paths end alike: a source gets a longer path when it is read beside others."""
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
