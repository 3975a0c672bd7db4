"""Time, menus and work of a window by hand: they go on when the test says so, and never by a clock.

A window that is made within `by_hand` has timers that fire by a `Clock`, menus that are answered as soon as
they are shown, and notes whose time is that of the clock. `settle` waits for work, not for time.
"""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, ClassVar, Final

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QEvent, QEventLoop, QPoint, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QMenu, QStatusBar, QWidget
from shiboken6 import isValid

import gui
from gui.window.main_window import MainWindow
from gui.workspace.jobs import JobRunner

_MOST_TURNS: Final = 10_000
"""Turns of the loop after which a window that is never quiet fails the test."""
_LONG_MS: Final = 3_600_000


class Clock:
    """Passes when it is told to. What waits for it fires in the order of its time, then of its beginning."""

    def __init__(self) -> None:
        """Zero, and nothing waits."""
        self.now = 0
        self._begun = 0
        self._waiting: dict[HandTimer, tuple[int, int]] = {}

    def begin(self, timer: "HandTimer") -> None:
        """Fire a timer once its interval has passed from now on."""
        self._begun += 1
        self._waiting[timer] = self.now + timer.interval(), self._begun

    def end(self, timer: "HandTimer") -> None:
        """Do not fire it."""
        self._waiting.pop(timer, None)

    def waits(self, timer: "HandTimer") -> bool:
        """Whether a timer is active."""
        return timer in self._waiting

    def due(self, until: int) -> "HandTimer | None":
        """The next timer that is due at a time; those of parts that are gone are forgotten."""
        for timer in [one for one in self._waiting if not isValid(one)]:
            del self._waiting[timer]
        found = min(self._waiting.items(), key=lambda one: one[1], default=None)
        return None if found is None or found[1][0] > until else found[0]

    def pass_by(self, ms: int, then: Callable[[], None]) -> None:
        """Let so many ms pass; `then` is called after each timer that fires."""
        until = self.now + ms
        fired: list[str] = []
        for _ in range(_MOST_TURNS):
            timer = self.due(until)
            if timer is None:
                self.now = until
                return
            fired.append(f"{type(timer.parent()).__name__} after {timer.interval()} ms")
            self.now = max(self.now, self._waiting[timer][0])
            self.end(timer)
            if not timer.isSingleShot():
                self.begin(timer)
            timer.timeout.emit()
            then()
        message = f"a timer fires again and again: {Counter(fired[-50:])}"
        raise AssertionError(message)


class HandTimer(QTimer):
    """A timer of the window whose time is that of `clock`."""

    clock: ClassVar[Clock] = Clock()

    def setInterval(self, msec: int) -> None:  # noqa: N802 - the name that Qt has
        """As Qt: an active timer begins anew."""
        super().setInterval(msec)
        if self.isActive():
            self.clock.begin(self)

    def start(self, *msec: int) -> None:
        """From now on."""
        if msec:
            super().setInterval(*msec)
        self.clock.begin(self)

    def stop(self) -> None:
        """Not any more."""
        self.clock.end(self)

    def isActive(self) -> bool:  # noqa: N802 - the name that Qt has
        """Whether it will fire."""
        return self.clock.waits(self)

    @staticmethod
    def singleShot(msec: int, *receiver_and_slot: Any) -> None:  # noqa: N802 - the name that Qt has
        """Once; nothing where the receiver is gone by then."""
        *receiver, slot = receiver_and_slot
        timer = HandTimer()
        timer.setSingleShot(True)
        timer.timeout.connect(lambda: slot() if all(map(isValid, receiver)) else None)
        timer.start(msec)


class BriefMenu(QMenu):
    """A menu that does not wait for a person: as soon as it is shown, `answer` is given, and it closes."""

    answer: ClassVar[Callable[[QMenu], object]] = lambda _menu: None

    def __init__(self, parent: QWidget | None = None) -> None:
        """As Qt."""
        super().__init__(parent)
        # The first turn of the loop in which the menu would wait.
        self.aboutToShow.connect(lambda: QTimer.singleShot(0, self, self._answer))

    def _answer(self) -> None:
        BriefMenu.answer(self)
        self.close()


@contextmanager
def by_hand() -> Generator[Clock]:
    """A clock for all windows that are made within."""
    clock = Clock()
    pairs, repeated = QApplication.doubleClickInterval(), QApplication.keyboardInputInterval()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(HandTimer, "clock", clock)
        for found in pkgutil.walk_packages(gui.__path__, "gui."):
            module = importlib.import_module(found.name)
            for name, kind, ours in (("QTimer", QTimer, HandTimer), ("QMenu", QMenu, BriefMenu)):
                if getattr(module, name, None) is kind:
                    patched.setattr(module, name, ours)
        patched.setattr("gui.window.noting.time", SimpleNamespace(time_ns=lambda: clock.now * 1_000_000))
        show = QStatusBar.showMessage
        # A message stays until the next one, or until it is cleared.
        patched.setattr(QStatusBar, "showMessage", lambda bar, text, _ms=0: show(bar, text))
        # Two clicks, or two letters, belong together by what was done and not by how soon.
        QApplication.setDoubleClickInterval(0)
        QApplication.setKeyboardInputInterval(_LONG_MS)
        QCursor.setPos(0, 0)
        yield clock
    QApplication.setDoubleClickInterval(pairs)
    QApplication.setKeyboardInputInterval(repeated)


def deliver() -> None:
    """Hand out the events that are there, and those that follow from them, until nothing is left."""
    dispatcher = QAbstractEventDispatcher.instance()
    for _ in range(_MOST_TURNS):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        if not dispatcher.processEvents(QEventLoop.ProcessEventsFlag.AllEvents):
            return
    message = "the window is never quiet"
    raise AssertionError(message)


def settle(jobs: JobRunner, clock: Clock) -> None:
    """Wait until no job runs, no event is left, and no timer is due now."""
    dispatcher = QAbstractEventDispatcher.instance()
    for _ in range(_MOST_TURNS):
        deliver()
        if jobs.asked():
            dispatcher.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        elif clock.due(clock.now) is None:
            return
        else:
            clock.pass_by(0, deliver)
    message = f"there is always more to do: {jobs.asked()}"
    raise AssertionError(message)


def parts_of(parent: QWidget) -> list[QWidget]:
    """What is shown in a window, by name and place: Qt has separators of docks in the order of addresses."""
    shown = [one for one in parent.findChildren(QWidget) if one.isVisible() and not one.isWindow()]
    return sorted(shown, key=lambda one: (type(one).__name__, one.objectName(), *_place(parent, one)))


def _place(parent: QWidget, part: QWidget) -> tuple[int, int, int, int]:
    at = part.mapTo(parent, QPoint(0, 0))
    return at.x(), at.y(), part.width(), part.height()


@contextmanager
def answered(answer: Callable[[QMenu], object]) -> Generator[None]:
    """Let this answer the menus that are shown within, before they close."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BriefMenu, "answer", answer)
        yield


def close_popups() -> None:
    """Close lists of boxes, and menus of fields, that wait for a person."""
    _close(QApplication.activePopupWidget)


def close_what_waits() -> None:
    """Close these, and dialogs."""
    _close(lambda: QApplication.activePopupWidget() or QApplication.activeModalWidget())


def _close(waiting: Callable[[], QWidget | None]) -> None:
    for _ in range(20):
        found = waiting()
        if found is None:
            return
        found.close()
        deliver()


def close_tabs(window: MainWindow) -> None:
    """Close all tabs; nobody is asked about notes."""
    for tab in reversed(window.tabs.open.tabs):
        window.tabs.close(tab.key)
