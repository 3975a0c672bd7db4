"""A person who hits everything ends with no exception, no warning of Qt and no inconsistency.

pytest-qt fails the test on an exception in a slot and on a warning. `--monkey N` says how many things are
done; `make fuzz` does 20,000.
"""

import random
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from core.diagnose.check import triaged
from db.document import create
from gui.i18n import use_language
from gui.main_window import MainWindow
from gui.settings import Settings
from gui.welcome import PAIR
from importers.load import load
from tests.archives import unpack_recording
from tests.monkey import Monkey, StaysOpen, close_what_stops, going_back, inconsistencies, undone_and_redone

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(0),
    # What the offscreen platform says of menus and docks.
    pytest.mark.qt_log_ignore("This plugin does not support"),
]
_BETWEEN_CHECKS = 100
"""Of the dearer check that undoes everything and does it again."""


@pytest.fixture
def hit(qtbot: QtBot, settings: Settings) -> Iterator[MainWindow]:
    window = MainWindow(settings, going_back())
    window.resize(1600, 1000)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    timer, stays = close_what_stops(window), StaysOpen(window)
    window.installEventFilter(stays)
    yield window
    timer.stop()
    window.removeEventFilter(stays)
    window.close()
    use_language("en")


def ways_in(window: MainWindow, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """A comparison, the document of a real incident with several partitions, and a run, again and again."""
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    trace = load([folder])
    document = tmp_path / "night.tide"
    create(document, [trace], found=[triaged(trace)])
    return cycle(
        (
            lambda: window.store.open_simulated("hw-loss", PAIR),
            lambda: window.store.open_groups(((str(document),),)),
            lambda: window.store.open_simulated("overview", ("2.8",)),
        )
    )


def test_whatever_is_hit_nothing_breaks(
    request: pytest.FixtureRequest, qtbot: QtBot, hit: MainWindow, tmp_path: Path
) -> None:
    steps = int(str(request.config.getoption("--monkey")))
    monkey = Monkey(hit, random.Random(int(str(request.config.getoption("--monkey-from")))))  # noqa: S311 - repeatable
    doors = ways_in(hit, tmp_path)
    for step in range(steps):
        if step % max(1, steps // 9) == 0 or hit.session.content is None:
            with qtbot.waitSignal(hit.store.opened, timeout=120_000):
                next(doors)()
        monkey.act()
        wrong = list(inconsistencies(hit))
        if step % _BETWEEN_CHECKS == 0:
            wrong += undone_and_redone(hit)
        assert not wrong, (step, wrong, monkey.did)
