"""A person who hits everything ends with no exception, no warning of Qt and no inconsistency.

pytest-qt fails the test on an exception in a slot and on a warning. `--monkey N` says how many things are
done; `make fuzz` does 20,000.
"""

import random
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from core.diagnose.check import triaged
from db.document import create
from gui.i18n import use_language
from gui.main_window import MainWindow
from gui.process_dialog import PROCESS
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
_REACHED_BY = 2_000
"""So many actions reach lanes and their menu, the grid and the dialog of Spark, whatever the seed."""
_BETWEEN_CHECKS = 100
"""Of the dearer check that undoes everything and does it again."""


@pytest.fixture
def hit(qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    window = MainWindow(settings, going_back())
    in_process = window.jobs.in_process

    def without_spark(question: str, *asked: Any) -> None:
        if question != PROCESS:
            in_process(question, *asked)

    # A folder that is typed by chance may be one that is there.
    monkeypatch.setattr(window.jobs, "in_process", without_spark)
    window.resize(1600, 1000)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    stays = StaysOpen(window)
    window.installEventFilter(stays)
    yield window
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
    chance = random.Random(int(str(request.config.getoption("--monkey-from"))))  # noqa: S311 - repeatable
    timer = close_what_stops(hit)
    monkey = Monkey(hit, chance, timer)
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
    timer.stop()
    wanted = {"lane", "edge", "menu", "grid", "dialog process"}
    assert wanted <= set(monkey.reached) or steps < _REACHED_BY, monkey.reached
