"""A workspace holds any number of things that are open, and none of them knows of another."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.picture.marks import Ref
from db.document import create, open_document
from gui.workspace.desk import Desk, plain_desk
from gui.workspace.edits import AddNote, replicas
from gui.workspace.jobs import Failure
from gui.workspace.pinned import PinnedNote
from gui.workspace.simulating import PAIR
from gui.workspace.workspace import Workspace
from tests.gui_workspace.given import trace_of
from tests.in_words import in_words

pytestmark = pytest.mark.broad(4)


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    with Workspace() as made:
        yield made


def document(path: Path, *brokers: int) -> str:
    create(path, [trace_of(*brokers)])
    return str(path)


def with_open(workspace: Workspace, path: str) -> Desk:
    desk = workspace.new_desk()
    desk.store.open_groups(((path,),))
    desk.wait()
    return desk


def note(desk: Desk, text: str) -> None:
    session = desk.session
    session.undo.push(AddNote(session, PinnedNote(session.new_key(), 0, 1, text, 1)))


def test_two_documents_are_open_at_once_each_with_its_own_cursor_and_notes(
    workspace: Workspace, tmp_path: Path
) -> None:
    first = with_open(workspace, document(tmp_path / "three.tide", 1, 2, 3))
    second = with_open(workspace, document(tmp_path / "two.tide", 7, 8))
    assert (replicas(first.session), replicas(second.session)) == ((1, 2, 3), (7, 8))
    place = second.session.position

    first.session.set_position(0)
    first.session.select(Ref("lane", 0, 3, 3))
    note(first, "on the first")
    first.wait()

    assert workspace.desks == (first, second)
    assert (second.session.position, second.session.selection, second.session.notes) == (place, None, ())
    assert not second.session.undo.can_undo
    with open_document(tmp_path / "three.tide") as kept:
        assert [one.text for one in kept.notes()] == ["on the first"]
    with open_document(tmp_path / "two.tide") as kept:
        assert kept.notes() == ()


def test_what_is_asked_on_one_desk_drops_no_answer_on_another(workspace: Workspace, tmp_path: Path) -> None:
    paths = [
        document(tmp_path / f"{name}.tide", *brokers) for name, brokers in (("a", (1, 2)), ("b", (3, 4)))
    ]
    desks = [workspace.new_desk() for _ in paths]
    for desk, path in zip(desks, paths, strict=True):
        desk.store.open_groups(((path,),))
    for desk in desks:
        desk.wait()

    assert [replicas(desk.session) for desk in desks] == [(1, 2), (3, 4)]


def test_a_desk_that_is_closed_is_gone_and_the_others_go_on(workspace: Workspace, tmp_path: Path) -> None:
    first = with_open(workspace, document(tmp_path / "a.tide", 1, 2))
    second = with_open(workspace, document(tmp_path / "b.tide", 3, 4))

    workspace.close_desk(first)
    note(second, "after it")
    second.wait()

    assert workspace.desks == (second,)
    with open_document(tmp_path / "b.tide") as kept:
        assert [one.text for one in kept.notes()] == ["after it"]
    with pytest.raises(ValueError, match=r"not in list|x not in"):
        workspace.close_desk(first)


def test_a_comparison_is_opened_at_its_first_difference(workspace: Workspace) -> None:
    desk = workspace.new_desk()
    desk.store.open_simulated("hw-loss", PAIR)
    desk.wait()

    session = desk.session
    assert session.content is not None
    assert session.content.comparison is not None
    assert [run.title for run in session.content.runs] == [f"Kafka {era}" for era in PAIR]
    assert session.position == session.content.landmarks["difference"][0]
    assert len(session.traces) == 3


def test_what_cannot_be_opened_is_told_and_what_was_open_stays(workspace: Workspace, tmp_path: Path) -> None:
    desk = with_open(workspace, document(tmp_path / "a.tide", 1, 2))
    before, failures = desk.session.content, list[Failure]()
    desk.jobs.failed.connect(failures.append)

    desk.store.open_groups(((str(tmp_path / "gone"),),))
    desk.wait()

    assert [in_words(one).what for one in failures] == ["There is no such file or folder"]
    assert desk.session.content is before


def test_what_is_open_is_told_in_another_language_and_the_cursor_stays() -> None:
    desk = plain_desk("zh")
    desk.store.open_simulated("hw-loss", ("0.10.2", "2.8"))
    desk.wait()
    desk.session.set_position(3)
    content = desk.session.content
    desk.store.reword()
    desk.wait()

    assert content is not None
    assert desk.session.content is not content
    assert desk.session.content is not None
    assert any("\u4e00" <= letter <= "\u9fff" for letter in desk.session.content.title)
    assert desk.session.position == 3
    desk.store.close()


def test_what_is_read_without_a_desk_is_open_until_the_workspace_is_closed(tmp_path: Path) -> None:
    paths = [document(tmp_path / "a.tide", 1, 2), document(tmp_path / "b.tide", 3, 4)]
    with Workspace() as workspace:
        read = [workspace.read([path]) for path in paths]
        assert workspace.sources == tuple(read)
        assert [len(thing.traces) for thing in read] == [1, 1]
    assert workspace.sources == ()
