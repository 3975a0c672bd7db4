"""Work beside its owner, without Qt."""

import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from core.diagnose.verdict.check import diagnose
from core.errors import SourceError, because
from core.message import message
from core.words import speaking, text
from core.work import Work
from gui.workspace.jobs import Failure, Inbox, JobRunner, Progress, SoFar
from importers.load import load
from tests.bench.diagnosis import many_partitions
from tests.importers.test_so_far import FIRST
from tests.in_words import in_words


@dataclass(frozen=True)
class Double:
    number: int

    def answer(self, work: Work) -> int:
        work.step(1, 1, because("doubling"))
        return self.number * 2


@dataclass(frozen=True)
class Speak:
    language: str

    def answer(self, _work: Work) -> tuple[str, str]:
        with speaking(self.language):
            spoken = text(message("language.name"))
        return spoken, text(message("language.name"))


@dataclass(frozen=True)
class TellHalf:
    def answer(self, work: Work) -> int:
        assert work.found is not None
        work.found("half of it")
        return 2


@dataclass(frozen=True)
class Refuse:
    def answer(self, _work: Work) -> NoReturn:
        raise SourceError(because("The file is empty"), advice=because("Choose another"))


@dataclass(frozen=True)
class BreakDown:
    def answer(self, _work: Work) -> NoReturn:
        message = "boom"
        raise ValueError(message)


@dataclass(frozen=True)
class JudgeByTwo:
    partitions: int

    def answer(self, work: Work) -> int:
        return len(diagnose(many_partitions(self.partitions), work, jobs=2).partitions)


@dataclass(frozen=True)
class ReadByTwo:
    folder: Path

    def answer(self, work: Work) -> int:
        return len(load([self.folder], work=work, jobs=2))


@dataclass(frozen=True)
class UntilStopped:
    def answer(self, work: Work) -> None:
        while True:
            work.step(0, 0)
            time.sleep(0.01)


@dataclass(frozen=True)
class HearNothing:
    def answer(self, work: Work) -> None:
        work.step(1, 1)
        time.sleep(60)


class Desk:
    """Jobs, and all that they told their owner."""

    def __init__(self) -> None:
        self.inbox = Inbox()
        self.jobs = JobRunner(self.inbox)
        self.started: list[str] = []
        self.ended: list[str] = []
        self.progress: list[Progress] = []
        self.failures: list[Failure] = []
        self.jobs.started.connect(self.started.append)
        self.jobs.ended.connect(self.ended.append)
        self.jobs.progressed.connect(self.progress.append)
        self.jobs.failed.connect(self.failures.append)

    def ask(self, where: str, request: Any, done: Callable[[Any], object] = pytest.fail) -> None:
        getattr(self.jobs, where)("content", request, done)

    def reported(self) -> list[Progress]:
        """What the work itself said of how far it is."""
        return [one for one in self.progress if one.what != BEGUN]

    def failure(self) -> Failure:
        self.inbox.wait_until(lambda: bool(self.failures))
        return self.failures[0]


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.jobs.close()


BEGUN = message("progress.begun")
BOTH = pytest.mark.parametrize("where", ["in_process", "in_thread"])


@BOTH
def test_a_result_comes_back_in_the_thread_of_the_owner(desk: Desk, where: str) -> None:
    results: list[tuple[int, str]] = []

    def done(result: int) -> None:
        results.append((result, threading.current_thread().name))

    desk.ask(where, Double(21), done)
    assert desk.jobs.asked() == ("content",)
    desk.jobs.wait_for("content")
    assert results == [(42, threading.current_thread().name)]
    assert (desk.started, desk.ended) == (["content"], ["content"])
    assert desk.reported() == [Progress("content", 1, 1, because("doubling"))]


@BOTH
def test_what_is_found_so_far_comes_before_the_answer(desk: Desk, where: str) -> None:
    came: list[object] = []
    desk.jobs.found.connect(came.append)
    desk.ask(where, TellHalf(), came.append)
    desk.jobs.wait_for("content")

    assert came == [SoFar("content", "half of it"), 2]


@BOTH
def test_a_request_may_use_processes_of_its_own(desk: Desk, where: str) -> None:
    results: list[int] = []
    desk.ask(where, JudgeByTwo(40), results.append)
    desk.jobs.wait_for("content")

    assert (results, desk.failures) == ([40], [])


