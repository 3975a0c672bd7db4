import threading
import time
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from core.errors import SourceError, because
from core.work import Work
from gui.workspace.jobs import Failure, JobRunner
from tests.in_words import in_words


def double(number: int, work: Work) -> int:
    work.step(1, 1, because("doubling"))
    return number * 2


def refuse(work: Work) -> None:
    raise SourceError(because("The file is empty"), advice=because("Choose another"))


def break_down(work: Work) -> None:
    message = "boom"
    raise ValueError(message)


def until_stopped(work: Work) -> None:
    while True:
        work.step(0, 0)
        time.sleep(0.01)


def hear_nothing(work: Work) -> None:
    work.step(1, 1)
    time.sleep(60)


@pytest.fixture
def jobs(qapp: QApplication) -> Any:
    runner = JobRunner()
    yield runner
    runner.close()


@pytest.mark.parametrize("where", ["in_process", "in_thread"])
def test_a_result_comes_back_in_the_windows_thread(jobs: JobRunner, qtbot: QtBot, where: str) -> None:
    results: list[tuple[int, str]] = []

    def done(result: int) -> None:
        results.append((result, threading.current_thread().name))

    with qtbot.waitSignal(jobs.ended, timeout=30_000):
        getattr(jobs, where)("content", double, (21,), done)
    qtbot.waitUntil(lambda: bool(results))
    assert results == [(42, threading.current_thread().name)]


@pytest.mark.parametrize("where", ["in_process", "in_thread"])
def test_bad_input_is_told_with_its_facts(jobs: JobRunner, qtbot: QtBot, where: str) -> None:
    with qtbot.waitSignal(jobs.failed, timeout=30_000) as caught:
        getattr(jobs, where)("content", refuse, (), pytest.fail)
    assert caught.args is not None
    failure: Failure = caught.args[0]
    assert in_words(failure).what == "The file is empty"
    assert in_words(failure).advice == "Choose another"
    assert failure.report == ""


@pytest.mark.parametrize("where", ["in_process", "in_thread"])
def test_a_defect_comes_with_its_traceback(jobs: JobRunner, qtbot: QtBot, where: str) -> None:
    with qtbot.waitSignal(jobs.failed, timeout=30_000) as caught:
        getattr(jobs, where)("content", break_down, (), pytest.fail)
    assert caught.args is not None
    failure: Failure = caught.args[0]
    assert "boom" in in_words(failure).why
    assert "break_down" in failure.report


@pytest.mark.parametrize("where", ["in_process", "in_thread"])
def test_cancelled_work_ends_without_result_and_without_failure(
    jobs: JobRunner, qtbot: QtBot, where: str
) -> None:
    jobs.failed.connect(lambda _failure: pytest.fail("cancelled is no failure"))
    with qtbot.waitSignal(jobs.progressed, timeout=30_000):
        getattr(jobs, where)("content", until_stopped, (), pytest.fail)
    with qtbot.waitSignal(jobs.ended, timeout=30_000):
        jobs.cancel("content")
    assert jobs.asked() == ()


def test_the_answer_to_an_older_asking_is_dropped(jobs: JobRunner, qtbot: QtBot) -> None:
    results: list[int] = []
    gate = threading.Event()

    def slow(number: int, work: Work) -> int:
        gate.wait(10)
        return number

    jobs.in_thread("content", slow, (1,), results.append)
    jobs.in_thread("content", double, (2,), results.append)
    gate.set()
    qtbot.waitUntil(lambda: results == [4], timeout=10_000)
    assert jobs.asked() == ()


def test_a_child_that_dies_is_a_failure(jobs: JobRunner, qtbot: QtBot) -> None:
    with qtbot.waitSignal(jobs.progressed, timeout=30_000):
        jobs.in_process("content", until_stopped, (), pytest.fail)
    with qtbot.waitSignal(jobs.failed, timeout=30_000) as caught:
        jobs._jobs["content"].process.kill()
    assert caught.args is not None
    assert "ended before it was done" in in_words(caught.args[0]).what


@pytest.mark.slow
def test_closing_ends_a_child_whose_answer_nobody_waits_for(jobs: JobRunner, qtbot: QtBot) -> None:
    with qtbot.waitSignal(jobs.progressed, timeout=30_000):
        jobs.in_process("content", hear_nothing, (), pytest.fail)
    dropped = jobs._jobs["content"]
    jobs.in_thread("content", double, (1,), lambda _two: None)
    jobs.close()
    assert dropped.process.exitcode is not None
    assert dropped.listener is not None
    assert not dropped.listener.is_alive()
