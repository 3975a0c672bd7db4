"""The session: what is open, the cursor, the selection, and who hears of a change. No window is made."""

from functools import partial

from core.document.lane_order import LaneOrder
from core.picture.marks import Ref
from gui.workspace.edits import AddNote, replicas
from gui.workspace.pinned import PinnedNote
from gui.workspace.session import Session
from gui.workspace.session_changes import SessionChanges
from tests.gui_workspace.given import content_of, trace_of


def test_a_setter_that_changes_nothing_says_nothing() -> None:
    session = Session()
    said: list[str] = []
    session.theme_changed.connect(lambda _: said.append("theme"))
    session.speed_changed.connect(lambda _: said.append("speed"))
    session.position_changed.connect(lambda _: said.append("position"))
    session.set_theme("light")
    session.set_speed(1.0)
    session.set_speed(3.0)
    session.set_position(5)
    assert said == []
    session.set_theme("dark")
    session.set_speed(2.0)
    assert said == ["theme", "speed"]


def test_what_is_open_does_not_have_is_not_selected() -> None:
    session, trace = Session(), trace_of(1, 2)
    session.select(Ref("lane", 0, 1, 1))
    assert session.selection is None

    session.show(content_of(trace), [trace])
    absent = (
        Ref("lane", 0, 3, 3),
        Ref("lane", 1, 1, 1),
        Ref("event", 0, len(trace)),
        Ref("loss", 0, len(trace) + 5),
        Ref("truncation", 0, -1),
        Ref("event", 2, 0),
        Ref("event", 0, 0, broker=3),
        Ref("note", 0, 7),
    )
    for ref in absent:
        session.select(Ref("lane", 0, 1, 1))
        session.select(ref)
        assert session.selection is None, ref
    for ref in (Ref("lane", 0, 2, 2), Ref("event", 0, len(trace) - 1), Ref("event", 0, 0, broker=2)):
        session.select(ref)
        assert session.selection == ref


def test_a_range_lies_in_what_is_open() -> None:
    session, trace = Session(), trace_of(1, 2)
    session.set_range((0, 3))
    assert session.range is None

    session.show(content_of(trace), [trace])
    session.set_range((2, 1_000))
    assert session.range == (2, len(trace))
    session.set_range((-5, None))
    assert session.range == (0, None)


def told_by(session: Session) -> list[str]:
    """What was wrong when each signal was heard: a part that listens to it alone sees just this."""
    wrong: list[str] = []

    def look(name: str, *_told: object) -> None:
        content, selected, marked = session.content, session.selection, session.range
        if selected is not None and not (content and content.has(selected)):
            wrong.append(f"{name}: {selected} is selected")
        if marked is not None and (content is None or max(place or 0 for place in marked) > content.last):
            wrong.append(f"{name}: range {marked}")
        if content is not None and content.runs[0].history.trace not in session.traces:
            wrong.append(f"{name}: content and traces are of two documents")
        if content is not None and session.position > content.last:
            wrong.append(f"{name}: position {session.position} of {content.last}")
        if session.lanes.pinned and not session.lanes.pinned <= set(replicas(session)):
            wrong.append(f"{name}: pinned {session.lanes.pinned} of {replicas(session)}")

    for name in (
        *("path", "triage", "content", "notes", "position", "selection", "range", "window", "lanes"),
        *("drawing", "playing", "undo"),
    ):
        getattr(session, f"{name}_changed").connect(partial(look, name))
    return wrong


def test_whatever_is_told_first_old_and_new_are_never_mixed() -> None:
    """Lanes of broker 7 are pinned in the second document, and broker 3 is selected in the first."""
    session, first, second = Session(), trace_of(1, 2, 3), trace_of(7, 8)
    wrong = told_by(session)
    session.show(content_of(first), [first], path="first.tide", lanes=LaneOrder(pinned=frozenset({3})))
    session.set_position(len(first))
    session.set_range((1, len(first)))
    session.set_window((0, 1_000))
    session.select(Ref("lane", 0, 3, 3))
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, len(first), "kept", 1)))
    session.set_playing(True)

    session.show(content_of(second), [second], path="second.tide", lanes=LaneOrder(pinned=frozenset({7})))
    assert (session.selection, session.range, session.window, session.playing) == (None, None, None, False)
    session.select(Ref("lane", 0, 8, 8))
    session.set_range((0, 2))
    session.close()

    assert (session.selection, session.range, session.window, session.notes) == (None, None, None, ())
    assert wrong == []


def test_what_was_begun_goes_with_what_was_open() -> None:
    session, trace = Session(), trace_of(1, 2)
    session.show(content_of(trace), [trace])
    session.draft, session.tie = PinnedNote(0, 0, 1, "", 0), {0: 1}

    session.close()

    assert session.draft is None
    assert not session.tie


def test_a_selection_that_went_is_told() -> None:
    session, first, second = Session(), trace_of(1, 2, 3), trace_of(1, 2)
    session.show(content_of(first), [first])
    session.select(Ref("lane", 0, 3, 3))
    session.set_window((0, 1_000))
    heard: list[object] = []
    session.selection_changed.connect(heard.append)
    session.window_changed.connect(heard.append)

    session.show(content_of(second), [second])

    assert heard == [None, None]


def test_after_another_way_to_tell_nobody_hears_through_the_former() -> None:
    session = Session()
    before: list[str] = []
    after: list[str] = []
    session.theme_changed.connect(before.append)
    session.tell_through(SessionChanges())
    session.theme_changed.connect(after.append)

    session.set_theme("dark")

    assert (before, after) == ([], ["dark"])


def test_undo_takes_back_and_does_again_in_order() -> None:
    session, trace = Session(), trace_of(1, 2)
    told: list[tuple[bool, bool]] = []
    session.show(content_of(trace), [trace])
    session.undo_changed.connect(told.append)
    for cursor, text in enumerate(("first", "second"), start=1):
        session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, cursor, text, cursor)))

    session.undo.undo()
    assert [note.text for note in session.notes] == ["first"]
    session.undo.undo()
    assert session.notes == ()
    session.undo.undo()
    session.undo.redo()
    assert [note.text for note in session.notes] == ["first"]

    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, 1, "instead", 3)))
    session.undo.redo()
    assert {note.text for note in session.notes} == {"first", "instead"}
    assert (session.undo.count, session.undo.index) == (2, 2)
    assert told == [(True, False), (True, False), (True, True), (False, True), (True, True), (True, False)]
