"""What holds for all tests: no screen, what comes first, and property tests that do not watch the clock."""

import gc
import os
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final, cast

import pytest
from hypothesis import settings

from core import words
from core.sim.library import scenario_ids
from gui.text.render import renderer
from tests.java import java_options
from tests.scheduling import group_of, name_groups, pytest_xdist_make_scheduler

__all__ = ["pytest_xdist_make_scheduler"]
"""A hook that pytest finds here."""

KEPT: Final = ("session", "cluster")
"""Fixtures whose thing runs on from module to module (tests/spark/kept.py), in the order of their tests."""

OF_RUNS: Final = ("claims", "core_diagnose", "core_sim", "core_sim_logs", "recordings")
"""Folders of tests that go through the runs of all scenarios in all eras."""

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

os.environ.setdefault("SPARK_SUBMIT_OPTS", java_options())

words.use(renderer, "en")

# Two workers share the machine with Spark: a deadline would measure the neighbour. The examples are the same
# in every run, and none is kept from an earlier one; `make fuzz` looks for new ones.
settings.register_profile("tidegauge", deadline=None, print_blob=True, derandomize=True, database=None)
settings.register_profile("fuzz", deadline=None, print_blob=True, max_examples=2_000)
settings.load_profile("tidegauge")


@pytest.fixture(scope="session", autouse=True)
def state_of_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What tests are making is written down, and swept, in a folder of their own."""
    os.environ["TIDEGAUGE_STATE"] = str(tmp_path_factory.mktemp("state"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """How long the long tests are: a number of a spoiled file or of an incident is always the same one."""
    parser.addoption("--fuzz", default="60", help="how many spoiled files are read")
    parser.addoption("--fuzz-from", default="0", help="the number of the first one")
    parser.addoption("--incidents", default="20", help="how many random incidents are diagnosed")
    parser.addoption("--incidents-from", default="0", help="the seed of the first one")
    parser.addoption("--monkey", default="120", help="how many things are done to the window at random")
    parser.addoption("--monkey-from", default="0", help="the seed of them")
    parser.addoption("--recordings", default="few", choices=["few", "all"], help="which ones Spark reads")
    parser.addoption(
        "--kills", default="few", choices=["few", "all"], help="where operations on documents are stopped"
    )
    parser.addoption("--distorted-from", default="5", help="the seed of the distortions of recordings")
    parser.addoption(
        "--distorted-into", default="", help="a file that gets a line for each distorted recording"
    )
    parser.addoption("--every-case", action="store_true", help="also the cases that `thinned` leaves out")


def pytest_collection() -> None:
    """20,000 tests are made, and none of them goes: there is nothing to look for among them."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Nor later: what was imported and collected stays to the end.

    Nor is the rest looked through after every 70,000 objects: what is shared by tests lives long.
    """
    gc.freeze()
    gc.set_threshold(5_000, 20, 10)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """From the first test with windows on, garbage is looked for between tests, in the thread of the tests.

    Elsewhere it is looked for by whichever thread makes an object: windows of earlier tests would go in that
    of xdist or of Spark, while Qt styles them in this one. That ended the process.
    """
    if item.path.relative_to(Path(__file__).parent).parts[0].startswith("gui_"):
        gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Stop what a group of tests kept running, after its last. Look for garbage, where that is left to us."""
    group = group_of(item)
    if group in KEPT and (nextitem is None or group_of(nextitem) != group):
        from tests.spark.kept import end_kept

        end_kept()
    if not gc.isenabled():
        from gui.window.garbage import collect

        collect()


def _group_spark(items: list[pytest.Item]) -> None:
    """One worker has a whole module of them: each worker would start a Java machine for its own part.

    Modules that share a session or a cluster are one group.
    """
    needed: dict[Path, set[str]] = {}
    for item in items:
        needed.setdefault(item.path, set()).update(getattr(item, "fixturenames", ()))
    for item in items:
        if item.get_closest_marker("spark") is not None and group_of(item) is None:
            shared = [name for name in KEPT if name in needed[item.path]]
            item.add_marker(pytest.mark.xdist_group(shared[0] if shared else item.path.stem))


def _group_scenarios(items: list[pytest.Item]) -> None:
    """One worker has all tests of a scenario that ask for its runs and verdicts (tests/runs.py)."""
    names = set(scenario_ids())
    for item in items:
        if item.path.parent.name in OF_RUNS and isinstance(item, pytest.Function) and group_of(item) is None:
            values = item.callspec.params.values() if hasattr(item, "callspec") else ()
            name = next((one for one in values if isinstance(one, str) and one in names), None)
            if name is not None:
                item.add_marker(pytest.mark.xdist_group(name))


def _group_modules(items: list[pytest.Item]) -> set[Path]:
    """One worker has a whole module of which a test is slow. Returned are the modules in which none is.

    The other worker would make the things of the module once more. Tests that are long stand for themselves.
    """
    with_slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    for item in items:
        alone = item.get_closest_marker("long") is not None or group_of(item) is not None
        if item.path in with_slow and not alone:
            name = ".".join(item.path.relative_to(Path(__file__).parent).with_suffix("").parts)
            item.add_marker(pytest.mark.xdist_group(name))
    return {item.path for item in items} - with_slow


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class) -> Generator[None, Any, Any]:
    """Of the cases of a test that is thinned(n) every n-th stays, the same ones in every run."""
    made = yield
    if isinstance(made, list) and made and not collector.config.getoption("--every-case"):
        cases = cast("list[pytest.Item]", made)
        thinned = cases[0].get_closest_marker("thinned")
        if thinned is not None:
            return cases[:: thinned.args[0]]
    return made


def _turn(item: pytest.Item, quick: set[Path]) -> int:
    """Which tests come first; modules of quick tests are the last."""
    if item.get_closest_marker("spark") is None:
        long = item.get_closest_marker("long") is not None
        return len(KEPT) + (1 if long else 3 if item.path in quick else 2)
    group = group_of(item)
    return KEPT.index(group) if group in KEPT else len(KEPT)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked spark come first, by modules, then long ones, then modules with slow ones, each by itself.

    The others are handed out one by one at the end: no worker waits for the other one for long.

    Of the tests of a module that is broad(n) the quick round has every n-th: the others count as slow.
    """
    seen: Counter[Path] = Counter()
    for item in items:
        broad = item.get_closest_marker("broad")
        if broad is not None and item.get_closest_marker("slow") is None:
            if seen[item.path] % broad.args[0]:
                item.add_marker(pytest.mark.slow)
            seen[item.path] += 1
    _group_spark(items)
    _group_scenarios(items)
    quick = _group_modules(items)
    items.sort(key=lambda item: _turn(item, quick))
    name_groups(config, items)
