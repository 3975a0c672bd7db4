"""Ctrl-C while Spark works: py4j, interrupted in a call, prints a traceback of its own."""

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event
from types import FrameType
from typing import Final

_PENDING: Final = Event()


@contextmanager
def calm_interrupt() -> Generator[None]:
    """Within the block Ctrl-C waits until py4j has its answer; whatever else runs is interrupted at once.

    Spark sets a handler of its own when it starts: `keep_calm` takes its place. A second Ctrl-C never waits.
    In a thread other than the main one, which gets no signals, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    _PENDING.clear()
    keep_calm()
    try:
        yield
        raise_pending()
    finally:
        signal.signal(signal.SIGINT, before)


def keep_calm() -> None:
    """Take SIGINT; in the main thread only."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _interrupted)


def raise_pending() -> None:
    """Raise KeyboardInterrupt if one came while py4j had to be left alone."""
    if _PENDING.is_set():
        raise KeyboardInterrupt


def _interrupted(_signal: int, frame: FrameType | None) -> None:
    if not _PENDING.is_set() and _in_py4j(frame):
        _PENDING.set()
        return
    raise KeyboardInterrupt


def _in_py4j(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] == "py4j":
            return True
        frame = frame.f_back
    return False
