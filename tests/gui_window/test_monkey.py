"""A person who hits everything ends with no exception, no warning of Qt and no inconsistency.

pytest-qt (`qtbot`) fails the test on an exception in a slot and on a warning. `--monkey N` says how many
things are done; `make fuzz` does 20,000. One seed is one run, however fast the machine is (tests/by_hand.py).
"""

import random
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from itertools import cycle, zip_longest
from pathlib import Path
from typing import Any, Final

import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.picture.marks import Ref
from core.trace.trace import Trace
from db.document import create
from gui.app import application
from gui.i18n import use_language
from gui.welcome.offers import sample_offers
from gui.window.main_window import MainWindow
from gui.window.process_dialog import PROCESS
from gui.window.settings import Settings
from gui.workspace.simulating import PAIR
from tests.by_hand import Clock, by_hand, settle
from tests.gui_window.conftest import triaged_once
from tests.monkey import Monkey, StaysOpen, going_back
from tests.recordings.whole import whole
from tests.window_state import inconsistencies, state_of, undone_and_redone

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(0),
    # What the offscreen platform says of menus and docks.
    pytest.mark.qt_log_ignore("This plugin does not support"),
]
_REACHED_BY: Final = 2_000
"""So many actions reach lanes and their menu, the grid and the dialog of Spark, whatever the seed."""
_BETWEEN_CHECKS: Final = 100
"""Of the dearer check that undoes everything and does it again."""
_TWICE: Final = 60
"""Things that are done twice, to see that a seed says all that happens."""


@pytest.fixture(scope="module")
def night() -> Trace:
    """A real incident with several partitions."""
    return whole("k28-unclean-loss").trace


@contextmanager
def hit_window(folder: Path) -> Generator[tuple[MainWindow, Clock]]:
    """A window that is at its first start and goes on by hand, with its settings in a folder."""
    # As the program finds it: a window that is made under a style sheet measures its labels otherwise.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    application().setStyleSheet("")
    with by_hand() as clock, pytest.MonkeyPatch.context() as patched:
        settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
        window = MainWindow(settings, going_back())
        in_process = window.jobs.in_process

        def without_spark(question: str, *asked: Any) -> None:
            if question != PROCESS:
                in_process(question, *asked)

        # A folder that is typed by chance may be one that is there.
        patched.setattr(window.jobs, "in_process", without_spark)
        window.resize(1600, 1000)
        window.show()
        stays = StaysOpen(window)
        window.installEventFilter(stays)
        settle(window.jobs, clock)
        yield window, clock
        window.removeEventFilter(stays)
        window.close()
        window.deleteLater()
        settle(window.jobs, clock)
        use_language("en")


def ways_in(window: MainWindow, night: Trace, folder: Path, steps: int) -> Iterator[Callable[[], object]]:
    """A comparison, the document of a real incident with several partitions, and a run, again and again.

    Where very many things are done, a comparison of two recordings, and each of these two alone, come too.
    """
    document = folder / "night.tide"
    create(document, [night], found=[triaged_once(night)])
    doors: tuple[Callable[[], object], ...] = (
        lambda: window.store.open_simulated("hw-loss", PAIR),
        lambda: window.store.open_groups(((str(document),),)),
        lambda: window.store.open_simulated("overview", ("2.8",)),
    )
    if steps >= _REACHED_BY:
        doors = (*doors, *(partial(window.opening.open_offer, one) for one in sample_offers()))
    return cycle(doors)


def run_of(
    seed: int, steps: int, folder: Path, night: Trace, *, whole: bool = False
) -> tuple[Monkey, list[str]]:
    """Do so many things by a seed in a new window; what was done, and the state after each, or its digest."""
    states: list[str] = []
    with hit_window(folder) as (window, clock):
        monkey = Monkey(window, random.Random(seed), clock)  # noqa: S311 - repeatable
        doors = ways_in(window, night, folder, steps)
        for step in range(steps):
            if step % max(1, steps // 9) == 0 or window.session.content is None:
                next(doors)()
                monkey.settle()
                assert window.session.content is not None, monkey.did[-40:]
            try:
                monkey.act()
            except BaseException as error:
                error.add_note(f"step {step}, after {monkey.did[-40:]}")
                raise
            state = state_of(window)
            states.append(state if whole else sha256(state.encode()).hexdigest())
            wrong = list(inconsistencies(window))
            if step % _BETWEEN_CHECKS == 0:
                wrong += undone_and_redone(window)
                monkey.settle()
            assert not wrong, (step, wrong, monkey.did[-40:])
    return monkey, states


def test_whatever_is_hit_nothing_breaks(
    request: pytest.FixtureRequest,
    qtbot: QtBot,
    tmp_path: Path,
    night: Trace,
    record_property: Callable[[str, object], None],
) -> None:
    """Machines are compared by the digests in the report of `-o junit_family=xunit1 --junitxml FILE`."""
    steps, seed = (int(str(request.config.getoption(name))) for name in ("--monkey", "--monkey-from"))
    monkey, states = run_of(seed, steps, tmp_path, night)
    record_property("done", sha256("\n".join(monkey.did).encode()).hexdigest())
    record_property("states", sha256("\n".join(states).encode()).hexdigest())
    wanted = {"lane", "edge", "menu", "grid", "dialog process"}
    assert wanted <= set(monkey.reached) or steps < _REACHED_BY, monkey.reached


def test_a_seed_says_all_that_happens(
    request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path, night: Trace
) -> None:
    steps, seed = _TWICE, int(str(request.config.getoption("--monkey-from")))
    runs: list[tuple[list[str], list[str]]] = []
    for name in ("a", "b"):
        folder = tmp_path / name
        folder.mkdir()
        monkey, states = run_of(seed, steps, folder, night, whole=True)
        runs.append((monkey.did, states))

    (done, states), (again, states_again) = runs
    for step, (state, other) in enumerate(zip(states, states_again, strict=True)):
        apart = [both for both in zip_longest(state.split("\n"), other.split("\n")) if both[0] != both[1]]
        assert not apart, (step, apart[:5])
    assert again == done


STRANGE: Final = (
    Ref("lane", 0, 99, 99),
    Ref("lane", 7, 1, 1),
    Ref("event", 0, 10_000_000),
    Ref("loss", 0, -1),
    Ref("note", 0, 99),
)


@pytest.mark.parametrize("ref", STRANGE, ids=lambda ref: f"{ref.kind} {ref.key} of run {ref.run}")
def test_a_selection_of_what_is_not_open_is_found(qtbot: QtBot, tmp_path: Path, ref: Ref) -> None:
    """Put there behind the session's own rule."""
    with hit_window(tmp_path) as (window, clock):
        window.store.open_simulated("overview", ("2.8",))
        settle(window.jobs, clock)
        assert list(inconsistencies(window)) == []

        window.session._selection = ref

        assert any("selected" in one for one in inconsistencies(window))
