"""Work beside its owner: imports in a process, documents in one thread, and one path for every failure.

The owner asks a *question* ("content", "save") with a request. When it is asked again, the answer to the
older asking is dropped: nothing that is no longer wanted reaches the screen.
"""

import multiprocessing
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, Final, Protocol, TypeVar

from core.errors import CancelledError, Facts, TidegaugeError
from core.message import Message, message
from core.time_left import with_time_left
from core.words import use
from core.work import Progress as Reported
from core.work import Work
from gui.text.catalogues import FIRST
from gui.text.render import renderer
from gui.workspace.changes import Change, Told

_SPAWN: Final = multiprocessing.get_context("spawn")
_REPORT_EVERY: Final = 0.05
"""Seconds between two reports of progress: the eye cannot follow more."""

_ON_THE_WAY: Final = ("progress", "found")
"""What work tells before it ends."""
_STOPS_WITHIN: Final = 2.0
"""Seconds that a child has to stop by itself."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job gave no result. `report` is the traceback of a defect, "" for bad input."""

    facts: Facts
    report: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work on a question is. `total` 0 is not known."""

    question: str
    done: int
    total: int
    what: Message | None


@dataclass(frozen=True, slots=True)
class SoFar:
    """What the work on a question knows already, while it goes on: whatever it tells (core/work.py)."""

    question: str
    what: object


R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")


class Request(Protocol[R_co]):
    """Work that is wanted, with all that it needs, as a frozen value."""

    def answer(self, work: Work, /) -> R_co:
        """Do it, and give the outcome."""
        ...


class Mailbox(Protocol):
    """How answers come into the thread of the owner."""

    def post(self, call: Callable[[], None], /) -> None:
        """From any thread: call this in the thread of the owner, after what was posted before."""
        ...

    def wait_until(self, is_so: Callable[[], bool], /) -> None:
        """In the thread of the owner: take what comes until it is so."""
        ...


class Inbox:
    """A mailbox without Qt: what was posted is called when the owner waits, or takes it."""

    def __init__(self) -> None:
        """Empty."""
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def post(self, call: Callable[[], None], /) -> None:
        """Keep it until the owner takes it."""
        self._calls.put(call)

    def wait_until(self, is_so: Callable[[], bool], /) -> None:
        """Take one after the other until it is so."""
        while not is_so():
            self._calls.get()()


@dataclass(frozen=True, slots=True)
class JobChanges:
    """What is told of jobs."""

    progressed: Change[Progress] = field(default_factory=Told[Progress])
    found: Change[SoFar] = field(default_factory=Told[SoFar])
    started: Change[str] = field(default_factory=Told[str])
    """a question"""
    ended: Change[str] = field(default_factory=Told[str])
    """a question"""
    failed: Change[Failure] = field(default_factory=Told[Failure])
    """The one path of every failure of every job."""
    stopped: Change[Facts] = field(default_factory=Told[Facts])
    """Somebody stopped a job, and there is something to know of what it left."""


@dataclass(slots=True, eq=False)
class _Job:
    """What the threads know of an asking. What is done with its answer is the owner's alone.

    That leads to parts of the window, and an object of Qt is deleted in the thread that lets go of it last.
    """

    question: str
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


def throttled(send: Reported, stopped: Callable[[], bool], found: Callable[[object], None]) -> Work:
    """Work that hands on progress at most every 50 ms, and its last step; with the time that is left.

    What is found so far is handed on as it is told.
    """
    last = 0.0
    send = with_time_left(send, time.monotonic)

    def progress(done: int, total: int, what: Message | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _REPORT_EVERY or (total and done >= total):
            last = now
            send(done, total, what)

    return Work(progress, stopped, found)


def _in_child(
    pipe: Connection,
    stop: Any,  # noqa: ANN401 - a multiprocessing event has no public type
    request: Request[object],
) -> None:
    """Do what is asked in the child process; say how it went through the pipe."""
    # So that it may begin processes of its own, which end with it (core/processes.py).
    multiprocessing.current_process().daemon = False
    use(renderer, FIRST)
    work = throttled(
        lambda done, total, what: pipe.send(("progress", (done, total, what))),
        stop.is_set,
        lambda what: pipe.send(("found", what)),
    )
    try:
        answer = ("done", request.answer(work))
    except CancelledError as error:
        answer = ("cancelled", error.facts)
    except BaseException as error:  # noqa: BLE001 - whatever ends the child is told to the window
        answer = ("failed", failure_of(error))
    pipe.send(answer)
    pipe.close()


class JobRunner:
    """Starts work, tells how far it is, and hands its answer to `done` in the thread of the owner."""

    def __init__(self, mailbox: Mailbox | None = None, changes: JobChanges | None = None) -> None:
        """Nothing runs yet. The documents' thread starts with the first question."""
        self._mailbox = mailbox or Inbox()
        self.tell_through(changes or JobChanges())
        self._jobs: dict[str, _Job] = {}
        self._takers: dict[str, Callable[[Any], object]] = {}
        """What is done with each answer; `in_thread` and `in_process` hold that it is of the right type."""
        self.is_closed = False
        # Also those whose answer nobody waits for any more.
        self._in_processes: list[_Job] = []
        # One worker: edits of a document are written in the order in which they were made.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="documents")
        # Pictures take long and change nothing: nobody who opens or saves waits for them.
        self._beside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")

    def tell_through(self, changes: JobChanges) -> None:
        """Tell through these from now on; who listened to others hears nothing any more."""
        self.progressed, self.started, self.ended = changes.progressed, changes.started, changes.ended
        self.failed, self.stopped, self.found = changes.failed, changes.stopped, changes.found

    def asked(self) -> tuple[str, ...]:
        """The questions that are still open."""
        return tuple(self._jobs)

    def in_process(self, question: str, request: Request[R], done: Callable[[R], object]) -> None:
        """Answer a request in a child process; both it and its answer are pickled."""
        job = self._begin(question, done, _SPAWN.Event())
        here, there = _SPAWN.Pipe(duplex=False)
        job.process = _SPAWN.Process(
            target=_in_child, args=(there, job.stop, request), name=f"tidegauge {question}", daemon=True
        )
        job.process.start()
        there.close()
        # On a busy machine it takes seconds until a child has anything to report.
        self.progressed.emit(Progress(question, 0, 0, message("progress.begun")))
        job.listener = threading.Thread(target=self._listen, args=(job, here), daemon=True)
        job.listener.start()
        self._in_processes = [one for one in self._in_processes if one.listener and one.listener.is_alive()]
        self._in_processes.append(job)

    def in_thread(self, question: str, request: Request[R], done: Callable[[R], object]) -> None:
        """Answer a request in the documents' thread, after those asked before it."""
        job = self._begin(question, done, threading.Event())
        # With the zone of times that the owner has: what is worded is shown there.
        self._thread.submit(copy_context().run, self._run, job, request)

    def in_thread_beside(self, question: str, request: Request[R], done: Callable[[R], object]) -> None:
        """Answer a request that changes no document in a thread of its own, after those asked before it."""
        job = self._begin(question, done, threading.Event())
        self._beside.submit(self._run, job, request)

    def wait_for(self, question: str) -> None:
        """Take answers until a question is no longer open."""
        self._mailbox.wait_until(lambda: question not in self._jobs)

    def cancel(self, question: str) -> None:
        """Ask the work on a question to stop. It ends with `ended`, without result and without failure."""
        job = self._jobs.get(question)
        if job is not None:
            job.stop.set()

    def close(self) -> None:
        """Stop everything; called when the owner closes. Waits for the threads: they tell this object."""
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
        self._takers.clear()
        self.is_closed = True
        self._thread.shutdown(wait=True)
        self._beside.shutdown(wait=True)

    def _begin(self, question: str, done: Callable[[Any], object], stop: Any) -> _Job:  # noqa: ANN401 - two kinds of event
        self.cancel(question)
        job = _Job(question, stop)
        self._jobs[question], self._takers[question] = job, done
        self.started.emit(question)
        return job

    def _tell(self, job: _Job, how: str, what: object) -> None:
        """From any thread."""
        self._mailbox.post(partial(self._take, job, how, what))

    def _run(self, job: _Job, request: Request[object]) -> None:
        work = throttled(
            lambda done, total, what: self._tell(job, "progress", (done, total, what)),
            job.stop.is_set,
            lambda what: self._tell(job, "found", what),
        )
        try:
            self._tell(job, "done", request.answer(work))
        except CancelledError:
            self._tell(job, "cancelled", None)
        except Exception as error:  # noqa: BLE001 - told to the person as a failure of this job
            self._tell(job, "failed", failure_of(error))

    def _listen(self, job: _Job, pipe: Connection) -> None:
        """Hand on what the child says. A child that dies without a word is a failure too."""
        how = "progress"
        while how in _ON_THE_WAY:
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
            self._tell(job, how, what)
        pipe.close()
        job.process.join()

    def _take(self, job: _Job, how: str, what: Any) -> None:  # noqa: ANN401 - the answer to any request
        """In the thread of the owner: hand on, unless the question was asked again or dropped since."""
        if self._jobs.get(job.question) is not job:
            return
        if how == "progress":
            self.progressed.emit(Progress(job.question, *what))
            return
        if how == "found":
            self.found.emit(SoFar(job.question, what))
            return
        del self._jobs[job.question]
        take = self._takers.pop(job.question)
        self.ended.emit(job.question)
        if how == "failed":
            self.failed.emit(what)
        elif how == "cancelled" and what is not None and what.advice:
            self.stopped.emit(what)
        elif how == "done" and not job.stop.is_set():
            try:
                take(what)
            except TidegaugeError as error:
                self.failed.emit(failure_of(error))
