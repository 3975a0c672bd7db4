"""In one turn of its loop the window's thread uses at most 50 ms of its own, whatever is going on."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from db.document import create
from gui.main_window import MainWindow
from tests.archives import unpack_recording
from tests.bench.diagnosis import long_partition
from tests.bench.long_runs import long_run
from tests.gui_window.watchdog import MOST_S, least_turn_s, longest_turn_s


def longest(window: MainWindow, begin: Callable[[], None]) -> float:
    """The longest turn until what is opened is drawn."""

    def drawn() -> bool:
        picture = window.stage.canvas.picture
        opened = window.session.content is not None and not window.jobs.asked()
        return opened and picture is not None and bool(picture.title)

    window.session.close()
    window.stage.canvas.show_picture(None)
    return longest_turn_s(begin, drawn)


@pytest.mark.slow
def test_it_answers_while_it_imports(window: MainWindow, tmp_path: Path) -> None:
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    begin = partial(window.store.open_groups, ((str(folder),),))
    assert least_turn_s(lambda: longest(window, begin)) < MOST_S


def test_it_answers_while_it_simulates(window: MainWindow) -> None:
    begin = partial(window.store.open_simulated, "hw-loss", ("0.10.2", "2.8"))
    assert least_turn_s(lambda: longest(window, begin)) < MOST_S


@pytest.mark.slow
@pytest.mark.parametrize("churns", [False, True], ids=["calm", "in-sync set changes all the time"])
def test_it_answers_while_it_opens_a_long_document(window: MainWindow, tmp_path: Path, churns: bool) -> None:  # noqa: FBT001
    trace = long_partition(20_000, isr_every=7) if churns else long_run(20_000, 3)
    create(tmp_path / "long.tide", [trace])
    begin = partial(window.store.open_groups, ((str(tmp_path / "long.tide"),),))
    assert least_turn_s(lambda: longest(window, begin)) < MOST_S
