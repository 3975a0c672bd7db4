"""What a process writes down, and what the next start makes of it when the process was killed."""

import shutil
from pathlib import Path

import pytest

from core import leftovers
from core.file_lock import take
from core.leftovers import enter, scratch_folder, staging
from core.state_folder import STATE, is_anything_made, making_folder, state_folder
from core.sweeping import adopt, clean, discard_document, found_documents, stays, sweep
from tests.core.conftest import DIGITS, names, registered
from tests.killed import killed

pytestmark = [pytest.mark.broad(3), pytest.mark.usefixtures("state")]


# What is written down, and when.


def test_what_is_staged_is_written_down_before_it_exists_and_forgotten_at_the_end(place: Path) -> None:
    with staging(place / "a.svg") as part:
        assert not part.exists()
        assert str(part) in "".join(file.read_text() for file in making_folder().glob("*.entries"))
        part.write_text("half")

    assert names(place) == set()
    assert names(making_folder()) == set()
    assert not is_anything_made()


def test_what_is_staged_twice_at_once_has_two_names(place: Path) -> None:
    with staging(place / "a.svg") as one, staging(place / "a.svg") as other:
        assert one != other


def test_a_name_of_255_bytes_can_be_staged(place: Path) -> None:
    target = place / ("é" * 127)
    with staging(target) as part:
        part.write_text("whole")
        part.replace(target)

    assert target.read_text() == "whole"


def test_an_error_in_the_block_leaves_neither_the_file_nor_the_side_files_of_sqlite(place: Path) -> None:
    def work() -> None:
        with staging(place / "a.tide") as part:
            for ending in ("", "-journal", "-wal", "-shm"):
                part.with_name(part.name + ending).touch()
            raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        work()

    assert names(place) == set()


def test_a_scratch_folder_is_for_this_user_alone_and_goes_when_it_is_closed(tmp_path: Path) -> None:
    scratch = scratch_folder("tidegauge-test-")
    (scratch.path / "inner").mkdir()

    assert scratch.path.parent == tmp_path
    assert scratch.path.stat().st_mode & 0o777 == 0o700
    scratch.close()
    scratch.close()
    assert not scratch.path.exists()
    assert not is_anything_made()


def test_a_scratch_folder_that_nobody_closes_goes_with_its_last_user() -> None:
    path = scratch_folder().path

    assert not path.exists()


@pytest.mark.parametrize("blocked", ["file", "missing rights"])
def test_work_goes_on_where_nothing_can_be_written_down(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch, blocked: str
) -> None:
    if blocked == "file":
        (tmp_path / "state").write_text("in the way")
    else:

        def refuse(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(leftovers, "take", refuse)

    with staging(place / "a.svg") as part:
        part.write_text("whole")
        part.replace(place / "a.svg")
    scratch_folder().close()

    assert names(place) == {"a.svg"}
    assert sweep().removed == ()


def test_a_line_that_a_full_disk_cut_off_does_not_hide_the_next_one(place: Path) -> None:
    killed(f"""
from pathlib import Path
from core.leftovers import staging
write = os.write
def full(handle, text):
    os.write = write
    return write(handle, text[: len(text) // 2])
target = Path({str(place / "a.svg")!r})
with staging(target) as one:
    one.touch()
    os.write = full
    with staging(target):
        with staging(target) as other:
            other.touch()
            die()
""")
    assert len(names(place)) == 2

    assert len(sweep().removed) == 2
    assert names(place) == set()


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({STATE: "/a/b"}, Path("/a/b")),
        ({"XDG_STATE_HOME": "/x"}, Path("/x/tidegauge")),
        ({"XDG_STATE_HOME": "relative", "HOME": "/h"}, Path("/h/.local/state/tidegauge")),
        ({"HOME": "/h"}, Path("/h/.local/state/tidegauge")),
    ],
)
def test_the_state_folder_is_the_one_that_the_standard_says(
    monkeypatch: pytest.MonkeyPatch, named: dict[str, str], expected: Path
) -> None:
    monkeypatch.delenv(STATE)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    for key, value in named.items():
        monkeypatch.setenv(key, value)

    assert state_folder() == expected


# What a killed process leaves.


def test_what_a_killed_process_staged_is_removed_with_its_side_files_and_nothing_else(place: Path) -> None:
    (place / "a.tide").write_text("old")
    (place / "a.tide.part").write_text("a user's file")
    killed(f"""
from pathlib import Path
from core.leftovers import staging
with staging(Path({str(place / "a.tide")!r})) as part:
    part.write_text("half")
    part.with_name(part.name + "-journal").write_text("half")
    with staging(Path({str(place / "folder")!r})) as folder:
        (folder / "inner").mkdir(parents=True)
        die()
""")
    assert len(names(place)) == 5

    swept = sweep()

    assert len(swept.removed) == 2
    assert names(place) == {"a.tide", "a.tide.part"}
    assert not is_anything_made()


