"""Processes that run tests: to see what they reach, and one for each mutant. They leave results alone."""

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

import pytest

MEMORY: Final = 6 * 2**30
"""Bytes that a process may take: a mutant that builds without end is stopped by it."""


class _BrokenLoader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, tree: ast.Module) -> None:
        super().__init__(name, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType | None:  # noqa: ARG002 - it has one module
        """The code of the broken tree; none is looked for or left in __pycache__."""
        return compile(self._tree, self.path, "exec", dont_inherit=True)


class Broken(importlib.abc.MetaPathFinder):
    """Finds one module, with another tree than its file has."""

    def __init__(self, module: str, tree: ast.Module, root: Path) -> None:
        self._name = module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self._path = str(root / module)
        self._tree = tree

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module that is broken; all others are found as ever."""
        if fullname != self._name:
            return None
        loader = _BrokenLoader(fullname, self._path, self._tree)
        return importlib.util.spec_from_file_location(fullname, self._path, loader=loader)


class Chosen:
    """A plugin of pytest: only some tests run, in their order, and the first red one is kept."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._place = {name: number for number, name in enumerate(tests)}
        self.red = ""
        self.ran = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Properties are tried with the same values in each run, and nothing is kept of them."""
        import hypothesis  # it is a plugin of pytest, too, which imports it by itself

        hypothesis.settings.register_profile("mutants", deadline=None, derandomize=True, database=None)
        hypothesis.settings.load_profile("mutants")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Those that are wanted."""
        if self._place:
            items[:] = [item for item in items if item.nodeid in self._place]
            items.sort(key=lambda item: self._place[item.nodeid])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A module of tests that cannot be imported any more."""
        if report.failed:
            self.red = self.red or report.nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test went."""
        self.ran += report.when == "call"
        if report.failed:
            self.red = self.red or report.nodeid


@dataclass(frozen=True, slots=True)
class Child:
    """A process that was started, where its result and its words go, and until when it may run."""

    pid: int
    result: Path
    log: Path
    until: float
    """Monotonic seconds."""


class Endless(Exception):  # noqa: N818
    """A process took more time or memory than it was given, and was stopped."""


def start(work: Callable[[], dict[str, Any]], folder: Path, name: str, seconds: float) -> Child:
    """Fork, and do some work there, for so many seconds of processor time.

    A process that only waits is stopped after ten times as long by the clock.
    """
    child = Child(0, folder / f"{name}.json", folder / f"{name}.log", time.monotonic() + 10 * seconds + 60)
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return replace(child, pid=pid)
    status = 1
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        log = os.open(child.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(log, stream)
        child.result.write_text(json.dumps(work()), encoding="utf-8")
        status = 0
    except BaseException:  # noqa: BLE001 - what is raised is printed, and the status tells of it
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def ended(child: Child) -> int | None:
    """The status with which a process ended, None while it runs. What it has started ends with it."""
    pid, status = os.waitpid(child.pid, os.WNOHANG)
    if not pid and time.monotonic() < child.until:
        return None
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    return status if pid else os.waitpid(child.pid, 0)[1]


def result_of(child: Child, status: int) -> dict[str, Any]:
    """What a process gave. Raises Endless, or RuntimeError with its words where it failed by itself."""
    if os.WIFSIGNALED(status):
        raise Endless(signal.Signals(os.WTERMSIG(status)).name)
    if status:
        raise RuntimeError(child.log.read_text("utf-8", errors="replace"))
    return json.loads(child.result.read_text("utf-8"))


def run_tests(arguments: Sequence[str], plugins: Sequence[object], folder: Path, name: str) -> int:
    """pytest in this process, which can do so once. Gives its exit code."""
    base = ["-q", "-n", "0", "-p", "no:cacheprovider", "--timeout", "0", f"--basetemp={folder / name}"]
    return int(pytest.main([*base, *arguments], plugins=list(plugins)))
