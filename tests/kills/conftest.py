"""One server of operations and one set of prepared scenarios for all tests of this folder."""

import os
from collections.abc import Iterator

import pytest

from core.state_folder import STATE
from tests.kills.harness import Cases, Children


@pytest.fixture(scope="session")
def children() -> Iterator[Children]:
    with Children() as server:
        yield server


@pytest.fixture(scope="session")
def cases(children: Children, tmp_path_factory: pytest.TempPathFactory) -> Cases:
    return Cases(tmp_path_factory.mktemp("kills"), children)


@pytest.fixture(autouse=True)
def _state(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a check sets is put back; the value itself is that of the run that is checked."""
    monkeypatch.setenv(STATE, os.environ[STATE])
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(scope="session")
def every(request: pytest.FixtureRequest) -> bool:
    """Whether all is tried, and not a sample."""
    return request.config.getoption("--kills") == "all"
