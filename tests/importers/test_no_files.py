"""Pipes, sockets, devices and links in a circle are never opened, and are told in words."""

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import SourceError
from core.message import message
from core.message_json import stored
from core.words import text
from db.recognise import is_document
from importers.containers import regular
from importers.containers.containers import members
from importers.containers.regular import NoFileError, open_file
from importers.load import load
from importers.prepared.data_set import is_prepared
from tests.in_words import gaps_of

LINE = b"[2026-11-21 03:29:10,161] INFO Truncating log orders-0 to offset 206. (kafka.log.Log)\n"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every path that is opened. Opening a pipe fails: the test must end where the program would wait."""
    text(message("kind.pipe"))  # Reads the catalogues, which are files as well.
    found: list[str] = []
    real = os.open

    def see(path: str | Path, flags: int, *more: int) -> int:
        found.append(str(path))
        assert regular.what_it_is(Path(path)) is None, path
        return real(path, flags, *more)

    def see_path(self: Path, *_: object, **__: object) -> object:
        found.append(str(self))
        raise AssertionError(f"{self} is opened without a look at what it is")

    monkeypatch.setattr(os, "open", see)
    monkeypatch.setattr(Path, "open", see_path)
    return found


def a_pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def a_socket(path: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        # The path of a socket has at most 108 bytes.
        os.chdir(path.parent)
        try:
            made.bind(path.name)
        finally:
            os.chdir(here)
    return path


@pytest.mark.parametrize("name", ["server.log", "notes.tide", "logs.tar.gz", "meta.properties"])
@pytest.mark.parametrize(("make", "said"), [(a_pipe, "a named pipe"), (a_socket, "a socket")])
def test_what_is_no_file_is_refused_at_once(
    name: str, make: Callable[[Path], Path], said: str, tmp_path: Path, opened: list[str]
) -> None:
    path = make(tmp_path / name)

    with pytest.raises(SourceError, match=f"{name} is {said}, not a broker's logs"):
        load([path])
    with pytest.raises(SourceError, match=said):
        load([path, path])
    assert not is_document(path)
    assert opened == []


def test_a_device_without_end_is_refused(opened: list[str]) -> None:
    with pytest.raises(SourceError, match="zero is a device, not a broker's logs"):
        load([Path("/dev/zero")])
    assert not is_document("/dev/zero")
    assert opened == []


def test_links_in_a_circle_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "server.log").write_bytes(LINE)
    (folder / "one.log").symlink_to("other.log")
    (folder / "other.log").symlink_to("one.log")

    left = {one.path: one.fault for one in members([folder]) if one.fault is not None}

    assert {path: fault.why and text(fault.why) for path, fault in left.items()} == {
        "one.log": "it is a link that leads nowhere",
        "other.log": "it is a link that leads nowhere",
    }
    with pytest.raises(SourceError, match=r"one\.log is a link that leads nowhere"):
        load([folder / "one.log"])


def test_a_link_of_which_nobody_may_know_where_it_leads_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "server.log").write_bytes(LINE)
    (folder / "hidden.log").symlink_to("server.log")
    really = os.readlink

    def readlink(path: str, **more: int | None) -> str:
        if str(path).endswith("hidden.log"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return really(path, **more)

    monkeypatch.setattr(os, "readlink", readlink)

    assert len(load([folder])) == 1
    left = {one.path: one.fault for one in members([folder]) if one.fault is not None}
    assert {path: fault.why and text(fault.why) for path, fault in left.items()} == {
        "hidden.log": "Permission denied"
    }


def test_in_a_folder_they_are_listed_and_the_rest_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "server.log").write_bytes(LINE)
    a_pipe(folder / "controller.log")
    a_socket(folder / "state-change.log")
    (folder / "zero.log").symlink_to("/dev/zero")

    trace = load([folder])

    assert len(trace) == 1
    assert {one["file"]: text(stored(one["fault"])) for one in trace.report["by_file"] if "fault" in one} == {
        "controller.log": "it is a named pipe",
        "state-change.log": "it is a socket",
        "zero.log": "it leads out of the folder that was named, or to a folder",
    }
    assert "controller.log was left out: it is no file (it is a named pipe)" in gaps_of(trace.report)


def test_a_pipe_as_the_manifest_of_a_data_set_is_not_opened(tmp_path: Path, opened: list[str]) -> None:
    a_pipe(tmp_path / "manifest.json")

    assert not is_prepared(tmp_path)
    assert opened == []


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(LINE)
    real = os.open

    def swapped(name: str | Path, flags: int, *more: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return real(name, flags, *more)

    monkeypatch.setattr(os, "open", swapped)
    with pytest.raises(NoFileError, match="a named pipe"):
        open_file(path)
