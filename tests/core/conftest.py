"""Registers of what is being made, as this process writes them and as a dead one leaves them."""

import json
import socket
import tempfile
from pathlib import Path
from typing import Any

import pytest

from core import leftovers
from core.state_folder import STATE, making_folder

DIGITS = "0123456789abcdef"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which is written down what is being made: one of the test."""
    monkeypatch.setenv(STATE, str(tmp_path / "state"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    # What other tests of this process have not closed yet is no concern here.
    monkeypatch.setattr(leftovers, "_REGISTER", leftovers._Register())
    return tmp_path / "state"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def registered(*lines: dict[str, Any] | str, host: str = "", header: bool = True) -> Path:
    """A register as a dead process leaves it."""
    folder = making_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    first = {"tidegauge": 1, "host": host or socket.gethostname(), "process": 1}
    texts = [
        line if isinstance(line, str) else json.dumps(line) for line in ((first,) if header else ()) + lines
    ]
    file = folder / f"{len(names(folder)):016x}.entries"
    file.write_text("\n".join(texts))
    return file