@pytest.mark.slow
def test_an_import_uses_processes_of_its_own(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(FIRST)
    results: list[int] = []
    desk.ask("in_process", ReadByTwo(tmp_path), results.append)
    desk.jobs.wait_for("content")

    assert (results, desk.failures) == ([len(load([tmp_path]))], [])
    assert results[0]


@BOTH
def test_bad_input_is_told_with_its_facts(desk: Desk, where: str) -> None:
    desk.ask(where, Refuse())
    failure = desk.failure()
    assert in_words(failure).what == "The file is empty"
    assert in_words(failure).advice == "Choose another"
    assert failure.report == ""


@BOTH
def test_a_request_speaks_the_language_that_it_names(desk: Desk, where: str) -> None:
    results: list[tuple[str, str]] = []
    desk.ask(where, Speak("zh"), results.append)
    desk.jobs.wait_for("content")

    assert results == [("简体中文", "English")]


@BOTH
def test_a_defect_comes_with_its_traceback(desk: Desk, where: str) -> None:
    desk.ask(where, BreakDown())
    failure = desk.failure()
    assert "boom" in in_words(failure).why
    assert "in answer" in failure.report


def test_bad_input_that_is_found_while_the_answer_is_taken_is_told_too(desk: Desk) -> None:
    def refuse(_result: int) -> None:
        raise SourceError(because("There is no room for it"))

    desk.ask("in_thread", Double(1), refuse)
    assert in_words(desk.failure()).what == "There is no room for it"


def test_a_child_is_told_of_before_it_reports(desk: Desk) -> None:
    """On a busy machine that takes seconds, in which nobody knows that a button was heard."""
    desk.ask("in_process", UntilStopped())

    assert desk.progress == [Progress("content", 0, 0, BEGUN)]


@BOTH
def test_cancelled_work_ends_without_result_and_without_failure(desk: Desk, where: str) -> None:
    desk.ask(where, UntilStopped())
    desk.inbox.wait_until(lambda: bool(desk.reported()))
    desk.jobs.cancel("content")
    desk.inbox.wait_until(lambda: desk.ended == ["content"])
    assert desk.jobs.asked() == ()
    assert desk.failures == []


def test_the_answer_to_an_older_asking_is_dropped(desk: Desk) -> None:
    results: list[int] = []
    gate = threading.Event()

    class Slow:
        def answer(self, _work: Work) -> int:
            gate.wait(10)
            return 1

    desk.ask("in_thread", Slow(), results.append)
    desk.ask("in_thread", Double(2), results.append)
    gate.set()
    desk.jobs.wait_for("content")
    assert results == [4]
    assert desk.jobs.asked() == ()


@pytest.mark.parametrize("where", ["in_thread", "in_thread_beside"])
def test_no_thread_holds_what_is_done_with_its_answer(desk: Desk, where: str) -> None:
    """It leads to widgets, and the thread that lets go of a widget last deletes it."""
    gate = threading.Event()

    class Slow:
        def answer(self, _work: Work) -> None:
            gate.wait(10)

    def done(nothing: None) -> None:
        pytest.fail(f"an answer that was dropped is {nothing}")

    held = weakref.ref(done)
    desk.ask(where, Slow(), done)
    del done
    desk.ask(where, Double(2), lambda _four: None)
    assert held() is None

    gate.set()
    desk.jobs.wait_for("content")


def test_a_child_that_dies_is_a_failure(desk: Desk) -> None:
    desk.ask("in_process", UntilStopped())
    desk.inbox.wait_until(lambda: bool(desk.reported()))
    desk.jobs._jobs["content"].process.kill()
    assert "ended before it was done" in in_words(desk.failure()).what


@pytest.mark.slow
def test_closing_ends_a_child_whose_answer_nobody_waits_for(desk: Desk) -> None:
    desk.ask("in_process", HearNothing())
    desk.inbox.wait_until(lambda: bool(desk.reported()))
    dropped = desk.jobs._jobs["content"]
    desk.ask("in_thread", Double(1), lambda _two: None)
    desk.jobs.close()
    assert dropped.process.exitcode is not None
    assert dropped.listener is not None
    assert not dropped.listener.is_alive()
