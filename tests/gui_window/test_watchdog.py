"""In one turn of its loop the window's thread does little, whatever is going on.

Counted in calls: how long they take is measured by the bench (tests/bench/window.py, at most 50 ms).
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.work import QUIET
from db.document import create
from gui.window.main_window import MainWindow
from gui.workspace.jobs import Request
from tests.archives import unpack_recording
from tests.bench.diagnosis import long_partition
from tests.bench.long_runs import long_run
from tests.gui_window.watchdog import MOST_CALLS, longest_turn_calls


def longest(window: MainWindow, begin: Callable[[], None]) -> int:
    """The longest turn until what is opened is drawn."""

    def drawn() -> bool:
        if window.session.content is None or window.jobs.asked():
            return False
        if window.pages.incident.isVisible():
            return window.pages.incident.page is not None
        picture = window.stage.canvas.picture
        return picture is not None and bool(picture.title)

    window.session.close()
    window.stage.canvas.show_picture(None)
    return longest_turn_calls(begin, drawn)


@pytest.mark.slow
def test_it_answers_while_it_imports(window: MainWindow, tmp_path: Path) -> None:
    folder, _ = unpack_recording("k28-unclean-loss", tmp_path)
    begin = partial(window.store.open_groups, ((str(folder),),))
    assert longest(window, begin) < MOST_CALLS


@pytest.mark.slow
def test_it_answers_while_it_simulates(window: MainWindow) -> None:
    begin = partial(window.store.open_simulated, "hw-loss", ("0.10.2", "2.8"))
    assert longest(window, begin) < MOST_CALLS


@pytest.mark.slow
@pytest.mark.parametrize("churns", [False, True], ids=["calm", "in-sync set changes all the time"])
def test_it_answers_while_it_opens_a_long_document(window: MainWindow, tmp_path: Path, churns: bool) -> None:  # noqa: FBT001
    trace = long_partition(20_000, isr_every=7) if churns else long_run(20_000, 3)
    create(tmp_path / "long.tide", [trace])
    begin = partial(window.store.open_groups, ((str(tmp_path / "long.tide"),),))
    assert longest(window, begin) < MOST_CALLS


@pytest.mark.slow
def test_work_in_the_thread_of_the_window_is_seen(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The measure itself: a document that is read in the window's thread takes too many calls in one turn."""

    def at_once(_question: str, request: Request[Any], done: Callable[[Any], None]) -> None:
        done(request.answer(QUIET))

    create(tmp_path / "long.tide", [long_run(8_000, 3)])
    monkeypatch.setattr(window.jobs, "in_thread", at_once)
    begin = partial(window.store.open_groups, ((str(tmp_path / "long.tide"),),))

    assert longest(window, begin) > 10 * MOST_CALLS
