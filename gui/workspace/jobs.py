"""Work beside the window: imports in a process, documents in one thread, and one path for every failure.

The window asks a *question* ("content", "save"). When it is asked again, the answer to the older asking is
dropped: nothing that is no longer wanted reaches the screen.
"""

import multiprocessing
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from core.errors import CancelledError, Facts, TidegaugeError
from core.message import Message, message
from core.words import use
from core.work import Progress, Work
from gui.text.render import renderer

_SPAWN: Final = multiprocessing.get_context("spawn")
_REPORT_EVERY: Final = 0.05
"""Seconds between two reports of progress: the eye cannot follow more."""

_STOPS_WITHIN: Final = 2.0
"""Seconds that a child has to stop by itself."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job gave no result. `report` is the traceback of a defect, "" for bad input."""

    facts: Facts
    report: str = ""


@dataclass(slots=True)
class _Job:
    ticket: int
    question: str
    done: Callable[[Any], None]
    stop: Any
    process: Any = None
    listener: threading.Thread | None = None


def failure_of(error: BaseException) -> Failure:
    """The failure that a person is told about: facts as they are, or a defect with its traceback."""
    if isinstance(error, TidegaugeError):
        return Failure(error.facts)
    report = "".join(traceback.format_exception(error))
    facts = Facts(
        message("error.defect"),
        why=message("error.defect.why", kind=type(error).__name__, words=str(error)),
        background=message("error.defect.still-open"),
        advice=message("error.defect.way-out"),
    )
    return Failure(facts, report)


