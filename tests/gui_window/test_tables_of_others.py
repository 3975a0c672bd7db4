"""Tables that other people's jobs made open in the window like logs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.picture.marks import Text
from core.trace.trace import Origin
from gui.window.main_window import MainWindow
from tests.gui_window.conftest import Answers, anew, on_lanes
from tests.monitor import monitored

Opened = Callable[[Callable[[], None]], MainWindow]


@pytest.fixture
def window(standing: MainWindow, answers: Answers) -> MainWindow:
    return anew(standing, answers)


@pytest.mark.slow
def test_what_a_monitor_saw_is_drawn(window: MainWindow, opened: Opened, tmp_path: Path) -> None:
    table = monitored(tmp_path)

    on_lanes(opened(lambda: window.store.open_groups(((str(table),),))))

    session = window.session
    content = session.content
    assert content is not None
    assert (session.traces[0].origin, content.partition) == (Origin.PREPARED, "orders-0")
    assert content.last == 4
    # The rows of the monitor: what it saw at moments, and between them nothing is known.
    run = content.runs[0]
    assert [one.isr for one in run.verdict.isr] == [(1, 2, 3), (1, 2), (1,), (1, 2, 3)]
    assert (run.history.at(1).leader, run.history.at(1).leader_epoch, run.history.at(1).isr) == (1, 4, None)
    picture = window.stage.canvas.picture
    assert picture is not None
    names = {mark.text for mark in picture.marks() if isinstance(mark, Text)}
    assert {"broker 1", "broker 2", "broker 3"} <= names
