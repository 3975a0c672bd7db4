"""Registers that were damaged, or that somebody else wrote: nothing is removed by them but what is ours."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from core import sweeping
from core.state_folder import making_folder
from core.sweeping import clean, found_documents, sweep
from tests.core.conftest import DIGITS, registered

pytestmark = [pytest.mark.broad(3), pytest.mark.usefixtures("state")]


def linked_folder(place: Path) -> Path:
    (place / "real").mkdir()
    (place / "real" / f"a.{DIGITS}.part").touch()
    (place / "link").symlink_to(place / "real")
    return place / "link" / f"a.{DIGITS}.part"


def linked_file(place: Path) -> Path:
    (place / "user.txt").touch()
    (place / f"a.{DIGITS}.part").symlink_to(place / "user.txt")
    return place / f"a.{DIGITS}.part"


def plain_file(place: Path) -> Path:
    (place / "thesis.odt").touch()
    return place / "thesis.odt"


def plain_part(place: Path) -> Path:
    (place / "film.mkv.part").touch()
    return place / "film.mkv.part"


def roundabout(place: Path) -> Path:
    made = place / f"a.{DIGITS}.part"
    made.touch()
    return place / "none" / ".." / made.name


def a_pipe(place: Path) -> Path:
    os.mkfifo(place / f"a.{DIGITS}.part")
    return place / f"a.{DIGITS}.part"


@pytest.mark.parametrize("kind", ["part", "scratch", "former", "resume", "lock", "unknown"])
@pytest.mark.parametrize("make", [linked_folder, linked_file, plain_file, plain_part, roundabout, a_pipe])
def test_nothing_is_removed_but_what_has_one_of_our_names_and_no_link_on_its_way(
    place: Path, kind: str, make: Callable[[Path], Path]
) -> None:
    path = make(place)
    before = sorted(place.rglob("*"))
    registered({"enter": 1, "kind": kind, "path": str(path), "target": str(place / "X")})

    assert sweep().removed == ()
    assert clean().removed == ()
    assert sorted(place.rglob("*")) == before


def test_a_former_folder_is_put_back_under_its_own_name_and_in_its_own_folder_only(place: Path) -> None:
    old = place / f"X.{DIGITS}.old"
    for target in (place / "Y", place.parent / "X"):
        old.mkdir(exist_ok=True)
        registered({"enter": 1, "kind": "former", "path": str(old), "target": str(target)})

        assert sweep().put_back == ()
        assert old.exists()
        assert not target.exists()


@pytest.mark.parametrize("whose", ["file", "register"])
def test_what_belongs_to_another_user_is_left(
    place: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    made = place / f"a.{DIGITS}.part"
    made.touch()
    register = registered({"enter": 1, "kind": "part", "path": str(made)})
    others = {"file": made, "register": register}[whose].stat().st_ino

    with monkeypatch.context() as now:
        # Only root can give a file away.
        now.setattr(sweeping, "_is_mine", lambda found: found.st_ino != others)
        assert sweep().removed == ()

    assert made.exists()


def test_another_user_finds_nothing_to_remove(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = place / f"a.{DIGITS}.part"
    made.touch()
    registered({"enter": 1, "kind": "part", "path": str(made)})
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)

    assert sweep().removed == ()
    assert not sweeping._is_mine(made.stat())


def test_a_folder_of_registers_that_others_may_write_into_is_not_believed(place: Path) -> None:
    made = place / f"a.{DIGITS}.part"
    made.touch()
    registered({"enter": 1, "kind": "part", "path": str(made)}).parent.chmod(0o777)

    assert sweep().removed == ()
    making_folder().chmod(0o700)
    assert sweep().removed == (made,)


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        "[1, 2]",
        "null",
        "1" * 10_000,
        '{"enter": "1", "kind": "part", "path": "/a"}',
        '{"enter": 1, "kind": "part", "path": "/\\ud800.0123456789abcdef.part"}',
        '{"enter": 1, "kind": "part", "path": "/\\u0000.0123456789abcdef.part"}',
        '{"enter": 1, "kind": "part", "path": "/' + "a/" * 5_000 + 'a.0123456789abcdef.part"}',
        '{"enter": 1, "kind": "part", "path": "/' + "a" * 5_000 + '.0123456789abcdef.part"}',
        '{"enter": 1, "kind": "former", "path": "/a.0123456789abcdef.old", "target": 1}',
        '{"of": 7, "keep": "a"}',
        '{"done": {}}',
        "\x00\xff",
    ],
    ids=lambda line: repr(line)[:40],
)
def test_a_damaged_line_does_no_harm_and_hides_no_other_line(place: Path, line: str) -> None:
    made = place / f"a.svg.{DIGITS}.part"
    made.touch()
    registered(line, {"enter": 2, "kind": "part", "path": str(made)})

    assert sweep().removed == (made,)
    assert found_documents() == ()


def test_the_register_of_another_machine_or_of_a_later_version_is_left(place: Path) -> None:
    made = place / f"a.svg.{DIGITS}.part"
    made.touch()
    entry = {"enter": 1, "kind": "part", "path": str(made)}
    elsewhere = registered(entry, host="another.example")
    later = registered({"tidegauge": 2, "host": socket.gethostname()}, entry, header=False)

    assert sweep().removed == ()
    assert elsewhere.exists()
    assert later.exists()


def test_a_register_that_is_a_link_or_a_pipe_is_not_read(place: Path) -> None:
    made = place / f"a.svg.{DIGITS}.part"
    made.touch()
    file = registered({"enter": 1, "kind": "part", "path": str(made)})
    file.rename(place / "moved")
    file.symlink_to(place / "moved")
    os.mkfifo(making_folder() / f"{DIGITS}.entries")

    assert sweep().removed == ()


def test_an_entry_on_a_disk_that_is_not_there_waits_for_it(place: Path) -> None:
    away = place / "disk"
    made = away / f"a.svg.{DIGITS}.part"
    registered({"enter": 1, "kind": "part", "path": str(made)})
    sweep()

    away.mkdir()
    made.touch()

    assert sweep().removed == (made,)


def test_what_cannot_be_removed_now_is_removed_later(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = place / f"a.svg.{DIGITS}.part"
    made.touch()
    registered({"enter": 1, "kind": "part", "path": str(made)})

    def refuse(*_: object, **_too: object) -> None:
        raise PermissionError

    with monkeypatch.context() as now:
        now.setattr(Path, "unlink", refuse)
        assert sweep().removed == ()

    assert sweep().removed == (made,)