def test_what_a_living_process_stages_stays(place: Path) -> None:
    with staging(place / "a.svg") as part:
        part.write_text("half")

        assert sweep().removed == ()
        assert part.read_text() == "half"


def test_a_fork_neither_removes_what_its_parent_makes_nor_writes_into_its_register(place: Path) -> None:
    out = killed(f"""
from pathlib import Path
from core.leftovers import scratch_folder, staging
from core.state_folder import making_folder
kept = scratch_folder()
if os.fork() == 0:
    with staging(Path({str(place / "a.svg")!r})) as part:
        part.write_text("half")
        registers = len(list(making_folder().glob("*.entries")))
    kept.close()
    os._exit(registers)
print(os.waitstatus_to_exitcode(os.wait()[1]), kept.path.exists(), flush=True)
die()
""")

    assert out == "2 True\n"
    assert len(sweep().removed) == 1
    assert not is_anything_made()


def test_a_scratch_folder_of_a_killed_process_is_removed(tmp_path: Path) -> None:
    killed("""
from core.leftovers import scratch_folder
scratch = scratch_folder("tidegauge-spark-")
(scratch.path / "a" / "b").mkdir(parents=True)
die()
""")
    assert len(list(tmp_path.glob("tidegauge-*"))) == 1

    sweep()

    assert list(tmp_path.glob("tidegauge-*")) == []


FOUND = """
from core.leftovers import scratch_folder
scratch = scratch_folder()
document = scratch.path / "import" / "import.tide"
document.parent.mkdir()
scratch.keep(document, "brokers' logs")
document.write_text("notes")
other = scratch.path / "other.tide"
scratch.keep(other, "saved")
other.write_text("notes")
scratch.forget(other)
"""


def test_a_document_with_notes_of_a_killed_process_is_not_removed_but_found() -> None:
    killed(FOUND + "die()")

    told = sweep().told
    found = found_documents()

    assert [one.path.name for one in told] == ["import.tide"]
    assert [(one.path.read_text(), one.name) for one in found] == [("notes", "brokers' logs")]
    assert found[0].modified_ns == found[0].path.stat().st_mtime_ns
    assert sweep().told == (), "it is told once"
    assert [one.kind for one in stays()] == ["document"]
    assert [one.kind for one in clean().told] == ["document"]
    assert found[0].path.exists()


def test_a_found_document_that_is_discarded_is_gone_with_its_folder() -> None:
    killed(FOUND + "die()")
    document = found_documents()[0].path

    discard_document(document)

    assert not document.parent.parent.exists()
    assert found_documents() == ()
    sweep()
    assert not is_anything_made()


def test_a_found_document_is_adopted_by_one_process_and_found_again_when_that_dies() -> None:
    killed(FOUND + "die()")
    document = found_documents()[0].path

    killed(f"""
from pathlib import Path
from core.sweeping import adopt, found_documents
adopted = adopt(Path({str(document)!r}))
assert adopted is not None
assert found_documents() == ()
assert adopt(Path({str(document)!r})) is None
die()
""")

    assert [(one.path, one.name) for one in found_documents()] == [(document, "brokers' logs")]
    adopted = adopt(document)
    assert adopted is not None
    assert found_documents() == ()
    adopted.close()
    assert not document.exists()
    sweep()
    assert not is_anything_made()


def test_a_process_that_ends_well_leaves_no_document_to_be_found() -> None:
    scratch = scratch_folder()
    document = scratch.path / "a.tide"
    scratch.keep(document, "a")
    document.touch()
    scratch.close()

    assert found_documents() == ()
    assert not is_anything_made()


# A folder that is being replaced, where the system cannot exchange two names.

REPLACE = """
from pathlib import Path
from core import placing
from core.leftovers import staging
placing.exchange = lambda *_: False
target = Path({target!r})
rename, at = Path.rename, {at}
renames = []
def counted(self, there):
    renames.append(there)
    if len(renames) == at:
        die()
    return rename(self, there)
Path.rename = counted
if at == 3:
    placing.sync_folder = lambda folder: die() if folder == target.parent else None
with staging(target) as part:
    part.mkdir()
    (part / "new").touch()
    placing.put_folder(part, target, lambda former: None)
"""


