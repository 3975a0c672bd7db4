"""A file or folder gets its name in one step, after its bytes are on the disk."""

import os
from pathlib import Path

import pytest

from core import placing
from core.errors import DocumentError, because
from core.leftovers import staging
from core.placing import exchange, put_file, put_folder
from core.state_folder import STATE
from core.sweeping import sweep
from tests.killed import killed


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STATE, str(tmp_path_factory.mktemp("state")))


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is synced and renamed from now on, in order: the names that things have then."""
    seen: list[str] = []
    sync, rename = os.fsync, os.rename

    def synced(handle: int) -> None:
        seen.append(f"sync {Path(f'/proc/self/fd/{handle}').readlink().name}")
        sync(handle)

    def renamed(old: str, new: str) -> None:
        seen.append(f"rename {Path(old).name} {Path(new).name}")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "rename", renamed)
    monkeypatch.setattr(os, "replace", renamed)
    return seen


def test_a_file_is_synced_before_it_is_renamed_and_its_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part").write_text("new")
    seen = watched(monkeypatch)

    put_file(tmp_path / "part", tmp_path / "a.svg")

    assert seen == ["sync part", "rename part a.svg", f"sync {tmp_path.name}"]


def test_all_of_a_folder_is_synced_before_it_is_renamed_and_what_it_is_in_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part" / "inner").mkdir(parents=True)
    (tmp_path / "part" / "inner" / "file").touch()
    seen = watched(monkeypatch)

    put_folder(tmp_path / "part", tmp_path / "X", lambda _: None)

    assert set(seen[:3]) == {"sync part", "sync inner", "sync file"}
    assert seen[3:] == ["rename part X", f"sync {tmp_path.name}"]


def folders(place: Path) -> None:
    (place / "X" / "old").mkdir(parents=True)
    (place / "part" / "new").mkdir(parents=True)


@pytest.mark.parametrize("exchanging", [True, False])
def test_a_folder_takes_the_place_of_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, exchanging: bool
) -> None:
    if not exchanging:
        monkeypatch.setattr(placing, "exchange", lambda *_: False)
    folders(tmp_path)
    checked: list[set[str]] = []

    put_folder(tmp_path / "part", tmp_path / "X", lambda former: checked.append(names(former)))

    assert checked == [{"old"}]
    assert names(tmp_path) == {"X"}
    assert names(tmp_path / "X") == {"new"}


@pytest.mark.parametrize("exchanging", [True, False])
def test_a_folder_that_may_not_be_removed_stands_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, exchanging: bool
) -> None:
    if not exchanging:
        monkeypatch.setattr(placing, "exchange", lambda *_: False)
    folders(tmp_path)

    def refuse(_: Path) -> None:
        raise DocumentError(because("It holds a user's files"))

    with pytest.raises(DocumentError):
        put_folder(tmp_path / "part", tmp_path / "X", refuse)

    assert names(tmp_path / "X") == {"old"}
    assert names(tmp_path / "part") == {"new"}
    assert names(tmp_path) == {"X", "part"}


def test_two_folders_change_their_names_in_one_step(tmp_path: Path) -> None:
    folders(tmp_path)

    assert exchange(tmp_path / "part", tmp_path / "X")

    assert names(tmp_path / "X") == {"new"}
    assert names(tmp_path / "part") == {"old"}


def test_what_is_not_there_cannot_be_exchanged(tmp_path: Path) -> None:
    (tmp_path / "X").mkdir()

    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "none", tmp_path / "X")


REPLACE = """
from pathlib import Path
from core import placing
from core.leftovers import staging
target = Path({target!r})
exchange = placing.exchange
def before(*_):
    die()
def after(one, other):
    assert exchange(one, other)
    die()
def syncing(folder):
    if folder == target.parent:
        die()
if {at!r} == "discard":
    placing.discard = die
elif {at!r} == "sync_folder":
    placing.sync_folder = syncing
else:
    placing.exchange = {at}
with staging(target) as part:
    (part / "new").mkdir(parents=True)
    placing.put_folder(part, target, lambda former: None)
"""


@pytest.mark.parametrize(
    ("at", "expected"), [("before", "old"), ("after", "new"), ("discard", "new"), ("sync_folder", "new")]
)
def test_a_folder_that_is_replaced_stands_at_every_moment_old_or_new(
    tmp_path: Path, at: str, expected: str
) -> None:
    (tmp_path / "X" / "old").mkdir(parents=True)

    killed(REPLACE.format(target=str(tmp_path / "X"), at=at))

    assert names(tmp_path / "X") == {expected}, "at once, with nothing put back"
    sweep()
    assert names(tmp_path) == {"X"}
    assert names(tmp_path / "X") == {expected}


def test_of_two_that_write_one_file_at_once_the_last_stands_and_both_are_well(tmp_path: Path) -> None:
    target = tmp_path / "a.svg"
    with staging(target) as one:
        one.write_text("one")
        with staging(target) as other:
            other.write_text("other")
            put_file(other, target)
        assert target.read_text() == "other"
        put_file(one, target)

    assert target.read_text() == "one"
    assert names(tmp_path) == {"a.svg"}
