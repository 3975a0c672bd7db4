"""Garbage is looked for in the window's thread alone: an object of Qt is deleted in the thread it lives in.

PySide hands over plain widgets by itself. Our own ones die in the thread that looked, as do actions, timers,
scenes and delegates.
"""

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer

_EVERY_MS: Final = 200
_OLD_AFTER: Final = 50
"""Searches of the middle generation before one of all: that one takes tens of milliseconds."""


def collect_here(parent: QObject) -> None:
    """Look for cycles from now on by a timer of `parent`, whose thread is the one that made it.

    The interpreter looks in whichever thread makes the next object, and there are cycles through widgets.
    """
    gc.disable()
    timer = QTimer(parent)
    timer.timeout.connect(collect)
    timer.start(_EVERY_MS)


def collect() -> None:
    """The oldest generation that is due, as the interpreter's own thresholds have it."""
    young, middle, _ = gc.get_threshold()
    counts = gc.get_count()
    if counts[2] > _OLD_AFTER:
        gc.collect(2)
    elif counts[1] > middle:
        gc.collect(1)
    elif counts[0] > young:
        gc.collect(0)