@pytest.mark.parametrize(("at", "expected"), [(1, "old"), (2, "old"), (3, "new")])
def test_of_a_folder_that_is_replaced_the_old_or_the_new_one_stands_after_the_next_start(
    place: Path, at: int, expected: str
) -> None:
    (place / "X" / "old").mkdir(parents=True)
    killed(REPLACE.format(target=str(place / "X"), at=at))
    if at == 2:
        assert not (place / "X").exists(), "between the two renames nothing stands there"

    swept = sweep()

    assert names(place) == {"X"}
    assert names(place / "X") == {expected}
    assert swept.put_back == ((place / "X",) if at == 2 else ())
    assert not is_anything_made()


def test_a_former_folder_stays_where_something_else_took_its_place(place: Path) -> None:
    (place / "X" / "old").mkdir(parents=True)
    killed(REPLACE.format(target=str(place / "X"), at=2))
    (place / "X" / "user").mkdir(parents=True)

    told = sweep().told

    assert [(one.kind, one.target) for one in told] == [("former", place / "X")]
    assert names(told[0].path) == {"old"}
    assert names(place / "X") == {"user"}
    assert sweep().told == ()
    assert [one.path for one in clean().told] == [told[0].path]
    shutil.rmtree(told[0].path)
    sweep()
    assert not is_anything_made()


# What `process` keeps for its next run, and locks.


def resumable(place: Path) -> Path:
    folder = place / ".X.parsed"
    folder.mkdir()
    (folder / "a.arrow").touch()
    found = folder.stat()
    registered(
        {"enter": 1, "kind": "resume", "path": str(folder), "target": str(place / "X")},
        {"of": 1, "device": found.st_dev, "inode": found.st_ino},
    )
    return folder


def test_what_process_has_read_is_told_of_once_and_removed_only_when_asked(place: Path) -> None:
    folder = resumable(place)

    assert [(one.kind, one.path, one.target) for one in sweep().told] == [("resume", folder, place / "X")]
    assert sweep().told == ()
    assert [one.path for one in stays()] == [folder]
    assert folder.exists()
    assert clean().removed == (folder,)
    assert not is_anything_made()


def test_what_process_has_read_is_left_alone_while_a_run_holds_its_lock(place: Path) -> None:
    folder = resumable(place)
    lock = take(place / ".X.lock")

    assert sweep().told == ()
    assert clean().removed == ()
    lock.release()

    assert clean().removed == (folder,)


def test_a_folder_for_reading_in_which_nothing_is_yet_is_removed(place: Path) -> None:
    folder = resumable(place)
    (folder / "a.arrow").unlink()

    assert sweep().removed == (folder,)


def test_a_folder_that_took_the_name_of_the_one_that_was_entered_is_left(place: Path) -> None:
    folder = resumable(place)
    folder.rename(place / "elsewhere")
    folder.mkdir()
    (folder / "a.arrow").touch()

    assert clean().removed == ()
    assert folder.exists()


def test_the_lock_file_of_a_dead_process_is_removed_and_that_of_a_living_one_stays(place: Path) -> None:
    held = take(place / ".held.lock")
    (place / ".X.lock").write_text('{"process": 1, "host": "a"}')
    (place / ".user.lock").write_text("a user's own")
    registered(
        *(
            {"enter": number, "kind": "lock", "path": str(place / name)}
            for number, name in enumerate((".held.lock", ".X.lock", ".user.lock"), start=1)
        )
    )

    assert sweep().removed == (place / ".X.lock",)
    assert names(place) == {".held.lock", ".user.lock"}
    held.release()


def test_what_is_kept_on_purpose_is_listed_after_the_process_has_ended_well(place: Path) -> None:
    folder = place / ".X.parsed"
    entered = enter(folder, "resume", place / "X")
    folder.mkdir()
    entered.identify()
    (folder / "a.arrow").touch()
    entered.add(told=True)
    entered.done(kept=True)

    assert sweep().told == ()
    assert [one.path for one in stays()] == [folder]


def test_a_document_outside_its_folder_is_neither_found_nor_removed(tmp_path: Path, place: Path) -> None:
    (tmp_path / f"tidegauge-{DIGITS}").mkdir()
    for name in ("user.tide", "linked.tide"):
        (place / name).write_text("a user's own")
    (tmp_path / f"tidegauge-{DIGITS}" / "linked.tide").symlink_to(place / "linked.tide")
    registered(
        {"enter": 1, "kind": "scratch", "path": str(tmp_path / f"tidegauge-{DIGITS}")},
        {"of": 1, "keep": "../place/user.tide", "name": ""},
        {"of": 1, "keep": str(place / "user.tide"), "name": ""},
        {"of": 1, "keep": "linked.tide", "name": ""},
    )

    assert found_documents() == ()
    discard_document(place / "user.tide")
    sweep()
    assert names(place) == {"user.tide", "linked.tide"}
