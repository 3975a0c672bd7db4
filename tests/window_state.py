"""What a window is in: whether its parts fit together, and all of it as one text to be compared."""

from collections.abc import Iterator
from dataclasses import fields

from PySide6.QtWidgets import QApplication

from core.document.lane_order import LaneOrder
from core.picture.marks import Ref
from gui.actions import ACTIONS, is_enabled
from gui.text.spoken import language
from gui.window.main_window import MainWindow
from gui.workspace.content import Content
from tests.by_hand import parts_of


def inconsistencies(window: MainWindow) -> Iterator[str]:
    """What of the window does not fit together now."""
    session, content = window.session, window.session.content
    for spec in ACTIONS:
        if window.actions_[spec.id].isEnabled() != is_enabled(spec, session):
            yield f"{spec.id} is {'' if window.actions_[spec.id].isEnabled() else 'not '}enabled"
    yield from _of_tabs(window)
    if len({note.key for note in session.notes}) != len(session.notes):
        yield "two notes have one key"
    if content is None:
        left = (session.position, session.selection, session.range, session.window, session.notes)
        if left != (0, None, None, None, ()) or session.playing or session.undo.count:
            yield f"nothing is open, and there is {left}"
        return
    if not 0 <= session.position <= content.last or session.cursors != content.cursors(session.position):
        yield f"position {session.position} of {content.last} has cursors {session.cursors}"
    if session.range is not None:
        first, last = session.range
        if not 0 <= first < (content.last + 1 if last is None else last) <= content.last + 1:
            yield f"range {session.range} in 0 to {content.last}"
    if session.window is not None and session.window[0] >= session.window[1]:
        yield f"window {session.window}"
    yield from _of_another_content(window, content)
    places = [session.note_position(note) for note in session.notes]
    known = [place for place in places if place is not None]
    if known != sorted(known) or places[: len(known)] != known:
        yield f"notes stand at {places}"


def _of_tabs(window: MainWindow) -> Iterator[str]:
    """What tabs say, and the session and the row of tabs do not."""
    now, content = window.tabs.open, window.session.content
    if (now.here is None) != (content is None):
        yield f"{now.current} is in front of {len(now.tabs)} tabs, and open is {content and content.title}"
    if window.tab_row.isHidden() != (len(now.tabs) < 2):
        yield f"the row of {len(now.tabs)} tabs is {'hidden' if window.tab_row.isHidden() else 'shown'}"
    if window.tab_row.keys != tuple(tab.key for tab in now.tabs):
        yield f"the row of tabs has {window.tab_row.keys}, open are {[tab.key for tab in now.tabs]}"
    if {tab.source for tab in now.tabs} != set(now.sources):
        yield f"sources {sorted(now.sources)} of tabs of {[tab.source for tab in now.tabs]}"
    for tab in now.tabs:
        front = tab is now.here
        held = now.sources[tab.source].held
        of_front = now.here is not None and tab.source == now.here.source
        if (tab.looked is None) != front or (held is None) != of_front:
            yield f"tab {tab.key} of {now.current} has {tab.looked is not None}, {held is not None}"
    alone = content if content is not None and content.comparison is None else None
    if now.here is not None and alone is not None and now.here.label.what != alone.partition:
        yield f"the tab in front is called {now.here.label.what}, and {alone.partition} is open"


def _of_another_content(window: MainWindow, content: Content) -> Iterator[str]:
    """What names a run, a broker, an event or a partition that is not in what is open."""
    session, panel = window.session, window.finder.panel
    selected, draft = session.selection, session.draft
    if selected is not None and not _is_in(content, selected):
        yield f"selected {selected} of {[tuple(run.history.replicas) for run in content.runs]}"
    if selected is not None and selected.kind == "note" and session.note(selected.key) is None:
        yield f"selected {selected} of {session.notes}"
    for run in content.runs:
        trace = run.history.trace
        if all(trace is not one for one in session.traces):
            yield f"{trace.name} is shown, and it is not what was opened"
        if not 0 <= run.history.partition < len(trace.partitions):
            yield f"partition {run.history.partition} of {len(trace.partitions)}"
    runs = len(content.runs)
    if draft is not None and not 0 <= draft.run < runs:
        yield f"a note is begun on {draft} of {runs} runs"
    if session.tie and not set(session.tie) <= set(range(runs)):
        yield f"a tie is begun with {session.tie} of {runs} runs"
    named = [(hit.run, hit.seq) for hit in panel.hits]
    if window.evidence.isVisible():
        named += [(row.run, row.seq) for row in window.evidence.rows]
    for run, seq in named:
        if not _is_in(content, Ref("event", run, seq or 0)):
            yield f"event {seq} of run {run} is listed"
    canvas = window.stage.canvas
    marks = canvas.picture.marks() if canvas.picture is not None and canvas.answers else ()
    refs = (getattr(mark, "ref", None) for mark in marks)
    strange = [ref for ref in refs if ref is not None and not _is_in(content, ref)]
    if strange:
        yield f"the timeline shows {strange}"


def _is_in(content: Content, ref: Ref) -> bool:
    """Told apart from the session, which has its own rule for it."""
    if not 0 <= ref.run < len(content.runs):
        return False
    history = content.runs[ref.run].history
    if ref.kind in ("event", "loss", "truncation"):
        return 0 <= ref.key < len(history.trace)
    return ref.kind != "lane" or any(ref.broker == broker for broker in history.replicas)


def state_of(window: MainWindow) -> str:
    """All that a person could see or change, as one text: two windows of one text are in one state."""
    session, content = window.session, window.session.content
    held: tuple[object, ...] = (
        None if content is None else (content.title, content.partition, content.last, content.ties),
        *(session.position, session.selection, session.range, session.window),
        *(_sorted(session.lanes), session.drawing, session.notes, session.draft, dict(session.tie)),
        *(session.playing, session.speed, session.theme, session.scenario.text, session.triage is None),
        *(session.undo.count, session.undo.index, language()),
    )
    focus = QApplication.focusWidget()
    parts = [
        (type(one).__name__, one.objectName(), one.accessibleName(), one.geometry().getRect())
        for one in parts_of(window)
    ]
    looks = (window.inspector.text(), window.notices.text(), window.note_editor.writing())
    return "\n".join(map(str, (*held, type(focus).__name__, *looks, *parts)))


def _sorted(lanes: LaneOrder) -> str:
    """How lanes stand, in words that do not depend on the order of sets."""
    told = {one.name: getattr(lanes, one.name) for one in fields(lanes)}
    return str({name: sorted(one) if isinstance(one, frozenset) else one for name, one in told.items()})


def undone_and_redone(window: MainWindow) -> Iterator[str]:
    """Whether the notes are the same after everything was undone and done again."""
    undo, before = window.session.undo, window.session.notes
    done = undo.index
    while undo.can_undo:
        undo.undo()
    while undo.index < done:
        undo.redo()
    if window.session.notes != before:
        yield f"after undo and redo {window.session.notes}, before {before}"
