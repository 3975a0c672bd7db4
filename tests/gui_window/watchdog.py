"""How much CPU the window's thread uses in one turn of its event loop."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

MOST_S: Final = 0.05
"""What one turn may use: longer, and a person feels that the window does not answer."""


def longest_turn_s(begin: Callable[[], None], ready: Callable[[], bool], within_s: float = 120.0) -> float:
    """Do something, then turn the loop until it is ready. CPU of this thread alone: others do not count.

    Raises TimeoutError.
    """
    # What follows from no other event, as the end of a job in a thread, is looked for all the same.
    pulse = QTimer()
    pulse.start(20)
    worst, last, end = 0.0, time.thread_time(), time.monotonic() + within_s
    begin()
    while True:
        now = time.thread_time()
        worst, last = max(worst, now - last), now
        if ready():
            break
        if time.monotonic() > end:
            message = f"not ready after {within_s} s"
            raise TimeoutError(message)
        last = time.thread_time()
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    pulse.stop()
    return worst


def least_turn_s(longest: Callable[[], float], most_s: float = MOST_S) -> float:
    """The least of up to three longest turns: caches that others have emptied make one cost twice as much."""
    least = longest()
    for _ in range(2):
        if least >= most_s:
            least = min(least, longest())
    return least
