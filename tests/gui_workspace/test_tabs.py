"""What is open side by side: values and one function on them, and what a session has after each deed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.kafka.eras import era
from core.picture.marks import Ref
from core.sim.library import scenario
from db.document import create, open_document
from gui.workspace import requests
from gui.workspace.desk import Desk, plain_desk
from gui.workspace.edits import AddNote
from gui.workspace.one_or_two import Question
from gui.workspace.pinned import PinnedNote
from gui.workspace.simulating import Asked
from gui.workspace.stamps import stamp_of
from gui.workspace.store import APART
from gui.workspace.tabs import Ask, Begin, Choose, Close, Label, Move, Open, Reopen, Tell, after
from tests.gui_workspace.given import trace_of

pytestmark = pytest.mark.broad(3)


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = plain_desk()
    yield made
    made.close()


def opened(*names: str) -> Open:
    """Tabs with these names, each of a source of its own; the last one is in front."""
    now = Open()
    for name in names:
        now = after(after(now, Begin()), Tell(Label(name)))
    return now


def names(now: Open) -> list[str]:
    return [tab.label.what for tab in now.tabs]


def key(now: Open, name: str) -> int:
    return next(tab.key for tab in now.tabs if tab.label.what == name)


def document(path: Path, *brokers: int) -> str:
    create(path, [trace_of(*brokers)])
    return str(path)


def show(desk: Desk, path: str) -> int:
    """Open a document; gives the key of its tab."""
    desk.store.open_groups(((path,),))
    desk.wait()
    return desk.tabs.open.current


def note(desk: Desk, text: str) -> None:
    session = desk.session
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, 1, text, 1)))


def test_a_new_tab_stands_behind_the_one_in_front() -> None:
    now = opened("a", "b", "c")
    now = after(now, Choose(key(now, "a")))
    now = after(after(now, Begin()), Tell(Label("new")))
    assert names(now) == ["a", "new", "b", "c"]
    assert now.here is not None
    assert now.here.label.what == "new"
    assert len(set(now.sources)) == 4


def test_a_tab_of_the_same_source_shares_it() -> None:
    now = after(opened("a"), Begin(same=True))
    assert len(now.tabs) == 2
    assert len({tab.source for tab in now.tabs}) == len(now.sources) == 1


def test_steps_go_round_about() -> None:
    now = opened("a", "b", "c")
    assert [now.stepped(step) for step in (-1, 1, 2)] == [
        key(now, "b"),
        key(now, "a"),
        key(now, "b"),
    ]
    assert Open().stepped(1) == 0


@pytest.mark.parametrize(
    ("name", "to", "order"),
    [
        ("a", 2, ["b", "c", "a"]),
        ("c", 0, ["c", "a", "b"]),
        ("b", 9, ["a", "c", "b"]),
        ("b", -3, ["b", "a", "c"]),
    ],
)
def test_a_tab_is_moved(name: str, to: int, order: list[str]) -> None:
    now = opened("a", "b", "c")
    moved = after(now, Move(key(now, name), to))
    assert names(moved) == order
    assert moved.current == now.current


def test_the_next_one_comes_when_one_is_closed_and_the_one_before_at_the_end() -> None:
    now = opened("a", "b", "c")
    assert now.neighbour(key(now, "b")) == key(now, "c")
    assert now.neighbour(key(now, "c")) == key(now, "b")
    assert opened("a").neighbour(1) == 0


def test_what_was_closed_comes_back_where_it_stood_the_last_one_first() -> None:
    now = opened("a", "b", "c")
    now = after(after(now, Close(key(now, "a"))), Close(key(now, "b")))
    assert (names(now), [shut.tab.label.what for shut in now.closed]) == (["c"], ["a", "b"])
    now = after(now, Reopen())
    assert names(now) == ["b", "c"]
    now = after(now, Reopen())
    assert names(now) == ["a", "b", "c"]
    assert (now.closed, after(now, Reopen())) == ((), now)


def test_a_source_goes_with_its_last_tab() -> None:
    now = after(after(opened("a"), Begin(same=True)), Tell(Label("again")))
    one = after(now, Close(key(now, "again")))
    assert set(one.sources) == set(now.sources)
    assert not after(one, Close(key(one, "a"))).sources


def test_a_deed_on_a_tab_that_is_not_open_changes_nothing() -> None:
    now = opened("a")
    question = Question("b", False, ())
    assert [after(now, deed) for deed in (Choose(99), Close(99), Move(99, 0), Ask(99, question))] == [now] * 4


def test_a_second_document_stands_beside_the_first_which_stays_as_it_was(desk: Desk, tmp_path: Path) -> None:
    first = show(desk, document(tmp_path / "three.tide", 1, 2, 3))
    session = desk.session
    session.set_position(1)
    session.select(Ref("lane", 0, 3, 3))
    session.set_window((5, 1_000))
    note(desk, "on the first")
    content, traces = session.content, session.traces

    second = show(desk, document(tmp_path / "two.tide", 7, 8))
    assert (session.notes, session.selection, session.window) == ((), None, None)
    assert not session.undo.can_undo

    desk.tabs.choose(first)
    assert session.content is content
    assert session.traces is traces
    assert (session.position, session.selection, session.window) == (1, Ref("lane", 0, 3, 3), (5, 1_000))
    assert [one.text for one in session.notes] == ["on the first"]
    session.undo.undo()
    desk.wait()
    assert not session.notes
    with open_document(tmp_path / "three.tide") as stored:
        assert stored.notes() == ()
    desk.tabs.choose(second)
    assert str(session.path).endswith("two.tide")


def test_each_note_goes_into_the_document_of_its_tab(desk: Desk, tmp_path: Path) -> None:
    first = show(desk, document(tmp_path / "a.tide", 1, 2))
    show(desk, document(tmp_path / "b.tide", 1, 2))
    note(desk, "on b")
    desk.tabs.choose(first)
    note(desk, "on a")
    desk.wait()
    for name in ("a", "b"):
        with open_document(tmp_path / f"{name}.tide") as stored:
            assert [one.text for one in stored.notes()] == [f"on {name}"]


def test_a_closed_document_can_be_written_by_others_and_comes_back(desk: Desk, tmp_path: Path) -> None:
    path = document(tmp_path / "a.tide", 1, 2)
    first = show(desk, path)
    note(desk, "kept")
    show(desk, document(tmp_path / "b.tide", 1, 2))
    desk.tabs.close(first)
    desk.wait()
    desk.jobs.in_thread("turn", requests.Reword(desk.session.content, "en"), lambda _: None)  # pyright: ignore[reportArgumentType]
    desk.jobs.wait_for("turn")
    with open_document(tmp_path / "a.tide", write=True) as other:
        assert [one.text for one in other.notes()] == ["kept"]
    assert desk.tabs.reopen()
    assert desk.session.path == path
    note(desk, "again")
    desk.wait()
    with open_document(tmp_path / "a.tide") as stored:
        assert [one.text for one in stored.notes()] == ["kept", "again"]


def test_two_tabs_of_one_document_have_the_same_notes(desk: Desk, tmp_path: Path) -> None:
    first = show(desk, document(tmp_path / "a.tide", 1, 2))
    desk.session.set_position(1)
    assert desk.tabs.duplicate()
    desk.session.set_position(0)
    note(desk, "once")
    desk.tabs.choose(first)
    assert (desk.session.position, [one.text for one in desk.session.notes]) == (1, ["once"])
    desk.wait()
    with open_document(tmp_path / "a.tide") as stored:
        assert [one.text for one in stored.notes()] == ["once"]


def simulate(desk: Desk, name: str) -> int:
    """Run a script in the place of what is in front, if that was simulated, too; gives the key of its tab."""
    desk.store.simulate(Asked(scenario(name), (era("0.10.2"),)))
    desk.wait()
    return desk.tabs.open.current


def held(desk: Desk) -> tuple[str, list[str]]:
    """The title of what is in front, and its notes, each of which is within its run."""
    session = desk.session
    assert session.content is not None
    assert all(note.cursor is not None and note.cursor <= len(session.traces[0]) for note in session.notes)
    return session.content.title, [note.text for note in session.notes]


def note_at_the_end(desk: Desk, text: str) -> None:
    session = desk.session
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, len(session.traces[0]), text, 1)))


@pytest.mark.parametrize("shut", [False, True], ids=["open", "shut"])
def test_a_run_in_the_place_of_one_tab_leaves_the_others_theirs(*, shut: bool, desk: Desk) -> None:
    """The monkey: a note at the end of the longer run was beyond the end of the run in the other tab."""
    first = simulate(desk, "acks")
    note(desk, "of both")
    before = held(desk)
    assert desk.tabs.duplicate()
    second = desk.tabs.open.current
    if shut:
        desk.tabs.close(first)

    assert simulate(desk, "elections") == second
    note_at_the_end(desk, "of the longer run")
    longer = held(desk)
    if shut:
        assert desk.tabs.reopen()
    else:
        desk.tabs.choose(first)

    assert held(desk) == before == (before[0], ["of both"])
    desk.session.undo.undo()
    assert held(desk) == (before[0], [])
    desk.tabs.choose(second)
    assert held(desk) == longer
    assert longer[1] == ["of the longer run"]
    assert len(desk.tabs.open.sources) == 2


def test_a_note_that_was_removed_in_another_tab_is_not_selected_any_more(desk: Desk, tmp_path: Path) -> None:
    first = show(desk, document(tmp_path / "a.tide", 1, 2))
    session = desk.session
    note(desk, "one")
    session.select(Ref("note", 0, session.notes[0].key))
    assert desk.tabs.duplicate()
    session.undo.undo()
    desk.tabs.choose(first)
    assert (session.notes, session.selection) == ((), None)


def test_only_notes_that_are_nowhere_else_are_lost(desk: Desk, tmp_path: Path) -> None:
    saved = show(desk, document(tmp_path / "a.tide", 1, 2))
    note(desk, "in the document")
    assert desk.tabs.losing(saved) is None
    (trace,) = desk.session.traces
    # Runs without a document, as an import or a comparison is.
    desk.store.compare((requests.Side("t-0", trace), requests.Side("t-0", trace_of(4, 5))))
    desk.wait()
    compared = desk.tabs.open.current
    assert desk.tabs.losing(compared) is None
    note(desk, "nowhere")
    assert desk.tabs.losing(compared) == 1
    desk.tabs.choose(saved)
    assert (desk.tabs.losing(saved), desk.tabs.losing(compared)) == (None, 1)
    # A run put beside it takes the notes along: the document has them still.
    desk.store.open_groups(((document(tmp_path / "b.tide", 7, 8),),), beside=True)
    desk.wait()
    assert [one.text for one in desk.session.notes] == ["in the document"]
    assert desk.session.unsaved
    assert desk.tabs.losing(desk.tabs.open.current) is None


def test_partitions_of_tabs_stand_beside_one_another_and_nothing_is_read(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(desk, document(tmp_path / "a.tide", 1, 2))
    first = desk.session.traces[0]
    show(desk, document(tmp_path / "b.tide", 7, 8))
    second = desk.session.traces[0]

    def read(*_: object) -> None:
        pytest.fail("read again")

    monkeypatch.setattr(requests.OpenDocument, "answer", read)
    monkeypatch.setattr(requests.Import, "answer", read)
    desk.store.compare((requests.Side("t-0", first), requests.Side("t-0", second)))
    desk.wait()
    content = desk.session.content
    assert content is not None
    assert content.comparison is not None
    assert [
        run.history.trace.columns is one.columns
        for run, one in zip(content.runs, (first, second), strict=True)
    ] == [
        True,
        True,
    ]
    assert [tab.label.compared for tab in desk.tabs.open.tabs] == [False, False, True]
    desk.store.take_apart((first,), lambda found: [desk.tabs.add(one) for one in found])
    desk.jobs.wait_for(APART)
    assert desk.session.content is content
    assert len(desk.tabs.open.tabs) == 4


def test_what_is_open_is_found_by_its_stamp_until_it_changes_on_the_disk(desk: Desk, tmp_path: Path) -> None:
    path = document(tmp_path / "a.tide", 1, 2)
    first = show(desk, path)
    assert not desk.tabs.go_to_stamp(stamp_of((path,))), "who opens what is in front wants it read again"
    show(desk, document(tmp_path / "b.tide", 1, 2))
    assert desk.tabs.go_to_stamp(stamp_of((path,)))
    assert desk.tabs.open.current == first
    log = tmp_path / "server.log"
    log.write_text("one")
    before = stamp_of((str(log),))
    assert before == stamp_of((str(log),))
    log.write_text("one and more")
    assert stamp_of((str(log),)) != before
    assert stamp_of((str(tmp_path / "none"),)) == ""


def test_closing_the_last_one_leaves_nothing_open(desk: Desk, tmp_path: Path) -> None:
    key = show(desk, document(tmp_path / "a.tide", 1, 2))
    desk.tabs.close(key)
    assert (desk.session.content, desk.tabs.open.tabs, desk.tabs.open.current) == (None, (), 0)
    assert desk.tabs.reopen()
    assert desk.session.path.endswith("a.tide")


def test_whatever_is_done_with_tabs_is_told(desk: Desk, tmp_path: Path) -> None:
    """The row shows what was told last: the next tab may say of itself what it said before."""
    told: list[Open] = []
    desk.tabs.changed.connect(told.append)
    first = show(desk, document(tmp_path / "a.tide", 1, 2))
    second = show(desk, document(tmp_path / "b.tide", 1, 2))
    for deed in (
        lambda: desk.tabs.choose(first),
        desk.tabs.duplicate,
        lambda: desk.tabs.close(first),
        lambda: desk.tabs.close(second),
        desk.tabs.reopen,
        lambda: desk.tabs.step(1),
        lambda: desk.tabs.close(desk.tabs.open.current),
    ):
        deed()
        assert told[-1] is desk.tabs.open
