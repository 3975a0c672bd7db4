"""Where a note, an arrow or a tie belongs that is begun now: what is selected, marked, or at the cursor."""

from core.picture.notes import NoteKind
from gui.workspace.content import EVENTS
from gui.workspace.pinned import PinnedNote
from gui.workspace.session import Session


def event_here(session: Session) -> tuple[int, int, int | None] | None:
    """Run, cursor and lane of the selected event, or of the last one before the cursor."""
    content, selected = session.content, session.selection
    if content is None:
        return None
    if selected is not None and selected.kind in EVENTS:
        return selected.run, selected.key + 1, lane_of(session, selected.run, selected.key)
    for run, _, now in content.moved(session.position):
        return run, now, lane_of(session, run, now - 1)
    return None


def lane_of(session: Session, run: int, seq: int) -> int | None:
    """The broker in whose lane an event stands; None where it concerns the whole partition."""
    if session.content is None:
        return None
    history = session.content.runs[run].history
    event = history.trace.event(seq)
    told = (event.get("replica"), event.get("broker"))
    return next((broker for broker in told if broker in history.replicas), None)


def anchor_place(session: Session) -> tuple[int, int]:
    """The run and cursor that a note is tied to: a run that moved here, so that it comes back here."""
    content = session.content
    if content is None:
        return 0, 0
    moved = [run for run, _, _ in content.moved(session.position)]
    selected = session.selection
    run = selected.run if selected is not None and selected.run in moved else (moved or [0])[0]
    return run, session.cursors[run]


def draft_here(session: Session) -> PinnedNote | None:
    """A note without words on the selected lane or event, on the marked range, else at the cursor."""
    content, selected, marked = session.content, session.selection, session.range
    if content is None:
        return None
    if selected is not None and selected.kind == "lane":
        return PinnedNote(0, selected.run, 0, "", 0, broker=selected.broker, kind=NoteKind.LANE)
    if marked is not None and marked[1] is not None:
        pairs = list(zip(content.cursors(marked[0]), content.cursors(marked[1]), strict=True))
        # In a comparison the run that moved in between.
        run = next((run for run, (first, last) in enumerate(pairs) if first < last), 0)
        return PinnedNote(0, run, pairs[run][0], "", 0, kind=NoteKind.RANGE, end=pairs[run][1])
    if selected is not None and selected.kind in EVENTS:
        lane = lane_of(session, selected.run, selected.key)
        return PinnedNote(0, selected.run, selected.key + 1, "", 0, broker=lane)
    run, cursor = anchor_place(session)
    return PinnedNote(0, run, cursor, "", 0)


def is_begun_arrow(session: Session) -> bool:
    """Whether an arrow was begun and has no end yet."""
    return session.draft is not None and session.draft.kind == NoteKind.ARROW and session.draft.end is None
