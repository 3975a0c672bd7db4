"""Which tests reach which lines: found out once for a run, with empty caches before each test function."""

import functools
import importlib
import json
import sys
import threading
import time
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import pytest

from tests.mutants.operators import Mutant
from tests.mutants.readers import Places

Wanted = Mapping[str, frozenset[int]]
"""By path from the root, the lines that are asked for."""
IMPORT: Final = "(import)"
"""In place of a test: what runs when the modules are imported."""


class Reach:
    """A plugin of pytest that notes for each test how much it did, and which of some lines it ran.

    How much is counted in calls of Python functions, which are the same on each machine and beside whatever
    neighbours; its seconds are those of the processor, and say only when a mutant has no end.

    What a fixture of a wider scope ran belongs to each test that uses it. Caches are emptied whenever another
    test function begins: a run that an earlier test has simulated would else be reached by that one alone.
    """

    def __init__(self, root: Path, wanted: Wanted) -> None:
        self._wanted = {str(root / name): (name, lines) for name, lines in wanted.items()}
        self._codes: dict[CodeType, tuple[str, frozenset[int]] | None] = {}
        self._hits: set[tuple[str, int]] = set()
        self._by_fixture: dict[tuple[str, str], set[tuple[str, int]]] = {}
        self._failed: set[str] = set()
        self._calls = 0
        self._last: tuple[str, str] | None = None
        self.found: dict[str, dict[str, Any]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        """Modules are imported while tests are collected."""
        self._watch(self._hits)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self._note(IMPORT, 0.0, 0, self._hits)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """One test, with what its fixtures ran."""
        function = (str(item.path), getattr(item, "originalname", item.name))
        if function != self._last:
            _empty_caches()
        self._last = function
        begun, before, hits = time.process_time(), self._calls, set[tuple[str, int]]()
        self._watch(hits)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]
            for name in getattr(item, "fixturenames", ()):
                for (fixture, base), more in self._by_fixture.items():
                    if fixture == name and item.nodeid.startswith(base):
                        hits |= more
            self._note(item.nodeid, time.process_time() - begun, self._calls - before, hits)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        """A fixture that other tests will find made."""
        if fixturedef.scope == "function":
            return (yield)
        outer, own = self._hits, set[tuple[str, int]]()
        self._watch(own)
        try:
            return (yield)
        finally:
            outer |= own
            self._by_fixture.setdefault((fixturedef.argname, fixturedef.baseid), set()).update(own)
            self._watch(outer)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that is red without any mutant can judge none; nor can one that was not run."""
        if report.outcome != "passed":
            self._failed.add(report.nodeid)

    def _note(self, name: str, seconds: float, calls: int, hits: Iterable[tuple[str, int]]) -> None:
        self.found[name] = {
            "seconds": seconds,
            "calls": calls,
            "passed": name not in self._failed,
            "lines": sorted(f"{path}:{line}" for path, line in hits),
        }

    def _watch(self, hits: set[tuple[str, int]]) -> None:
        self._hits = hits
        full: set[CodeType] = set()

        def enter(frame: FrameType, _event: str, _argument: object) -> Any:
            self._calls += 1
            code = frame.f_code
            asked = self._asked(code)
            if asked is None or code in full:
                return None
            name, lines = asked

            def run(frame: FrameType, event: str, _argument: object) -> Any:
                if event == "line" and frame.f_lineno in lines:
                    hits.add((name, frame.f_lineno))
                    if all((name, line) in hits for line in lines):
                        full.add(code)
                        frame.f_trace_lines = False
                return run

            return run

        threading.settrace(enter)
        sys.settrace(enter)

    def _asked(self, code: CodeType) -> tuple[str, frozenset[int]] | None:
        if code not in self._codes:
            name, lines = self._wanted.get(code.co_filename, ("", frozenset()))
            own = frozenset(line for *_, line in code.co_lines() if line in lines)
            self._codes[code] = (name, own) if own else None
        return self._codes[code]


def _empty_caches() -> None:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in {"core", "db", "importers", "tests"}:
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()


def wanted_lines(wanted: Iterable[Places]) -> Wanted:
    """By path all lines that any of some mutants asks for."""
    found: dict[str, set[int]] = {}
    for places in wanted:
        for path, lines in (*places.own, *places.made):
            found.setdefault(path, set()).update(lines)
    return {path: frozenset(lines) for path, lines in found.items()}


def preload() -> None:
    """Import what is large and not ours, once, before processes are forked that each import the project."""
    for name in (
        "numpy",
        "sqlalchemy.orm",
        "sqlalchemy.dialects.sqlite",
        "alembic.command",
        "pyarrow.parquet",
    ):
        importlib.import_module(name)


def own_tests(mutant: Mutant) -> str:
    """The folder of a package's own tests, as its node ids begin."""
    package = mutant.package.replace("/", "_")
    return f"tests/{package}/"


def read_reach(paths: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """What several processes found, as one: what is imported is put together."""
    found: dict[str, dict[str, Any]] = {}
    for path in paths:
        for name, one in json.loads(path.read_text(encoding="utf-8")).items():
            if name in found:
                one["lines"] = sorted({*found[name]["lines"], *one["lines"]})
            found[name] = one
    return found
