"""The bar that says what a job is doing: only of one that takes a while."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from core.message import message
from gui.window.notices import SHOWN_AFTER_MS, ProgressBar


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[ProgressBar]:
    holder = QWidget()
    qtbot.addWidget(holder)
    made = ProgressBar(holder)
    holder.show()
    yield made
    holder.close()


def waits(bar: ProgressBar) -> bool:
    """Whether it will be shown."""
    (timer,) = bar.findChildren(QTimer)
    assert timer.interval() == SHOWN_AFTER_MS
    return timer.isActive()


def test_a_job_that_takes_a_while_is_shown_until_it_ends(bar: ProgressBar, qtbot: QtBot) -> None:
    bar.report("content", 1, 2, message("progress.order"))
    assert not bar.isVisible()

    qtbot.waitUntil(bar.isVisible)
    bar.report("content", 2, 2, message("progress.order"))
    assert bar.isVisible()
    bar.end("content")
    assert not bar.isVisible()
    assert not waits(bar)


def test_a_job_that_ends_at_once_moves_nothing(bar: ProgressBar) -> None:
    """Else what lies below the bar is laid out twice more."""
    bar.report("content", 1, 2, message("progress.order"))
    assert waits(bar)
    bar.end("content")

    assert not waits(bar)
    assert bar.isHidden()


def test_each_report_of_a_job_leaves_the_time_at_which_it_is_shown(bar: ProgressBar) -> None:
    bar.report("content", 1, 3, message("progress.order"))
    (timer,) = bar.findChildren(QTimer)
    left = timer.timerId()
    bar.report("content", 2, 3, message("progress.order"))

    assert timer.timerId() == left


def test_jobs_that_report_in_turns_are_shown_as_soon_as_one(bar: ProgressBar, qtbot: QtBot) -> None:
    """Each report would else begin the wait anew, and none would ever be seen."""
    bar.report("content", 1, 3, message("progress.order"))
    (timer,) = bar.findChildren(QTimer)
    left = timer.timerId()
    bar.report("export", 1, 3, message("progress.order"))

    assert timer.timerId() == left
    qtbot.waitUntil(bar.isVisible)


def test_a_job_that_ended_stops_no_other(bar: ProgressBar) -> None:
    bar.report("content", 1, 2, message("progress.order"))
    bar.report("export", 1, 2, message("progress.order"))
    bar.end("content")

    assert waits(bar)
