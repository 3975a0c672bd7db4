"""One Spark action with progress and cancel."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as NotYet
from typing import Final, TypeVar

from py4j.protocol import Py4JError
from pyspark import SparkContext, inheritable_thread_target
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from core.errors import CancelledError, TidegaugeError, because
from core.message import Message, message
from core.words import text
from core.work import Work
from spark.interrupt import raise_pending
from spark.session import reason

T = TypeVar("T")

_TICK_S: Final = 0.1
_TICKS: Final = 10
"""Every so often Spark is asked how far it is: an answer takes several calls, which would load the driver."""


def watched(session: SparkSession, action: Callable[[], T], what: Message, work: Work) -> T:
    """What `action` gives. Its Spark jobs run in one group: progress is told in tasks, a stop cancels them.

    Raises CancelledError when the person stopped the work, TidegaugeError where Spark gave up.
    """
    context = session.sparkContext
    group = uuid.uuid4().hex

    def act() -> T:
        context.setJobGroup(group, text(what), interruptOnCancel=True)
        return action()

    with ThreadPoolExecutor(1, "spark") as pool:
        future = pool.submit(inheritable_thread_target(session)(act))
        done = total = tick = 0
        try:
            while True:
                try:
                    return future.result(timeout=_TICK_S)
                except NotYet:
                    raise_pending()
                    if tick % _TICKS == 0:
                        done, total = _progress(context, group)
                    tick += 1
                    work.step(done, total, what)
        except (CancelledError, KeyboardInterrupt):
            # The thread is awaited, and it may be about to start a job that is not in the group yet.
            while not wait((future,), timeout=0.2).done:
                context.cancelJobGroup(group)
            raise
        except (PySparkException, Py4JError) as error:
            raise TidegaugeError(
                message("error.spark.gave-up", doing=what), why=because(reason(error))
            ) from error


def _progress(context: SparkContext, group: str) -> tuple[int, int]:
    """Tasks done and to do over all stages known of a job group."""
    tracker = context.statusTracker()
    done = total = 0
    for job in tracker.getJobIdsForGroup(group):
        info = tracker.getJobInfo(job)
        for stage in info.stageIds if info else ():
            state = tracker.getStageInfo(stage)
            if state is not None:
                done, total = done + state.numCompletedTasks, total + state.numTasks
    return done, total
