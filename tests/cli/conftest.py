"""The command line, called in this process: exit code, stdout, stderr."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gui.cli import run


@dataclass(frozen=True, slots=True)
class Told:
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The only line of stdout as JSON."""
        return json.loads(self.out)


Tell = Callable[..., Told]


@pytest.fixture
def tell(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Tell:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    # A defect must show itself in a test, not as a message with exit code 2.
    monkeypatch.setenv("TIDEGAUGE_TRACEBACK", "1")

    def call(*arguments: object) -> Told:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Told(code, out, err)

    return call


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with hw.tide (hw-loss in three eras) and loss.tide, fix.tide (the two recordings)."""
    from importers.samples import sample_path

    folder = tmp_path_factory.mktemp("documents")
    assert run(["simulate", "hw-loss", "--era", "0.10.2,0.11,2.8", "-o", str(folder / "hw.tide")]) == 0
    for name, sample in (("loss", "k0102-hw-loss"), ("fix", "k28-epoch-fix")):
        assert run(["import", str(sample_path(sample)), "-o", str(folder / f"{name}.tide")]) == 0
    return folder