def throttled(send: Progress, stopped: Callable[[], bool]) -> Work:
    """Work that hands on progress at most every 50 ms, and always its last step."""
    last = 0.0

    def progress(done: int, total: int, what: Message | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _REPORT_EVERY or (total and done >= total):
            last = now
            send(done, total, what)

    return Work(progress, stopped)


def _in_child(
    pipe: Connection,
    stop: Any,  # noqa: ANN401 - a multiprocessing event has no public type
    task: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> None:
    """Run a task in the child process; say how it went through the pipe."""
    use(renderer())
    work = throttled(lambda done, total, what: pipe.send(("progress", (done, total, what))), stop.is_set)
    try:
        answer = ("done", task(*arguments, work))
    except CancelledError as error:
        answer = ("cancelled", error.facts)
    except BaseException as error:  # noqa: BLE001 - whatever ends the child is told to the window
        answer = ("failed", failure_of(error))
    pipe.send(answer)
    pipe.close()


class JobRunner(QObject):
    """Starts work, reports its progress, and calls `done` in the window's thread.

    A task is called as `task(*arguments, work)`. In a process it must be a function of a module, and its
    arguments and result must be small (paths, names): traces travel as documents.
    """

    progressed = Signal(str, int, int, object)
    """question, done, total (0 is not known), what: a Message or None"""
    started = Signal(str)
    ended = Signal(str)
    failed = Signal(object)
    """A Failure. The one path of every failure of every job."""
    stopped = Signal(object)
    """Facts: somebody stopped a job, and there is something to know of what it left"""
    _answered = Signal(object, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        """Nothing runs yet. The documents' thread starts with the first question."""
        super().__init__(parent)
        self._tickets = 0
        self._jobs: dict[str, _Job] = {}
        # Also those whose answer nobody waits for any more.
        self._in_processes: list[_Job] = []
        # One worker: edits of a document are written in the order in which they were made.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="documents")
        # Pictures take long and change nothing: nobody who opens or saves waits for them.
        self._beside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._answered.connect(self._take)

    def asked(self) -> tuple[str, ...]:
        """The questions that are still open."""
        return tuple(self._jobs)

    def in_process(
        self,
        question: str,
        task: Callable[..., Any],
        arguments: tuple[Any, ...],
        done: Callable[[Any], None],
    ) -> None:
        """Run a task in a child process."""
        job = self._begin(question, done, _SPAWN.Event())
        here, there = _SPAWN.Pipe(duplex=False)
        job.process = _SPAWN.Process(
            target=_in_child,
            args=(there, job.stop, task, arguments),
            name=f"tidegauge {question}",
            daemon=True,
        )
        job.process.start()
        there.close()
        job.listener = threading.Thread(target=self._listen, args=(job, here), daemon=True)
        job.listener.start()
        self._in_processes = [one for one in self._in_processes if one.listener and one.listener.is_alive()]
        self._in_processes.append(job)

    def in_thread(
        self,
        question: str,
        task: Callable[..., Any],
        arguments: tuple[Any, ...],
        done: Callable[[Any], None],
    ) -> None:
        """Run a task in the documents' thread, after those asked before it."""
        job = self._begin(question, done, threading.Event())
        # With the zone of times that the window has: what the task words is shown there.
        self._thread.submit(copy_context().run, self._run, job, task, arguments)

    def in_thread_beside(
        self,
        question: str,
        task: Callable[..., Any],
        arguments: tuple[Any, ...],
        done: Callable[[Any], None],
    ) -> None:
        """Run a task that changes no document in a thread of its own, after those asked before it."""
        job = self._begin(question, done, threading.Event())
        self._beside.submit(self._run, job, task, arguments)

    def cancel(self, question: str) -> None:
        """Ask the work on a question to stop. It ends with `ended`, without result and without failure."""
        job = self._jobs.get(question)
        if job is not None:
            job.stop.set()

    def close(self) -> None:
        """Stop everything; called when the window closes. Waits for the threads: they tell this object."""
        for job in (*self._jobs.values(), *self._in_processes):
            job.stop.set()
        for job in self._in_processes:
            job.process.join(timeout=_STOPS_WITHIN)
            if job.process.is_alive():
                job.process.terminate()
            if job.listener is not None:
                job.listener.join(timeout=_STOPS_WITHIN)
        self._in_processes.clear()
        self._jobs.clear()
        self._thread.shutdown(wait=True)
        self._beside.shutdown(wait=True)

    def _begin(self, question: str, done: Callable[[Any], None], stop: Any) -> _Job:  # noqa: ANN401 - two kinds of event
        self.cancel(question)
        self._tickets += 1
        job = _Job(self._tickets, question, done, stop)
        self._jobs[question] = job
        self.started.emit(question)
        return job

    def _run(self, job: _Job, task: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        work = throttled(
            lambda done, total, what: self._answered.emit(job, "progress", (done, total, what)),
            job.stop.is_set,
        )
        try:
            self._answered.emit(job, "done", task(*arguments, work))
        except CancelledError:
            self._answered.emit(job, "cancelled", None)
        except Exception as error:  # noqa: BLE001 - told to the person as a failure of this job
            self._answered.emit(job, "failed", failure_of(error))

    def _listen(self, job: _Job, pipe: Connection) -> None:
        """Hand on what the child says. A child that dies without a word is a failure too."""
        how = "progress"
        while how == "progress":
            try:
                how, what = pipe.recv()
            except EOFError:
                job.process.join()
                facts = Facts(
                    message("error.process-ended"),
                    why=message("error.process-ended.why", code=job.process.exitcode),
                    background=message("error.defect.still-open"),
                    advice=message("error.process-ended.way-out"),
                )
                how, what = ("cancelled", None) if job.stop.is_set() else ("failed", Failure(facts))
            self._answered.emit(job, how, what)
        pipe.close()
        job.process.join()

    def _take(self, job: _Job, how: str, what: Any) -> None:  # noqa: ANN401 - the result of any task
        """In the window's thread: hand on, unless the question was asked again or dropped since."""
        if self._jobs.get(job.question) is not job:
            return
        if how == "progress":
            self.progressed.emit(job.question, *what)
            return
        del self._jobs[job.question]
        self.ended.emit(job.question)
        if how == "failed":
            self.failed.emit(what)
        elif how == "cancelled" and what is not None and what.advice:
            self.stopped.emit(what)
        elif how == "done" and not job.stop.is_set():
            try:
                job.done(what)
            except TidegaugeError as error:
                self.failed.emit(failure_of(error))
