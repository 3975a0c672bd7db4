"""How much the window's thread does in one turn of its event loop: in calls, or in seconds of its CPU."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from tests.calls import counting

MOST_CALLS: Final = 250_000
"""What one turn may take. Measured were 34,000 to 86,000; a document of 20,000 events that is read in the
window's thread takes 9,700,000.
"""
PATIENCE_S: Final = 280.0
"""A test that waits longer hangs."""


def longest_turn_s(
    begin: Callable[[], None], ready: Callable[[], bool], within_s: float = PATIENCE_S
) -> float:
    """Do something, then turn the loop until it is ready. CPU of this thread alone: others do not count.

    For benches: what it gives depends on the machine. Raises TimeoutError.
    """
    return _longest(time.thread_time, begin, ready, within_s)


def longest_turn_calls(begin: Callable[[], None], ready: Callable[[], bool]) -> int:
    """The same in calls of functions, which every machine needs alike. Raises TimeoutError."""
    with counting() as calls:
        return round(_longest(lambda: calls.made, begin, ready, PATIENCE_S))


def _longest(
    spent: Callable[[], float], begin: Callable[[], None], ready: Callable[[], bool], within_s: float
) -> float:
    # What follows from no other event, as the end of a job in a thread, is looked for all the same.
    pulse = QTimer()
    pulse.start(20)
    worst, last, end = 0.0, spent(), time.monotonic() + within_s
    begin()
    while True:
        now = spent()
        worst, last = max(worst, now - last), now
        if ready():
            break
        if time.monotonic() > end:
            message = f"not ready after {within_s} s"
            raise TimeoutError(message)
        last = spent()
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    pulse.stop()
    return worst
